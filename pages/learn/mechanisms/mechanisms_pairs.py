"""A step on mechanisms: two kinds of noise, side by side on the same target."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass

import streamlit as st

from dpengine import accounting
from dpengine.charts.accuracy.mechanism_charts import NamedMechanism, delta_left
from dpengine.errors import DPEngineError
from dpengine.formatting import amount, at_most
from dpengine.losses import loss_distribution
from dpengine.mechanisms.additive.families import FAMILIES, Noise, with_error, with_guarantee
from dpengine.privacy import Guarantee
from pages.learn.mechanisms.mechanisms_gallery import (
    CONFIDENCE,
    ERRORS_AND_LOSSES,
    GROUPS,
    KEY,
    MOST_EPSILON,
    SIDES,
    USUAL_DELTA,
    missed,
    only_epsilon,
    worst_case,
)
from pages.lesson import pickers
from pages.lesson.lesson import Shown, choice, dial, picture_and_words
from pages.widgets import inputs, outputs

TARGETS = ("The same ε and δ", "The same ε, no δ", "The same error")
ERRORS = (2, 3, 5, 8, 10, 20, 30, 50, 100, 200, 500, 1000)


@dataclass(frozen=True, slots=True, kw_only=True)
class Pair:
    """Two mechanisms that meet the same target, the epsilon they are held against, and what could not be built.

    `kept` is the promise of each, with the least epsilon, where the error is the target.
    """

    entries: Sequence[NamedMechanism]
    epsilon: float
    kept: Mapping[str, Guarantee]
    refusals: Sequence[str]


def side_by_side() -> Shown:
    """Two kinds of noise that keep the same promise, or err alike."""
    target = choice("Compare on", TARGETS, key=f"{KEY}_pair_target")
    left, right, look, slider = st.columns([1.1, 1.1, 1, 1.7])
    names = (
        pickers.listed(left, "This noise", list(FAMILIES), key=f"{KEY}_pair_left", start="Laplace"),
        pickers.listed(right, "beside this", list(FAMILIES), key=f"{KEY}_pair_right", start="Gaussian"),
    )
    side = SIDES[pickers.listed(look, "Look at", list(SIDES), key=f"{KEY}_pair_side", start="Its noise")]
    delta = (
        0.0
        if target == TARGETS[1]
        else pickers.delta(slider, does=inputs.CHANGES_THE_NOISE, key=f"{KEY}_pair_delta", start=USUAL_DELTA)
    )
    of_error = target == TARGETS[2]
    epsilon = 1.0 if of_error else dial(f"{KEY}_pair_epsilon", start=1.0, most=MOST_EPSILON)
    place, words = picture_and_words(f"{KEY}_pair", picture=1.25)
    error = 0
    if of_error:
        error = pickers.stop(place, "95% of answers within ±", ERRORS, key=f"{KEY}_pair_error", start=10)
    pair = _pair(names, Guarantee(epsilon=epsilon, delta=delta), error)
    for refusal in pair.refusals:
        words.info(refusal)
    if not pair.entries:
        return Shown(finding="Neither of the two can satisfy this promise")
    picture = side.picture(pair.entries, pair.epsilon)
    outputs.chart(place, picture, key=f"{KEY}_pair_chart")
    words.markdown(_table(pair) + "".join(dict.fromkeys(worst_case(entry.mechanism) for entry in pair.entries)))
    if pair.kept:
        words.markdown(_attackers(pair))
    return Shown(finding=_finding(pair), pictures=(picture,), computed=ERRORS_AND_LOSSES)


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
            entries.append(NamedMechanism(label=name, mechanism=noise, color=color))
        except DPEngineError as refusal:
            refusals.append(str(refusal) if target.delta else f"{name} noise needs a δ.")
    kept = {entry.label: _kept(entry, target.delta) for entry in entries} if error else {}
    largest = max((promise.epsilon for promise in kept.values()), default=target.epsilon)
    return Pair(entries=entries, epsilon=largest, kept=kept, refusals=refusals)


def _kept(entry: NamedMechanism, delta: float) -> Guarantee:
    """The least epsilon, alone where the noise keeps one, else with this delta."""
    event = entry.mechanism.event
    if FAMILIES[entry.label].pure:
        return Guarantee(epsilon=loss_distribution(event).largest)
    return Guarantee(epsilon=accounting.epsilon({event: 1}, delta=delta, accountant="exact"), delta=delta)


def _table(pair: Pair) -> str:
    rows: Mapping[str, Callable[[NamedMechanism], str]] = {
        "95% of answers within": lambda entry: f"±{_half(entry)}",
        "off by, on average": lambda entry: amount(entry.mechanism.expected_absolute_error),
        f"largest of {GROUPS} group counts": lambda entry: amount(entry.mechanism.expected_largest_error(GROUPS)),
        f"δ needed at ε = {at_most(pair.epsilon)}": lambda entry: _left(entry.mechanism, pair.epsilon),
        "ε without any δ": _pure_epsilon,
        "best attacker overlooks you, % (5% false alarms)": lambda entry: missed(entry.mechanism),
    }
    names = "".join(f" {entry.label} |" for entry in pair.entries)
    lines = [
        f"| {words} |" + "".join(f" {number(entry)} |" for entry in pair.entries) for words, number in rows.items()
    ]
    return "\n".join([f"| noise |{names}", "|---|" + "---|" * len(pair.entries), *lines])


def _left(noise: Noise, epsilon: float) -> str:
    left = delta_left(noise, epsilon)
    return f"at most {left}" if only_epsilon(noise) and left != "0" else left


def _pure_epsilon(entry: NamedMechanism) -> str:
    return at_most(loss_distribution(entry.mechanism.event).largest) if FAMILIES[entry.label].pure else "none"


def _finding(pair: Pair) -> str:
    if len(pair.entries) == 1:
        return f"{pair.entries[0].label} noise: 95% of answers within ±{_half(pair.entries[0])}"
    one, other = pair.entries
    if pair.kept:
        kept = (f"{at_most(promise.epsilon)} ({name})" for name, promise in pair.kept.items())
        return f"At the same error, ε is {', '.join(kept)}"
    return f"One promise, two 95% intervals: {one.label} ±{_half(one)}, {other.label} ±{_half(other)}"


def _attackers(pair: Pair) -> str:
    """What both promises, which look so different, mean to the same attacker."""
    told = {entry.label: missed(entry.mechanism) for entry in pair.entries}
    one, *others = told.values()
    if others and one == others[0]:
        share = f"{one}% of cases under both"
        return f"The promises look different. But an attacker with 5% false alarms misses you in {share}."
    misses = " and ".join(f"{share}% of cases under {name} noise" for name, share in told.items())
    return f"An attacker with 5% false alarms misses you in {misses}."


def _half(entry: NamedMechanism) -> str:
    return at_most(entry.mechanism.error_quantile(CONFIDENCE))
