"""What the live dial says at one epsilon: the page's own sentences as text, with two stars around what is bold."""

from __future__ import annotations

import math
import re
from collections.abc import Mapping

from dpengine.deployments import nearest
from dpengine.formatting import at_most, between_of_100, error_in, out_of_100, tiny
from dpengine.mechanisms.released import PURE_NOISE
from pages.phrasing import wording
from pages.question import consequences
from pages.question.question_view import QuestionView
from pages.widgets.escaping import plain

_GRAY = re.compile(r":gray\[((?:[^\]\\]|\\.)*)\]")


def as_text(markdown: str) -> str:
    r"""A sentence for a place that writes text as it stands: no colors, no code marks, no escapes.

    >>> as_text(r"Exact **3** :gray[(of `age` \[years\])]")
    'Exact **3** (of age [years])'
    """
    return plain(_GRAY.sub(r"\1", markdown))


def of(question: QuestionView) -> Mapping[str, str]:
    """Every sentence and number that moves with the dial."""
    least, most = between_of_100(question.belief(question.prior))
    return {
        "finding": as_text(consequences.finding(question)),
        "seen": as_text(consequences.seen(question)),
        "believed": as_text(consequences.believed(question)),
        "cost": consequences.cost(question),
        "noise": as_text(wording.noise_line(question.planned, question.plan.schema, question.plan.neighbors)),
        "least": least,
        "most": most,
        "within": within(question),
        "both": f"{within(question, unit=False)}, {most} out of 100",
        "rise": f"{most} out of 100, from {out_of_100(question.prior)}",
        "often": wording.times(question.room),
        "setting": setting(question),
        "near": near(question.epsilon),
        "spoken": f"epsilon {question.epsilon:g}: error within {within(question)}, belief up to {most} out of 100",
    }


def within(question: QuestionView, *, unit: bool = True) -> str:
    """The half-width of the finding, short."""
    if unit:
        return f"{question.sign}{as_text(error_in(question.measure, question.together))}"
    return f"{question.sign}{at_most(question.measure.times * question.together)}"


def setting(question: QuestionView) -> str:
    """Epsilon, and the noise where it is not the usual one."""
    kind, delta = question.planned.noise, question.planned.used_delta
    noise = "" if kind is PURE_NOISE else f", {kind.label} noise"
    return f"ε {question.epsilon:g}{noise}" + (f", δ {tiny(delta)}" if delta else "")


def near(epsilon: float) -> str:
    """The real deployment whose epsilon is nearest, with what it protects and where."""
    others = [one for one in nearest(epsilon) if one is not None]
    one = min(others, key=lambda other: abs(math.log(other.epsilon / epsilon)))
    where = ", with noise added on each device" if one.is_local else ""
    nearest_one = f"**ε {one.epsilon:g}**: {one.short} ({one.span}), to protect {one.unit}{where}"
    return f"▲ What others chose. The nearest is {nearest_one}."
