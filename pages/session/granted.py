"""Where a planned budget is from: said for the table in use, for the one before, by nobody, or opened with a plan."""

from __future__ import annotations

from typing import Literal

from dpengine.privacy import Guarantee
from dpengine.scenario import Scenario
from pages.session.first_plan import BUDGET
from pages.session.kept import remember, remembered

PlannedFor = Literal["this", "part", "before", "none", "opened", "earlier"]
_Table = tuple[str, bool]
_MOST_TABLES = 20


def table_of(plan: Scenario) -> _Table:
    """Which table a plan is about, however it is declared."""
    return plan.table_name, plan.built_in


def budget_planned_for(plan: Scenario) -> PlannedFor:
    """The table for which the budget of a plan was said here; where nothing is known, it came with the address.

    What was said last of this table may be about another budget: that of a plan for other declarations.
    """
    known = _all().get(table_of(plan))
    if known is None:
        return "opened"
    planned_for, budget = known
    return planned_for if budget == plan.budget else "earlier"


def budget_origin(plan: Scenario) -> str:
    """Where the budget of a plan is from that nobody has set for its table: the end of a sentence, else nothing."""
    origins = {
        "before": "comes from the plan before",
        "none": "is the one that a new plan starts with",
        "opened": "came with the plan that was opened here",
        "earlier": "is that of an earlier plan for this table",
        "part": "has only its ε from here: its δ came along",
    }
    known = budget_planned_for(plan)
    origin = None if known == "opened" and is_starting_budget(plan) else origins.get(known)
    return f"{origin}; change it on **Budget**" if origin else ""


def is_starting_budget(plan: Scenario) -> bool:
    """Whether a practice table still has the budget with which it starts: nobody has kept one for it."""
    return plan.built_in and plan.budget == BUDGET and _all().get(table_of(plan), ("none", BUDGET))[0] == "none"


def budget_came_along(plan: Scenario) -> None:
    """Keep that the budget of this plan is that of the plan before, or still the one where every plan starts."""
    _keep(plan, "none" if plan.budget == BUDGET else "before")


def budget_was_said(plan: Scenario, *, before: Scenario) -> None:
    """Keep that somebody planned the budget of this plan for its table; a δ that came along is not said by an ε."""
    delta = plan.budget.delta
    came = budget_planned_for(before) in {"opened", "before", "earlier"} and delta not in {0.0, BUDGET.delta}
    _keep(plan, "part" if came and delta == before.budget.delta else "this")


def budget_was_opened(plan: Scenario) -> None:
    """Keep that the budget of this plan came with a link or a file, and that nobody here has set it."""
    _keep(plan, "opened")


def budget_was_left(name: str) -> None:
    """Keep that the rows of a brought table were put away: what comes next under its name may be another one."""
    known = _all().get((name, False))
    if known is not None and known[0] == "this":
        remember("budget_planned_for", _all() | {(name, False): ("earlier", known[1])})


def _keep(plan: Scenario, planned_for: PlannedFor) -> None:
    others = {table: known for table, known in _all().items() if table != table_of(plan)}
    kept = [*others.items(), (table_of(plan), (planned_for, plan.budget))]
    remember("budget_planned_for", dict(kept[-_MOST_TABLES:]))


def _all() -> dict[_Table, tuple[PlannedFor, Guarantee]]:
    kept = remembered("budget_planned_for", None)
    return kept if isinstance(kept, dict) else {}
