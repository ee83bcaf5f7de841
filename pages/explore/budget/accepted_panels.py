"""The list turned around: an error accepted for each question, and the least budget that keeps them all."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

import streamlit as st

from dpengine.errors import DPEngineError
from dpengine.feasible import CheapestPlan, ListChange, Targets, Wish, best_shares, cheapest_plan, single_changes
from dpengine.formatting import at_least, at_most, billionths, error_in, measure_of
from dpengine.plan import PlannedQuery
from dpengine.plan.amounts import RULE_NAMES
from dpengine.privacy import ConcentratedEvent, Guarantee
from dpengine.scenario import Scenario
from dpengine.spending import Balance, Spending
from pages import session
from pages.explore.budget import share_panels, tolerated_belief, whole_budget_panels
from pages.explore.budget.tolerated_belief import Tolerated
from pages.phrasing import rules, wording
from pages.plan import accounts
from pages.question import guesses, one_person
from pages.question.question_view import QuestionView
from pages.widgets import outputs
from pages.widgets.escaping import unmarked

CONFIDENCE = 0.95
_MOST_LOOKED_AT = 12
"""Questions of a list whose every change is looked for."""
_OTHER = {"basic": "concentrated", "concentrated": "basic"}
_HOW = (
    "In 95% of releases each answer stays within its error, all of its numbers at once. A question without one stays "
    "as planned."
)


def turned_around(spending: Spending) -> None:
    """A box for the error of each question; once one is typed, what the whole list then needs."""
    plan = spending.scenario
    with outputs.card(st.container(), "Or begin with the errors you accept", _HOW, key="accepted") as card, card:
        wishes = [_wish(place, planned, plan) for place, planned in enumerate(plan.queries)]
        if all(wish.is_kept for wish in wishes):
            return
        way = whole_budget_panels.chosen_way()
        found: CheapestPlan | None
        try:
            if way == whole_budget_panels.LEAST_BUDGET:
                found = cheapest_plan(wishes, rule=plan.rule, delta=spending.budget.delta)
                fits = _needed(spending, wishes, found)
            else:
                found = whole_budget_panels.show(spending, wishes, way)
                fits = found is None or _tolerable(found)
        except DPEngineError as error:
            st.error(unmarked(str(error)))
            return
        if found is not None:
            _take(wishes, found, fits=fits)


def _wish(place: int, planned: PlannedQuery, plan: Scenario) -> Wish:
    """The question with the error that is typed beside it; without one where that rests on what nobody has said."""
    view = _view(place, planned, plan)
    words, box = st.columns([3, 1.2], vertical_alignment="center")
    words.markdown(f"{place + 1}. {wording.asked(planned, plan.spoken)}")
    if view.unsaid:
        box.caption(f"Its error depends on {view.unsaid}: say it on **Trade-off** first.")
        return Wish(asked=view.asked)
    label = f"Accepted {'shortfall' if view.choice else 'error'}, {view.measure.errors}"
    typed = box.number_input(
        label,
        value=None,
        placeholder="any",
        key=session.error_key(session.mark_at(place)),
        min_value=0.0,
        step=None,
        format="%.6g",
        persist_state="session",
        on_change=session.write_address,
    )
    if typed is None:
        return Wish(asked=view.asked)
    error = view.measure.kept(float(typed))
    if error <= 0.0:
        box.error("Type an error above 0.")
        return Wish(asked=view.asked)
    return Wish(asked=view.asked, targets=Targets(error=error, confidence=CONFIDENCE, together=_together(place, view)))


def _together(place: int, view: QuestionView) -> bool:
    """Whether it holds for all numbers of the answer at once, as on the Trade-off page, where that may be changed."""
    return view.coordinates > 1 and session.widget_held(session.together_key(session.mark_at(place))) is not False


def _view(place: int, planned: PlannedQuery, plan: Scenario) -> QuestionView:
    return QuestionView(
        planned=planned,
        plan=plan,
        guess=guesses.public(planned, place),
        center=None,
        confidence=CONFIDENCE,
        prior=0.5,
        delta=planned.guarantee.delta,
        balance=Balance.untouched(plan.budget, plan.rule),
        guessed=guesses.was_typed(planned, place),
        size=guesses.size_of(planned, place),
    )


def _needed(spending: Spending, wishes: Sequence[Wish], found: CheapestPlan) -> bool:
    """What it costs, each share, and whether that fits."""
    rule, left = found.rule, spending.left_before
    tolerated = tolerated_belief.of_list(found.amounts)
    fits = found.amounts.within(left, rule)
    named, verdict = rules.RULES[rule].label, ": they fit" if fits else ""
    needs = _amount(found.amounts.under(rule))
    st.markdown(f"**These errors need {needs} ({named}), asked once; {_left(spending)}{verdict}.**")
    if not fits:
        st.markdown(_instead(spending, wishes))
    if tolerated is not None:
        st.markdown(f"**{tolerated.said(found.amounts)}**")
        if not tolerated.keeps(found.amounts):
            st.markdown(_instead_of_belief(wishes, found, tolerated))
            fits = False
    st.markdown(
        "| question | needs | noise |\n|---|---|---|\n"
        + "\n".join(
            f"| {place + 1} | ε {billionths(one.guarantee.epsilon)}{' (as planned)' if wish.is_kept else ''} "
            f"| {one.noise.label} |"
            for place, (wish, one) in enumerate(zip(wishes, found.queries, strict=True))
        )
    )
    return fits


def _take(wishes: Sequence[Wish], found: CheapestPlan, *, fits: bool) -> None:
    """How means split their shares, and a button that puts all of them into the plan."""
    splits = (_split(number, *both) for number, both in enumerate(zip(wishes, found.queries, strict=True), start=1))
    if said := "  \n".join(f":gray[{one}]" for one in splits if one):
        st.markdown(said)
    if st.button("Put these shares into the plan, which costs nothing", key="accepted_take", disabled=not fits):
        taken = replace(session.scenario(), queries=found.queries)
        session.replace_scenario(taken)
        share_panels.start_over(taken)
        st.rerun()


def _split(number: int, wish: Wish, found: PlannedQuery) -> str:
    """How the sum and the count of a mean or a share are to share its epsilon, where that is not as usual or is new."""
    asked = wish.asked
    if not asked.has_sum_and_count or found.percent_for_sum == asked.planned.percent_for_sum is None:
        return ""
    total, count = found.parts(asked.schema, asked.neighbors)
    first, second = (f"{float(part.share) * 100:.0f}%" for part in (total, count))
    sums, counts = (one_person.called(part).removeprefix("a ") for part in (total, count))
    return f"Question {number}: {first} of its ε goes to the {sums}, {second} to the {counts}."


def _instead(spending: Spending, wishes: Sequence[Wish]) -> str:
    """Changes that are each enough for what is left: of all errors, of one question, or of the account's rule."""
    rule, left = spending.scenario.rule, spending.left_before.under(spending.scenario.rule)
    if not isinstance(left, Guarantee) or not left.epsilon:
        return "They do not fit. Accept larger errors, or fewer questions."
    budget, delta = left, min(spending.budget.delta, left.delta)
    try:
        enough = _smaller(wishes, budget, rule, delta)
    except DPEngineError as error:
        return unmarked(str(error))
    if accounts.current() is None and _other_rule_fits(spending, wishes):
        enough.append(f"the {RULE_NAMES[_OTHER[rule]]} rule for the account, chosen above")
    lines = "\n".join(f"- {one}" for one in enough)
    return f"They do not fit. {'Each of these alone is enough' if len(enough) > 1 else 'This is enough'}:\n\n{lines}"


def _tolerable(found: CheapestPlan) -> bool:
    """Whether a belief that is tolerated allows these shares, too, which is said."""
    tolerated = tolerated_belief.of_list(found.amounts)
    if tolerated is not None:
        st.markdown(f"**{tolerated.said(found.amounts)}**")
    return tolerated is None or tolerated.keeps(found.amounts)


def _instead_of_belief(wishes: Sequence[Wish], found: CheapestPlan, tolerated: Tolerated) -> str:
    """Changes that are each enough for the belief that is tolerated: of it, of all errors, or of one question."""
    if found.amounts.delta or found.rule != "basic":
        return "Accept larger errors or a larger belief, or take noise without a δ."
    enough = [tolerated.instead(found.amounts), *_smaller(wishes, Guarantee(epsilon=tolerated.most), "basic", 0.0)]
    lines = "\n".join(f"- {one}" for one in enough)
    return f"Each of these alone is enough:\n\n{lines}"


def _smaller(wishes: Sequence[Wish], budget: Guarantee, rule: str, delta: float) -> list[str]:
    """The least change of all errors, and of each question alone, with which a budget keeps them all."""
    _, times = best_shares(wishes, budget=budget, rule=rule, delta=delta)
    enough = [f"every error **{at_most(times)} times as large**"]
    if len(wishes) <= _MOST_LOOKED_AT:
        found = single_changes(wishes, budget=budget, rule=rule, delta=delta)
        for number, (wish, change) in enumerate(zip(wishes, found, strict=True), start=1):
            enough += _of_one(number, wish, change)
    return enough


def _of_one(number: int, wish: Wish, change: ListChange) -> list[str]:
    """The changes of one question that are enough, as words."""
    planned, schema = wish.asked.planned, wish.asked.schema
    measure = measure_of(planned.query, schema).written(unmarked, "units")
    sign = "a shortfall of **" if wish.is_chosen else "**±"
    larger = [] if change.error is None else [f"question {number} with {sign}{error_in(measure, change.error)}**"]
    return larger + ([f"question {number} left out"] if change.left_out else [])


def _other_rule_fits(spending: Spending, wishes: Sequence[Wish]) -> bool:
    """Whether the same errors fit where charges are counted the other way; only before an account is opened."""
    other = _OTHER[spending.scenario.rule]
    try:
        found = cheapest_plan(wishes, rule=other, delta=spending.budget.delta)
    except DPEngineError:
        return False
    return found.amounts.within(spending.left_before, other)


def _amount(value: Guarantee | ConcentratedEvent) -> str:
    if isinstance(value, ConcentratedEvent):
        return f"ρ {at_most(value.rho, 4)}"
    delta = f", {wording.guarantee(value).partition(', ')[2]}" if value.delta else ""
    return f"ε {at_most(value.epsilon, 4)}{delta}"


def _left(spending: Spending) -> str:
    left = spending.left_before.under(spending.scenario.rule)
    said = f"ρ {at_least(left.rho, 4)}" if isinstance(left, ConcentratedEvent) else f"ε {billionths(left.epsilon)}"
    return f"{said} is left" if accounts.current() else f"the budget holds {said}"
