"""The door: what is shown, and what is left after a crash at each step."""

import math
import traceback
from dataclasses import replace
from fractions import Fraction

import numpy as np
import pytest

from dpengine.data import Comparison, PrivacyUnit, Table
from dpengine.errors import (
    BudgetExceededError,
    EngineError,
    InvalidParameterError,
    RefusedQueryError,
    ReleaseFailedError,
    UnsupportedEventError,
)
from dpengine.ledger import Account
from dpengine.ledger.accounts import rows
from dpengine.mechanisms import DiscreteLaplaceMechanism, exact_noise
from dpengine.plan import PlannedQuery
from dpengine.privacy import Guarantee, Neighbors
from dpengine.queries import (
    CountPeopleQuery,
    CountQuery,
    HistogramQuery,
    MeanQuery,
    ProportionQuery,
    SumQuery,
    declared_number,
)
from dpengine.release import Release, release
from tests.examples.ledgers import SCHEMA, Crash, asking, found, ledger_at, opened, people, stored
from tests.examples.tables import shared_sample

ILL = Comparison("ill", "=", True)
PUBLIC = replace(SCHEMA, people=5)
QUERIES = (
    CountQuery(),
    CountQuery(ILL),
    CountPeopleQuery(),
    SumQuery("age"),
    MeanQuery("age"),
    MeanQuery("age", ILL),
    ProportionQuery(ILL),
    HistogramQuery("ill"),
    HistogramQuery("age", (0, 25, 50, 100)),
)


def bell(epsilon, query, delta=1e-6):
    return PlannedQuery(query=query, guarantee=Guarantee(epsilon=epsilon, delta=delta), mechanism="gaussian")


@pytest.fixture
def path(tmp_path):
    return tmp_path / "budget.db"


@pytest.fixture
def table():
    return people()


@pytest.fixture
def account(path, table):
    return opened(ledger_at(path), table, epsilon=10.0)


class TestAnswers:
    @pytest.mark.parametrize("query", QUERIES, ids=repr)
    def test_an_answer_at_a_huge_epsilon_is_the_exact_one(self, path, table, query):
        account = opened(ledger_at(path), table, epsilon=1e4)
        released = release(asking(1e4, query), table, account, request_id="r")
        parts = query.parts(SCHEMA, Neighbors.ADD_REMOVE)
        exact = query.combine([part.reading(table.run(part.aggregate)) for part in parts])
        assert np.allclose(released.values, exact, atol=0.3)
        lower, upper = released.interval(1 - 1e-9)
        assert np.all(np.asarray(lower) <= exact + 1e-9)
        assert np.all(exact - 1e-9 <= np.asarray(upper))

    @pytest.mark.parametrize(
        ("rule", "neighbors", "query"),
        [
            (rule, neighbors, query)
            for rule, neighbors in (("basic", Neighbors.ADD_REMOVE), ("concentrated", Neighbors.REPLACE_ONE))
            for query in QUERIES
            if not declared_number(query, PUBLIC, neighbors)
        ],
    )
    def test_gaussian_noise(self, path, query, rule, neighbors):
        table = people(schema=PUBLIC)
        budget = {"epsilon": 200.0, "delta": 0.125, "rule": rule, "neighbors": neighbors}
        account = opened(ledger_at(path), table, **budget)
        planned = bell(80.0, query, delta=0.1)
        released = release(planned, table, account, request_id="r")
        exact = query.combine(
            [part.reading(table.run(part.aggregate)) for part in planned.parts(table.schema, neighbors)]
        )
        lower, upper = released.interval(1 - 1e-9)
        assert np.all(np.asarray(lower) <= exact + 1e-9)
        assert np.all(exact - 1e-9 <= np.asarray(upper))
        spent = account.exact_spent()
        assert (spent.epsilon, spent.delta) == (80 * 10**9, 10**17)
        rho = sum(mechanism.exact_rho for mechanism in planned.mechanisms(table.schema, neighbors))
        assert 0 <= Fraction(spent.rho, 10**9) - rho < Fraction(1, 10**9)
        assert str(released.charge).startswith("epsilon 80, delta 0.1" if rule == "basic" else "rho ")

    def test_gaussian_noise_spends_the_delta_until_it_is_gone(self, path, table):
        account = opened(ledger_at(path), table, epsilon=10.0, delta=3e-6)
        for number in range(3):
            release(bell(0.5, CountQuery()), table, account, request_id=f"r{number}")
        assert account.remaining == Guarantee(epsilon=8.5)
        with pytest.raises(BudgetExceededError, match="no row was read"):
            release(bell(0.5, CountQuery()), table, account, request_id="r4")
        assert release(asking(0.5), table, account, request_id="r4").charge.delta == 0.0

    def test_the_interval_of_a_gaussian_count_is_its_own_quantile(self, path, table):
        account = opened(ledger_at(path), table, epsilon=10.0, delta=1e-5)
        planned = bell(1.0, CountQuery())
        released = release(planned, table, account, request_id="r")
        (mechanism,) = planned.mechanisms(table.schema, Neighbors.ADD_REMOVE)
        half = mechanism.error_quantile(0.95)
        assert half == 8
        assert released.interval(0.95) == (released.answer - half, released.answer + half)
        assert Release.of(found(path, table).charges()[0]) == released

    def test_a_number(self, account, table):
        released = release(asking(0.5), table, account, request_id="r")
        assert isinstance(released.answer, float)
        assert released.labels == ("",)
        assert released.answer_is_number
        assert released.can_only_count
        assert released.unit == "people"
        half = DiscreteLaplaceMechanism.from_epsilon(0.5, l1_sensitivity=1).error_quantile(0.95)
        assert released.interval(0.95) == (released.answer - half, released.answer + half)
        assert released.half_width(0.95) == half

    def test_one_number_a_cell(self, account, table):
        released = release(asking(0.5, HistogramQuery("age", (0, 25, 50, 100))), table, account, request_id="r")
        assert isinstance(released.answer, np.ndarray)
        assert released.labels == ("0 to 25", "25 to 50", "50 to 100")
        lower, upper = released.interval(0.95)
        wider_lower, wider_upper = released.interval(0.95, simultaneous=True)
        assert np.shape(lower) == np.shape(upper) == (3,)
        assert np.all(wider_lower < lower)
        assert np.all(upper < wider_upper)
        assert released.can_only_count

    def test_a_mean_stays_within_its_bounds(self, account, table):
        released = release(asking(0.01, MeanQuery("age")), table, account, request_id="r")
        lower, upper = released.interval(0.999)
        assert 0 <= lower <= released.values[0] <= upper <= 100
        assert not released.can_only_count
        with pytest.raises(UnsupportedEventError):
            released.half_width(0.95)

    def test_a_mean_of_many_has_an_interval_inside_its_bounds(self, path):
        table, _ = shared_sample("patients")
        account = opened(ledger_at(path), table, practice=True)
        lower, upper = release(asking(1.0, MeanQuery("age")), table, account, request_id="r").interval(0.95)
        assert 0 < lower < upper < 120
        assert upper - lower < 2

    @pytest.mark.parametrize("confidence", [0.0, 1.0, -1, 2, math.nan])
    @pytest.mark.parametrize("query", [CountQuery(), MeanQuery("age")], ids=repr)
    def test_a_confidence_is_between_0_and_1(self, account, table, query, confidence):
        released = release(asking(0.5, query), table, account, request_id="r")
        with pytest.raises(InvalidParameterError, match="confidence"):
            released.interval(confidence)

    def test_everything_is_said_again_from_the_ledger(self, path, account, table):
        released = [release(asking(0.5, query), table, account, request_id=repr(query)) for query in QUERIES]
        again = found(path, people()).releases()
        assert list(again) == released
        assert [item.planned_query.query for item in again] == list(QUERIES)
        assert all(item.charge == account.cost(item.planned_query) for item in again)

    def test_the_same_request_is_answered_again_and_free(self, account, table):
        first = release(asking(0.5), table, account, request_id="r")
        assert all(release(asking(0.5), table, account, request_id="r") == first for _ in range(20))
        assert account.spent == Guarantee(epsilon=0.5)

    def test_another_request_is_drawn_anew(self, account, table):
        answers = {release(asking(0.01), table, account, request_id=f"r{number}").answer for number in range(20)}
        assert len(answers) > 5
        assert account.spent == Guarantee(epsilon=0.2)

    def test_a_known_answer_needs_no_row(self, account, table, monkeypatch):
        first = release(asking(0.5), table, account, request_id="r")
        monkeypatch.setattr(Table, "run", lambda *_: pytest.fail("a row was read"))
        assert release(asking(0.5), table, account, request_id="r") == first

    def test_an_answer_survives_the_last_of_the_budget(self, path, table):
        account = opened(ledger_at(path), table, epsilon=0.5)
        first = release(asking(0.5), table, account, request_id="r")
        assert release(asking(0.5), table, account, request_id="r") == first
        with pytest.raises(BudgetExceededError):
            release(asking(0.5), table, account, request_id="again")

    def test_several_rows_a_person(self, path):
        table, schema = shared_sample("rand_hie")
        assert schema.unit != PrivacyUnit()
        account = opened(ledger_at(path), table, epsilon=10, practice=True)
        released = release(asking(1.0), table, account, request_id="r")
        half = DiscreteLaplaceMechanism.from_epsilon(1.0, l1_sensitivity=schema.unit.rows).error_quantile(0.95)
        assert released.half_width(0.95) == half


EXACT = "58231"


class TestFailuresAfterTheCharge:
    @pytest.mark.parametrize(
        "failure", [EngineError(EXACT), ValueError(EXACT), MemoryError(), RefusedQueryError(EXACT)]
    )
    def test_every_failure_reads_alike_and_the_charge_stays(self, account, table, monkeypatch, caplog, failure):
        def fail(*_):
            raise failure

        with monkeypatch.context() as broken:
            broken.setattr(Table, "run", fail)
            with pytest.raises(ReleaseFailedError) as caught:
                release(asking(0.5), table, account, request_id="r")
        assert str(caught.value) == str(ReleaseFailedError())
        assert caught.value.__context__ is None
        assert caught.value.__cause__ is None
        assert EXACT not in "".join(traceback.format_exception(caught.value))
        assert caplog.messages == ["A release failed while reading the rows."]
        assert EXACT not in caplog.text
        assert account.spent == Guarantee(epsilon=0.5)
        assert isinstance(release(asking(0.5), table, account, request_id="r"), Release)
        assert account.spent == Guarantee(epsilon=0.5)

    def test_noise_that_cannot_be_drawn_is_named_in_the_log(self, account, table, monkeypatch, caplog):
        monkeypatch.setattr(exact_noise, "answer", _crash_with(ValueError(EXACT)))
        with pytest.raises(ReleaseFailedError):
            release(asking(0.5), table, account, request_id="r")
        assert caplog.messages == ["A release failed while drawing the noise."]

    def test_an_answer_that_cannot_be_stored_is_not_shown(self, account, table, monkeypatch, caplog):
        with monkeypatch.context() as broken:
            broken.setattr(rows, "add_answer", _crash_with(OSError("disk")))
            with pytest.raises(ReleaseFailedError):
                release(asking(0.5), table, account, request_id="r")
        assert account.releases() == ()
        assert caplog.messages == ["A release failed while storing the answer."]

    def test_no_exact_value_is_kept_or_said(self, path, monkeypatch, caplog):
        table = people(((58, "yes"),) * 777)
        account = opened(ledger_at(path), table, epsilon=10)
        part = SumQuery("age").parts(SCHEMA, Neighbors.ADD_REMOVE)[0]
        exact = str(table.run(part.aggregate)[0])
        monkeypatch.setattr(exact_noise, "draw", lambda *_: np.array([987654321]))
        released = release(asking(1e-3, SumQuery("age")), table, account, request_id="r")
        tables = ("meta", "accounts", "charges", "answers")
        said = "".join(repr(stored(path, f"SELECT * FROM {name}")) for name in tables) + repr(released) + caplog.text
        assert said.count("987654321") == 2
        assert len(exact) == 9
        assert exact not in said


def _crash_with(failure):
    def crash(*_args, **_kwargs):
        raise failure

    return crash


def _crash_after(function):
    def crash(*args, **kwargs):
        function(*args, **kwargs)
        raise Crash

    return crash


CRASHES = {
    "before the charge": (rows, "add_charge", _crash_with(Crash())),
    "before the charge is committed": (rows, "add_charge", _crash_after(rows.add_charge)),
    "after the charge is committed": (Account, "charge", _crash_after(Account.charge)),
    "before the rows are read": (Table, "run", _crash_with(Crash())),
    "before the draw": (exact_noise, "draw", _crash_with(Crash())),
    "after the draw": (exact_noise, "draw", _crash_after(exact_noise.draw)),
    "before the answer is committed": (rows, "add_answer", _crash_after(rows.add_answer)),
    "after the answer is committed": (Account, "store_answer", _crash_after(Account.store_answer)),
    "before the answer is shown": (Release, "of", _crash_with(Crash())),
}
UNCHARGED = {"before the charge", "before the charge is committed"}
ANSWERED = {"after the answer is committed", "before the answer is shown"}


@pytest.mark.parametrize("point", CRASHES)
def test_a_crash_gives_no_second_draw_and_loses_no_release(path, table, account, monkeypatch, point):
    owner, name, crash = CRASHES[point]
    with monkeypatch.context() as broken:
        broken.setattr(owner, name, crash)
        with pytest.raises(Crash):
            release(asking(0.5), table, account, request_id="r")
    restarted = found(path, people())
    assert restarted.spent == Guarantee(epsilon=0.0 if point in UNCHARGED else 0.5)
    kept = restarted.releases()
    assert len(kept) == (point in ANSWERED)
    answered = release(asking(0.5), people(), restarted, request_id="r")
    assert answered in kept or not kept
    assert restarted.spent == Guarantee(epsilon=0.5)
    assert stored(path, "SELECT count(*) FROM charges UNION ALL SELECT count(*) FROM answers") == [(1,), (1,)]
    ledger_at(path).verify()
