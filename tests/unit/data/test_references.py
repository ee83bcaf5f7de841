"""A question that makes no sense for the schema is refused in words, before any row is read."""

from datetime import date

import pytest

from dpengine.data import (
    And,
    Between,
    BinCounts,
    BooleanColumn,
    CategoryColumn,
    CategoryCounts,
    Comparison,
    Condition,
    DateColumn,
    FixedPointSum,
    GroupedCounts,
    Grouping,
    IsMissing,
    Not,
    NumberColumn,
    OneOf,
    Or,
    PeopleCount,
    PrivacyUnit,
    RowCount,
    Schema,
    SignedCount,
    TextColumn,
    require_aggregate,
    require_condition,
)
from dpengine.errors import RefusedQueryError

SCHEMA = Schema(
    name="patients",
    columns=(
        TextColumn(name="id"),
        TextColumn(name="name"),
        NumberColumn(name="age", lower=0, upper=120),
        CategoryColumn(name="city", categories=("Rome", "Oslo")),
        BooleanColumn(name="ill"),
        DateColumn(name="day", earliest=date(2020, 1, 1), latest=date(2020, 12, 31)),
    ),
    unit=PrivacyUnit(identifier="id"),
)


@pytest.mark.parametrize(
    "condition",
    [
        None,
        Comparison("age", ">=", 65),
        Comparison("age", "!=", 0.5),
        Comparison("city", "!=", "Oslo"),
        Comparison("ill", "=", True),
        Comparison("day", "<", date(2030, 1, 1)),
        Between("day", date(2020, 1, 1), date(2020, 6, 1)),
        OneOf("city", ("Rome", "Oslo")),
        IsMissing("ill"),
        Comparison("name", "=", "Ann"),
        Comparison("name", "!=", "'; DROP TABLE patients; --"),
        Comparison("name", "=", "x" * 1000),
        OneOf("name", ("Ann", "ann", "two\nlines", "\u6771\u4eac")),
        IsMissing("name"),
        Not(And((Comparison("name", "=", "Ann"), IsMissing("name")))),
        Not(And((IsMissing("age"), Or((Comparison("ill", "=", False),))))),
    ],
)
def test_a_condition_that_makes_sense_is_accepted(condition):
    require_condition(condition, SCHEMA)


@pytest.mark.parametrize(
    "condition, reason",
    [
        (Comparison("height", ">", 1), "no column 'height' in 'patients'; it has 'id', 'name', 'age'"),
        (Comparison("Age", ">", 1), "no column 'Age'"),
        (IsMissing("height"), "no column 'height'"),
        (Comparison("id", "=", "Ann"), "'id' is the identifier: it says whose rows belong together"),
        (OneOf("id", ("Ann",)), "'id' is the identifier"),
        (Between("id", "A", "B"), "'id' is the identifier"),
        (IsMissing("id"), "'id' is the identifier"),
        (Comparison("name", "<", "Ann"), "values of 'name' have no order; it can only be compared with = or !="),
        (Between("name", "A", "B"), "values of 'name' have no order"),
        (Comparison("name", "=", 1), "'name' is text; it cannot be compared with 1"),
        (Comparison("name", "=", True), "'name' is text; it cannot be compared with True"),
        (OneOf("name", ("Ann", date(2020, 1, 1))), "'name' is text"),
        (Comparison("name", "=", "x" * 1001), "text of 1,001 characters is compared with 'name'; at most 1,000"),
        (OneOf("name", ("Ann", "An\0n")), "The text for 'name' holds a control character"),
        (Comparison("name", "=", "An\x1fn"), "holds a control character"),
        (Comparison("name", "=", "An\ud800n"), "holds a control character"),
        (Comparison("name", "=", " Ann"), "read without the spaces around them, so none equals ' Ann'"),
        (Comparison("name", "=", "Ann\u2003"), "read without the spaces around them"),
        (Comparison("name", "=", ""), "An empty text of 'name' counts as missing"),
        (Comparison("age", "=", "x"), "'age' is a number; it cannot be compared with 'x'"),
        (Comparison("age", "=", True), "'age' is a number; it cannot be compared with True"),
        (Comparison("age", "=", date(2020, 1, 1)), "'age' is a number"),
        (Comparison("age", "<", 10**400), "'age' is a number"),
        (OneOf("age", (1, "2")), "cannot be compared with '2'"),
        (Between("age", 1, "2"), "cannot be compared with '2'"),
        (Comparison("ill", "=", 1), "'ill' is true or false; it cannot be compared with 1"),
        (Comparison("ill", "=", "yes"), "'ill' is true or false"),
        (Comparison("ill", ">", False), "values of 'ill' have no order; it can only be compared with = or !="),
        (Comparison("city", "=", "Paris"), "'Paris' is not a category of 'city'; it has 'Rome', 'Oslo'"),
        (Comparison("city", "=", 1), "1 is not a category of 'city'"),
        (Comparison("city", "<", "Oslo"), "values of 'city' have no order"),
        (Between("city", "Oslo", "Rome"), "values of 'city' have no order"),
        (OneOf("city", ("Rome", "rome")), "'rome' is not a category"),
        (Comparison("day", "=", "2020-01-01"), "'day' is a date; it cannot be compared with '2020-01-01'"),
        (Not(Comparison("id", "=", "Ann")), "'id' is the identifier"),
        (And((IsMissing("age"), Comparison("id", "=", "Ann"))), "'id' is the identifier"),
        (Or((IsMissing("age"), Comparison("age", "=", "x"))), "cannot be compared"),
        ("age > 3", r"is not a condition: one is written like Comparison\('age', '>=', 65\)"),
    ],
)
def test_a_condition_that_makes_none_is_refused_with_the_reason(condition, reason):
    with pytest.raises(RefusedQueryError, match=reason):
        require_condition(condition, SCHEMA)


def test_deep_nesting_is_refused_and_shallow_nesting_is_not():
    condition: Condition = IsMissing("age")
    for _ in range(30):
        condition = Not(condition)
    require_condition(condition, SCHEMA)
    for _ in range(10_000):
        condition = Not(condition)
    with pytest.raises(RefusedQueryError, match="more than 30 levels"):
        require_condition(condition, SCHEMA)


@pytest.mark.parametrize("kind", [And, Or])
def test_many_comparisons_are_refused_however_they_are_nested(kind):
    leaf = IsMissing("age")
    halves = kind((kind((leaf,) * 100), kind((leaf,) * 100)))
    require_condition(halves, SCHEMA)
    for wide in (kind((leaf,) * 201), kind((halves, leaf)), Not(kind((leaf,) * 100_000))):
        with pytest.raises(RefusedQueryError, match="more than 200 comparisons"):
            require_condition(wide, SCHEMA)


def test_a_condition_that_repeats_itself_is_counted_without_being_walked_to_its_end():
    condition: Condition = IsMissing("age")
    for _ in range(30):
        condition = And((condition, condition))
    with pytest.raises(RefusedQueryError, match="more than 200 comparisons"):
        require_condition(condition, SCHEMA)


def test_a_long_list_of_values_is_refused():
    require_condition(OneOf("age", tuple(range(1000))), SCHEMA)
    with pytest.raises(RefusedQueryError, match="1,001 values of 'age' are more than 1,000"):
        require_condition(OneOf("age", tuple(range(1001))), SCHEMA)


WRONG = Comparison("id", "=", "Ann")


@pytest.mark.parametrize(
    "aggregate, reason",
    [
        (RowCount(where=WRONG), "'id' is the identifier"),
        (PeopleCount(where=WRONG), "'id' is the identifier"),
        (FixedPointSum(column="age", fraction_bits=0, lower=0, upper=1, where=WRONG), "'id' is the identifier"),
        (FixedPointSum(column="city", fraction_bits=0, lower=0, upper=1), "not declared as a number"),
        (FixedPointSum(column="age", fraction_bits=0, lower=0, upper=2**42), "too far from 0"),
        (
            FixedPointSum(column="age", fraction_bits=0, lower=2**60, upper=2**60 + 1, center=2**60),
            "too fine or too wide",
        ),
        (FixedPointSum(column="age", fraction_bits=5000, lower=0, upper=1), "too fine or too wide"),
        (FixedPointSum(column="age", fraction_bits=-1022, lower=0, upper=4), "too fine or too wide"),
        (SignedCount(condition=WRONG), "'id' is the identifier"),
        (SignedCount(condition=IsMissing("age"), where=WRONG), "'id' is the identifier"),
        (CategoryCounts(column="name", values=("Ann",)), "no list of values is public: which ones occur would itself"),
        (GroupedCounts(grouping=Grouping(by=("name",), values=(("Ann",),))), "no list of values is public"),
        (CategoryCounts(column="age", values=("1",)), "no list of values"),
        (CategoryCounts(column="city", values=("Rome", "Paris")), "'Paris' is not a category of 'city'"),
        (CategoryCounts(column="city", values=("Rome", "Rome")), "listed twice"),
        (CategoryCounts(column="ill", values=("yes",)), "'ill' is true or false"),
        (CategoryCounts(column="city", values=("Rome",), where=WRONG), "'id' is the identifier"),
        (BinCounts(column="city", fraction_bits=0, edges=(0, 1)), "not declared as a number"),
        (BinCounts(column="age", fraction_bits=0, edges=(0, 2**53)), "too fine or too wide"),
        (BinCounts(column="age", fraction_bits=0, edges=(0, 1), where=WRONG), "'id' is the identifier"),
        ("SELECT 1", r"not something a table can be asked: that is an exact aggregate, such as RowCount\(\)"),
    ],
)
def test_an_aggregate_that_makes_no_sense_is_refused_with_the_reason(aggregate, reason):
    with pytest.raises(RefusedQueryError, match=reason):
        require_aggregate(aggregate, SCHEMA)


@pytest.mark.parametrize(
    "aggregate",
    [
        RowCount(),
        PeopleCount(where=IsMissing("age")),
        FixedPointSum(column="age", fraction_bits=14, lower=0, upper=120 * 2**14, center=60 * 2**14),
        SignedCount(condition=IsMissing("age")),
        CategoryCounts(column="ill", values=(True,)),
        BinCounts(column="age", fraction_bits=0, edges=(0, 1, 2)),
    ],
)
def test_an_aggregate_that_makes_sense_is_accepted(aggregate):
    require_aggregate(aggregate, SCHEMA)


def test_the_widest_declared_ranges_have_grids_that_are_accepted():
    for lower, upper in ((-1e99, 1e100), (0, 1e-99), (1e9, 1e9 + 2), (0, 1), (1900, 2100)):
        column = NumberColumn(name="x", lower=lower, upper=upper)
        schema, grid = Schema(name="t", columns=(column,)), (column.on_grid(lower), column.on_grid(upper))
        require_aggregate(BinCounts(column="x", fraction_bits=column.fraction_bits, edges=grid), schema)
        require_aggregate(
            FixedPointSum(column="x", fraction_bits=column.fraction_bits, lower=grid[0], upper=grid[1], center=grid[0]),
            schema,
        )
