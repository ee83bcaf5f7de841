"""Steps on truncation: three different cuts, and how a count that is never negative comes out too large."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass

import numpy as np

from dpengine.charts import Chart
from dpengine.charts.privacy import cut_charts
from dpengine.charts.privacy.cut_charts import OneWorld
from dpengine.formatting import amount
from dpengine.mechanisms import (
    ClampedLaplaceMechanism,
    ClampedOutput,
    DiscreteLaplaceMechanism,
    LaplaceMechanism,
    TruncatedLaplaceMechanism,
)
from dpengine.mechanisms.additive.bounded_noise import limit_probabilities, log_delta_of_clamped, log_delta_of_truncated
from pages.learn.truncation.truncation_worlds import ANSWERS, CASES, CUTS, given_away, small, with_and_without
from pages.lesson import pickers
from pages.lesson.lesson import Shown, choice, dial, picture_and_words
from pages.widgets import outputs

KEY = "truncation"
LOWEST, HIGHEST, ASIDE = 36.0, 46.0, 0.09
HIGHEST_COUNT = 1e6
LIMIT = "The limit of the noise, ± people"


@dataclass(frozen=True, slots=True, kw_only=True)
class Cut:
    """One of the three cuts: its picture at an epsilon and a cut, ln of its delta (None: free), and what it means."""

    picture: Callable[[float, float], Chart]
    cost: Callable[..., float] | None
    finding: str
    words: str


def _truncated(epsilon: float, cut: float) -> Chart:
    noise = TruncatedLaplaceMechanism(scale=1.0 / epsilon, truncation=cut, l1_sensitivity=1.0)
    return with_and_without(noise.density, given_away(cut), palette=outputs.palette())


def _clamped(epsilon: float, cut: float) -> Chart:
    noise = ClampedLaplaceMechanism(scale=1.0 / epsilon, truncation=cut, l1_sensitivity=1.0)
    spikes = [[(exact + end, noise.end_probability) for end in (-cut, cut)] for exact in (CASES, CASES - 1)]
    return with_and_without(noise.density, given_away(cut), spikes=(spikes[0], spikes[1]), palette=outputs.palette())


def _answer(epsilon: float, cut: float) -> Chart:
    noise = LaplaceMechanism.from_epsilon(epsilon)
    inside = (ANSWERS >= LOWEST) & (ANSWERS <= HIGHEST)
    worlds = []
    for exact, aside in ((CASES, ASIDE), (CASES - 1, -ASIDE)):
        low, high = limit_probabilities(noise, answer=exact, lower=LOWEST, upper=HIGHEST)
        density = np.where(inside, noise.density(ANSWERS - exact), 0.0)
        worlds.append(OneWorld(density=density, spikes=[(LOWEST + aside, low), (HIGHEST + aside, high)]))
    return cut_charts.two_laws(
        answers=ANSWERS, with_person=worlds[0], without_person=worlds[1], unit="people", palette=outputs.palette()
    )


CUT_KINDS: Mapping[str, Cut] = {
    "Noise drawn again": Cut(
        picture=_truncated,
        cost=log_delta_of_truncated,
        finding="Noise drawn again until it fits breaks every ε",
        words="Noise beyond the limit is thrown away and drawn again (truncated noise). The limits lie around the "
        "exact count, so they move when you join: answers in the shaded ends are possible in one world only.",
    ),
    "Noise set to the limit": Cut(
        picture=_clamped,
        cost=log_delta_of_clamped,
        finding="Noise set to its limit breaks every ε, and reveals more",
        words="Noise beyond the limit is set to the limit (clamped noise). Everything beyond is now in one spike on "
        "either side, and the two worlds have their spikes at different places: seeing one reveals the world.",
    ),
    "Answer set to the limit": Cut(
        picture=_answer,
        cost=None,
        finding="An answer set to public limits still satisfies ε: free",
        words=f"The noise stays as it is. Only the finished answer is moved into limits that were fixed beforehand, "
        f"here {LOWEST:g} to {HIGHEST:g}, whatever the count. The spikes are at the same places in both worlds, and "
        "their heights differ no more than ε allows. Anybody could do this after publication (post-processing).",
    ),
}


def three_cuts() -> Shown:
    """Three cuts that look alike: two break the promise, one is free."""
    kind = CUT_KINDS[choice("What is cut?", list(CUT_KINDS), key=f"{KEY}_three_kind")]
    epsilon = dial(f"{KEY}_three_epsilon", start=0.5)
    place, words = picture_and_words(f"{KEY}_three")
    cut = 0 if kind.cost is None else pickers.stop(place, LIMIT, CUTS, key=f"{KEY}_three_at", start=4)
    picture = kind.picture(epsilon, cut)
    outputs.chart(place, picture, key=f"{KEY}_three_chart")
    words.markdown(f"{kind.words}\n\n{_table(epsilon, cut)}")
    words.markdown(
        "A fourth cut: drawing the whole **answer** again until it fits the limits. That costs something too, because "
        "how often an answer is thrown away depends on the count."
    )
    return Shown(finding=kind.finding, pictures=(picture,))


def _table(epsilon: float, cut: float) -> str:
    """What each cut costs; without a limit of the noise (cut 0) only what cuts the finished answer."""
    rows = [
        f"| {name} | {'∞' if kind.cost else amount(epsilon)} | "
        f"{small(kind.cost(epsilon=epsilon, reach=cut)) if kind.cost else '0'} |"
        for name, kind in CUT_KINDS.items()
        if cut or kind.cost is None
    ]
    limits = f"limit ±{cut}" if cut else f"limits {LOWEST:g} and {HIGHEST:g}"
    return "\n".join([f"| {limits} | ε alone | δ at ε = {amount(epsilon)} |", "|---|---|---|", *rows])


COUNTS = (0, 1, 2, 3, 5, 8, 10, 15, 20, 30)


def upward_bias() -> Shown:
    """How much too large a count comes out on average where negative ones are set to 0."""
    epsilon = dial(f"{KEY}_lean_epsilon", start=0.5)
    place, words = picture_and_words(f"{KEY}_lean")
    exact = pickers.stop(place, "Exact count, people", COUNTS, key=f"{KEY}_lean_exact", start=0)
    noise = DiscreteLaplaceMechanism.from_epsilon(epsilon, l1_sensitivity=1)
    output = ClampedOutput(mechanism=noise, lower=0.0, upper=HIGHEST_COUNT)
    answers = np.linspace(0.0, max(1.2 * exact, noise.error_quantile(0.99), 3.0), 121)
    bias = output.bias(float(exact))
    picture = cut_charts.leaning(
        answers=answers,
        means=answers + output.bias(answers),
        here=(float(exact), exact + bias),
        limit=0.0,
        unit="people",
        palette=outputs.palette(),
    )
    outputs.chart(place, picture, key=f"{KEY}_lean_chart")
    words.markdown(
        "A noisy count below 0 looks silly, so it is published as 0. That is free for privacy, but it removes errors "
        f"on one side only: an exact **{exact}** is published as **{amount(exact + bias)}** on average.\n\n"
        f"| exact count {exact} | unchanged | set to 0 |\n|---|---|---|\n"
        f"| too large on average (upward bias) | 0 | {amount(bias)} |\n"
        f"| off by, on average | {amount(noise.expected_absolute_error)} | "
        f"{amount(output.expected_absolute_error(float(exact)))} |\n\n"
        "Each single number gets nearer to the truth. But if you add up a hundred groups that are nearly empty, the "
        "upward bias adds up a hundred times, while unchanged errors would largely cancel. Publish the counts "
        "unchanged, or add up first."
    )
    finding = f"Negative counts set to 0: an exact {exact} becomes {amount(exact + bias)} on average"
    return Shown(finding=finding, pictures=(picture,))
