"""A step on mechanisms: why Laplace noise on several counts hides a person in all of them, by frames that add up."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from dpengine.beliefs import laplace_log_likelihood_ratio
from dpengine.charts.privacy import share_charts
from dpengine.charts.privacy.share_charts import CountLoss, signed
from dpengine.formatting import amount
from dpengine.mechanisms import LaplaceMechanism
from pages.lesson import pickers
from pages.lesson.lesson import Shown, choice, dial, picture_and_words
from pages.widgets import outputs
from pages.widgets.computed import formula

KEY = "mechanisms"
WITHOUT_YOU: Mapping[str, int] = {"GP visits": 40, "Emergencies": 12, "Hospital stays": 5}
PUBLISHED = (46.0, 12.5, 7.0)
"""At first: beyond both worlds, in the middle between them, beyond them."""
BELOW, ABOVE = 5, 8
CHANGES: Mapping[str, Sequence[int]] = {
    "You add 3, 1 and 1": (3, 1, 1),
    "You add 1, 1 and 1": (1, 1, 1),
    "You replace somebody: +1, −1": (1, -1, 0),
}
PROOF = (
    formula(
        "The privacy loss of published counts r, from the densities of the noise on counts q with you, p without you",
        r"\sum_i\frac{|r_i-p_i|-|r_i-q_i|}{b}\le\sum_i\frac{|q_i-p_i|}{b}\le\frac{\Delta}{b}=\varepsilon",
    )
    + "A published count cannot be nearer to one world than to the other by more than the worlds are apart (triangle "
    "inequality). The densities of independent noises multiply, so their logarithms add up. Δ is the largest sum of "
    "changes that one person can make (L1 sensitivity), b the scale. Source: Dwork, McSherry, Nissim and Smith 2006."
)


def several_counts() -> Shown:
    """What each published count reveals about a person who is in all of them, in its share of epsilon."""
    changes = CHANGES[choice("How do you change the counts?", list(CHANGES), key=f"{KEY}_counts_changes")]
    epsilon = dial(f"{KEY}_counts_epsilon", start=0.5)
    place, words = picture_and_words(f"{KEY}_counts")
    drawn_here, moved_here = place.container(), place.columns(len(WITHOUT_YOU))
    noise = LaplaceMechanism.from_epsilon(epsilon, l1_sensitivity=sum(map(abs, changes)))
    counts = []
    for index, (name, without) in enumerate(WITHOUT_YOU.items()):
        span = (without - BELOW, without + ABOVE)
        published = pickers.half_steps(
            moved_here[index], f"{name}, published", key=f"{KEY}_counts_{index}", span=span, start=PUBLISHED[index]
        )
        loss = laplace_log_likelihood_ratio(
            published, answer_with=without + changes[index], answer_without=without, scale=noise.scale
        )
        counts.append(CountLoss(name=name, loss=float(loss), most=abs(changes[index]) / noise.scale))
    picture = share_charts.shares(counts, epsilon=epsilon, palette=outputs.palette())
    outputs.chart(drawn_here, picture, key=f"{KEY}_counts_chart")
    words.markdown(_words(changes, noise))
    together = signed(sum(one.loss for one in counts))
    finding = f"Three counts together: privacy loss {together}, and never above ε = {amount(epsilon)}"
    return Shown(finding=finding, pictures=(picture,), computed=PROOF)


def _words(changes: Sequence[int], noise: LaplaceMechanism) -> str:
    with_you = [without + change for without, change in zip(WITHOUT_YOU.values(), changes, strict=True)]
    return (
        f"With you the counts are {_listed(with_you)}, without you {_listed(list(WITHOUT_YOU.values()))}: together a "
        f"change of {noise.l1_sensitivity:g}, the most anybody makes (sensitivity). Each gets noise of "
        f"scale {amount(noise.scale)}, that change divided by ε.\n\n"
        "**Whatever is published, no bar leaves its frame.** A frame is as wide as its count's share of ε; "
        "together they reach exactly ε."
    )


def _listed(counts: Sequence[int]) -> str:
    *first, last = map(str, counts)
    return f"{', '.join(first)} and {last}"
