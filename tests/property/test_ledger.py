"""The ledger against a model in exact fractions: whatever is asked, in whatever order, across restarts."""

import shutil
import tempfile
from fractions import Fraction
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, initialize, invariant, rule

from dpengine.data import Comparison
from dpengine.errors import BudgetExceededError, RequestReusedError
from dpengine.ledger.amounts import Amounts, cost_of, granted_by
from dpengine.mechanisms import DiscreteLaplaceMechanism
from dpengine.privacy import Guarantee, Neighbors, exact_decimal
from dpengine.queries import CountQuery, HistogramQuery, MeanQuery, ProportionQuery
from tests.ledgers import SCHEMA, asking, found, ledger_at, opened, people

NANO = 10**9
QUERIES = (CountQuery(), MeanQuery("age"), ProportionQuery(Comparison("ill", "=", True)), HistogramQuery("ill"))
TABLE = people()
EPSILONS = st.sampled_from([1e-8, 0.01, 0.1, 0.123456789, 0.3, 0.7, 1.0, 5.0]) | st.floats(1e-8, 3.0)
REQUESTS = st.sampled_from(["a", "b", "c", "d", "e"]) | st.text("xyz", min_size=1, max_size=3)


class LedgerMachine(RuleBasedStateMachine):
    """Charges, repeats, answers and restarts; the model adds fractions and knows nothing of databases."""

    def __init__(self):
        super().__init__()
        self.folder = Path(tempfile.mkdtemp())
        self.charged, self.answers = {}, {}

    @initialize(budget=st.sampled_from([0.3, 1.0, 2.5]), rule=st.sampled_from(["basic", "concentrated"]))
    def open(self, budget, rule):
        self.rule = rule
        self.account = opened(ledger_at(self.folder / "budget.db"), TABLE, epsilon=budget, delta=1e-6, rule=rule)
        granted = self.account.terms.granted
        self.granted = Fraction(granted.rho if rule == "concentrated" else granted.epsilon, NANO)

    @rule(epsilon=EPSILONS, request=REQUESTS, query=st.sampled_from(QUERIES))
    def charge(self, epsilon, request, query):
        planned = asking(epsilon, query)
        asked = self._price(planned)
        known = self.charged.get(request)
        if known is not None and known[0] != planned:
            with pytest.raises(RequestReusedError):
                self.account.charge(request, planned)
        elif known is None and self._spent() + asked > self.granted:
            with pytest.raises(BudgetExceededError):
                self.account.charge(request, planned)
        else:
            self.account.charge(request, planned)
            self.charged.setdefault(request, (planned, asked))

    @rule(request=REQUESTS, noisy=st.integers(-(2**63), 2**63 - 1))
    def answer(self, request, noisy):
        if request in self.charged:
            kept = self.answers.setdefault(request, ((noisy,),))
            assert self.account.store_answer(request, [[noisy]]).noisy == kept

    @rule()
    def restart(self):
        self.account = found(self.folder / "budget.db", TABLE)

    @invariant()
    def the_ledger_agrees_with_the_model(self):
        entries = self.account.charges()
        assert {entry.request_id: entry.planned_query for entry in entries} == {
            request: planned for request, (planned, _) in self.charged.items()
        }
        assert {entry.request_id: entry.noisy for entry in entries if entry.noisy} == self.answers
        spent = self.account.exact_spent()
        assert Fraction(spent.rho if self.rule == "concentrated" else spent.epsilon, NANO) == self._spent()
        assert self._spent() <= self.granted

    def _price(self, planned):
        whole = int(exact_decimal(planned.guarantee.epsilon) * NANO)
        parts = [int(whole * Fraction(3, 5))] if isinstance(planned.query, MeanQuery | ProportionQuery) else []
        shares = [Fraction(part, NANO) for part in (*parts, whole - sum(parts))]
        if self.rule == "basic":
            return sum(shares)
        rho = sum((share**2 for share in shares), Fraction(0)) / 2 * NANO
        return Fraction(rho.numerator // rho.denominator + (rho.denominator > 1), NANO)

    def _spent(self):
        return sum((asked for _, asked in self.charged.values()), Fraction(0))

    def teardown(self):
        shutil.rmtree(self.folder)


LedgerMachine.TestCase.settings = settings(max_examples=20, stateful_step_count=15, deadline=None)
TestLedgerMachine = LedgerMachine.TestCase


@given(epsilon=st.floats(1e-8, 1e6), query=st.sampled_from(QUERIES), neighbors=st.sampled_from(Neighbors))
def test_a_charge_is_never_below_what_its_noise_costs(epsilon, query, neighbors):
    planned = asking(epsilon, query)
    mechanisms = planned.mechanisms(SCHEMA, neighbors)
    exact = [mechanism.exact_epsilon for mechanism in mechanisms if isinstance(mechanism, DiscreteLaplaceMechanism)]
    assert len(exact) == len(mechanisms)
    cost = cost_of(planned, SCHEMA, neighbors)
    assert sum(exact) * NANO <= cost.epsilon <= exact_decimal(epsilon) * NANO
    assert sum(one**2 for one in exact) / 2 * NANO <= cost.rho


@given(epsilon=st.floats(1e-9, 1e9), delta=st.just(0.0) | st.floats(1e-18, 0.999))
def test_a_grant_is_never_above_the_budget(epsilon, delta):
    granted = granted_by(Guarantee(epsilon=epsilon, delta=delta))
    assert granted.epsilon <= exact_decimal(epsilon) * NANO < granted.epsilon + 1
    assert granted.delta <= exact_decimal(delta) * 10**18 < granted.delta + 1


AMOUNTS = st.builds(Amounts, epsilon=st.integers(0, 2**60), delta=st.integers(0, 10**18), rho=st.integers(0, 2**60))


@given(spent=AMOUNTS, asked=AMOUNTS, granted=AMOUNTS, name=st.sampled_from(["basic", "concentrated"]))
def test_what_fits_is_what_is_left(spent, asked, granted, name):
    if spent.within(granted, name):
        assert (spent + asked).within(granted, name) == asked.within(spent.left_of(granted), name)
