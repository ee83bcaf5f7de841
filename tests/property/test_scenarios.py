"""Any plan that can be planned comes back from its file and from its link, and no other plan does."""

from __future__ import annotations

from datetime import date, timedelta
from typing import Any

from hypothesis import given, settings
from hypothesis import strategies as st

from dpengine.data import (
    And,
    Between,
    BooleanColumn,
    CategoryColumn,
    Column,
    Comparison,
    Condition,
    DateColumn,
    IsMissing,
    Not,
    NumberColumn,
    OneOf,
    Or,
    PrivacyUnit,
    Schema,
    TextColumn,
    sample_names,
    sample_schema,
)
from dpengine.plan import PlannedQuery
from dpengine.privacy import Guarantee, Neighbors
from dpengine.queries import (
    CountPeopleQuery,
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
)
from dpengine.scenario import PlanTargets, Scenario

EXAMPLES = settings(max_examples=20, deadline=None)

names = st.text(st.characters(exclude_categories=["C", "Z"]), min_size=1, max_size=20)
numbers = st.floats(-1e9, 1e9)
days = st.dates(date(1800, 1, 1), date(2200, 1, 1))
shares = st.floats(0.001, 0.999)


@st.composite
def columns_of_any_kind(draw: st.DrawFn, name: str) -> Column:
    lower, width, day = draw(numbers), draw(st.floats(1, 1e6)), draw(days)
    kinds: list[Column] = [
        TextColumn(name=name),
        BooleanColumn(name=name, true_words=("ja",) if width > 10 else ("yes", "1")),
        NumberColumn(name=name, lower=lower, upper=lower + width, unit="km", complete=width > 10),
        CategoryColumn(name=name, categories=("a", f"{width}", "é")),
        DateColumn(name=name, earliest=day, latest=day + timedelta(days=int(width) % 9)),
    ]
    return draw(st.sampled_from(kinds))


@st.composite
def schemas(draw: st.DrawFn) -> Schema:
    known = draw(st.lists(names, min_size=1, max_size=6, unique_by=str.casefold))
    columns = tuple(draw(columns_of_any_kind(name)) for name in known)
    people = [column.name for column in columns if isinstance(column, TextColumn)]
    unit = PrivacyUnit()
    several = draw(st.booleans())
    if people and several:
        groups = draw(st.none() | st.integers(1, 9))
        unit = PrivacyUnit(identifier=people[0], rows=draw(st.integers(1, 1000)), groups=groups)
    return Schema(name=draw(names), columns=columns, unit=unit, people=draw(st.integers(1, 10**9)))


def conditions(column: str) -> st.SearchStrategy[Condition]:
    leaves = st.one_of(
        st.builds(Comparison, st.just(column), st.sampled_from(["=", "!=", "<", ">="]), numbers | names | days),
        st.builds(Between, st.just(column), numbers, numbers),
        st.builds(OneOf, st.just(column), st.lists(names, min_size=1, max_size=3).map(tuple)),
        st.just(IsMissing(column)),
    )
    several = st.lists(leaves, min_size=1, max_size=3).map(tuple)
    return leaves | st.builds(Not, leaves) | st.builds(And, several) | st.builds(Or, several)


@st.composite
def planned(draw: st.DrawFn, column: str) -> PlannedQuery:
    where = draw(st.none() | conditions(column))
    having = draw(conditions(column))
    kinds: list[Query] = [
        CountQuery(where),
        CountPeopleQuery(where),
        SumQuery(column, where),
        MeanQuery(column, where),
        ProportionQuery(having, where),
        HistogramQuery(column, where=where),
        GroupedCountQuery((column,), where),
        QuantileQuery(column, 0.25, where=where),
        ModeQuery(column, where),
        StatisticalQueries((having, IsMissing(column))),
        SeveralProportionsQuery((having, IsMissing(column)), where),
    ]
    query = draw(st.sampled_from(kinds))
    epsilon, delta = draw(st.floats(1e-6, 1e4)), draw(st.floats(1e-15, 0.5))
    noisy = draw(st.sampled_from(["laplace", "gaussian"]))
    guarantee = Guarantee(epsilon=epsilon, delta=delta if noisy == "gaussian" else 0.0)
    percent = draw(st.none() | st.integers(1, 99))
    return PlannedQuery(query=query, guarantee=guarantee, mechanism=noisy, percent_for_sum=percent)


@st.composite
def scenarios(draw: st.DrawFn) -> Scenario:
    """Plans on any schema, among them those of the practice tables; what is asked need not be answerable."""
    schema = draw(schemas() | st.sampled_from([sample_schema(name) for name in sample_names()]))
    public = [Neighbors.ADD_REMOVE] if schema.people is None else list(Neighbors)
    return Scenario(
        table_name=schema.name,
        schema=schema,
        neighbors=draw(st.sampled_from(public)),
        budget=Guarantee(epsilon=draw(st.floats(0, 1e6)), delta=draw(shares)),
        queries=tuple(draw(st.lists(planned(schema.columns[-1].name), max_size=4))),
        rule=draw(st.sampled_from(["basic", "concentrated"])),
        targets=draw(
            st.builds(
                PlanTargets,
                confidence=shares,
                prior=shares,
                belief=st.none() | shares,
                errors=st.lists(st.none() | st.floats(0, 1e12), max_size=4).map(tuple),
                one_by_one=st.lists(st.integers(0, 499), max_size=4).map(tuple),
                question=st.integers(0, 499),
            )
        ),
    )


@given(plan=scenarios())
@EXAMPLES
def test_a_plan_comes_back_equal(plan: Scenario) -> None:
    assert Scenario.from_json(plan.to_json()) == plan
    assert Scenario.from_link(plan.to_link()) == plan


@given(plan=scenarios(), other=scenarios())
@settings(max_examples=8, deadline=None)
def test_equal_fingerprints_mean_equal_declarations(plan: Scenario, other: Scenario) -> None:
    one, two = plan.declarations, other.declarations
    assert (one.fingerprint == two.fingerprint) == (one.differences(two) == ())
    assert one.differences(one) == ()


Said = tuple[float | None, bool]
"""The error that is accepted of a question, and whether it holds for each number alone."""
NOTHING: Said = (None, False)
asked = st.sampled_from([CountQuery(), CountPeopleQuery(), MeanQuery("age"), HistogramQuery("age")])
moves = st.one_of(
    st.tuples(st.just("remove"), st.integers(0, 9)),
    st.tuples(st.just("change"), st.integers(0, 9), asked, st.floats(0.01, 10.0)),
    st.tuples(st.just("add"), asked),
    st.tuples(st.just("undo")),
)


@given(
    errors=st.lists(st.none() | st.floats(0, 1e6), max_size=6),
    alone=st.lists(st.booleans(), min_size=4, max_size=4),
    open_one=st.integers(0, 9),
    done=st.lists(moves, max_size=8),
)
@EXAMPLES
def test_what_is_accepted_of_a_question_stays_with_it_and_goes_with_it(
    errors: list[float | None], alone: list[bool], open_one: int, done: list[tuple[Any, ...]]
) -> None:
    """Whatever becomes of the other questions; of a new one nothing is said, and a plan that travels says the same."""
    places = tuple(place for place in range(4) if alone[place])
    first = _plan_of_counts(4, PlanTargets(errors=tuple(errors), one_by_one=places, question=open_one))
    states = [(first, list(zip([*errors, *[None] * 4], alone, strict=False)))]
    for move in done:
        _move(states, *move)
        plan, said = states[-1]
        travelled = Scenario.from_link(plan.to_link())
        assert travelled == Scenario.from_json(plan.to_json()) == plan
        accepted = [*travelled.targets.errors, *[None] * len(said)][: len(said)]
        one_by_one = [place in travelled.targets.one_by_one for place in range(len(said))]
        assert list(zip(accepted, one_by_one, strict=True)) == said


def _plan_of_counts(many: int, targets: PlanTargets) -> Scenario:
    planned = PlannedQuery(query=CountQuery(), guarantee=Guarantee(epsilon=0.1))
    schema = Schema(name="people", columns=(NumberColumn(name="age", lower=0, upper=120),))
    budget, neighbors = Guarantee(epsilon=1.0), Neighbors.ADD_REMOVE
    return Scenario(
        table_name="people",
        schema=schema,
        neighbors=neighbors,
        budget=budget,
        queries=(planned,) * many,
        targets=targets,
    )


def _move(
    states: list[tuple[Scenario, list[Said]]],
    what: str,
    where: Any = 0,
    query: Any = None,
    epsilon: float = 1.0,
) -> None:
    """One step on the plan and, without the plan's help, on the list of what was said; both are kept to be undone."""
    plan, said = states[-1]
    if what == "undo":
        states.append(states[-2] if len(states) > 1 else states[-1])
    elif what == "add":
        planned = PlannedQuery(query=where, guarantee=Guarantee(epsilon=epsilon))
        states.append((plan.with_query(planned), [*said, NOTHING]))
    elif said:
        place = where % len(said)
        if what == "remove":
            states.append((plan.without_query(place), said[:place] + said[place + 1 :]))
            return
        changed = PlannedQuery(query=query, guarantee=Guarantee(epsilon=epsilon))
        same = plan.queries[place].query == query
        after = [*said[:place], said[place] if same else NOTHING, *said[place + 1 :]]
        states.append((plan.with_query_at(place, changed), after))
