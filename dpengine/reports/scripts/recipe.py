"""What anybody needs to draw the noise of a plan without dpengine: for each noisy part, numbers alone."""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction

from dpengine.mechanisms import ReleasedMechanism
from dpengine.mechanisms.released import kind_of
from dpengine.plan import PlannedQuery
from dpengine.queries import AnyPart, Choice
from dpengine.reports.quoting import one_line, printable
from dpengine.scenario import Scenario

_LONGEST_UNIT = 40


@dataclass(frozen=True, slots=True, kw_only=True)
class Recipe:
    """One noisy part of one question; `sensitivity` and `scale` are in steps of `step` units each.

    `noise` is "laplace", "gaussian", "exponential" or "noisy max". `monotone` says of a choice whether one person moves
    all scores the same way; `rho` is what one run costs under concentrated privacy.
    """

    question: int
    part: str
    noise: str
    sensitivity: float
    step: float
    epsilon: float
    rho: float
    scale: float
    delta: float = 0.0
    unit: str = ""
    monotone: bool = False


def recipes(plan: Scenario) -> tuple[Recipe, ...]:
    """The noise of every part of every question, questions counted from 1."""
    return tuple(
        recipe for number, planned in enumerate(plan.queries, start=1) for recipe in _of_question(number, planned, plan)
    )


def _of_question(number: int, planned: PlannedQuery, plan: Scenario) -> list[Recipe]:
    around = plan.schema, plan.neighbors
    parts, mechanisms = planned.parts(*around), planned.mechanisms(*around)
    shares, deltas = planned.shares(*around), planned.delta_shares(*around)
    unit = planned.query.unit(plan.schema) if len(parts) == 1 else ""
    return [
        _recipe(mechanism, part, number, unit, (share, delta))
        for part, mechanism, share, delta in zip(parts, mechanisms, shares, deltas, strict=True)
    ]


def _recipe(
    mechanism: ReleasedMechanism, part: AnyPart, number: int, unit: str, amounts: tuple[Fraction, Fraction]
) -> Recipe:
    share, delta = amounts
    kind = kind_of(mechanism)
    return Recipe(
        question=number,
        part=printable(part.name),
        noise=kind.name,
        sensitivity=kind.moved(mechanism),
        step=part.step,
        unit="rows" if kind.chooses else one_line(unit, _LONGEST_UNIT),
        epsilon=float(share),
        delta=float(delta),
        rho=float(kind.rho(mechanism, share)),
        scale=float(kind.scale(mechanism)),
        monotone=isinstance(part, Choice) and part.score_sensitivity.monotone,
    )
