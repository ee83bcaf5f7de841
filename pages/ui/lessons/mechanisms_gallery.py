"""Steps on mechanisms: one kind of noise seen from four sides, and two of them on the same target."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass

import streamlit as st

from dpengine import accounting
from dpengine.charts import Chart, amount, at_most, mechanism_charts, out_of_100, tiny
from dpengine.charts.mechanism_charts import Entry, delta_left, missed_of_100
from dpengine.errors import DPEngineError
from dpengine.losses import loss_distribution
from dpengine.mechanisms.families import FAMILIES, Noise, with_error, with_guarantee
from dpengine.privacy import Guarantee
from pages.ui import outputs
from pages.ui.lessons import pickers
from pages.ui.lessons.lesson import Shown, choice, dial, picture_and_words

KEY = "mechanisms"
CONFIDENCE, GROUPS, USUAL_DELTA = 0.95, 10, 1e-6
ABOUT = {
    "Laplace": "A tent: sharp in the middle, with tails that thin out evenly. The plain choice for one answer. Errors "
    "beyond t times its scale come exactly with chance e⁻ᵗ, not just “at most”.",
    "Discrete Laplace": "The tent on whole numbers: what this dashboard really adds to counts.",
    "Gaussian": "A bell: wide in the middle, with thin tails. It needs a δ, and pays off for many answers.",
    "Discrete Gaussian": "The bell on whole numbers: what is really added when Gaussian noise is released.",
    "Staircase": "A tent of steps: the least mean error of all noise for one answer; the gain shows from ε = 3 on. Its "
    "losses are drawn as the worst that ε allows.",
    "Truncated Laplace": "A tent whose tails are cut off. It never errs far, and never keeps an ε alone.",
}


@dataclass(frozen=True, slots=True, kw_only=True)
class Side:
    """One side from which noise can be seen: the picture, and what it says in plain words."""

    picture: Callable[[Sequence[Entry], float], Chart]
    words: Callable[[str, Noise, float], str]


def _of_losses(name: str, noise: Noise, epsilon: float) -> str:
    law = loss_distribution(noise.event)
    largest = at_most(law.largest) if FAMILIES[name].pure else "without limit"
    never = f" {tiny(float(f'{law.infinite:.2g}'))} of all answers give you away for certain." if law.infinite else ""
    return (
        "Take all answers that may come out with you in the table. How strongly does each speak for your being there "
        f"(its privacy loss, the logarithm of the ratio)? The largest loss here: **{largest}**.{never}"
    )


def _of_deltas(name: str, noise: Noise, epsilon: float) -> str:
    return (
        "Name any ε, and read off the δ that is left: by how much an event may still become more likely beyond what ε "
        f"allows. At the ε of the dial: **δ = {delta_left(noise, epsilon)}**. "
        + ("The line ends at the dial: from there on no δ is left." if delta_left(noise, epsilon) == "0" else "")
    )


def _of_attackers(name: str, noise: Noise, epsilon: float) -> str:
    return (
        "Somebody who knows everybody else guesses from the answer whether you are there. Let them raise 5 false "
        f"alarms in 100: then even the best of them misses you **{out_of_100(missed_of_100(noise, 0.05) / 100)} times "
        "of 100**. Blind guessing misses 95."
    )


SIDES: Mapping[str, Side] = {
    "Its noise": Side(
        picture=lambda entries, epsilon: mechanism_charts.noises(entries, unit="people", palette=outputs.palette()),
        words=lambda name, noise, epsilon: _errors(noise),
    ),
    "Its privacy losses": Side(
        picture=lambda entries, epsilon: mechanism_charts.losses(entries, epsilon=epsilon, palette=outputs.palette()),
        words=_of_losses,
    ),
    "δ for each ε": Side(
        picture=lambda entries, epsilon: mechanism_charts.profiles(entries, epsilon=epsilon, palette=outputs.palette()),
        words=_of_deltas,
    ),
    "Its attackers": Side(
        picture=lambda entries, epsilon: mechanism_charts.trade_offs(entries, palette=outputs.palette()),
        words=_of_attackers,
    ),
}


def _errors(noise: Noise) -> str:
    return (
        "| how wrong is a count? | people |\n|---|---|\n"
        f"| 95 of 100 answers within | ±{at_most(noise.error_quantile(CONFIDENCE))} |\n"
        f"| off by, on average | {amount(noise.expected_absolute_error)} |\n"
        f"| largest of {GROUPS} group counts off by, on average | {amount(noise.expected_largest_error(GROUPS))} |"
    )


def one_noise() -> Shown:
    """A gallery: one kind of noise, one side of it at a time."""
    name = choice("Which noise?", list(FAMILIES), key=f"{KEY}_one_name")
    epsilon = dial(f"{KEY}_one_epsilon", start=1.0)
    place, words = picture_and_words(f"{KEY}_one")
    side = SIDES[pickers.pills(place, "Look at", list(SIDES), key=f"{KEY}_one_side")]
    delta = 0.0 if FAMILIES[name].pure else pickers.delta(words, key=f"{KEY}_one_delta", start=USUAL_DELTA)
    noise = with_guarantee(name, Guarantee(epsilon=epsilon, delta=delta))
    picture = side.picture([Entry(label=name, mechanism=noise, color=outputs.palette().advanced)], epsilon)
    outputs.chart(place, picture, key=f"{KEY}_one_chart")
    words.markdown(f"{ABOUT[name]}\n\n{side.words(name, noise, epsilon)}")
    half = at_most(noise.error_quantile(CONFIDENCE))
    cost = f"ε = {amount(epsilon)}" + (f", δ = {tiny(delta)}" if delta else "")
    return Shown(finding=f"{name} noise at {cost}: 95 of 100 answers within ±{half}", pictures=(picture,))


TARGETS = ("The same ε and δ", "The same ε, no δ", "The same error")
ERRORS = (2, 3, 5, 8, 10, 20, 30, 50, 100, 200, 500, 1000)


@dataclass(frozen=True, slots=True, kw_only=True)
class Pair:
    """Two mechanisms that meet the same target, the epsilon they are held against, and what could not be built.

    `kept` is the least epsilon of each at the delta of the step, where the error is the target.
    """

    entries: Sequence[Entry]
    epsilon: float
    kept: Mapping[str, float]
    refusals: Sequence[str]


def side_by_side() -> Shown:
    """Two kinds of noise that keep the same promise, or err alike."""
    target = choice("Compare on", TARGETS, key=f"{KEY}_pair_target")
    epsilon = 1.0 if target == TARGETS[2] else dial(f"{KEY}_pair_epsilon", start=1.0)
    left, right, look, slider = st.columns([1.1, 1.1, 1, 1.7])
    names = (
        pickers.listed(left, "This noise", list(FAMILIES), key=f"{KEY}_pair_left", start="Laplace"),
        pickers.listed(right, "beside this", list(FAMILIES), key=f"{KEY}_pair_right", start="Gaussian"),
    )
    side = SIDES[pickers.listed(look, "Look at", list(SIDES), key=f"{KEY}_pair_side", start="Its noise")]
    delta = 0.0 if target == TARGETS[1] else pickers.delta(slider, key=f"{KEY}_pair_delta", start=USUAL_DELTA)
    place, words = picture_and_words(f"{KEY}_pair", picture=1.25)
    error = 0
    if target == TARGETS[2]:
        error = pickers.stop(place, "95 of 100 answers within ±", ERRORS, key=f"{KEY}_pair_error", start=10)
    pair = _pair(names, Guarantee(epsilon=epsilon, delta=delta), error)
    for refusal in pair.refusals:
        words.info(refusal)
    if not pair.entries:
        return Shown(finding="Neither of the two keeps this promise")
    picture = side.picture(pair.entries, pair.epsilon)
    outputs.chart(place, picture, key=f"{KEY}_pair_chart")
    words.markdown(_table(pair))
    return Shown(finding=_finding(pair), pictures=(picture,))


def _pair(names: Sequence[str], target: Guarantee, error: int) -> Pair:
    """Both mechanisms for the same guarantee, or for the same error where one is named."""
    palette = outputs.palette()
    entries, refusals = [], []
    for name, color in zip(dict.fromkeys(names), (palette.text, palette.advanced), strict=False):
        try:
            noise = (
                with_error(name, error, confidence=CONFIDENCE, delta=target.delta)
                if error
                else with_guarantee(name, target)
            )
            entries.append(Entry(label=name, mechanism=noise, color=color))
        except DPEngineError as refusal:
            refusals.append(str(refusal) if target.delta else f"{name} noise keeps no ε without a δ.")
    kept = {entry.label: _kept_epsilon(entry.mechanism, target.delta) for entry in entries} if error else {}
    return Pair(entries=entries, epsilon=max(kept.values(), default=target.epsilon), kept=kept, refusals=refusals)


def _kept_epsilon(noise: Noise, delta: float) -> float:
    return accounting.epsilon({noise.event: 1}, delta=delta, accountant="exact")


def _table(pair: Pair) -> str:
    rows: Mapping[str, Callable[[Entry], str]] = {
        "95 of 100 within": lambda entry: f"±{_half(entry)}",
        "off by, on average": lambda entry: amount(entry.mechanism.expected_absolute_error),
        f"largest of {GROUPS} group counts": lambda entry: amount(entry.mechanism.expected_largest_error(GROUPS)),
        f"δ left at ε = {at_most(pair.epsilon)}": lambda entry: delta_left(entry.mechanism, pair.epsilon),
        "ε kept without any δ": _pure_epsilon,
        "attacker misses, of 100, at 5 false alarms": lambda entry: out_of_100(
            missed_of_100(entry.mechanism, 0.05) / 100
        ),
    }
    names = "".join(f" {entry.label} |" for entry in pair.entries)
    lines = [
        f"| {words} |" + "".join(f" {number(entry)} |" for entry in pair.entries) for words, number in rows.items()
    ]
    return "\n".join([f"| |{names}", "|---|" + "---|" * len(pair.entries), *lines])


def _pure_epsilon(entry: Entry) -> str:
    return at_most(loss_distribution(entry.mechanism.event).largest) if FAMILIES[entry.label].pure else "none"


def _finding(pair: Pair) -> str:
    if len(pair.entries) == 1:
        return f"{pair.entries[0].label} noise: 95 of 100 answers within ±{_half(pair.entries[0])}"
    one, other = pair.entries
    if pair.kept:
        kept = (f"{name} keeps ε = {at_most(least)}" for name, least in pair.kept.items())
        return f"For the same error, {', '.join(kept)}"
    return f"One promise, two errors: {one.label} ±{_half(one)}, {other.label} ±{_half(other)}"


def _half(entry: Entry) -> str:
    return at_most(entry.mechanism.error_quantile(CONFIDENCE))
