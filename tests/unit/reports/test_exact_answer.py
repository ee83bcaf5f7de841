"""What an interval is for: the answer of the file as it was cut, capped and divided, and only where that was done."""

from __future__ import annotations

from dataclasses import replace

from dpengine.data import BooleanColumn, Comparison, NumberColumn, PrivacyUnit, Schema, TextColumn
from dpengine.privacy import Neighbors
from dpengine.queries import (
    CountPeopleQuery,
    CountQuery,
    GroupedMeanQuery,
    GroupedSumQuery,
    MeanQuery,
    ProportionQuery,
    Query,
    SumQuery,
    VarianceQuery,
)
from dpengine.reports import exact_answer
from dpengine.reports.answers import SAYS_NOTHING, interval_sentence
from tests.examples.drawn import planned_as, released
from tests.running.cases import each

PAY = NumberColumn(name="pay", lower=0, upper=300, unit="euro", complete=True)
ILL = Comparison("ill", "=", True)
PUBLIC = Schema(name="staff", columns=(PAY, BooleanColumn(name="ill")), people=450)
PRIVATE = replace(PUBLIC, people=None)
VISITS = replace(
    PRIVATE,
    columns=(*PRIVATE.columns, TextColumn(name="person")),
    unit=PrivacyUnit(identifier="person", rows=10, groups=2, rows_per_group=1),
)
ONCE = "answer that the table gives once"
CUT = f"{ONCE} values are cut to 0 to 300 euro"


def said(query: Query, schema: Schema) -> str:
    """The words about a released answer, under *replaced* where the number of people is public."""
    neighbors = Neighbors.REPLACE_ONE if schema.people else Neighbors.ADD_REMOVE
    planned = planned_as(query, 1.0)
    noisy = [[1] * part.coordinates for part in planned.parts(schema, neighbors)]
    return exact_answer(released(planned, noisy, schema=schema, neighbors=neighbors))


@each(
    ("query", "schema", "words"),
    [
        (CountQuery(ILL), PUBLIC, "the exact answer"),
        (CountPeopleQuery(), VISITS, "the exact answer"),
        (CountQuery(), VISITS, f"the {ONCE} at most 10 rows of a person count"),
        (MeanQuery("pay"), PRIVATE, f"the {CUT}"),
        (MeanQuery("pay"), PUBLIC, f"the {CUT} and all is divided by the declared 450 people"),
        (MeanQuery("pay", ILL), PUBLIC, f"the {CUT}"),
        (MeanQuery("pay"), VISITS, f"the {CUT} and at most 10 rows of a person count"),
        (SumQuery("pay"), PUBLIC, f"the {CUT} and their number is taken to be the declared 450"),
        (SumQuery("pay"), PRIVATE, f"the {CUT}"),
        (VarianceQuery("pay"), PUBLIC, f"the {CUT} and all is divided by the declared 450 people"),
        (ProportionQuery(ILL), PUBLIC, f"the {ONCE} all is divided by the declared 450 people"),
        (ProportionQuery(ILL), PRIVATE, "the exact answer"),
    ],
)
def test_an_interval_is_for_what_was_done_to_the_rows_first(query: Query, schema: Schema, words: str) -> None:
    assert said(query, schema) == words


def test_many_numbers_have_the_caps_on_groups_too() -> None:
    capped = "at most 10 rows of a person (in at most 2 groups, at most 1 in each group) count"
    words = f"all answers that the table gives once values are cut to 0 to 300 euro and {capped}"
    assert said(GroupedSumQuery("pay", by=("ill",)), VISITS) == words


def test_the_label_says_the_same() -> None:
    mean = released(planned_as(MeanQuery("pay"), 1.0), [[1]], schema=PUBLIC, neighbors=Neighbors.REPLACE_ONE)
    held = "In 95% of such releases the interval holds"
    assert interval_sentence(mean.estimate).startswith(f"{held} the {CUT} and all is divided by the declared 450")


@each(
    ("query", "epsilon", "nothing"),
    [
        (MeanQuery("pay"), 0.00001, True),
        (MeanQuery("pay"), 5.0, False),
        (ProportionQuery(ILL), 0.00001, True),
        (GroupedMeanQuery("pay", by=("ill",)), 0.00001, True),
        (CountQuery(), 0.00001, False),
    ],
)
def test_an_interval_of_everything_that_is_possible_is_said_to_say_nothing(
    query: Query, epsilon: float, nothing: bool
) -> None:
    """A count has no largest value that is publicly known."""
    planned = planned_as(query, epsilon)
    noisy = [[10_000] * part.coordinates for part in planned.parts(PRIVATE, Neighbors.ADD_REMOVE)]
    answer = released(planned, noisy, schema=PRIVATE, neighbors=Neighbors.ADD_REMOVE)
    assert interval_sentence(answer.estimate).startswith(SAYS_NOTHING) is nothing
