"""How many questions of how many people fit: exact where all cost the same, never too many where they do not."""

from __future__ import annotations

from dpengine import accounting
from dpengine.data import sample_schema
from dpengine.ledger import Amounts
from dpengine.plan import PlannedQuery
from dpengine.plan.amounts import cost_of, granted_by
from dpengine.privacy import Guarantee, Neighbors, PureEvent
from dpengine.queries import CountQuery, MeanQuery
from dpengine.scenario import Scenario
from dpengine.workshop import Fitting, Setting, fitting
from dpengine.workshop.fitting import SEEN
from tests.running.cases import each

BUDGET = Guarantee(epsilon=3.0, delta=1e-6)
QUERIES = (CountQuery(), MeanQuery("medical_dollars"))


def fits(*epsilons: float, rule: str = "basic", cap: float | None = None, left: Amounts | None = None) -> Fitting:
    """What fits of questions at these epsilons."""
    plan = Scenario(
        table_name="rand_hie",
        schema=sample_schema("rand_hie"),
        neighbors=Neighbors.ADD_REMOVE,
        queries=tuple(
            PlannedQuery(query=QUERIES[place % 2], guarantee=Guarantee(epsilon=epsilon))
            for place, epsilon in enumerate(epsilons)
        ),
        budget=BUDGET,
        rule=rule,
    )
    prices = [cost_of(one, plan.schema, plan.neighbors) for one in plan.queries]
    return fitting(Setting(title="x", plan=plan, cap=cap), prices, left or granted_by(BUDGET))


def test_equal_prices_are_counted_exactly() -> None:
    assert fits(0.1, 0.1) == Fitting(together=30, each=None, people=None, alike=True, parts=None)


def test_a_tenth_is_a_tenth() -> None:
    """Three tenths of a budget of 0.3 fit, although 0.1 + 0.1 + 0.1 > 0.3 in binary."""
    assert fits(0.1, left=granted_by(Guarantee(epsilon=0.3))).together == 3


def test_a_cap_says_how_many_people_may_use_it_up() -> None:
    assert fits(0.1, cap=0.25) == Fitting(together=30, each=2, people=15, alike=True, parts=None)


def test_unequal_prices_count_the_dearest() -> None:
    assert fits(0.1, 1.0, cap=1.5) == Fitting(together=3, each=1, people=3, alike=False, parts=None)


def test_a_cap_below_the_dearest_holds_none() -> None:
    assert fits(0.1, 1.0, cap=0.5) == Fitting(together=3, each=0, people=0, alike=False, parts=None)


@each("epsilon", [0.02, 0.05, 0.09])
def test_from_which_question_on_two_lines_are_seen(epsilon: float) -> None:
    found = fits(epsilon).parts
    assert found is not None
    share = [advanced_of(epsilon, count) / (epsilon * count) for count in (found - 1, found)]
    assert share[0] >= SEEN > share[1]


def advanced_of(epsilon: float, count: int) -> float:
    """What so many counts are by advanced composition, asked for one by one."""
    return accounting.epsilon({PureEvent(epsilon=epsilon): count}, delta=BUDGET.delta, accountant="advanced")


@each("rule", ["basic", "concentrated"])
def test_nothing_fits_in_what_is_gone(rule: str) -> None:
    assert fits(0.1, rule=rule, left=Amounts()).together == 0


def test_small_questions_go_further_under_rho() -> None:
    """What is left really holds the last one, and not one more."""
    found, granted = fits(0.1, rule="concentrated"), granted_by(BUDGET)
    price = 10**9 // 200
    assert found.together > fits(0.1).together
    assert found.together * price <= granted.rho < (found.together + 1) * price
