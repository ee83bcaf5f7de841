"""What every query owes: one person never moves its exact parts by more than it says, and some person by as much."""

from functools import cache
from typing import Any

import numpy as np
import pandas as pd
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from dpengine.data import And, Comparison, IsMissing, Not, OneOf, PrivacyUnit, Schema, Table
from dpengine.privacy import Neighbors
from dpengine.queries import (
    AnyPart,
    CountPeopleQuery,
    CountQuery,
    GroupedCountQuery,
    GroupedMeanQuery,
    GroupedProportionQuery,
    GroupedSumQuery,
    HistogramQuery,
    MeanQuery,
    ProportionQuery,
    Query,
    SeveralProportionsQuery,
    StatisticalQueries,
    SumQuery,
    VarianceQuery,
)
from dpengine.queries.forms import ByGroup
from tests.contracts.hard_persons import (
    ALIASES,
    AR,
    OTHERS,
    PERSONS,
    RP,
    UNITS,
    WELL,
    Row,
    moves_of,
    schema_of,
    table_of,
)
from tests.contracts.plain_answers import plain_answer
from tests.running.cases import each

BOTH_KEYS, ANN = ("color", "ill"), Comparison("alias", "=", "Ann")
EXAMPLES: tuple[Query, ...] = (
    CountQuery(),
    CountQuery(WELL),
    CountQuery(Not(WELL)),
    *(CountQuery(where) for where in (ANN, Not(ANN), Comparison("alias", "!=", "Ann"), Not(IsMissing("alias")))),
    CountPeopleQuery(),
    CountPeopleQuery(WELL),
    CountPeopleQuery(OneOf("alias", ("ann", "Ánn"))),
    *(SumQuery(name) for name in ("score", "wealth", "known")),
    SumQuery("score", WELL),
    SumQuery("score", Comparison("alias", "=", "ann")),
    *(MeanQuery(name) for name in ("score", "wealth", "known")),
    MeanQuery("known", WELL),
    ProportionQuery(WELL),
    ProportionQuery(WELL, Not(IsMissing("color"))),
    ProportionQuery(And((WELL, Comparison("score", ">", 50))), WELL),
    HistogramQuery("color"),
    HistogramQuery("ill", where=Comparison("score", ">", 10)),
    HistogramQuery("score", (17.3, 40, 99.6)),
    HistogramQuery("wealth", (-1.3e7, 0, 3.1e6), WELL),
    HistogramQuery("day", period="month"),
    HistogramQuery("day", period="year", where=Not(IsMissing("color"))),
    *(VarianceQuery(name) for name in ("score", "wealth", "known")),
    VarianceQuery("score", WELL),
    GroupedCountQuery("color"),
    GroupedCountQuery(BOTH_KEYS, Comparison("score", ">", 10)),
    GroupedSumQuery("score", "color"),
    GroupedSumQuery("wealth", BOTH_KEYS),
    GroupedMeanQuery("score", BOTH_KEYS),
    GroupedMeanQuery("known", "ill", Not(IsMissing("color"))),
    GroupedProportionQuery(WELL, "color"),
    GroupedProportionQuery(Comparison("score", ">", 50), BOTH_KEYS, Not(IsMissing("color"))),
    StatisticalQueries((Not(IsMissing("ill")), Not(IsMissing("day")), Comparison("score", ">", 10))),
    StatisticalQueries((WELL,), Not(IsMissing("color"))),
    SeveralProportionsQuery((Not(IsMissing("color")), Not(IsMissing("day")), Comparison("score", ">", 10))),
    SeveralProportionsQuery((WELL, Not(Comparison("ill", "=", True))), Not(IsMissing("color"))),
)
ONE_ROW, SEVERAL_ROWS, IN_GROUPS = UNITS
BOUNDED = [
    (query, unit)
    for query in EXAMPLES
    for unit in (ONE_ROW, SEVERAL_ROWS, *([IN_GROUPS] if isinstance(query, ByGroup | HistogramQuery) else []))
]
"""Every question for every unit; what has no cells knows of a person's rows alone, not of groups."""


def claims_to_be_exact(query: Query, part: AnyPart, schema: Schema, neighbors: Neighbors) -> bool:
    """Not where everybody is publicly counted: that count is no secret, and it is noised all the same.

    Nor for a variance over a public number of people, n / (n - 1) above the truth, nor where so few groups are listed
    that a replaced person cannot leave all of theirs.
    """
    if neighbors is AR:
        return True
    counts_all = isinstance(query, CountQuery | CountPeopleQuery) and query.where is None
    if isinstance(query, ByGroup):
        entered = schema.unit.groups or schema.unit.rows
        return part.coordinates >= 2 * entered
    return not (counts_all and schema.one_row_each) and part.name != "variance"


@each("neighbors", Neighbors)
@each(("query", "unit"), BOUNDED)
def test_no_person_moves_a_part_by_more_and_one_moves_it_by_as_much(query, neighbors, unit):
    schema = schema_of(UNITS[unit])
    for part in query.parts(schema, neighbors):
        moves = moves_of(part, unit, neighbors)
        reached = {order: float(np.linalg.norm(moves, order, axis=1).max()) for order in (1, 2, np.inf)}
        allowed = part.grid_sensitivity
        assert reached[1] <= allowed.l1
        assert reached[2] <= allowed.l2 * (1 + 1e-12)
        assert reached[np.inf] <= allowed.linf
        if claims_to_be_exact(query, part, schema, neighbors):
            assert reached[1] == allowed.l1
            assert reached[np.inf] == allowed.linf


@settings(max_examples=5)
@given(
    values=st.lists(st.tuples(st.floats(-200, 200), st.sampled_from(["yes", "no", ""])), min_size=3, max_size=6),
    query=st.sampled_from(EXAMPLES),
)
def test_nobody_at_all_moves_a_part_by_more(values, query):
    schema = schema_of(PrivacyUnit())
    rows = [
        ("p", (repr(value), repr(value * 1e5), repr(value / 100), ill, "red", "2024-02-01")) for value, ill in values
    ]
    here, without, replaced = (table_of(some, schema) for some in (rows[:-1], rows[:-2], [*rows[:-2], rows[-1]]))
    for neighbors, other in ((AR, without), (RP, replaced)):
        for part in query.parts(schema, neighbors):
            move = np.abs(part.exact(here.run(part.aggregate)) - part.exact(other.run(part.aggregate)))
            assert move.sum() <= part.grid_sensitivity.l1
            assert move.max() <= part.grid_sensitivity.linf


@each("unit", UNITS)
@each("neighbors", Neighbors)
def test_shares_add_up_and_sensitivities_are_whole_steps(neighbors, unit):
    for query in EXAMPLES:
        parts: list[Any] = list(query.parts(schema_of(UNITS[unit]), neighbors))
        assert sum(part.share for part in parts) == 1, query
        for part in parts:
            assert part.grid_sensitivity.l1 == int(part.grid_sensitivity.l1) >= 1, query
            assert part.sensitivity.l1 == part.grid_sensitivity.l1 * part.step, query
            assert part.sensitivity.because.endswith((".", ")")), query


@cache
def ordinary_people() -> tuple[Table, list[tuple[str, Row]]]:
    """Three people, each within all bounds, and their rows."""
    rows = [*OTHERS, ("p", PERSONS[8])]
    return table_of(rows, schema_of(PrivacyUnit())), rows


@each("neighbors", Neighbors)
@each("query", EXAMPLES)
def test_exact_parts_combine_to_the_plain_answer(query, neighbors):
    table, rows = ordinary_people()
    schema, parts = table.schema, query.parts(table.schema, neighbors)
    answer = query.combine([part.exact_reading(table.run(part.aggregate)) for part in parts])
    frame = pd.DataFrame([row for _, row in rows], columns=["score", "wealth", "known", "ill", "color", "day"])
    frame = frame.astype({"score": float, "wealth": float, "known": float}).assign(
        ill=frame.ill == "yes", alias=[ALIASES[color].strip() for color in frame.color]
    )
    column = schema.number(query.column) if isinstance(query, GroupedMeanQuery) else None
    center = parts[0].aggregate.sum.center * column.step if column else 0.0
    assert answer == pytest.approx(plain_answer(query, frame, center=center), abs=tolerance(query, parts[0], schema))


def tolerance(query: Query, part: AnyPart, schema: Schema) -> float:
    """Three steps of the grid; a squared distance d is off by 2 d of them, on a coarser grid."""
    if not isinstance(query, VarianceQuery):
        return 3 * part.step
    column = schema.number(query.column)
    return 4 * (column.upper - column.lower) * column.step * 2**5
