"""Questions that do not hold any more as their table is declared now: kept in this tab, in no plan and no link."""

from __future__ import annotations

from collections.abc import Sequence

from dpengine.data import Schema
from dpengine.privacy import Neighbors
from dpengine.scenario import Lost, Scenario
from pages.session.kept import remember, remembered
from pages.session.plan import scenario

_MOST_TABLES = 20
_Declared = tuple[Schema, Neighbors]


def lost_questions() -> tuple[Lost, ...]:
    """Those about the table in use, each with its reason."""
    return lost_of(scenario())


def lost_of(plan: Scenario) -> tuple[Lost, ...]:
    """Those about the table of a plan, under its declarations."""
    return _all().get((plan.schema, plan.neighbors), ())


def keep_lost(plan: Scenario, lost: Sequence[Lost]) -> None:
    """Keep what a plan has lost; of many tables, of those declared last."""
    declared = (plan.schema, plan.neighbors)
    others = {one: kept for one, kept in _all().items() if one != declared}
    remember("lost_questions", dict([*others.items(), (declared, tuple(lost))][-_MOST_TABLES:]))


def let_go(lost: Lost) -> None:
    """Forget one of those about the table in use."""
    keep_lost(scenario(), [one for one in lost_questions() if one != lost])


def _all() -> dict[_Declared, tuple[Lost, ...]]:
    kept = remembered("lost_questions", None)
    return kept if isinstance(kept, dict) else {}
