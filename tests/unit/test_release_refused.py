"""The door, closed: what is refused before a row is read, and charges nothing."""

import math
from dataclasses import replace

import pytest

from dpengine.data import And, Comparison, NumberColumn, PrivacyUnit, Schema, Table, TextColumn
from dpengine.errors import (
    AccountMismatchError,
    BudgetExceededError,
    InvalidParameterError,
    RefusedQueryError,
    RequestReusedError,
)
from dpengine.mechanisms import DiscreteGaussianMechanism, DiscreteLaplaceMechanism, exact_noise
from dpengine.plan import PlannedQuery
from dpengine.privacy import Guarantee, Neighbors
from dpengine.queries import CountQuery, HistogramQuery, MeanQuery, SumQuery
from dpengine.release import release
from tests.examples.ledgers import SCHEMA, asking, ledger_at, opened, people
from tests.examples.tables import read_here

BELL = PlannedQuery(query=CountQuery(), guarantee=Guarantee(epsilon=1, delta=1e-6), mechanism="gaussian")


@pytest.fixture
def path(tmp_path):
    return tmp_path / "budget.db"


@pytest.fixture
def table():
    return people()


@pytest.fixture
def account(path, table):
    return opened(ledger_at(path), table, epsilon=10.0)


@pytest.fixture
def untouched(monkeypatch):
    """No row may be read; the test that follows proves it by getting another error than this one."""
    monkeypatch.setattr(Table, "run", lambda *_: pytest.fail("a row was read"))


def test_the_probe_sees_a_reading(untouched, account, table):
    with pytest.raises(pytest.fail.Exception):
        release(asking(0.1), table, account, request_id="r")


def test_too_much(untouched, account, table):
    with pytest.raises(BudgetExceededError):
        release(asking(10.1), table, account, request_id="r")
    assert account.charges() == ()


def test_gaussian_noise(untouched, account, table):
    with pytest.raises(BudgetExceededError, match="choose Laplace noise for this question"):
        release(BELL, table, account, request_id="r")
    assert account.charges() == ()


def test_the_number_that_was_declared(untouched, path):
    table = people(schema=replace(SCHEMA, people=5))
    account = opened(ledger_at(path), table, epsilon=10.0, neighbors=Neighbors.REPLACE_ONE)
    with pytest.raises(
        RefusedQueryError, match=r"You declared this number of people: 5\. It is public, so it needs no noise"
    ):
        release(asking(1.0), table, account, request_id="r")
    assert account.charges() == ()


def test_the_declared_number_that_was_charged_before_it_was_refused_is_still_read(path, monkeypatch):
    table = people(schema=replace(SCHEMA, people=5))
    account = opened(ledger_at(path), table, epsilon=10.0, neighbors=Neighbors.REPLACE_ONE)
    with monkeypatch.context() as earlier:
        earlier.setattr("dpengine.ledger.accounts.account.declared_number", lambda *_: "")
        first = release(asking(1.0), table, account, request_id="r")
    assert release(asking(1.0), table, account, request_id="r").values == first.values
    assert len(account.releases()) == 1


@pytest.mark.parametrize("delta, fits", [(1e-7, False), (1e-6, True)])
def test_gaussian_noise_in_an_account_with_a_delta(path, table, delta, fits):
    account = opened(ledger_at(path), table, epsilon=10.0, delta=delta)
    if fits:
        assert release(BELL, table, account, request_id="r").charge.delta == 1e-6
    else:
        with pytest.raises(BudgetExceededError, match=r"only epsilon 10, delta 0\.0000001 is left") as refused:
            release(BELL, table, account, request_id="r")
        assert "choose Laplace" not in str(refused.value)
        assert account.charges() == ()


@pytest.mark.parametrize("factor, sensitivity", [(1.0 - 1e-9, 1), (10.0, 2)])
def test_gaussian_noise_that_costs_more_than_its_charge(path, table, monkeypatch, factor, sensitivity):
    account = opened(ledger_at(path), table, epsilon=10.0, delta=1e-5)
    (right,) = BELL.mechanisms(table.schema, Neighbors.ADD_REMOVE)
    assert isinstance(right, DiscreteGaussianMechanism)
    wrong = DiscreteGaussianMechanism(standard_deviation=right.scale * factor, l2_sensitivity=sensitivity)
    monkeypatch.setattr(PlannedQuery, "mechanisms", lambda *_: (wrong,))
    with pytest.raises(RefusedQueryError, match="more than it is charged"):
        release(BELL, table, account, request_id="r")
    assert account.charges() == ()


def test_gaussian_cells_that_cost_more_than_their_charge(path, monkeypatch):
    """Replacing one person moves two cells: only rho is known of that."""
    table = people(schema=Schema(name="people", columns=SCHEMA.columns, people=5))
    account = opened(ledger_at(path), table, epsilon=10.0, delta=1e-5, neighbors=Neighbors.REPLACE_ONE)
    cells = replace(BELL, query=HistogramQuery("ill"))
    (right,) = cells.mechanisms(table.schema, Neighbors.REPLACE_ONE)
    assert isinstance(right, DiscreteGaussianMechanism)
    wrong = DiscreteGaussianMechanism(standard_deviation=right.scale * (1 - 1e-9), l2_sensitivity=math.sqrt(2.0))
    for mechanism, refused in ((wrong, True), (right, False)):
        monkeypatch.setattr(PlannedQuery, "mechanisms", lambda *_, mechanism=mechanism: (mechanism,))
        if refused:
            with pytest.raises(RefusedQueryError, match="more than it is charged"):
                release(cells, table, account, request_id="r")
        else:
            assert len(release(cells, table, account, request_id="r").values) == 2


def test_another_table(untouched, account):
    with pytest.raises(AccountMismatchError):
        release(asking(0.1), people(((1, "no"),)), account, request_id="r")
    assert account.charges() == ()


def test_an_unknown_column(untouched, account, table):
    with pytest.raises(RefusedQueryError):
        release(asking(0.1, SumQuery("income")), table, account, request_id="r")
    assert account.charges() == ()


def test_a_sum_that_no_engine_could_add_up(untouched, path):
    far = Schema(name="people", columns=(NumberColumn(name="age", lower=5e8, upper=5e8 + 1), SCHEMA.columns[1]))
    distant = people(schema=far)
    with pytest.raises(RefusedQueryError, match="too far from 0"):
        release(asking(0.1, SumQuery("age")), distant, opened(ledger_at(path), distant), request_id="r")


def test_a_reused_request_id(account, table, untouched):
    account.charge("r", asking(0.2))
    with pytest.raises(RequestReusedError):
        release(asking(0.1), table, account, request_id="r")


def test_a_bad_request_id(untouched, account, table):
    with pytest.raises(InvalidParameterError):
        release(asking(0.1), table, account, request_id="")


def test_noise_that_costs_more_than_its_charge(untouched, account, table, monkeypatch):
    weak = DiscreteLaplaceMechanism(scale=math.nextafter(10.0, 0.0), l1_sensitivity=1)
    monkeypatch.setattr(PlannedQuery, "mechanisms", lambda *_: (weak,))
    with pytest.raises(RefusedQueryError, match="more than it is charged"):
        release(asking(0.1), table, account, request_id="r")
    assert account.charges() == ()


def test_noise_for_another_sensitivity(untouched, path, monkeypatch):
    table = people(schema=Schema(name="people", columns=SCHEMA.columns, people=5))
    account = opened(ledger_at(path), table, neighbors=Neighbors.REPLACE_ONE)
    narrow = DiscreteLaplaceMechanism(scale=1.0, l1_sensitivity=1)
    monkeypatch.setattr(PlannedQuery, "mechanisms", lambda *_: (narrow,))
    with pytest.raises(RefusedQueryError, match="more than it is charged"):
        release(asking(1.0, HistogramQuery("ill")), table, account, request_id="r")


def test_noise_of_which_the_sampler_says_that_it_costs_more(untouched, account, table, monkeypatch):
    monkeypatch.setattr(exact_noise, "privacy_map", lambda _: 0.1000001)
    with pytest.raises(RefusedQueryError, match="more than it is charged"):
        release(asking(0.1), table, account, request_id="r")


def test_a_condition_wider_than_any_engine_compiles(untouched, account, table):
    wide = And(tuple(Comparison("age", "!=", number) for number in range(1000)))
    with pytest.raises(RefusedQueryError):
        release(asking(0.1, CountQuery(wide)), table, account, request_id="r")
    assert account.charges() == ()


class TestNoiseBeyondTheSampler:
    """Noise that saturates at 64 bits would be charged, and come back as the largest number there is."""

    @pytest.mark.parametrize(
        "upper, epsilon, query",
        [
            (100.0, 1e-8, SumQuery("age")),
            (100.0, 1e-8, MeanQuery("age")),
            (1e8, 1e-7, SumQuery("age")),
            (1e8, 1e-7, MeanQuery("age")),
        ],
    )
    def test_it_is_refused_in_a_sentence(self, untouched, path, upper, epsilon, query):
        table = visits(upper)
        account = opened(ledger_at(path), table, epsilon=1e4)
        with pytest.raises(RefusedQueryError, match=r"would not fit in the 64-bit numbers.*Nothing was charged"):
            release(asking(epsilon, query), table, account, request_id="r")
        assert account.charges() == ()

    def test_the_widest_noise_that_is_drawn_never_reaches_the_ends(self, path):
        scale = 2**62 / 45
        draws = exact_noise.draw(DiscreteLaplaceMechanism(scale=scale, l1_sensitivity=1), [0] * 10_000)
        assert max(abs(int(draw)) for draw in draws) < 2**63 - 1
        table = visits(100.0)
        account = opened(ledger_at(path), table)
        assert abs(release(asking(1e-4, SumQuery("age")), table, account, request_id="r").noisy[0][0]) < 2**62

    def test_the_widest_gaussian_noise_that_is_drawn_never_reaches_the_ends(self, path):
        widest = DiscreteGaussianMechanism(standard_deviation=2**62 / 10, l2_sensitivity=1)
        assert max(abs(int(draw)) for draw in exact_noise.draw(widest, [0] * 10_000)) < 2**63 - 1
        table = visits(1e6)
        account = opened(ledger_at(path), table, epsilon=10.0, delta=1e-5)
        with pytest.raises(RefusedQueryError, match="would not fit"):
            release(replace(BELL, query=SumQuery("age")).at(1e-7), table, account, request_id="r")
        assert account.charges() == ()

    def test_a_sensitivity_that_the_sampler_cannot_take(self, untouched, account, table, monkeypatch):
        far = DiscreteLaplaceMechanism(scale=1.0, l1_sensitivity=2**70)
        monkeypatch.setattr(PlannedQuery, "mechanisms", lambda *_: (far,))
        with pytest.raises(RefusedQueryError, match="would not fit"):
            release(asking(0.1), table, account, request_id="r")

    def test_a_cost_beyond_every_float_is_refused_like_any_other(self, untouched, account, table):
        for epsilon in (1e5, 1e12, 1e158, 1.7e308):
            with pytest.raises(BudgetExceededError):
                release(asking(epsilon), table, account, request_id="r")
        assert account.charges() == ()

    def test_a_sampler_that_cannot_say_what_it_costs_is_not_used(self, untouched, account, table, monkeypatch):
        monkeypatch.setattr(exact_noise, "privacy_map", lambda _: math.inf)
        with pytest.raises(RefusedQueryError, match="more than it is charged"):
            release(asking(0.1), table, account, request_id="r")


def visits(upper):
    """A table where one person may count with very many rows."""
    columns = (TextColumn(name="patient"), NumberColumn(name="age", lower=0, upper=upper))
    schema = Schema(name="visits", columns=columns, unit=PrivacyUnit(identifier="patient", rows=10**6))
    return read_here(b"patient,age\na,3\nb,4\n", schema=schema)
