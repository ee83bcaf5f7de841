"""Through the door with every kind of question: groups, months, variances, quantiles, modes and many counts."""

import json
import math
from collections.abc import Iterator
from dataclasses import replace
from datetime import date
from fractions import Fraction

import numpy as np
import pytest

from dpengine.data import (
    BooleanColumn,
    CategoryColumn,
    Comparison,
    DateColumn,
    NumberColumn,
    PrivacyUnit,
    Schema,
    Table,
    TextColumn,
)
from dpengine.errors import AccountMismatchError, RefusedQueryError, UnsupportedEventError
from dpengine.ledger import Account, Amounts, Release
from dpengine.mechanisms import DiscreteLaplaceMechanism, ExponentialMechanism, ReportNoisyMax, exact_noise
from dpengine.plan import PlannedQuery
from dpengine.privacy import Guarantee, Neighbors
from dpengine.queries import (
    Choice,
    GroupedCountQuery,
    GroupedMeanQuery,
    GroupedProportionQuery,
    GroupedSumQuery,
    HistogramQuery,
    ModeQuery,
    QuantileQuery,
    Query,
    SeveralProportionsQuery,
    StatisticalQueries,
    VarianceQuery,
)
from dpengine.release import release
from dpengine.scenario import from_plain, to_plain
from tests.examples.ledgers import asking, found, ledger_at, opened
from tests.examples.tables import read_here, shared

AR, RO = Neighbors.ADD_REMOVE, Neighbors.REPLACE_ONE
COLUMNS = (
    TextColumn(name="person"),
    NumberColumn(name="age", lower=0, upper=100, unit="years", complete=True),
    BooleanColumn(name="ill"),
    CategoryColumn(name="color", categories=("red", "green", "blue")),
    DateColumn(name="day", earliest=date(2024, 1, 1), latest=date(2024, 6, 30)),
)
UNITS = {
    "rows": PrivacyUnit(),
    "people": PrivacyUnit(identifier="person", rows=4, groups=2, rows_per_group=2),
}
RULES = {"rows": "basic", "people": "concentrated"}
OLD = Comparison("age", ">", 40)
ADDED: tuple[Query, ...] = (
    VarianceQuery("age"),
    VarianceQuery("age", OLD),
    GroupedCountQuery("color"),
    GroupedCountQuery(("color", "ill"), OLD),
    GroupedSumQuery("age", "color"),
    GroupedMeanQuery("age", ("color", "ill")),
    GroupedProportionQuery(OLD, "color"),
    HistogramQuery("day", period="month"),
    HistogramQuery("day", period="year"),
    StatisticalQueries((OLD, Comparison("ill", "=", True))),
    SeveralProportionsQuery((OLD, Comparison("ill", "=", True))),
)
CHOSEN = (
    QuantileQuery("age"),
    QuantileQuery("age", 0.9, (0, 20, 40, 60, 80, 100)),
    ModeQuery("color"),
    ModeQuery("ill", OLD),
)
every_unit = pytest.mark.parametrize("unit", UNITS)
both_relations = pytest.mark.parametrize("neighbors", Neighbors, ids=lambda one: one.value)


@shared
def visits(unit: PrivacyUnit = UNITS["rows"]) -> Table:
    lines = [
        f"p{i % 9},{(7 * i) % 101},{'yes' if i % 3 else 'no'},{('red', 'green', 'red')[i % 3]},2024-0{1 + i % 6}-15"
        for i in range(30)
    ]
    schema = Schema(name="visits", columns=COLUMNS, unit=unit, people=30 if unit.identifier is None else 9)
    return read_here("\n".join(["person,age,ill,color,day", *lines, ""]).encode(), schema=schema)


@pytest.fixture
def path(tmp_path):
    return tmp_path / "budget.db"


def exact(planned: PlannedQuery, table: Table, neighbors: Neighbors) -> np.ndarray:
    parts = planned.parts(table.schema, neighbors)
    return planned.query.combine([part.exact_reading(table.run(part.aggregate)) for part in parts])


def asked_in_turn(
    queries: tuple[Query, ...], table: Table, account: Account
) -> Iterator[tuple[PlannedQuery, Release, Amounts]]:
    """Each question at epsilon 20 from one account, its answer and what it took from the account."""
    for query in queries:
        planned, before = asking(20.0, query), account.exact_spent()
        released = release(planned, table, account, request_id=repr(query))
        after = account.exact_spent()
        taken = {name: getattr(after, name) - getattr(before, name) for name in ("epsilon", "delta", "rho")}
        yield planned, released, Amounts(**taken)


@every_unit
@both_relations
def test_an_answer_lies_within_its_interval_and_costs_what_its_parts_were_given(path, neighbors, unit):
    table = visits(UNITS[unit])
    account = opened(ledger_at(path), table, epsilon=9000.0, delta=1e-6, rule=RULES[unit], neighbors=neighbors)
    for planned, released, taken in (answers := list(asked_in_turn(ADDED, table, account))):
        lies_within(released, exact(planned, table, neighbors))
        shares = planned.shares(table.schema, neighbors)
        assert sum(shares) == 20
        assert taken.epsilon == 20 * 10**9
        assert taken.rho == math.ceil(sum(share**2 / 2 for share in shares) * 10**9)
        assert released.labels == planned.parts(table.schema, neighbors)[0].labels
    assert list(found(path, table).releases()) == [released for _, released, _ in answers]


def lies_within(released: Release, wanted: np.ndarray) -> None:
    """The answer and the truth in the interval."""
    lower, upper = (np.asarray(end) for end in released.interval(1 - 1e-9))
    for inside in (wanted, released.values):
        assert np.all(lower <= inside + 1e-9), released.planned_query
        assert np.all(inside - 1e-9 <= upper), released.planned_query


@every_unit
@both_relations
def test_a_choice_is_one_of_the_candidates_and_costs_its_epsilon_alone(path, neighbors, unit):
    table = visits(UNITS[unit])
    account = opened(ledger_at(path), table, epsilon=9000.0, delta=1e-6, rule=RULES[unit], neighbors=neighbors)
    for planned, released, taken in asked_in_turn(CHOSEN, table, account):
        is_a_candidate(planned.query, released, table, neighbors)
        eighth = 8 if isinstance(planned.query, QuantileQuery) else 2
        assert (taken.epsilon, taken.delta) == (20 * 10**9, 0)
        assert taken.rho == Fraction(400, eighth) * 10**9


def is_a_candidate(query: Query, released: Release, table: Table, neighbors: Neighbors) -> None:
    """One of those listed, hardly worse than the best."""
    (choice,) = query.parts(table.schema, neighbors)
    assert isinstance(choice, Choice)
    scores = choice.exact(table.run(choice.aggregate))
    (index,) = released.noisy[0]
    assert (scores.max() - scores[index]) * choice.step <= released.half_width(1 - 1e-9)
    assert released.answer == (choice.names[index] if choice.names else choice.values[index])
    assert released.is_choice
    assert not released.can_only_count
    with pytest.raises(UnsupportedEventError, match="half_width tells by how many rows"):
        released.interval(0.95)


def test_rho_of_a_choice_is_rounded_up_once(path):
    """epsilon^2 / 8 of the exponential mechanism, epsilon^2 / 2 of the noisy maximum, in billionths."""
    table = visits()
    account = opened(ledger_at(path), table, epsilon=10.0, delta=1e-6, rule="concentrated")
    queries: tuple[Query, ...] = (QuantileQuery("age"), ModeQuery("color"))
    for number, query in enumerate(queries):
        before = account.exact_spent().rho
        release(asking(0.00123, query), table, account, request_id=f"r{number}")
        each = Fraction(1230000, 10**9) ** 2 / (8, 2)[number] * 10**9
        assert account.exact_spent().rho - before == math.ceil(each)


@pytest.mark.parametrize("query", [ADDED[3], ADDED[5], *CHOSEN[:3]], ids=repr)
def test_the_same_request_gives_the_same_answer_free(path, query):
    table = visits()
    account = opened(ledger_at(path), table, epsilon=1.0)
    first = release(asking(0.3, query), table, account, request_id="r")
    again = [release(asking(0.3, query), table, found(path, table), request_id="r") for _ in range(3)]
    assert all(one.noisy == first.noisy for one in again)
    assert account.exact_spent().epsilon == 3 * 10**8


def test_the_answer_of_a_mode_is_its_name_and_of_a_median_its_value(path):
    table = visits()
    account = opened(ledger_at(path), table, epsilon=1e4)
    assert release(asking(500.0, ModeQuery("color")), table, account, request_id="a").answer == "red"
    assert release(asking(500.0, ModeQuery("ill")), table, account, request_id="b").answer == "yes"
    listed = release(asking(500.0, QuantileQuery("age", 0.5, (0, 49, 100))), table, account, request_id="c")
    assert listed.answer == 49.0
    assert listed.unit == "years"
    halfway = release(asking(500.0, QuantileQuery("age")), table, account, request_id="d").values[0]
    ages = sorted((7 * i) % 101 for i in range(30))
    assert ages[13] <= halfway <= ages[16]


@pytest.mark.parametrize(("unit", "neighbors"), [("rows", AR), ("people", AR), ("people", RO)])
def test_gaussian_noise_on_several_numbers_costs_its_exact_rho(path, neighbors, unit):
    table = visits(UNITS[unit])
    account = opened(ledger_at(path), table, epsilon=900.0, delta=0.02, neighbors=neighbors)
    for number, query in enumerate(ADDED, start=1):
        planned = PlannedQuery(query=query, guarantee=Guarantee(epsilon=40.0, delta=0.001), mechanism="gaussian")
        lies_within(release(planned, table, account, request_id=repr(query)), exact(planned, table, neighbors))
        spent = account.exact_spent()
        assert (spent.epsilon, spent.delta) == (number * 40 * 10**9, number * 10**15)


@pytest.mark.parametrize("query", CHOSEN, ids=repr)
def test_a_choice_with_gaussian_noise_is_refused_at_the_plan_and_at_the_door_and_charges_nothing(path, query):
    table = visits()
    account = opened(ledger_at(path), table, epsilon=10.0, delta=1e-5)
    planned = PlannedQuery(query=query, guarantee=Guarantee(epsilon=1.0, delta=1e-6), mechanism="gaussian")
    sentence = "selected at random and gets no noise: it has no use for Gaussian noise"
    for ask in (planned.mechanisms, planned.events, planned.error):
        with pytest.raises(RefusedQueryError, match=sentence):
            ask(table.schema, AR)
    with pytest.raises(RefusedQueryError, match=sentence):
        release(planned, table, account, request_id="r")
    assert account.charges() == ()
    assert release(planned.with_mechanism("laplace", delta=0.0), table, account, request_id="r").is_choice


class TestPlantedFaults:
    """A mechanism other than the one its part asks for is refused before any charge, and the right one is not."""

    RIGHT = (
        ExponentialMechanism(epsilon=0.5, score_sensitivity=1),
        ReportNoisyMax(epsilon=0.5, score_sensitivity=1, monotone=True, noise="exponential"),
    )

    @pytest.fixture
    def account(self, path):
        return opened(ledger_at(path), visits(), epsilon=10.0)

    @pytest.mark.parametrize(
        ("query", "place", "fault"),
        [
            (QuantileQuery("age"), 0, {"score_sensitivity": 0.5}),
            (QuantileQuery("age"), 0, {"monotone": True}),
            (QuantileQuery("age"), 0, {"epsilon": math.nextafter(0.5, 1.0)}),
            (ModeQuery("color"), 1, {"score_sensitivity": 0.5}),
            (ModeQuery("color"), 1, {"epsilon": 0.6}),
        ],
        ids=repr,
    )
    def test_a_wrong_choice(self, account, monkeypatch, query, place, fault):
        table, right = visits(), self.RIGHT[place]
        wrong = replace(right, **fault)
        assert asking(0.5, query).mechanisms(table.schema, AR) == (right,)
        monkeypatch.setattr(PlannedQuery, "mechanisms", lambda *_: (wrong,))
        with pytest.raises(RefusedQueryError, match="more than it is charged"):
            release(asking(0.5, query), table, account, request_id="r")
        assert account.charges() == ()
        monkeypatch.undo()
        assert release(asking(0.5, query), table, account, request_id="r").is_choice

    def test_counts_that_are_not_monotone_when_a_person_is_replaced(self, path, monkeypatch):
        table = visits()
        account = opened(ledger_at(path), table, epsilon=10.0, neighbors=RO)
        monkeypatch.setattr(PlannedQuery, "mechanisms", lambda *_: (self.RIGHT[1],))
        with pytest.raises(RefusedQueryError, match="more than it is charged"):
            release(asking(0.5, ModeQuery("color")), table, account, request_id="r")
        assert account.charges() == ()

    @pytest.mark.parametrize("query", [QuantileQuery("age"), ModeQuery("color")], ids=repr)
    def test_a_sampler_that_says_that_it_costs_more(self, account, monkeypatch, query):
        monkeypatch.setattr(exact_noise, "privacy_map", lambda _: 0.5000001)
        with pytest.raises(RefusedQueryError, match="more than it is charged"):
            release(asking(0.5, query), visits(), account, request_id="r")
        assert account.charges() == ()


class TestWhatAnAccountPromises:
    """The person is a term of the account, and so are the rows that count; bounds on groups are not."""

    def test_other_bounds_on_groups_share_one_account_and_each_has_its_own_noise(self, path):
        wide, narrow = (visits(replace(UNITS["people"], groups=groups)) for groups in (3, 1))
        account = opened(ledger_at(path), wide, epsilon=10.0)
        assert opened(ledger_at(path), narrow, epsilon=10.0).id == account.id
        planned = asking(1.0, GroupedCountQuery("color"))
        for number, table in enumerate((wide, narrow)):
            account.require_table(table)
            release(planned, table, account, request_id=f"r{number}")
            (noise,) = planned.mechanisms(table.schema, AR)
            assert isinstance(noise, DiscreteLaplaceMechanism)
            assert noise.scale == pytest.approx((4.0, 2.0)[number], rel=1e-9)
        assert [one.schema.unit.groups for one in account.releases()] == [3, 1]
        assert account.exact_spent().epsilon == 2 * 10**9

    @pytest.mark.parametrize("unit", [PrivacyUnit(), PrivacyUnit(identifier="person", rows=5, groups=2)], ids=repr)
    def test_another_person_or_more_rows_is_refused(self, path, unit):
        account = opened(ledger_at(path), visits(UNITS["people"]), epsilon=10.0)
        with pytest.raises(AccountMismatchError, match="privacy unit"):
            opened(ledger_at(path), visits(unit), epsilon=10.0)
        with pytest.raises(AccountMismatchError, match="privacy unit"):
            release(asking(1.0, GroupedCountQuery("color")), visits(unit), account, request_id="r")


@pytest.mark.parametrize("query", [*ADDED, *CHOSEN], ids=repr)
def test_what_is_stored_reads_back_as_the_same_question(path, query):
    planned = asking(0.25, query)
    assert from_plain(json.loads(json.dumps(to_plain(planned)))) == planned
    table = visits()
    account = opened(ledger_at(path), table)
    account.charge("r", planned)
    assert found(path, table).charges()[0].planned_query == planned


def test_a_plan_saved_before_units_had_bounds_on_groups_still_reads():
    old = {"is": "PrivacyUnit", "identifier": "person", "rows": 3}
    assert from_plain(old) == PrivacyUnit(identifier="person", rows=3)
    before = {"is": "HistogramQuery", "column": "age", "edges": [0, 50, 100], "where": None}
    assert from_plain(before) == HistogramQuery("age", (0, 50, 100))
