"""Where a planned budget is from: said for the table in use, for the one before, by nobody, or opened with a plan."""

from __future__ import annotations

from typing import Literal

from dpengine.privacy import Guarantee
from dpengine.scenario import Scenario
from pages.session.first_plan import BUDGET
from pages.session.kept import remember, remembered

PlannedFor = Literal["this", "before", "none", "opened", "earlier"]
_Table = tuple[str, bool]
_Known = tuple[PlannedFor, PlannedFor, Guarantee]
_MOST_TABLES = 20
_ORIGINS = {
    "before": "comes from the plan before",
    "none": "is the one that a new plan starts with",
    "opened": "came with the plan that was opened here",
    "earlier": "is that of an earlier plan for this table",
}


def table_of(plan: Scenario) -> _Table:
    """Which table a plan is about, however it is declared."""
    return plan.table_name, plan.built_in


def budget_planned_for(plan: Scenario) -> PlannedFor:
    """The table for which the epsilon of a plan was said here; where nothing is known, it came with the address.

    What was said last of this table may be about another budget: that of a plan for other declarations.
    """
    return _known(plan)[0]


def budget_origin(plan: Scenario) -> str:
    """Where the budget of a plan is from that nobody has set for its table: the end of a sentence, else nothing."""
    origin = budget_came_from(plan)
    return f"{origin}; change it on **Budget**" if origin else ""


def budget_came_from(plan: Scenario) -> str:
    """The same without the way on, for where the budget is set."""
    epsilon, delta, _ = _known(plan)
    if epsilon == "opened" and is_starting_budget(plan):
        return ""
    if epsilon == delta or "this" not in (epsilon, delta):
        return _ORIGINS["opened"] if "opened" in (epsilon, delta) else _ORIGINS.get(epsilon, "")
    here, along = ("ε", "δ") if epsilon == "this" else ("δ", "ε")
    return f"has only its {here} from here: its {along} came along"


def is_starting_budget(plan: Scenario) -> bool:
    """Whether a practice table still has the budget with which it starts: nobody has kept one for it."""
    return plan.built_in and plan.budget == BUDGET and _all().get(table_of(plan), ("none", "none", BUDGET))[0] == "none"


def budget_came_along(plan: Scenario) -> None:
    """Keep that the budget of this plan is that of the plan before, or still the one where every plan starts."""
    origin: PlannedFor = "none" if plan.budget == BUDGET else "before"
    _keep(plan, origin, origin)


def budget_was_said(plan: Scenario, *, before: Scenario) -> None:
    """Keep what somebody planned of this plan's budget: epsilon or delta, whichever they changed; both, if neither.

    A usual delta is one that says nothing by itself, and goes with its epsilon.
    """
    (epsilon, delta, _), now, was = _known(before), plan.budget, before.budget
    usual = now.delta in {0.0, BUDGET.delta}
    alone = plan.queries == before.queries
    stands = alone and now.epsilon == was.epsilon and (usual or now.delta == was.delta)
    epsilon = "this" if stands or now.epsilon != was.epsilon else epsilon
    delta = "this" if stands or now.delta != was.delta else delta
    _keep(plan, epsilon, epsilon if usual else delta)


def budget_was_opened(plan: Scenario) -> None:
    """Keep that the budget of this plan came with a link or a file, and that nobody here has set it."""
    _keep(plan, "opened", "opened")


def budget_was_left(name: str) -> None:
    """Keep that the rows of a brought table were put away: what comes next under its name may be another one."""
    known = _all().get((name, False))
    if known is not None:
        epsilon, delta = ("earlier" if origin == "this" else origin for origin in known[:2])
        remember("budget_planned_for", _all() | {(name, False): (epsilon, delta, known[2])})


def _known(plan: Scenario) -> _Known:
    """Where epsilon and delta of a plan's budget are from."""
    epsilon, delta, budget = _all().get(table_of(plan), ("opened", "opened", plan.budget))
    return (epsilon, delta, budget) if budget == plan.budget else ("earlier", "earlier", plan.budget)


def _keep(plan: Scenario, epsilon: PlannedFor, delta: PlannedFor) -> None:
    others = {table: known for table, known in _all().items() if table != table_of(plan)}
    kept = [*others.items(), (table_of(plan), (epsilon, delta, plan.budget))]
    remember("budget_planned_for", dict(kept[-_MOST_TABLES:]))


def _all() -> dict[_Table, _Known]:
    kept = remembered("budget_planned_for", None)
    return kept if isinstance(kept, dict) else {}
