"""Released answers as an attacker has them: exact numbers with noise from a generator, for tests only."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from dpengine.attacks.on_answers import Answers, Told
from dpengine.data import (
    BooleanColumn,
    CategoryColumn,
    Comparison,
    NumberColumn,
    PrivacyUnit,
    Schema,
    Table,
    TextColumn,
)
from dpengine.privacy import Neighbors
from dpengine.queries import Query
from tests.examples.drawn import planned_as, simulated

SCHEMA = Schema(
    name="people",
    columns=(
        NumberColumn(name="age", lower=0, upper=100),
        BooleanColumn(name="ill"),
        CategoryColumn(name="town", categories=("a", "b", "c")),
    ),
)
SEVERAL_ROWS = Schema(
    name="visits",
    columns=(TextColumn(name="who"), BooleanColumn(name="ill"), NumberColumn(name="age", lower=0, upper=100)),
    unit=PrivacyUnit(identifier="who", rows=3),
)
ILL, IN_A = Comparison("ill", "=", True), Comparison("town", "=", "a")
OLD, OLDER = Comparison("age", ">=", 65), Comparison("age", ">=", 80)


def told(query: Query, *noisy: Sequence[int], epsilon: float = 0.5, delta: float = 0.0) -> Told:
    """These noisy integers, as the answer to this question."""
    return Told(planned=planned_as(query, epsilon, delta), noisy=tuple(tuple(map(int, part)) for part in noisy))


def answers(*all_told: Told, schema: Schema = SCHEMA) -> Answers:
    return Answers(schema=schema, neighbors=Neighbors.ADD_REMOVE, told=tuple(all_told))


def asked_of(table: Table, query: Query, rng: np.random.Generator, *, epsilon: float = 0.5) -> Told:
    """A table's own answer with the noise that is planned for it; for one-part questions."""
    planned = planned_as(query, epsilon)
    (part,) = planned.parts(table.schema, Neighbors.ADD_REMOVE)
    exact = table.recall(part.aggregate).tolist()
    return Told(planned=planned, noisy=simulated(planned, [exact], rng, schema=table.schema).noisy)
