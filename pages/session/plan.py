"""The plan of this session: where it comes from, what becomes of it, the address that holds it."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace
from functools import cache
from hashlib import sha256
from typing import ParamSpec

import streamlit as st

from dpengine.data import Labels, Schema, proposed_label, sample_names
from dpengine.errors import ScenarioError
from dpengine.formatting import Measure, measure_of
from dpengine.plan import PlannedQuery
from dpengine.privacy import Guarantee
from dpengine.scenario import LONGEST_LINK, PlanTargets, Redeclared, Scenario, redeclared
from pages.session import aims, marks, sent_words
from pages.session.first_plan import first_plan
from pages.session.granted import budget_was_opened, budget_was_said, table_of
from pages.session.kept import notice

MOST_PLANS = 20
Given = ParamSpec("Given")
READY_MADE = "rand_hie"
TABLE_CHANGES = "table_changes"
"""Under which a session counts how often another table came into use."""
OWN_LINK = "own_link"
"""Under which a session keeps the link of its own plan while another one stands in its place."""
_MOST_NAMED = 3


def scenario() -> Scenario:
    """The plan of this session: from the address at first, else a ready-made one on a built-in table."""
    plan = st.session_state.get("scenario")
    if plan is None:
        found = _scenario_of_address()
        plan = st.session_state.scenario = _without_targets(found)
        aims.spread(found.targets, _questions(plan), found.schema)
    return plan


def _scenario_of_address() -> Scenario:
    link = st.query_params.get("plan")
    if link:
        try:
            return _with_what_holds(Scenario.from_link(link))
        except ScenarioError as error:
            notice(str(error) + " A ready-made plan is shown instead.")
    return first_plan(READY_MADE)


def _with_what_holds(plan: Scenario) -> Scenario:
    """A plan that was made elsewhere, without what cannot be asked and deltas that nothing uses; both are named.

    Its table is called as it is declared, and not what else a link says that it is. Words that somebody else chose
    for columns and conditions wait to be read: a question would be charged that reads as another one.
    """
    sent_words.set_aside(plan.labels, plan.schema)
    plan = replace(plan, table_name=plan.schema.name, labels=_words_known(plan))
    for number, planned in enumerate(plan.queries, start=1):
        if planned.unused_delta:
            notice(f"Question {number}: {planned.unused_delta}")
            plan = plan.with_query_at(number - 1, planned.at(planned.guarantee.epsilon))
    found = redeclared(plan, plan.schema, plan.neighbors)
    if not found.lost:
        return plan
    notice(f"Of this plan {_left_out(found)}")
    return found.plan


def _words_known(sent: Scenario) -> Labels:
    """What the person here calls the same table already, or else only names that are written as words."""
    known = kept_plan(sent.schema.name, sent.schema) if "scenario" in st.session_state else None
    as_named = tuple(one for one in sent.labels.columns if one.words == proposed_label(one.column))
    return known.labels if known else Labels(columns=as_named)


def use_words(labels: Labels) -> None:
    """Say from now on what somebody has read: the words that came with the plan."""
    sent_words.put_away()
    replace_scenario(replace(scenario(), labels=labels))


def _left_out(found: Redeclared) -> str:
    """Which questions of a plan do not hold, and why; reads on from the reason for which they were looked at."""
    stay, one = len(found.plan.queries), len(found.lost) == 1
    said = "; ".join(f"question {lost.number}: {lost.reason}" for lost in found.lost[:_MOST_NAMED])
    more = f"; and {len(found.lost) - _MOST_NAMED} more" if len(found.lost) > _MOST_NAMED else ""
    return (
        f"{'one question does' if one else f'{len(found.lost)} questions do'} not hold any more "
        f"and {'was' if one else 'were'} left out ({stay} came along). {said[:1].upper()}{said[1:]}{more}"
    )


def _without_targets(plan: Scenario) -> Scenario:
    """The plan as the session holds it: what a person aims at stands in the widgets where it is typed."""
    return replace(plan, targets=PlanTargets())


def key_of_plan(name: str) -> str:
    """The key of a button that does something for good on the terms of the plan in use: on other terms, another button.

    What a press brings along (a link that was pasted before) may change the plan that it would be about.
    """
    return f"{name}_{sha256(scenario().to_json().encode()).hexdigest()}"


def of_this_plan(change: Callable[Given, None]) -> Callable[Given, None]:
    """What a button does to the plan that it was drawn for, and to no other.

    A press may come once another plan is in use: while the page is still shown on which it was drawn.
    """
    drawn = scenario()

    def guarded(*given: Given.args, **named: Given.kwargs) -> None:
        if scenario() == drawn:
            change(*given, **named)

    return guarded


def plan_to_share() -> Scenario:
    """The plan as it travels, with what was typed on the trade-off page."""
    plan = scenario()
    return replace(plan, targets=aims.gathered(_questions(plan), plan.schema))


def _questions(plan: Scenario) -> dict[int, Measure]:
    """The number of each question of the plan, and how its errors are read."""
    measures = [measure_of(planned.query, plan.schema) for planned in plan.queries]
    return dict(zip(marks.marks(plan), measures, strict=True))


def open_shared(plan: Scenario) -> None:
    """Take over a plan that has travelled and what was typed beside it; nothing else is said of its questions."""
    plan = _with_what_holds(plan)
    replace_scenario(_without_targets(plan), came_from=[None] * len(plan.queries))
    budget_was_opened(plan)
    aims.spread(plan.targets, _questions(plan), plan.schema)
    write_address()


def replace_scenario(
    new: Scenario, *, before: Scenario | None = None, came_from: Sequence[int | None] | None = None
) -> None:
    """Keep a changed plan, in the session and in the address; what may be shown is decided anew for each table.

    What was said about a question goes where the question goes: `came_from` names the place of each in the plan
    `before`, at first that in use; where it is left out, a question that is asked in the same place stays what it was.
    """
    old = scenario()
    source = before or old
    marks.follow(source, new, marks.stayed(source, new) if came_from is None else came_from)
    if new.schema != old.schema or new.table_name != old.table_name:
        _keep_plan(old)
        for key in ("question", "exact_shown"):
            st.session_state.pop(key, None)
        forget_what_was_shown()
    aims.change_table(table_of(old), table_of(new))
    st.session_state.scenario = new
    write_address()


def _keep_plan(plan: Scenario) -> None:
    """Keep a table's plan while another table is in use; of many, those left last."""
    plans = st.session_state.setdefault("plans", {})
    plans.pop((plan.table_name, plan.schema), None)
    plans[plan.table_name, plan.schema] = plan
    while len(plans) > MOST_PLANS:
        del plans[next(iter(plans))]


def kept_plan(table_name: str, schema: Schema) -> Scenario | None:
    """The plan that this session made for a table under these declarations."""
    plan = scenario()
    if (plan.table_name, plan.schema) == (table_name, schema):
        return plan
    return st.session_state.get("plans", {}).get((table_name, schema))  # type: ignore[no-any-return]


def plan_left() -> Scenario | None:
    """The plan of a table used before, where the one in use has no questions and that one has some of its own."""
    plans = [] if scenario().queries else list(st.session_state.get("plans", {}).values())
    left = plans[-1] if plans else None
    ready_made = left is not None and left.table_name in sample_names() and left == first_plan(left.table_name)
    return left if left is not None and left.queries and not ready_made else None


def table_size() -> tuple[int | None, int | None]:
    """Roughly how many rows and people the plan's table has, as somebody publicly said; None where nobody did."""
    return aims.size_of(scenario().schema)


def write_address() -> None:
    """Put the plan into the address, so that a reload or a bookmark brings it back; a plan too long for it is not.

    An address without one brings the ready-made plan. While a practice plan is lent, the own one stays there.
    """
    link = st.session_state.get(OWN_LINK) or plan_to_share().to_link()
    if len(link) > LONGEST_LINK:
        st.query_params.pop("plan", None)
    elif st.query_params.get("plan", _ready_made()) != link:
        st.query_params["plan"] = link


@cache
def _ready_made() -> str:
    return first_plan(READY_MADE).to_link()


def question_index() -> int:
    """Which planned question the pages talk about."""
    return min(int(st.session_state.get("question", 0)), max(len(scenario().queries) - 1, 0))


def question_mark() -> int:
    """The number under which everything said about the question that the pages talk about is kept."""
    return mark_at(question_index())


def mark_at(place: int) -> int:
    """The same of the question at a place of the plan."""
    return marks.marks(scenario())[place]


def place_of(mark: int) -> int | None:
    """Where the question with this number stands now; None where the plan has it no longer."""
    known = marks.marks(scenario())
    return known.index(mark) if mark in known else None


def choose_question(index: int) -> None:
    """Talk about another question."""
    st.session_state.question = index


def follow_question(key: str) -> None:
    """Talk about the question that a selector points at."""
    choose_question(int(st.session_state[key]))
    write_address()


def remove_query(place: int) -> None:
    """Take a question out of the plan, and all that was said about it; the pages go on talking about the same one."""
    plan, chosen = scenario(), question_index()
    choose_question(chosen - 1 if place < chosen else chosen)
    came_from = [other for other in range(len(plan.queries)) if other != place]
    replace_scenario(plan.without_query(place), came_from=came_from)


def keep_query(planned: PlannedQuery, place: int) -> None:
    """Put a changed question back in its place in the plan, whichever the pages talk about by then."""
    replace_scenario(scenario().with_query_at(place, planned))


def keep_rule(rule: str) -> None:
    """Put the rule by which an account adds up into the plan."""
    replace_scenario(replace(scenario(), rule=rule))


def keep_budget(changed: Scenario, budget: Guarantee) -> None:
    """Put changed shares and a changed budget into the plan."""
    plan, before = replace(changed, budget=budget), scenario()
    replace_scenario(plan)
    budget_was_said(plan, before=before)


def forget_what_was_shown() -> None:
    """Another table is in use, or the same one anew: nothing that was shown of the one before is, of this one."""
    st.session_state[TABLE_CHANGES] = st.session_state.get(TABLE_CHANGES, 0) + 1
    shown = {"guesses", "kept_released", "kept_refused", "kept_feasible", "kept_records_needed"}
    for key in [name for name in st.session_state if name in shown or str(name).endswith("_own")]:
        del st.session_state[key]
