"""Charges: what fits, what is refused and in which words, and what a request id stands for."""

from datetime import UTC, datetime

import pytest

from dpengine.data import BooleanColumn, NumberColumn, Schema
from dpengine.errors import (
    BudgetExceededError,
    InvalidParameterError,
    LedgerError,
    RefusedQueryError,
    RequestReusedError,
)
from dpengine.ledger import Amounts
from dpengine.ledger.accounts.refusal import refusal
from dpengine.ledger.entries import terms
from dpengine.privacy import ConcentratedEvent, Guarantee
from dpengine.queries import HistogramQuery, MeanQuery, SumQuery
from tests.examples.ledgers import ROWS, SCHEMA, asking, found, ledger_at, opened, people


@pytest.fixture
def path(tmp_path):
    return tmp_path / "budget.db"


@pytest.fixture
def ledger(path):
    return ledger_at(path)


class TestCharging:
    def test_three_tenths_fit_in_three_tenths_and_no_fourth(self, ledger):
        account = opened(ledger, people(), epsilon=0.3)
        for number in range(3):
            account.charge(f"r{number}", asking(0.1))
        assert account.remaining == Guarantee(epsilon=0.0)
        with pytest.raises(BudgetExceededError) as caught:
            account.charge("r3", asking(0.1))
        assert caught.value.asked == Guarantee(epsilon=0.1)
        assert caught.value.remaining == Guarantee(epsilon=0.0)
        assert "nothing is left of the budget of epsilon 0.3" in str(caught.value)

    def test_an_exhausted_account_refuses_for_ever(self, path, ledger):
        opened(ledger, people(), epsilon=0.3).charge("all", asking(0.3))
        for _ in range(3):
            account = found(path, people())
            with pytest.raises(BudgetExceededError):
                account.charge("more", asking(1e-8))

    def test_a_billionth_too_much_is_refused(self, ledger):
        account = opened(ledger, people(), epsilon=1.0)
        assert not account.fits(asking(1.000000001))
        with pytest.raises(BudgetExceededError):
            account.charge("r", asking(1.000000001))
        account.charge("r", asking(1.0))

    def test_an_amount_beyond_every_column_is_refused(self, ledger):
        account = opened(ledger, people(), epsilon=1.0)
        for epsilon in (1e5, 1e12, 1e308):
            assert not account.fits(asking(epsilon))
            with pytest.raises(BudgetExceededError):
                account.charge("r", asking(epsilon))

    def test_the_largest_budget_can_be_spent_to_the_end(self, ledger):
        account = opened(ledger, people(), epsilon=1e4, delta=1e-6)
        for number in range(2):
            account.charge(f"r{number}", asking(5e3))
        assert account.remaining == Guarantee(epsilon=0.0, delta=1e-6)

    def test_no_sum_ever_leaves_its_column(self, ledger, monkeypatch):
        """An account of a size that is granted no longer: it refuses what it could not add up, and goes on."""
        monkeypatch.setattr(terms, "LARGEST_EPSILON", 1e6)
        account = opened(ledger, people(), epsilon=1e6, delta=1e-6)
        account.charge("first", asking(1e5))
        for epsilon in (1e5, 2e5):
            assert not account.fits(asking(epsilon))
            with pytest.raises(RefusedQueryError, match=r"cannot hold so large a total.*Nothing was charged"):
                account.charge("second", asking(epsilon))
        account.charge("third", asking(10.0))
        assert account.spent == Guarantee(epsilon=100_010.0)

    def test_what_is_left_does_not_round_up(self, ledger):
        account = opened(ledger, people(), epsilon=1.0)
        account.charge("r", asking(0.999999999))
        assert account.remaining == Guarantee(epsilon=1e-9)

    def test_under_the_concentrated_rule_rho_adds_up(self, ledger):
        account = opened(ledger, people(), epsilon=1.0, delta=1e-6, rule="concentrated")
        account.charge("r", asking(0.1))
        assert account.spent == ConcentratedEvent(rho=0.005)
        assert account.remaining == ConcentratedEvent(rho=(account.terms.granted.rho - 5_000_000) / 10**9)
        assert account.cost(asking(0.2)).counted == ConcentratedEvent(rho=0.02)

    def test_many_small_questions_fit_under_the_concentrated_rule_alone(self, ledger):
        basic = opened(ledger, people(), epsilon=1.0, delta=1e-6)
        concentrated = opened(ledger, people(ROWS[:3]), epsilon=1.0, delta=1e-6, rule="concentrated")
        for number in range(100):
            basic.charge(f"r{number}", asking(0.01))
            concentrated.charge(f"r{number}", asking(0.01))
        assert not basic.fits(asking(0.01))
        assert basic.fits(asking(0.01), rule="concentrated")
        assert concentrated.fits(asking(0.01))
        assert not concentrated.fits(asking(0.01), rule="basic")

    def test_asking_what_it_costs_charges_nothing(self, ledger):
        account = opened(ledger, people())
        assert str(account.cost(asking(0.2, MeanQuery("age")))) == "epsilon 0.2"
        assert account.fits(asking(1.0))
        assert account.charges() == ()

    def test_a_charge_says_what_it_was_for(self, path):
        moment = datetime(2026, 1, 2, 3, 4, tzinfo=UTC)
        account = opened(ledger_at(path, clock=lambda: moment), people())
        planned = asking(0.2, HistogramQuery("age", (0, 50, 100)))
        account.charge("r", planned)
        (entry,) = found(path, people()).charges()
        assert entry.planned_query == planned
        assert entry.schema == SCHEMA
        assert entry.time == moment
        assert (entry.request_id, entry.noisy, entry.charge.epsilon) == ("r", None, 0.2)

    @pytest.mark.parametrize("request_id", ["", "x" * 201, "a\nb", "a\x00b", "\ud800", None, 7])
    def test_request_ids_that_cannot_be_kept(self, ledger, request_id):
        account = opened(ledger, people())
        with pytest.raises(InvalidParameterError, match="request_id"):
            account.charge(request_id, asking(0.1))
        assert account.charges() == ()

    def test_a_question_that_cannot_be_asked_is_not_charged(self, ledger):
        account = opened(ledger, people())
        with pytest.raises(RefusedQueryError):
            account.charge("r", asking(0.1, SumQuery("ill")))
        assert account.charges() == ()


class TestRequests:
    def test_the_same_request_is_charged_once(self, ledger):
        account = opened(ledger, people())
        first = account.charge("r", asking(0.4))
        assert account.charge("r", asking(0.4)) == first
        assert account.spent == Guarantee(epsilon=0.4)

    def test_equal_numbers_are_the_same_request(self, ledger):
        account = opened(ledger, people())
        account.charge("r", asking(1))
        account.charge("r", asking(1.0))
        assert account.spent == Guarantee(epsilon=1.0)

    @pytest.mark.parametrize("other", [asking(0.3), asking(0.4, MeanQuery("age")), asking(0.4, HistogramQuery("ill"))])
    def test_the_same_id_for_another_question_is_refused(self, ledger, other):
        account = opened(ledger, people())
        account.charge("r", asking(0.4))
        with pytest.raises(RequestReusedError):
            account.charge("r", other)
        assert account.spent == Guarantee(epsilon=0.4)

    def test_the_same_question_of_other_bounds_is_another_request(self, ledger):
        account = opened(ledger, people())
        account.charge("r", asking(0.1, SumQuery("age")))
        other = Schema(name="people", columns=(NumberColumn(name="age", lower=0, upper=50), BooleanColumn(name="ill")))
        with pytest.raises(RequestReusedError):
            account.charge("r", asking(0.1, SumQuery("age")), other)

    def test_the_same_id_on_another_account_is_another_request(self, ledger):
        first, second = opened(ledger, people()), opened(ledger, people(ROWS[:2]))
        first.charge("r", asking(0.4))
        second.charge("r", asking(0.3))
        assert (first.spent, second.spent) == (Guarantee(epsilon=0.4), Guarantee(epsilon=0.3))

    def test_a_known_request_costs_nothing_even_when_nothing_is_left(self, ledger):
        account = opened(ledger, people(), epsilon=0.4)
        first = account.charge("r", asking(0.4))
        assert account.charge("r", asking(0.4)) == first

    def test_only_the_first_answer_stays(self, ledger):
        account = opened(ledger, people())
        account.charge("r", asking(0.4))
        assert account.store_answer("r", [[7]]).noisy == ((7,),)
        assert account.store_answer("r", [[8]]).noisy == ((7,),)
        assert [release.answer for release in account.releases()] == [7.0]

    def test_integers_beyond_a_float_are_kept_exactly(self, ledger):
        account = opened(ledger, people())
        account.charge("r", asking(0.4))
        assert account.store_answer("r", [[2**63 - 1, -(2**63)]]).noisy == ((2**63 - 1, -(2**63)),)

    def test_what_was_not_charged_is_not_answered(self, ledger):
        with pytest.raises(LedgerError, match="Only what was charged"):
            opened(ledger, people()).store_answer("r", [[7]])


class TestRefusals:
    def test_it_says_what_was_asked_and_what_is_left(self, ledger):
        account = opened(ledger, people(), epsilon=1.0, delta=1e-6)
        for number in range(10):
            account.charge(f"r{number}", asking(0.099))
        with pytest.raises(BudgetExceededError) as caught:
            account.charge("r", asking(0.02))
        assert str(caught.value) == (
            "This question asks for epsilon 0.02, but only epsilon 0.01 is left of the budget of epsilon 1, "
            "delta 0.000001 under the naive rule; no row was read and nothing was charged. The concentrated rule "
            "would have had no room for it either."
        )

    def test_small_questions_would_have_fit_under_the_concentrated_rule(self, ledger):
        account = opened(ledger, people(), epsilon=1.0, delta=1e-6)
        for number in range(25):
            account.charge(f"r{number}", asking(0.04))
        with pytest.raises(
            BudgetExceededError, match=r"nothing is left.*under the concentrated rule would have had room for it"
        ):
            account.charge("r", asking(0.02))

    def test_a_pure_budget_has_no_other_rule(self, ledger):
        account = opened(ledger, people(), epsilon=1.0)
        with pytest.raises(BudgetExceededError, match="needs a budget with a delta above 0"):
            account.charge("r", asking(1.5))

    def test_one_large_question_would_have_fit_under_the_basic_rule(self, ledger):
        account = opened(ledger, people(), epsilon=1.0, delta=1e-6, rule="concentrated")
        with pytest.raises(
            BudgetExceededError, match=r"asks for rho 0\.5.*but only rho 0\.0243.*naive rule would have had"
        ):
            account.charge("r", asking(1.0))

    def test_a_refusal_in_rho_is_read_in_few_digits_that_never_look_as_if_it_fitted(self, ledger):
        account = opened(ledger, people(), epsilon=2.0, delta=1e-6, rule="concentrated")
        account.charge("first", asking(0.35))
        with pytest.raises(BudgetExceededError) as caught:
            account.charge("r", asking(0.25001))
        assert str(caught.value).startswith(
            "This question asks for rho 0.03126, but only rho 0.0269 is left of the budget of rho 0.08815 (epsilon 2, "
            "delta 0.000001) under the concentrated rule; no row was read and nothing was charged."
        )
        half, more = Amounts(rho=500_000_000), Amounts(rho=500_000_001)
        billionth = refusal(more, spent=Amounts(), granted=half, rule="concentrated")
        assert "asks for rho 0.5001, but only rho 0.5 is left" in str(billionth)

    def test_no_rule_has_room_for_too_much(self, ledger):
        account = opened(ledger, people(), epsilon=1.0, delta=1e-6, rule="concentrated")
        with pytest.raises(BudgetExceededError, match="The naive rule would have had no room for it either"):
            account.charge("r", asking(3.0))
