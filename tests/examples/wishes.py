"""Questions of one table with the errors that are accepted, and answers of planned ones drawn from what is released."""

from __future__ import annotations

import math

import numpy as np

from dpengine.accuracy import ErrorLaw, Guess, NoiseError, RatioError, SelectionError
from dpengine.data import BooleanColumn, CategoryColumn, Comparison, NumberColumn, Schema
from dpengine.feasible import Asked, Targets, Wish
from dpengine.plan import PlannedQuery
from dpengine.privacy import Guarantee, Neighbors
from dpengine.queries import Query, StatisticalQueries

FLAGS = 40
SCHEMA = Schema(
    name="patients",
    columns=(
        NumberColumn(name="age", lower=0, upper=100, complete=True),
        CategoryColumn(name="ward", categories=tuple("abcdefgh")),
        *(BooleanColumn(name=f"flag{number}") for number in range(FLAGS)),
    ),
    people=5000,
)


def flag(number: int) -> Comparison:
    return Comparison(f"flag{number}", "=", value=True)


def flags(count: int) -> StatisticalQueries:
    """So many counts of the same rows: one person moves them all."""
    return StatisticalQueries(tuple(flag(number) for number in range(count)))


def wish(
    query: Query,
    error: float | None,
    *,
    confidence: float = 0.95,
    together: bool = False,
    answer: float | tuple[float, ...] = 40.0,
    planned: PlannedQuery | None = None,
    neighbors: Neighbors = Neighbors.ADD_REMOVE,
) -> Wish:
    asked = Asked(
        planned=planned or PlannedQuery(query=query, guarantee=Guarantee(epsilon=1.0)),
        schema=SCHEMA,
        neighbors=neighbors,
        guess=Guess(records=5000, answer=answer),
    )
    return Wish(asked=asked, targets=Targets(error=error, confidence=confidence, together=together))


def kept(query: Query, *, epsilon: float, delta: float = 0.0) -> Wish:
    """A question that stays as planned."""
    noise = "gaussian" if delta else "laplace"
    planned = PlannedQuery(query=query, guarantee=Guarantee(epsilon=epsilon, delta=delta), mechanism=noise)
    return wish(query, None, planned=planned)


def law(one: Wish, planned: PlannedQuery) -> ErrorLaw:
    return planned.error(SCHEMA, one.asked.neighbors, one.asked.guess)


def chance_of_more(one: Wish, planned: PlannedQuery) -> float:
    """That one number is off by more than the accepted error, by the law."""
    return float(law(one, planned).tail(one.targets.error or math.inf))


def misses(one: Wish, planned: PlannedQuery, *, draws: int, rng: np.random.Generator) -> int:
    """In how many of so many releases the error is above the accepted one, by the definition of what is released."""
    error = one.targets.error or math.inf
    found = law(one, planned)
    if isinstance(found, SelectionError):
        return int(np.sum(_lost(found, error, draws, rng) > error))
    coordinates = one.targets.counted(one.asked.coordinates)
    off = np.abs(_errors(found, (draws, coordinates), rng))
    return int(np.sum(np.max(off, axis=1) > error * (1.0 + 1e-12)))


def _errors(found: ErrorLaw, shape: tuple[int, int], rng: np.random.Generator) -> np.ndarray:
    if isinstance(found, NoiseError):
        return found.mechanism.simulate(np.zeros(shape), rng) * found.step
    assert isinstance(found, RatioError)
    sums = found.ratio * found.records + found.numerator.simulate(np.zeros(shape), rng) * found.numerator_step
    counts = found.records + found.denominator.simulate(np.zeros(shape), rng) * found.denominator_step
    return np.clip(sums / np.maximum(counts, 1.0) - found.ratio, found.lowest, found.highest)


def _lost(found: SelectionError, error: float, draws: int, rng: np.random.Generator) -> np.ndarray:
    """Of rows where every candidate but one is just too bad: none are harder."""
    scores = np.full(found.candidates, -math.floor(error / found.step) - 1.0)
    scores[0] = 0.0
    return -scores[rng.choice(len(scores), size=draws, p=found.mechanism.probabilities(scores))] * found.step
