"""What anybody needs to draw the noise of a plan without dpengine: for each noisy part, numbers alone."""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from functools import singledispatch

from dpengine.mechanisms import (
    DiscreteGaussianMechanism,
    DiscreteLaplaceMechanism,
    ExponentialMechanism,
    ReleasedMechanism,
    ReportNoisyMax,
)
from dpengine.plan import PlannedQuery
from dpengine.queries import AnyPart
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
    noise = _noise_of(mechanism, share)
    return Recipe(
        question=number,
        part=printable(part.name),
        noise=noise.name,
        sensitivity=noise.sensitivity,
        step=part.step,
        unit="rows" if noise.chooses else one_line(unit, _LONGEST_UNIT),
        epsilon=float(share),
        delta=float(delta),
        rho=float(noise.rho),
        scale=noise.scale,
        monotone=noise.monotone,
    )


@dataclass(frozen=True, slots=True, kw_only=True)
class _Noise:
    name: str
    sensitivity: float
    scale: float
    rho: Fraction
    monotone: bool = False
    chooses: bool = False


@singledispatch
def _noise_of(mechanism: ReleasedMechanism, share: Fraction) -> _Noise:
    raise NotImplementedError(type(mechanism).__name__)


@_noise_of.register
def _(mechanism: DiscreteLaplaceMechanism, share: Fraction) -> _Noise:
    moved = int(mechanism.l1_sensitivity)
    return _Noise(name="laplace", sensitivity=moved, scale=float(mechanism.scale), rho=share * share / 2)


@_noise_of.register
def _(mechanism: DiscreteGaussianMechanism, share: Fraction) -> _Noise:
    moved = float(mechanism.l2_sensitivity)
    return _Noise(name="gaussian", sensitivity=moved, scale=mechanism.scale, rho=mechanism.exact_rho)


@_noise_of.register
def _(mechanism: ExponentialMechanism, share: Fraction) -> _Noise:
    return _choice("exponential", mechanism, share * share / 8)


@_noise_of.register
def _(mechanism: ReportNoisyMax, share: Fraction) -> _Noise:
    return _choice("noisy max", mechanism, share * share / 2)


def _choice(name: str, mechanism: ExponentialMechanism | ReportNoisyMax, rho: Fraction) -> _Noise:
    """The scale of the noise on the scores: the score sensitivity over epsilon, twice that where it is not monotone."""
    steps = (1 if mechanism.monotone else 2) * int(mechanism.score_sensitivity)
    return _Noise(
        name=name,
        sensitivity=int(mechanism.score_sensitivity),
        scale=steps / float(mechanism.epsilon),
        rho=rho,
        monotone=bool(mechanism.monotone),
        chooses=True,
    )
