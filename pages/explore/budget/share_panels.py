"""The shares of the questions: a dial and a lock for each, one total for all, and what moves when something moves."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import partial

import streamlit as st

from dpengine.errors import InvalidParameterError
from dpengine.plan import PlannedQuery
from dpengine.scenario import Scenario
from dpengine.spending import shares
from pages import session
from pages.phrasing import wording
from pages.plan import accounts
from pages.widgets import inputs
from pages.widgets.escaping import unmarked

TOTAL, HOLD = "budget_total", "budget_hold"
HOLD_HELP = "While the total is kept, moving one share moves the others in proportion, except those that you keep."
LOCK_HELP = "A share that you keep stays where it is while others move."
_KNOWN, _REFUSED = "budget_shares", "budget_shares_refused"


def dials(plan: Scenario) -> Scenario:
    """The plan with the shares that a person sets; whatever moved has moved the others before they are drawn."""
    start = [planned.guarantee.epsilon for planned in plan.queries]
    _settle(start)
    if len(start) > 1:
        _total()
    changed, answered = plan, accounts.answers_by_question()
    for place, planned in enumerate(plan.queries):
        words, dial, lock = st.columns([3, 2, 0.9], vertical_alignment="center")
        shared = planned.at(inputs.share(dial, key=f"share_{place}", start=start[place]))
        words.markdown(_asked(place, shared, plan) + _answered(answered[planned.query]))
        if len(start) > 1:
            lock.checkbox(
                f"Keep share {place + 1}", key=session.moving(_lock(place)), help=LOCK_HELP, persist_state="page"
            )
        changed = changed.with_query_at(place, shared)
    return changed


def _asked(place: int, planned: PlannedQuery, plan: Scenario) -> str:
    costs = wording.itemized(planned, plan.schema, plan.neighbors)
    asked = f"{place + 1}. {wording.asked(planned, plan.spoken)}{wording.delta_and_noise(planned)}"
    return asked + (f" :gray[{costs}]" if costs else "")


def _answered(times: int) -> str:
    if not times:
        return ""
    often = "once" if times == 1 else f"{times:,} times"
    return f" :gray[Answered {often}; asking again costs again.]"


def _total() -> None:
    """One number for the whole list, whether it is held, and equal shares."""
    session.move(TOTAL, _standing())
    box, hold, equally = st.columns([1.2, 1.3, 1.1], vertical_alignment="bottom")
    box.number_input(
        "ε of the whole list",
        value=None,
        key=session.moving(TOTAL),
        step=None,
        format="%.6g",
        on_change=_rescale,
        persist_state="page",
    )
    hold.toggle("Keep the total", key=session.moving(HOLD), help=HOLD_HELP, persist_state="page")
    equally.button("Share equally", key="budget_equally", on_click=_share_equally, width="stretch")
    problem = str(session.remembered(_REFUSED, ""))
    session.remember(_REFUSED, "")
    if problem:
        st.error(unmarked(problem))


def start_over(plan: Scenario) -> None:
    """Show another plan's shares from the next run on."""
    for place, planned in enumerate(plan.queries):
        session.move(_box(place), planned.guarantee.epsilon)
        session.move(_lock(place), value=False)
    _know([planned.guarantee.epsilon for planned in plan.queries])
    session.move(HOLD, value=False)


def _settle(start: Sequence[float]) -> None:
    """Take in what was typed or dragged since the last run; where a total is held, the others give or take."""
    held = [session.widget_held(session.moving(_box(place))) for place in range(len(start))]
    before = session.remembered(_KNOWN, None)
    if not isinstance(before, tuple) or len(before) != len(start) or not any(held):
        _know(start)
        return
    now = [inputs.share_held(value, last) for value, last in zip(held, before, strict=True)]
    if not session.widget_held(session.moving(HOLD)):
        _know(now)
        return
    for place, value in enumerate(now):
        if value != before[place]:
            _change(partial(shares.moved, place=place, to=value))


def _change(change: Callable[..., tuple[float, ...]], total: float | None = None) -> bool:
    """Put changed shares into the boxes; where they cannot be had, those before return, and a sentence says why."""
    before = _known()
    locked = [place for place in range(len(before)) if session.widget_held(session.moving(_lock(place)))]
    try:
        after = change(before, total=_standing() if total is None else total, locked=locked)
    except InvalidParameterError as error:
        session.remember(_REFUSED, str(error))
        after = before
    for place, value in enumerate(after):
        session.move(_box(place), value)
    _know(after)
    return after is not before


def _rescale() -> None:
    """A total was typed: the unlocked shares follow it, and it is held from now on."""
    typed = session.widget_held(session.moving(TOTAL))
    if isinstance(typed, float) and _change(shares.scaled, total=typed):
        session.remember(TOTAL, typed)
        session.move(HOLD, value=True)


def turn(total: float) -> None:
    """Another total was dialed: the unlocked shares follow it; one that is held is held there."""
    if _change(shares.scaled, total=total):
        session.remember(TOTAL, total)


def total_of(plan: Scenario) -> float:
    """What the list costs, asked once, by adding up."""
    return shares.sum_of([planned.guarantee.epsilon for planned in plan.queries])


def _share_equally() -> None:
    _change(shares.equal)


def _standing() -> float:
    """The total that is held, else what the shares add up to."""
    kept = session.remembered(TOTAL, None)
    total = kept if session.widget_held(session.moving(HOLD)) and isinstance(kept, float) else shares.sum_of(_known())
    session.remember(TOTAL, total)
    return total


def _known() -> tuple[float, ...]:
    known = session.remembered(_KNOWN, ())
    return known if isinstance(known, tuple) else ()


def _know(values: Sequence[float]) -> None:
    session.remember(_KNOWN, tuple(values))


def _box(place: int) -> str:
    return f"share_{place}_box"


def _lock(place: int) -> str:
    return f"share_{place}_lock"
