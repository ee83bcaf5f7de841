"""A step on mechanisms: one kind of noise, seen from four sides."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass

from dpengine.charts import Chart
from dpengine.charts.accuracy import mechanism_charts
from dpengine.charts.accuracy.mechanism_charts import NamedMechanism, delta_left, missed_of_100
from dpengine.formatting import amount, at_most, lower_of_100, out_of_100, tiny
from dpengine.losses import loss_distribution
from dpengine.mechanisms.additive.families import FAMILIES, Noise, with_guarantee
from dpengine.privacy import Guarantee, PureEvent
from pages.lesson import pickers
from pages.lesson.lesson import Shown, choice, dial, picture_and_words
from pages.widgets import inputs, outputs
from pages.widgets.computed import formula

KEY = "mechanisms"
CONFIDENCE, FALSE_ALARMS, GROUPS, USUAL_DELTA = 0.95, 0.05, 10, 1e-6
MOST_EPSILON = 600.0
ABOUT = {
    "Laplace": "A tent: sharp in the middle, with tails that thin out evenly. The usual choice for one answer.",
    "Discrete Laplace": "The tent on whole numbers: what this dashboard really adds to counts.",
    "Gaussian": "A bell: wide in the middle, with thin tails. It needs a δ, and pays off for many answers.",
    "Discrete Gaussian": "The bell on whole numbers: what is really added when Gaussian noise is released.",
    "Staircase": "A tent of steps: the smallest mean error of any noise for one answer; the gain shows from ε = 3 on.",
    "Truncated Laplace": "A tent whose tails are cut off. Its errors have a limit, and it always needs a δ.",
}


ERRORS_AND_LOSSES = (
    formula("Errors of Laplace noise beyond t times its scale b (tail bound)", r"\Pr(|\text{noise}|>t\,b)=e^{-t}")
    + formula("The privacy loss of an answer", r"\ln\frac{\Pr(\text{answer with you})}{\Pr(\text{answer without you})}")
    + "Pr is the chance, or for noise with decimals the density; ln is the natural logarithm, e is about 2.72. "
    "Staircase noise: Geng and Viswanath 2014. The smallest Gaussian noise: Balle and Wang 2018."
)


@dataclass(frozen=True, slots=True, kw_only=True)
class Side:
    """One side from which noise can be seen: the picture, what it says in plain words, and the finding."""

    picture: Callable[[Sequence[NamedMechanism], float], Chart]
    words: Callable[[str, Noise, float], str]
    finding: Callable[[str, Noise, Guarantee], str]


def _of_losses(name: str, noise: Noise, epsilon: float) -> str:
    law = loss_distribution(noise.event)
    largest = at_most(law.largest) if FAMILIES[name].pure else "without limit"
    never = f" {_share(law.infinite)} of answers give you away for certain." if law.infinite else ""
    return (
        "Take all answers that may come out with you in the table. How strongly does each suggest that you are in "
        f"(its privacy loss)? The largest loss here: **{largest}**.{never}"
        f"{worst_case(noise)}"
    )


def _of_deltas(name: str, noise: Noise, epsilon: float) -> str:
    return (
        "Choose any ε, and read off the δ that comes on top: any event may be more likely than ε allows by up to this "
        f"much. At the ε of the dial: **δ = {delta_left(noise, epsilon)}**. "
        + ("The line ends at the dial: from there on no δ is needed." if delta_left(noise, epsilon) == "0" else "")
        + worst_case(noise)
    )


def _of_attackers(name: str, noise: Noise, epsilon: float) -> str:
    return (
        "An attacker who knows everybody else guesses from the answer whether you are in the table. With false alarms "
        f"in 5% of cases, even the best possible attacker misses you in **{missed(noise)}%** of cases. Guessing "
        f"blindly misses 95%.{worst_case(noise)}"
    )


def missed(noise: Noise) -> str:
    """How often, of 100 times, the best attacker misses you; a lower bound where only the noise's epsilon is known."""
    share = missed_of_100(noise, FALSE_ALARMS) / 100
    return f"at least {lower_of_100(share)}" if only_epsilon(noise) else out_of_100(share)


def only_epsilon(noise: Noise) -> bool:
    """Whether the losses are those of the worst noise with this epsilon, not of this one."""
    return isinstance(noise.event, PureEvent)


def worst_case(noise: Noise) -> str:
    """A word on what is drawn where only the epsilon of the noise is known, else nothing."""
    worst = "Drawn is the worst noise with this ε; staircase noise never reveals more than that."
    return f"\n\n*{worst}*" if only_epsilon(noise) else ""


def _noise_found(name: str, noise: Noise, promise: Guarantee) -> str:
    half = at_most(noise.error_quantile(CONFIDENCE))
    return f"{name} noise: 95% of answers within ±{half} at ε = {amount(promise.epsilon)}"


def _losses_found(name: str, noise: Noise, promise: Guarantee) -> str:
    law = loss_distribution(noise.event)
    if FAMILIES[name].pure:
        return f"No answer has a privacy loss above {at_most(law.largest)}"
    if law.infinite:
        most = at_most(promise.epsilon)
        return f"{_share(law.infinite)} of answers give you away; all others lose at most {most}"
    return f"{_share(law.exceedance(promise.epsilon))} of answers have a privacy loss above {amount(promise.epsilon)}"


def _share(share: float) -> str:
    return tiny(float(f"{share:.2g}"))


def _deltas_found(name: str, noise: Noise, promise: Guarantee) -> str:
    left = delta_left(noise, promise.epsilon)
    at = f"ε = {amount(promise.epsilon)}"
    return f"From {at} on, no δ is needed" if left == "0" else f"At {at} a δ of {left} is needed"


def _attackers_found(name: str, noise: Noise, promise: Guarantee) -> str:
    return f"Attackers with 5% false alarms miss you in {missed(noise)}% of cases"


SIDES: Mapping[str, Side] = {
    "Its noise": Side(
        picture=lambda entries, epsilon: mechanism_charts.noises(entries, unit="people", palette=outputs.palette()),
        words=lambda name, noise, epsilon: _errors(noise),
        finding=_noise_found,
    ),
    "Its privacy losses": Side(
        picture=lambda entries, epsilon: mechanism_charts.losses(entries, epsilon=epsilon, palette=outputs.palette()),
        words=_of_losses,
        finding=_losses_found,
    ),
    "δ for each ε": Side(
        picture=lambda entries, epsilon: mechanism_charts.profiles(entries, epsilon=epsilon, palette=outputs.palette()),
        words=_of_deltas,
        finding=_deltas_found,
    ),
    "Its attackers": Side(
        picture=lambda entries, epsilon: mechanism_charts.trade_offs(entries, palette=outputs.palette()),
        words=_of_attackers,
        finding=_attackers_found,
    ),
}


def _errors(noise: Noise) -> str:
    return (
        "How likely each error is (noise distribution), and what follows:\n\n"
        "| how wrong is a count? | people |\n|---|---|\n"
        f"| 95% of answers within (tail bound) | ±{at_most(noise.error_quantile(CONFIDENCE))} |\n"
        f"| off by, on average | {amount(noise.expected_absolute_error)} |\n"
        f"| of {GROUPS} group counts the worst is off by, on average | {amount(noise.expected_largest_error(GROUPS))} |"
    )


def one_noise() -> Shown:
    """A gallery: one kind of noise, one side of it at a time."""
    name = choice("Which noise?", list(FAMILIES), key=f"{KEY}_one_name")
    epsilon = dial(f"{KEY}_one_epsilon", start=1.0, most=MOST_EPSILON)
    place, words = picture_and_words(f"{KEY}_one")
    side = SIDES[pickers.pills(place, "Look at", list(SIDES), key=f"{KEY}_one_side")]
    delta = (
        0.0
        if FAMILIES[name].pure
        else pickers.delta(words, does=inputs.CHANGES_THE_NOISE, key=f"{KEY}_one_delta", start=USUAL_DELTA)
    )
    promise = Guarantee(epsilon=epsilon, delta=delta)
    noise = with_guarantee(name, promise)
    picture = side.picture([NamedMechanism(label=name, mechanism=noise, color=outputs.palette().advanced)], epsilon)
    outputs.chart(place, picture, key=f"{KEY}_one_chart")
    words.markdown(f"{ABOUT[name]}\n\n{side.words(name, noise, epsilon)}")
    return Shown(finding=side.finding(name, noise, promise), pictures=(picture,), computed=ERRORS_AND_LOSSES)
