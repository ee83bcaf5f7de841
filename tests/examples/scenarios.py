"""A plan that holds one of everything that a plan can hold."""

from datetime import date

from dpengine.data import (
    And,
    Between,
    BooleanColumn,
    CategoryColumn,
    ColumnLabel,
    Comparison,
    DateColumn,
    IsMissing,
    Labels,
    Not,
    NumberColumn,
    OneOf,
    Or,
    Phrase,
    PrivacyUnit,
    Schema,
    TextColumn,
)
from dpengine.plan import PlannedQuery
from dpengine.privacy import Guarantee, Neighbors
from dpengine.queries import (
    CountPeopleQuery,
    CountQuery,
    GroupedCountQuery,
    GroupedMeanQuery,
    GroupedProportionQuery,
    GroupedSumQuery,
    HistogramQuery,
    MeanQuery,
    ModeQuery,
    ProportionQuery,
    QuantileQuery,
    SeveralProportionsQuery,
    StatisticalQueries,
    SumQuery,
    VarianceQuery,
)
from dpengine.scenario import PlanTargets, Scenario
from tests.examples.ledgers import asking

SCHEMA = Schema(
    name="visits",
    columns=(
        TextColumn(name="person"),
        NumberColumn(name="age", lower=-0.5, upper=100, unit="Jahre", complete=True),
        BooleanColumn(name="ill", true_words=("ja",), false_words=("nein",)),
        CategoryColumn(name='a "name"', categories=("é", "x,y")),
        DateColumn(name="born", earliest=date(1900, 1, 1), latest=date(2024, 1, 1)),
    ),
    unit=PrivacyUnit(identifier="person", rows=3, groups=2, rows_per_group=1),
    people=17,
)
EVERY_CONDITION = And(
    (
        Or((Comparison("age", ">=", 2.5), OneOf('a "name"', ("é",)))),
        Not(IsMissing("ill")),
        Between("born", date(2000, 1, 1), date(2001, 1, 1)),
        Comparison("ill", "=", True),
    )
)
SINCE_THEN = (
    asking(1.0, GroupedProportionQuery(EVERY_CONDITION, ("ill",))),
    asking(1.05, SeveralProportionsQuery((EVERY_CONDITION, IsMissing("age")), IsMissing("born"))),
)
"""Kinds that came after the links in `kept_links` were written."""
QUERIES = (
    asking(0.1, CountQuery(EVERY_CONDITION)),
    asking(0.2, CountPeopleQuery()),
    asking(0.3, SumQuery("age")),
    asking(0.4, MeanQuery("age", Not(EVERY_CONDITION))),
    asking(0.5, ProportionQuery(EVERY_CONDITION, IsMissing("age"))),
    asking(0.6, HistogramQuery("age", (0.1, 0.2))),
    asking(0.6, HistogramQuery("born", period="year")),
    asking(0.7, VarianceQuery("age")),
    asking(0.8, GroupedCountQuery(("ill", 'a "name"'), EVERY_CONDITION)),
    asking(0.9, GroupedSumQuery("age", "ill")),
    asking(1.0, GroupedMeanQuery("age", ("ill",))),
    *SINCE_THEN,
    asking(1.1, QuantileQuery("age", 0.9, candidates=(1, 2.5))),
    asking(1.2, QuantileQuery("age")),
    asking(1.3, ModeQuery("ill", IsMissing("age"))),
    asking(1.4, StatisticalQueries((EVERY_CONDITION, IsMissing("age")))),
    PlannedQuery(query=CountQuery(), guarantee=Guarantee(epsilon=1, delta=1e-6), mechanism="gaussian"),
)
SCENARIO = Scenario(
    table_name="visits",
    schema=SCHEMA,
    neighbors=Neighbors.REPLACE_ONE,
    budget=Guarantee(epsilon=3.0, delta=1e-9),
    queries=QUERIES,
    rule="concentrated",
    targets=PlanTargets(confidence=0.9, prior=0.001, belief=0.75, errors=(None, 12.5), question=1),
    labels=Labels(
        table="Visits of 2024",
        columns=(ColumnLabel("age", "age in years"),),
        phrases=(Phrase(Comparison("age", ">=", 65.0), "are 65 or older"),),
    ),
)
