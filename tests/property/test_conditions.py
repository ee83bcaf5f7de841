"""Laws of conditions, of the bound on a person's rows, and of fingerprints, on generated tables."""

from datetime import date, timedelta

import pyarrow as pa
import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st

from dpengine.data import (
    And,
    Between,
    BooleanColumn,
    CategoryColumn,
    CategoryCounts,
    Comparison,
    DateColumn,
    IsMissing,
    Not,
    NumberColumn,
    OneOf,
    Or,
    PeopleCount,
    PrivacyUnit,
    RowCount,
    Schema,
    Table,
    TextColumn,
    require_condition,
)
from dpengine.data.files.cells import Cells

TAGS = tuple(f"tag {i}" for i in range(30))
EXAMPLES, TABLES = settings(max_examples=10, deadline=None), settings(max_examples=7, deadline=None)

COLUMNS = (
    NumberColumn(name="number", lower=-5, upper=5),
    CategoryColumn(name="category", categories=("a", "b", "c")),
    BooleanColumn(name="boolean"),
    DateColumn(name="date", earliest=date(2020, 1, 1), latest=date(2020, 1, 9)),
    TextColumn(name="text"),
)
SCHEMA = Schema(name="generated", columns=COLUMNS)

numbers = st.integers(-7, 7) | st.sampled_from([-0.5, 0.1, 2.5, 1e300])
days = st.integers(0, 10).map(lambda n: date(2019, 12, 31) + timedelta(days=n))
leaves = st.one_of(
    st.builds(Comparison, st.just("number"), st.sampled_from(["=", "!=", "<", "<=", ">", ">="]), numbers),
    st.builds(Between, st.just("number"), numbers, numbers),
    st.builds(Comparison, st.just("category"), st.sampled_from(["=", "!="]), st.sampled_from("abc")),
    st.builds(OneOf, st.just("category"), st.lists(st.sampled_from("abc"), min_size=1).map(tuple)),
    st.builds(Comparison, st.just("text"), st.sampled_from(["=", "!="]), st.sampled_from("abz")),
    st.builds(OneOf, st.just("text"), st.lists(st.sampled_from("abz"), min_size=1).map(tuple)),
    st.builds(Comparison, st.just("boolean"), st.sampled_from(["=", "!="]), st.booleans()),
    st.builds(Comparison, st.just("date"), st.sampled_from(["=", "!=", "<", ">="]), days),
    st.builds(IsMissing, st.sampled_from([column.name for column in COLUMNS])),
)
conditions = st.recursive(
    leaves,
    lambda inner: st.one_of(
        st.builds(Not, inner),
        st.builds(And, st.lists(inner, min_size=1, max_size=3).map(tuple)),
        st.builds(Or, st.lists(inner, min_size=1, max_size=3).map(tuple)),
    ),
    max_leaves=8,
)


def table_of(columns, *, schema, salt=None):
    names = tuple(columns)
    return Table.of_cells(
        Cells.of(names, [pa.chunked_array([columns[n]], type=pa.string()) for n in names]), schema=schema, salt=salt
    )


@pytest.fixture(scope="module")
def every_combination():
    """Each of a few cells with each of the others, missing ones included."""
    cells = [
        (number, category, boolean, day, category)
        for number in ("-5", "0.1", "5", "7", "", "x")
        for category in ("a", "b", "", "z")
        for boolean in ("yes", "no", "?")
        for day in ("2020-01-01", "2020-01-09", "", "2021-01-01")
    ]
    table = table_of(
        dict(zip(("number", "category", "boolean", "date", "text"), zip(*cells, strict=True), strict=True)),
        schema=SCHEMA,
    )
    yield table
    table.close()


def count(table, where=None):
    return int(table.run(RowCount(where=where))[0])


@EXAMPLES
@given(conditions)
def test_not_is_a_complement(every_combination, condition):
    require_condition(condition, SCHEMA)
    total = count(every_combination)
    assert total == 288
    assert count(every_combination, condition) + count(every_combination, Not(condition)) == total
    assert count(every_combination, Or((condition, Not(condition)))) == total
    assert count(every_combination, And((condition, Not(condition)))) == 0


@EXAMPLES
@given(conditions, conditions)
def test_or_and_and_add_up(every_combination, one, other):
    both, either = And((one, other)), Or((one, other))
    separately = count(every_combination, one) + count(every_combination, other)
    assert count(every_combination, both) + count(every_combination, either) == separately
    assert count(every_combination, Not(either)) == count(every_combination, And((Not(one), Not(other))))


rows_of_people = st.lists(st.sampled_from(["ann", "bob", "cy", "dee", ""]), min_size=1, max_size=len(TAGS))


def tagged(people, rows=2):
    """A table whose rows can be told apart by their tag, and where each row keeps its tag when others leave."""
    schema = Schema(
        name="bounded",
        columns=(TextColumn(name="person"), CategoryColumn(name="tag", categories=TAGS)),
        unit=PrivacyUnit(identifier="person", rows=rows),
    )
    return table_of({"person": list(people.values()), "tag": [TAGS[i] for i in people]}, schema=schema, salt="fixed")


def kept_tags(table):
    totals = table.run(CategoryCounts(column="tag", values=TAGS))
    table.close()
    assert set(totals) <= {0, 1}
    return {i for i, total in enumerate(totals) if total}


@TABLES
@given(rows_of_people, st.integers(1, 4))
def test_nobody_counts_with_more_rows_than_the_bound(names, rows):
    people = dict(enumerate(names))
    kept = kept_tags(tagged(people, rows))
    for name in set(names) - {""}:
        theirs = {i for i in people if people[i] == name}
        assert len(theirs & kept) == min(len(theirs), rows)
    assert not {i for i in people if not people[i]} & kept


@TABLES
@given(rows_of_people, st.sampled_from(["ann", "bob", "cy", "dee"]), st.randoms())
def test_removing_one_person_changes_nobody_elses_rows(names, leaver, rng):
    people = dict(enumerate(names))
    others = [(i, name) for i, name in people.items() if name != leaver]
    assume(others)
    rng.shuffle(others)
    before = {i for i in kept_tags(tagged(people)) if people[i] != leaver}
    assert kept_tags(tagged(dict(others))) == before


def test_the_choice_of_rows_is_not_the_order_of_the_file():
    """The control: a bound that keeps the first rows would pass the laws above, and would be no random choice."""
    people = dict.fromkeys(range(30), "ann")
    assert kept_tags(tagged(people, 5)) != set(range(5))
    schema = tagged(people).schema
    columns = {"person": ["ann"] * 30, "tag": list(TAGS)}
    kept = {frozenset(kept_tags(table_of(columns, schema=schema))) for _ in range(4)}
    assert len(kept) > 1, "a fresh salt for each table chooses other rows"


def test_rows_that_tie_are_cut_to_the_bound_too():
    schema = Schema(
        name="ties",
        columns=(TextColumn(name="person"), CategoryColumn(name="tag", categories=TAGS)),
        unit=PrivacyUnit(identifier="person", rows=3),
    )
    table = table_of({"person": ["ann"] * 5 + ["bob"], "tag": [TAGS[0]] * 6}, schema=schema)
    assert count(table) == 4
    assert table.run(PeopleCount()).tolist() == [2]


cells = st.text(st.characters(exclude_categories=("Cc", "Cs", "Zs", "Zl", "Zp")), max_size=4)
grids = st.integers(1, 4).flatmap(lambda width: st.lists(st.tuples(*[cells] * width), min_size=1, max_size=6))
WORDY = Schema(name="wordy", columns=(TextColumn(name="column 0"),))


def fingerprint(rows, order=None, schema=WORDY):
    order = range(len(rows[0])) if order is None else order
    table = table_of({f"column {i}": [row[i] for row in rows] for i in order}, schema=schema)
    found = table.fingerprint(b"secret")
    table.close()
    return found


@TABLES
@given(grids, st.randoms())
def test_a_fingerprint_does_not_depend_on_any_order(rows, rng):
    shuffled, order = list(rows), list(range(len(rows[0])))
    rng.shuffle(shuffled)
    rng.shuffle(order)
    assert fingerprint(shuffled, order) == fingerprint(rows)


@TABLES
@given(grids, st.data())
def test_a_fingerprint_tells_any_other_content_apart(rows, data):
    row = data.draw(st.integers(0, len(rows) - 1))
    column = data.draw(st.integers(0, len(rows[0]) - 1))
    cell = data.draw(cells)
    changed = [list(line) for line in rows]
    changed[row][column] = cell
    same = sorted(map(tuple, changed)) == sorted(rows)
    plain = fingerprint(rows)
    assert (fingerprint(changed) == plain) == same
    assert fingerprint([*rows, rows[0]]) != plain
