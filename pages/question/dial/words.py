"""What the live dial says at one epsilon: the page's own sentences as text, with two stars around what is bold."""

from __future__ import annotations

import math
import re
from collections.abc import Mapping

from dpengine.deployments import nearest
from dpengine.formatting import at_most, error_in, out_of_100, tiny
from dpengine.formatting.near_neutral import between_of_100
from pages.phrasing import wording
from pages.question import consequences
from pages.question.question_view import Subject

_GRAY = re.compile(r":gray\[((?:[^\]\\]|\\.)*)\]")
_ESCAPED = re.compile(r"\\([^\w\s])")
_SMALL = str.maketrans("", "", "`\u200b")


def as_text(markdown: str) -> str:
    r"""A sentence for a place that writes text as it stands: no colors, no code marks, no escapes.

    >>> as_text(r"Exact **3** :gray[(of `age` \[years\])]")
    'Exact **3** (of age [years])'
    """
    return _ESCAPED.sub(r"\1", _GRAY.sub(r"\1", markdown)).translate(_SMALL)


def of(subject: Subject) -> Mapping[str, str]:
    """Every sentence and number that moves with the dial."""
    least, most = between_of_100(subject.belief(subject.prior), before=subject.prior)
    return {
        "finding": as_text(consequences.finding(subject)),
        "seen": as_text(consequences.seen(subject)),
        "believed": odds(subject),
        "cost": consequences.cost(subject),
        "noise": as_text(wording.noise_line(subject.planned, subject.plan.schema, subject.plan.neighbors)),
        "least": least,
        "most": most,
        "within": within(subject),
        "both": f"{within(subject, unit=False)}, {most} of 100",
        "rise": f"{most} of 100, from {out_of_100(subject.prior)}",
        "often": wording.times(subject.room),
        "setting": setting(subject),
        "near": near(subject.epsilon),
        "spoken": f"epsilon {subject.epsilon:g}: error within {within(subject)}, belief may rise to {most} of 100",
    }


def odds(subject: Subject) -> str:
    """The risk for one person as odds, rounded away from privacy."""
    least, most = consequences.odds_of_100(subject)
    return (
        f"If {wording.SUSPECTED[subject.plan.neighbors]}, **at most {most} of 100** such answers make an attacker "
        f"believe so; if it is not, **at least {least} of 100**.{consequences.over_all_answers(subject)}"
    )


def within(subject: Subject, *, unit: bool = True) -> str:
    """The half-width of the finding, short."""
    if unit:
        return f"{subject.sign}{as_text(error_in(subject.measure, subject.together))}"
    return f"{subject.sign}{at_most(subject.measure.times * subject.together)}"


def setting(subject: Subject) -> str:
    """Epsilon, and the noise where it is not Laplace's."""
    noise = f", Gaussian noise, δ {tiny(subject.planned.used_delta)}" if subject.planned.used_delta else ""
    return f"ε {subject.epsilon:g}{noise}"


def near(epsilon: float) -> str:
    """The real deployment whose epsilon is nearest, with what it protects and where."""
    others = [one for one in nearest(epsilon) if one is not None]
    one = min(others, key=lambda other: abs(math.log(other.epsilon / epsilon)))
    where = "on each device" if one.is_local else "by a curator"
    return f"Others chose **ε {one.epsilon:g}**: {one.short} ({one.span}; protects {one.unit}; noise added {where})."
