"""What every query owes: one person never moves its exact parts by more than it says, and some person by as much.

Tried on real tables that differ in one hard person: at a bound, beyond it, missing, absent, with too many rows.
"""

import itertools
from dataclasses import dataclass
from functools import cache

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from numpy.typing import NDArray

from dpengine.data import (
    Aggregate,
    And,
    BooleanColumn,
    CategoryColumn,
    Comparison,
    IsMissing,
    Not,
    NumberColumn,
    PrivacyUnit,
    Schema,
    Table,
    TextColumn,
    read_table,
)
from dpengine.privacy import Neighbors
from dpengine.queries import (
    CountPeopleQuery,
    CountQuery,
    HistogramQuery,
    MeanQuery,
    ProportionQuery,
    Query,
    SumQuery,
)

AR, RP = Neighbors.ADD_REMOVE, Neighbors.REPLACE_ONE
WELL = Comparison("ill", "=", False)
COLUMNS = (
    TextColumn(name="person"),
    NumberColumn(name="score", lower=17.3, upper=99.6),
    NumberColumn(name="wealth", lower=-1.3e7, upper=3.1e6),
    NumberColumn(name="known", lower=0.05, upper=0.75, complete=True),
    BooleanColumn(name="ill"),
    CategoryColumn(name="color", categories=("red", "green")),
)
UNITS = {"one row each": PrivacyUnit(), "at most 3 rows": PrivacyUnit(identifier="person", rows=3)}

EXAMPLES: tuple[Query, ...] = (
    CountQuery(),
    CountQuery(WELL),
    CountQuery(Not(WELL)),
    CountPeopleQuery(),
    CountPeopleQuery(WELL),
    *(SumQuery(name) for name in ("score", "wealth", "known")),
    *(SumQuery(name, WELL) for name in ("score", "wealth", "known")),
    *(MeanQuery(name) for name in ("score", "wealth", "known")),
    *(MeanQuery(name, WELL) for name in ("score", "wealth", "known")),
    ProportionQuery(WELL),
    ProportionQuery(WELL, Not(IsMissing("color"))),
    ProportionQuery(And((WELL, Comparison("score", ">", 50))), WELL),
    HistogramQuery("color"),
    HistogramQuery("ill", where=Comparison("score", ">", 10)),
    HistogramQuery("score", (17.3, 40, 99.6)),
    HistogramQuery("wealth", (-1.3e7, 0, 3.1e6), WELL),
)

Row = tuple[str, str, str, str, str]
LOW, HIGH = ("17.3", "-13000000", "0.05"), ("99.6", "3100000", "0.75")
PERSONS: tuple[Row, ...] = (
    (*LOW, "no", "red"),
    (*HIGH, "no", "green"),
    ("-1e9", "-1e300", "-5", "no", "red"),
    ("1e9", "1e300", "5", "yes", "green"),
    (*HIGH, "yes", "red"),
    ("", "nan", "", "no", ""),
    ("", "", "x", "", "blue"),
    ("58", "0", "0.4", "no", "green"),
)
OTHERS: tuple[tuple[str, Row], ...] = (("o1", (*LOW, "no", "red")), ("o2", ("58", "12", "0.3", "yes", "green")))


@dataclass(frozen=True, slots=True, kw_only=True)
class Family:
    """Tables that differ in one person only; `absent` is the table without that person, None where nobody is left."""

    absent: Table | None
    present: tuple[Table, ...]

    def pairs(self, neighbors: Neighbors, *, may_be_absent: bool) -> list[tuple[Table, Table | None]]:
        if neighbors is AR:
            return [(table, self.absent) for table in self.present]
        pairs: list[tuple[Table, Table | None]] = list(itertools.combinations(self.present, 2))
        return pairs + self.pairs(AR, may_be_absent=True) if may_be_absent else pairs


def schema_of(unit: PrivacyUnit) -> Schema:
    return Schema(name="people", columns=COLUMNS, unit=unit, people=3)


def table_of(rows: list[tuple[str, Row]], schema: Schema) -> Table:
    lines = ["person,score,wealth,known,ill,color", *(",".join((name, *row)) for name, row in rows)]
    return read_table("\n".join(lines).encode() + b"\n", schema=schema, format="csv")


def family_of(others: tuple[tuple[str, Row], ...], schema: Schema) -> Family:
    """With an identifier a person may also have several rows, alike or not, and more of them than count."""
    several = [[row] * 5 for row in PERSONS] + [list(PERSONS[:3]), list(PERSONS[1:3])]
    people = [[row] for row in PERSONS] + ([] if schema.one_row_each else several)
    tables = (table_of([*others, *(("p", row) for row in rows)], schema) for rows in people)
    return Family(absent=table_of(list(others), schema) if others else None, present=tuple(tables))


@cache
def families_of(unit: str) -> tuple[Family, ...]:
    """Made once, whatever the order of the tests."""
    return tuple(family_of(others, schema_of(UNITS[unit])) for others in ((), OTHERS[:1], OTHERS))


@cache
def exact(table: Table | None, aggregate: Aggregate) -> NDArray[np.int64]:
    """Read once a table and aggregate; of nobody, everything is 0."""
    return np.zeros(1, dtype=np.int64) if table is None else table.run(aggregate)


def never_moves(query: Query, schema: Schema, neighbors: Neighbors) -> bool:
    """Where everybody is publicly counted, a count is no secret; it is noised all the same."""
    counts_all = isinstance(query, CountQuery | CountPeopleQuery) and query.where is None
    return counts_all and neighbors is RP and schema.one_row_each


@pytest.mark.parametrize("unit", UNITS)
@pytest.mark.parametrize("neighbors", Neighbors, ids=lambda one: one.value)
@pytest.mark.parametrize("query", EXAMPLES, ids=repr)
def test_no_person_moves_a_part_by_more_and_one_moves_it_by_as_much(query, neighbors, unit):
    schema = schema_of(UNITS[unit])
    pairs = [pair for one in families_of(unit) for pair in one.pairs(neighbors, may_be_absent=not schema.one_row_each)]
    for part in query.parts(schema, neighbors):
        moves = [exact(one, part.aggregate) - exact(other, part.aggregate) for one, other in pairs]
        reached = {order: max(float(np.linalg.norm(move, order)) for move in moves) for order in (1, 2, np.inf)}
        allowed = part.grid_sensitivity
        assert reached[1] <= allowed.l1
        assert reached[2] <= allowed.l2 * (1 + 1e-12)
        assert reached[np.inf] <= allowed.linf
        if not never_moves(query, schema, neighbors):
            assert reached[1] == allowed.l1
            assert reached[np.inf] == allowed.linf


@settings(max_examples=15)
@given(
    values=st.lists(st.tuples(st.floats(-200, 200), st.sampled_from(["yes", "no", ""])), min_size=3, max_size=6),
    query=st.sampled_from(EXAMPLES),
)
def test_nobody_at_all_moves_a_part_by_more(values, query):
    schema = schema_of(PrivacyUnit())
    rows = [("p", (repr(value), repr(value * 1e5), repr(value / 100), ill, "red")) for value, ill in values]
    here, without, replaced = (table_of(some, schema) for some in (rows[:-1], rows[:-2], [*rows[:-2], rows[-1]]))
    for neighbors, other in ((AR, without), (RP, replaced)):
        for part in query.parts(schema, neighbors):
            move = np.abs(here.run(part.aggregate) - other.run(part.aggregate))
            assert move.sum() <= part.grid_sensitivity.l1
            assert move.max() <= part.grid_sensitivity.linf


@pytest.mark.parametrize("unit", UNITS)
@pytest.mark.parametrize("neighbors", Neighbors, ids=lambda one: one.value)
@pytest.mark.parametrize("query", EXAMPLES, ids=repr)
def test_shares_add_up_and_sensitivities_are_whole_steps(query, neighbors, unit):
    parts = query.parts(schema_of(UNITS[unit]), neighbors)
    assert sum(part.share for part in parts) == 1
    for part in parts:
        assert part.grid_sensitivity.l1 == int(part.grid_sensitivity.l1) >= 1
        assert part.sensitivity.l1 == part.grid_sensitivity.l1 * part.step
        assert part.sensitivity.because.endswith((".", ")"))


@pytest.mark.parametrize("neighbors", Neighbors, ids=lambda one: one.value)
@pytest.mark.parametrize("query", EXAMPLES, ids=repr)
def test_exact_parts_combine_to_the_plain_answer(query, neighbors):
    schema = schema_of(PrivacyUnit())
    rows = [*OTHERS, ("p", PERSONS[7])]
    parts = query.parts(schema, neighbors)
    table = table_of(rows, schema)
    answer = query.combine([part.reading(table.run(part.aggregate)) for part in parts])
    assert answer == pytest.approx(plain_answer(query, [row for _, row in rows]), abs=3 * parts[0].step)


def plain_answer(query: Query, rows: list[Row]) -> list[float]:
    """From the text of the rows, which are complete and within their bounds; the names of columns give the place."""
    place = {"score": 0, "wealth": 1, "known": 2, "ill": 3, "color": 4}
    chosen = [row for row in rows if query.where is None or satisfies(query.where, row, place)]
    if isinstance(query, ProportionQuery):
        return [sum(satisfies(query.having, row, place) for row in chosen) / len(chosen)]
    if isinstance(query, HistogramQuery):
        return histogram(query, [row[place[query.column]] for row in chosen])
    if isinstance(query, SumQuery | MeanQuery):
        total = sum(float(row[place[query.column]]) for row in chosen)
        return [total / len(chosen) if isinstance(query, MeanQuery) else total]
    return [len(chosen)]


def satisfies(condition, row: Row, place: dict[str, int]) -> bool:
    if isinstance(condition, Not):
        return not satisfies(condition.condition, row, place)
    if isinstance(condition, And):
        return all(satisfies(one, row, place) for one in condition.conditions)
    if isinstance(condition, IsMissing):
        return False
    text = row[place[condition.column]]
    return float(text) > condition.value if condition.operator == ">" else (text == "yes") == condition.value


def histogram(query: HistogramQuery, cells: list[str]) -> list[float]:
    if query.edges is not None:
        return list(np.histogram([float(cell) for cell in cells], bins=query.edges)[0])
    listed = {"color": ("red", "green"), "ill": ("no", "yes")}[query.column]
    return [cells.count(value) for value in listed]
