"""Crowds in every engine: the sizes that a plain-Python reading of the same dirty file counts, and nothing else."""

import math
from collections import Counter, defaultdict

import pytest

from dpengine.data import AsItIs, Bands, Crowds, Dropped, Period, Prefix, Schema, load_sample
from dpengine.data.declared.generalization import require_coarsenings
from dpengine.errors import InvalidParameterError, RefusedQueryError
from tests.contracts.engines.engines import CELLS, ENGINES
from tests.contracts.engines.rows_oracle import COLUMNS, FILE, SALT, UNITS, Oracle
from tests.running.cases import each

BOUNDS = {"age": (0, 100), "debt": (-10, 10)}
ASKED = [
    ([AsItIs(column="age")], None),
    ([AsItIs(column="debt"), AsItIs(column="ill")], "city"),
    ([Bands(column="age", width=10)], "debt"),
    ([Bands(column="debt", width=0.1), AsItIs(column="city")], "ill"),
    ([Bands(column="age", width=1e9), Prefix(column="city", letters=1)], "day"),
    ([Prefix(column="city", letters=2), Period(column="day", period="month")], "age"),
    ([Period(column="day", period="year"), AsItIs(column="ill"), Dropped(column="city")], None),
    ([Period(column="day", period="decade")], "city"),
    ([AsItIs(column="day")], "ill"),
    ([Dropped(column="ill")], "city"),
    ([AsItIs(column=name) for name in ("age", "debt", "city", "ill", "day")], None),
]
SOME = {"spark": ASKED[4:8:2], "parquet by path": ASKED[::4], "parquet in portions": ASKED[1::4]}
"""Of engines that are not asked everything: files share the statements of the embedded engine."""


@pytest.fixture(
    scope="module",
    params=[
        pytest.param((engine, unit), id=f"{engine}-{unit}")
        for engine in ENGINES
        for unit in UNITS
        if (engine, unit) != ("spark", "rows")
    ],
)
def table_oracle_engine(request, databases):
    engine, unit = request.param
    table = ENGINES[engine](databases, CELLS, Schema(name="dirty", columns=COLUMNS, unit=UNITS[unit]), SALT)
    yield table, Oracle(FILE, UNITS[unit]), engine
    table.close()


def plain(coarsening, row):
    """The coarser value as a person would write it."""
    value = row[coarsening.column]
    match coarsening:
        case Dropped():
            return None
        case _ if value is None:
            return "missing"
        case Bands():
            lower, upper = BOUNDS[coarsening.column]
            return math.floor(min(max(value, lower), upper) / coarsening.width)
        case Period():
            return value.isoformat()[: {"month": 7, "year": 4, "decade": 3}[coarsening.period]]
        case Prefix():
            return value[: coarsening.letters]
    return value


def counted(oracle, columns, sensitive):
    people, values = defaultdict(set), defaultdict(set)
    for number, row in enumerate(oracle.all_rows):
        who = row["person"] if oracle.by_person else number
        if who is not None:
            key = tuple(plain(one, row) for one in columns)
            people[key].add(who)
            values[key].add(row[sensitive] if sensitive else None)
    return dict(Counter((len(people[key]), len(values[key]) if sensitive else 0) for key in people))


def test_every_engine_counts_the_same_crowds(table_oracle_engine):
    """Spark, which needs seconds for an answer, is asked some of the questions, about people alone."""
    table, oracle, engine = table_oracle_engine
    for columns, sensitive in SOME.get(engine, ASKED):
        found = table.crowds(columns, sensitive=sensitive)
        assert found.combinations == counted(oracle, columns, sensitive), columns


def test_the_file_tells_the_questions_apart():
    found = [counted(Oracle(FILE, UNITS["rows"]), *asked) for asked in ASKED]
    assert len({str(sorted(one.items())) for one in found}) == len(ASKED)
    assert any(len(one) > 8 for one in found)


@each(
    "columns,sensitive,why",
    [
        ([], None, "No column is chosen"),
        ([AsItIs(column="age")] * 2, None, "named twice"),
        ([AsItIs(column="age"), Dropped(column="age")], None, "named twice"),
        ([AsItIs(column=str(i)) for i in range(9)], None, "9 columns at once are too many; at most 8"),
        ([AsItIs(column="age")], "age", "cannot also be a column by which people are known"),
        ([AsItIs(column="person")], None, "declared as text"),
        ([AsItIs(column="age")], "person", "declared as text"),
        ([AsItIs(column="nowhere")], None, "There is no column 'nowhere'"),
        ([Bands(column="city", width=2)], None, "not declared as a number"),
        ([Bands(column="age", width=1e-300)], None, "too narrow"),
        ([Period(column="age", period="year")], None, "not declared as a date"),
        ([Prefix(column="ill", letters=1)], None, "not declared as a category"),
    ],
)
def test_what_cannot_be_grouped_by_is_refused_with_a_sentence(columns, sensitive, why):
    with pytest.raises(RefusedQueryError, match=why):
        require_coarsenings(columns, Schema(name="dirty", columns=COLUMNS), sensitive=sensitive)


def test_a_table_refuses_the_same():
    table, _ = load_sample("patients")
    with pytest.raises(RefusedQueryError, match="declared as text"):
        table.crowds([AsItIs(column="name")])
    assert table.crowds([AsItIs(column="sex")]).people == 2000
    table.close()


@each(
    "build",
    [
        lambda: Bands(column="age", width=0),
        lambda: Bands(column="age", width=math.inf),
        lambda: Period(column="day", period="week"),
        lambda: Prefix(column="city", letters=0),
        lambda: Crowds(combinations={}).below(0),
    ],
)
def test_coarsenings_without_sense_are_refused(build):
    with pytest.raises(InvalidParameterError):
        build()


def test_crowds_add_up():
    crowds = Crowds(combinations={(1, 1): 3, (4, 1): 2, (4, 3): 1, (9, 2): 1})
    assert (crowds.people, crowds.sizes) == (24, {1: 3, 4: 3, 9: 1})
    assert (crowds.below(2), crowds.below(5), crowds.share_below(5)) == (3, 15, 15 / 24)
    assert (crowds.failing(people=4), crowds.failing(people=4, values=2)) == (3, 11)
    assert crowds.passing(people=4, values=2).combinations == {(4, 3): 1, (9, 2): 1}
    assert Crowds(combinations={}).share_below(5) == 0.0
    assert "3" not in repr(crowds)
