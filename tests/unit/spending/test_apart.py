"""Questions about different people: what they promise together, for both kinds of neighbors."""

from __future__ import annotations

import pytest

from dpengine.data import (
    And,
    BooleanColumn,
    CategoryColumn,
    Comparison,
    Condition,
    Not,
    NumberColumn,
    PrivacyUnit,
    Schema,
    TextColumn,
)
from dpengine.plan import PlannedQuery
from dpengine.privacy import Guarantee, Neighbors
from dpengine.queries import (
    CountQuery,
    GroupedCountQuery,
    HistogramQuery,
    MeanQuery,
    ModeQuery,
    ProportionQuery,
    QuantileQuery,
    Query,
    SeveralProportionsQuery,
    StatisticalQueries,
    SumQuery,
    VarianceQuery,
)
from dpengine.queries.disjoint import disjoint
from dpengine.scenario import Scenario
from dpengine.spending import apart, as_one_question
from tests.examples.ledgers import ROWS, people
from tests.examples.ledgers import SCHEMA as ROWS_SCHEMA
from tests.running.cases import each

COLUMNS = (
    TextColumn(name="person"),
    NumberColumn(name="age", lower=0, upper=100),
    CategoryColumn(name="party", categories=("dem", "rep", "ind")),
    BooleanColumn(name="ill"),
)
SCHEMA = Schema(name="survey", columns=COLUMNS, people=900)
DEM, REP, IND = (Comparison("party", "=", party) for party in ("dem", "rep", "ind"))


def asked(epsilon: float, query: Query, delta: float = 0.0) -> PlannedQuery:
    promise = Guarantee(epsilon=epsilon, delta=delta)
    return PlannedQuery(query=query, guarantee=promise, mechanism="gaussian" if delta else "laplace")


def plan(*queries: PlannedQuery, neighbors: Neighbors = Neighbors.ADD_REMOVE, schema: Schema = SCHEMA) -> Scenario:
    budget = Guarantee(epsilon=3.0, delta=1e-6)
    return Scenario(table_name="survey", schema=schema, neighbors=neighbors, queries=queries, budget=budget)


THREE = (asked(0.1, CountQuery(DEM)), asked(0.5, CountQuery(REP)), asked(0.3, MeanQuery("age", IND)))


def test_adding_a_person_touches_one_group_and_replacing_one_touches_two() -> None:
    added, replaced = apart(plan(*THREE)), apart(plan(*THREE, neighbors=Neighbors.REPLACE_ONE))
    assert added.found == replaced.found == ((0, 1, 2),)
    assert added.together.epsilon == pytest.approx(0.5)
    assert replaced.together.epsilon == pytest.approx(0.8)
    assert added.added_up.epsilon == replaced.added_up.epsilon == pytest.approx(0.9)


def test_two_families_add_up() -> None:
    both = plan(*THREE, asked(0.2, CountQuery()), asked(0.4, CountQuery(DEM)), asked(0.7, CountQuery(REP)))
    assert apart(both).found == ((0, 1, 2), (4, 5))
    assert apart(both).together.epsilon == pytest.approx(0.5 + 0.2 + 0.7)


def test_deltas_are_taken_apart_too() -> None:
    both = (asked(0.1, CountQuery(DEM), 1e-7), asked(0.2, CountQuery(REP), 3e-7))
    assert apart(plan(*both)).together == Guarantee(epsilon=0.2, delta=3e-7)
    replaced = apart(plan(*both, neighbors=Neighbors.REPLACE_ONE)).together
    assert replaced.delta == pytest.approx(4e-7)


def test_people_with_several_rows_may_be_in_several_groups() -> None:
    several = Schema(name="survey", columns=COLUMNS, unit=PrivacyUnit(identifier="person", rows=2))
    assert apart(plan(*THREE)).found
    assert apart(plan(*THREE, schema=several)).found == ()
    assert apart(plan(*THREE, schema=several)).together.epsilon == pytest.approx(0.9)


def test_counts_at_once_touch_the_rows_of_any_of_their_conditions() -> None:
    both: tuple[Condition, ...] = (DEM, REP)
    at_once = asked(0.2, StatisticalQueries(both))
    assert apart(plan(at_once, asked(0.3, CountQuery(IND)))).found == ((0, 1),)
    assert apart(plan(at_once, asked(0.3, CountQuery(REP)))).found == ()


@each("neighbors", list(Neighbors))
def test_it_is_never_below_the_dearest_person(neighbors: Neighbors) -> None:
    """By brute force over every kind of row: what the questions that it touches cost together."""
    queries = (*THREE, asked(0.2, CountQuery(Comparison("ill", "=", True))), asked(0.4, MeanQuery("age")))
    kinds = [(party, ill) for party in ("dem", "rep", "ind") for ill in (True, False)]
    touches = {(party, ill): {{"dem": 0, "rep": 1, "ind": 2}[party], *([3] if ill else []), 4} for party, ill in kinds}
    epsilons = [one.guarantee.epsilon for one in queries]
    pairs = [(kind, other if neighbors is Neighbors.REPLACE_ONE else kind) for kind in kinds for other in kinds]
    worst = max(sum(epsilons[place] for place in touches[kind] | touches[other]) for kind, other in pairs)
    found = apart(plan(*queries, neighbors=neighbors))
    assert worst <= found.together.epsilon + 1e-12
    assert found.together.epsilon < found.added_up.epsilon


def test_counts_of_categories_become_one_histogram_at_the_dearest_price() -> None:
    before = plan(asked(0.2, CountQuery()), asked(0.1, CountQuery(DEM)), asked(0.3, CountQuery(REP)), THREE[2])
    after = as_one_question(before, (1, 2))
    assert after is not None
    assert after.queries == (before.queries[0], asked(0.3, HistogramQuery("party")), THREE[2])
    assert as_one_question(before, (1, 3)) is None


ILL = Comparison("ill", "=", True)
ABOUT_THE_ILL: tuple[Query, ...] = (
    CountQuery(ILL),
    MeanQuery("age", ILL),
    SumQuery("age", ILL),
    ProportionQuery(Comparison("age", ">=", 30), ILL),
    HistogramQuery("age", (0.0, 50.0, 100.0), ILL),
    VarianceQuery("age", ILL),
    GroupedCountQuery(("ill",), ILL),
    QuantileQuery("age", 0.5, where=ILL),
    ModeQuery("ill", ILL),
    StatisticalQueries((ILL, And((ILL, Comparison("age", "<", 60))))),
    StatisticalQueries((Comparison("age", ">=", 0),), where=ILL),
    SeveralProportionsQuery((Comparison("age", ">=", 30), Comparison("age", ">=", 60)), where=ILL),
)


@each("query", ABOUT_THE_ILL)
def test_a_row_outside_of_what_is_touched_changes_no_answer(query: Query) -> None:
    """On real rows, all noisy parts at once; a row inside does change one, so that the test can fail."""
    assert disjoint(query.touched(), Not(ILL), ROWS_SCHEMA)

    def exact(*more: tuple[object, str]) -> list[list[int]]:
        table, parts = people((*ROWS, *more)), query.parts(ROWS_SCHEMA, Neighbors.ADD_REMOVE)
        return [part.exact(table.run(part.aggregate)).ravel().tolist() for part in parts]

    assert exact((33, "no"), (71, "?")) == exact()
    assert exact((33, "yes")) != exact()
