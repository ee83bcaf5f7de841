"""The ledger against a model in exact fractions: whatever is asked, in whatever order, by however many at once."""

import shutil
import tempfile
from fractions import Fraction
from pathlib import Path

import pytest
from hypothesis import HealthCheck, settings
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, initialize, invariant, precondition, rule

from dpengine.data import Comparison
from dpengine.errors import AccountMismatchError, BudgetExceededError, InvalidParameterError, RequestReusedError
from dpengine.privacy import Guarantee, exact_decimal
from dpengine.queries import CountQuery, HistogramQuery, MeanQuery, ProportionQuery
from tests.examples.ledgers import ROWS, asking, ledger_at, opened, people

NANO = 10**9
QUERIES = (CountQuery(), MeanQuery("age"), ProportionQuery(Comparison("ill", "=", True)), HistogramQuery("ill"))
EDITIONS = tuple(ROWS[:rows] for rows in (5, 4, 3))
EPSILONS = st.sampled_from([1e-8, 0.01, 0.1, 0.123456789, 0.3, 0.7, 1.0, 5.0]) | st.floats(1e-8, 3.0)
REQUESTS = st.sampled_from(["a", "b", "c", "d", "e"]) | st.text("xyz", min_size=1, max_size=3)


class Model:
    """What one account should hold: its budget and its requests, each with its question and its price."""

    def __init__(self, rule, budget):
        self.rule, self.budget, self.raised, self.charged, self.answers = rule, budget, [], {}, {}

    @property
    def spent(self):
        return sum((price for _, price in self.charged.values()), Fraction(0))

    def price(self, planned):
        whole = int(exact_decimal(planned.guarantee.epsilon) * NANO)
        parts = [int(whole * Fraction(3, 5))] if isinstance(planned.query, MeanQuery | ProportionQuery) else []
        shares = [Fraction(part, NANO) for part in (*parts, whole - sum(parts))]
        if self.rule == "basic":
            return sum(shares)
        rho = sum((share**2 for share in shares), Fraction(0)) / 2 * NANO
        return Fraction(rho.numerator // rho.denominator + (rho.denominator > 1), NANO)


class LedgerMachine(RuleBasedStateMachine):
    """Charges, repeats, answers, raises, new editions, other handles and restarts."""

    def __init__(self):
        super().__init__()
        self.folder = Path(tempfile.mkdtemp())
        self.models, self.accounts, self.heads = [], [], {}

    @initialize(budget=st.sampled_from([0.3, 1.0, 2.5]), rule=st.sampled_from(["basic", "concentrated"]))
    def open(self, budget, rule):
        self.ledger = ledger_at(self.folder / "budget.db")
        self._open(budget, rule)

    @precondition(lambda self: len(self.accounts) < len(EDITIONS))
    @rule(budget=st.sampled_from([0.5, 1.5]), rule=st.sampled_from(["basic", "concentrated"]))
    def open_the_next_edition(self, budget, rule):
        self._open(budget, rule, predecessor=self.accounts[-1])

    @rule(epsilon=EPSILONS, request=REQUESTS, query=st.sampled_from(QUERIES), which=st.integers(0, 2))
    def charge(self, epsilon, request, query, which):
        model, account = self._one(which)
        planned = asking(epsilon, query)
        asked, known = model.price(planned), model.charged.get(request)
        if known is not None and known[0] != planned:
            with pytest.raises(RequestReusedError):
                account.charge(request, planned)
        elif known is None and model.spent + asked > self._granted(model, account):
            with pytest.raises(BudgetExceededError):
                account.charge(request, planned)
        else:
            account.charge(request, planned)
            model.charged.setdefault(request, (planned, asked))

    @rule(request=REQUESTS, noisy=st.integers(-(2**63), 2**63 - 1), which=st.integers(0, 2))
    def answer(self, request, noisy, which):
        model, account = self._one(which)
        if request in model.charged:
            kept = model.answers.setdefault(request, ((noisy,),))
            entry = account.store_answer(request, [[noisy]])
            assert entry.noisy == kept

    @rule(
        budget=st.sampled_from([0.2, 0.5, 1.0, 1.2, 2.0, 4.0]),
        reason=st.sampled_from(["x", "y"]),
        which=st.integers(0, 2),
    )
    def raise_the_budget(self, budget, reason, which):
        model, account = self._one(which)
        if model.raised and model.raised[-1] == (budget, reason):
            account.top_up(Guarantee(epsilon=budget, delta=1e-6), reason=reason)
        elif budget <= model.budget:
            with pytest.raises(InvalidParameterError):
                account.top_up(Guarantee(epsilon=budget, delta=1e-6), reason=reason)
        else:
            account.top_up(Guarantee(epsilon=budget, delta=1e-6), reason=reason)
            model.raised.append((budget, reason))
            model.budget = budget

    @rule(which=st.integers(0, 2), budget=st.sampled_from([0.3, 1.0, 2.0]))
    def open_it_again(self, which, budget):
        model, _ = self._one(which)
        number = self.models.index(model)
        if budget == model.budget:
            self.accounts[number] = opened(
                self.ledger, people(EDITIONS[number]), epsilon=budget, delta=1e-6, rule=model.rule
            )
        else:
            with pytest.raises(AccountMismatchError):
                opened(self.ledger, people(EDITIONS[number]), epsilon=budget, delta=1e-6, rule=model.rule)

    @rule(closed=st.booleans())
    def restart(self, closed):
        if closed:
            self.ledger.close()
        self.ledger = ledger_at(self.folder / "budget.db")
        self.accounts = list(self.ledger.accounts())
        self.ledger.verify()

    @invariant()
    def the_ledger_agrees_with_the_model(self):
        for model, account in zip(self.models, self.accounts, strict=True):
            entries = account.charges()
            assert {entry.request_id: entry.planned_query for entry in entries} == {
                request: planned for request, (planned, _) in model.charged.items()
            }
            assert {entry.request_id: entry.noisy for entry in entries if entry.noisy} == model.answers
            granted, spent = account.balance()
            counted = "rho" if model.rule == "concentrated" else "epsilon"
            assert Fraction(getattr(spent, counted), NANO) == model.spent <= Fraction(getattr(granted, counted), NANO)
            assert granted.epsilon == exact_decimal(model.budget) * NANO
            assert [(one.budget.epsilon, one.reason) for one in account.top_ups()] == model.raised

    @invariant()
    def the_head_changes_with_everything_written_and_with_nothing_else(self):
        written = sum(1 + len(model.charged) + len(model.answers) + len(model.raised) for model in self.models)
        if self.models:
            assert self.heads.setdefault(written, self.ledger.head) == self.ledger.head
            assert len(set(self.heads.values())) == len(self.heads)

    def _open(self, budget, rule, **terms):
        table = people(EDITIONS[len(self.accounts)])
        self.accounts.append(opened(self.ledger, table, epsilon=budget, delta=1e-6, rule=rule, **terms))
        self.models.append(Model(rule, budget))
        assert [one.id for one in self.accounts[-1].lineage()] == [one.id for one in self.accounts]

    def _one(self, which):
        number = which % len(self.models)
        return self.models[number], self.accounts[number]

    def _granted(self, model, account):
        granted = account.balance()[0]
        return Fraction(granted.rho if model.rule == "concentrated" else granted.epsilon, NANO)

    def teardown(self):
        if self.models:
            self.ledger.verify()
            self.ledger.close()
        shutil.rmtree(self.folder)


class LongLedgerMachine(LedgerMachine):
    """The same with more and longer runs."""


LedgerMachine.TestCase.settings = settings(
    max_examples=12, stateful_step_count=12, deadline=None, suppress_health_check=[HealthCheck.too_slow]
)
LongLedgerMachine.TestCase.settings = settings(LedgerMachine.TestCase.settings, max_examples=500)
TestLedgerMachine = LedgerMachine.TestCase
TestLongLedgerMachine = pytest.mark.slow(pytest.mark.timeout(900)(LongLedgerMachine.TestCase))
