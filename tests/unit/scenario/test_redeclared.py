"""A table declared otherwise: what still holds comes along, what does not is named with its reason."""

from dataclasses import replace

from dpengine.accuracy import Guess
from dpengine.data import CategoryColumn, Comparison, NumberColumn, Schema
from dpengine.plan import PlannedQuery
from dpengine.privacy import Guarantee, Neighbors
from dpengine.queries import CountQuery, HistogramQuery, MeanQuery
from dpengine.scenario import PlanTargets, Scenario, redeclared

GUESS = Guess(records=1000, answer=40)
AGE = NumberColumn(name="age", lower=0, upper=120)
SEX = CategoryColumn(name="sex", categories=("f", "m"))
QUERIES = (
    MeanQuery("age"),
    HistogramQuery("sex"),
    CountQuery(where=Comparison("sex", "=", "m")),
    CountQuery(where=Comparison("age", ">", 17)),
)
LIKEWISE = Neighbors.ADD_REMOVE
PLAN = Scenario(
    table_name="people",
    schema=Schema(name="people", columns=(AGE, SEX)),
    neighbors=Neighbors.ADD_REMOVE,
    budget=Guarantee(epsilon=3.0),
    queries=tuple(PlannedQuery(query=query, guarantee=Guarantee(epsilon=0.1)) for query in QUERIES),
    targets=PlanTargets(errors=(1.0, 2.0), rows=500),
)


def test_a_corrected_bound_keeps_every_question_under_the_new_declaration():
    schema = Schema(name="people", columns=(replace(AGE, upper=100), SEX))
    found = redeclared(PLAN, schema, Neighbors.ADD_REMOVE)
    assert found.lost == ()
    assert found.plan.queries == PLAN.queries
    assert (found.plan.schema, found.plan.budget) == (schema, PLAN.budget)
    assert found.plan.targets == PlanTargets(errors=(1.0, 2.0)), "How many rows there are was said of the old one."
    before, now = (one.queries[0].error(one.schema, one.neighbors, GUESS) for one in (PLAN, found.plan))
    assert now.quantile(0.95) < before.quantile(0.95), "In a narrower range one person moves the mean less far."


def test_what_no_longer_holds_is_named_with_its_reason():
    schema = Schema(name="people", columns=(AGE, replace(SEX, categories=("f", "x"))))
    found = redeclared(PLAN, schema, Neighbors.ADD_REMOVE)
    assert [(one.number, one.planned) for one in found.lost] == [(3, PLAN.queries[2])]
    assert "'m' is not a category of 'sex'" in found.lost[0].reason
    assert [one.query for one in found.plan.queries] == [QUERIES[0], QUERIES[1], QUERIES[3]]


def test_an_accepted_error_stays_with_its_question_as_long_as_that_has_its_unit():
    said = replace(PLAN, targets=PlanTargets(errors=(1.0, 2.0, 3.0, 4.0), question=3))
    in_months = replace(AGE, unit="months")
    found = redeclared(said, Schema(name="people", columns=(in_months, replace(SEX, categories=("f", "x")))), LIKEWISE)
    assert found.came_from == (None, 1, 3), "The mean is in months now, and the third question is lost."
    assert found.plan.targets == PlanTargets(errors=(None, 2.0, 4.0), question=2)


def test_a_column_that_is_gone_takes_its_questions_along():
    found = redeclared(PLAN, Schema(name="people", columns=(SEX,)), Neighbors.ADD_REMOVE)
    assert [one.number for one in found.lost] == [1, 4]


def test_a_count_of_everybody_is_left_out_once_their_number_is_declared():
    asked = (CountQuery(), *QUERIES)
    plan = replace(PLAN, queries=tuple(PlannedQuery(query=one, guarantee=Guarantee(epsilon=0.1)) for one in asked))
    found = redeclared(plan, replace(PLAN.schema, people=5000), Neighbors.REPLACE_ONE)
    assert [(one.number, one.planned) for one in found.lost] == [(1, plan.queries[0])]
    assert found.lost[0].reason.startswith("You declared this number of people: 5,000.")


def test_what_was_lost_before_comes_back_where_it_holds_again():
    narrower = Schema(name="people", columns=(AGE, replace(SEX, categories=("f", "x"))))
    first = redeclared(PLAN, narrower, Neighbors.ADD_REMOVE)
    again = redeclared(first.plan, PLAN.schema, Neighbors.ADD_REMOVE, before=first.lost)
    assert (again.plan.queries, again.lost) == ((*first.plan.queries, PLAN.queries[2]), ())
    still = redeclared(first.plan, narrower, Neighbors.ADD_REMOVE, before=first.lost)
    assert [one.planned for one in still.lost] == [PLAN.queries[2]]
