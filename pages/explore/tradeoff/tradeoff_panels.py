"""The pieces of the trade-off page: what is assumed besides epsilon, and what a setting rests on."""

from __future__ import annotations

from typing import Literal

import streamlit as st
from streamlit.delta_generator import DeltaGenerator

from dpengine.errors import DPEngineError
from dpengine.formatting import assumptions, in_signs
from dpengine.mechanisms.released import NOISES
from dpengine.plan import PlannedQuery
from dpengine.release import require_releasable
from dpengine.scenario import Scenario
from dpengine.spending import Balance
from pages import session
from pages.explore.tradeoff import closer_look
from pages.phrasing import account_words, wording
from pages.plan import accounts
from pages.question import bias_words, choices, guesses
from pages.question.consequences import Detail
from pages.question.question_view import QuestionView
from pages.widgets import inputs
from pages.widgets.escaping import unmarked

_DRAWN_ALL_THE_SAME = "The pictures here show what such an answer would be like."
_DRAWN_LATER = "The interval after release follows from the noisy numbers, so it may be wider than this ±."


def settings(planned: PlannedQuery) -> QuestionView:
    """What the pictures assume besides epsilon: confidence, prior, delta, noise, and the guess."""
    plan = session.scenario()
    with st.container(border=True, key="card_settings"):
        first, second, third, fourth = st.columns([1, 1, 1.1, 1.8], vertical_alignment="bottom")
        confidence = choices.out_of_100(first, "Answers inside the band, %", key="confidence", start=95.0)
        prior = choices.out_of_100(second, "Belief before, out of 100", key="prior", start=50.0)
        mechanism = choices.mechanism(third, planned)
        delta = _delta(fourth, planned, needed=NOISES[mechanism].needs_delta)
        guesses.guess_inputs(st.container(), planned)
    known, account = guesses.known(planned), accounts.current()
    return QuestionView(
        planned=planned.with_mechanism(mechanism, delta=delta),
        plan=plan,
        guess=known.guess,
        center=known.center,
        confidence=confidence,
        prior=prior,
        delta=delta,
        balance=Balance.untouched(plan.budget, plan.rule) if account is None else accounts.balance(account),
        charged_as=accounts.as_charged(plan).neighbors,
        funds=_funds(plan) if account is None else "left",
        guessed=known.typed,
        size=known.size,
        scores=known.scores,
    )


def _funds(plan: Scenario) -> Literal["planned", "start"]:
    """Whether somebody planned the budget, or it is still the one where every plan starts."""
    return "start" if session.budget_planned_for(plan) == "none" else "planned"


def _delta(place: DeltaGenerator, planned: PlannedQuery, *, needed: bool) -> float:
    """A question planned with Gaussian noise has a delta of its own; any other looks at that of the budget.

    Where it changes nothing there is no box, and a sentence in its place.
    """
    own = planned.noise.needs_delta
    kept = planned.guarantee.delta if own else session.scenario().budget.delta or 1e-6
    if not needed and session.widget_held(closer_look.KEY) != closer_look.BURN:
        place.caption("**No δ here.** This promises ε alone; δ changes how many answers add up (**Budget**).")
        return kept
    owner = (session.question_mark(), kept) if own else None
    does = inputs.CHANGES_THE_NOISE if needed else "Changes what the rules other than naive make of many answers."
    return inputs.delta_box(place, does=does, key="tradeoff_delta", kept=kept, owner=owner)


def refused(question: QuestionView) -> None:
    """What Release would refuse of this setting, in the same sentence, before anything is pressed there."""
    account, plan = accounts.current(), question.plan
    missing = account_words.missing_people(account, plan) if account else ""
    otherwise = account_words.mismatch(account, plan) if account else ""
    if missing:
        st.error(f"{missing} {_DRAWN_ALL_THE_SAME}")
    elif why := otherwise or _not_releasable(question):
        st.error(f"**The Release page would refuse this.** {unmarked(why)} {_DRAWN_ALL_THE_SAME}")
    if missing or otherwise:
        st.page_link("pages/explore/data/page.py", label="To the declaration, on the Data page →")


def _not_releasable(question: QuestionView) -> str:
    """Why no answer at this setting could be drawn and kept; empty where one can."""
    plan = question.plan
    try:
        require_releasable(question.planned, plan.schema, question.charged_as or plan.neighbors)
    except DPEngineError as refusal:
        return in_signs(str(refusal))
    return ""


def keep(question: QuestionView) -> None:
    """Put the dial's setting into the plan, and say beside the button that it is there."""
    planned = question.planned
    what = "epsilon" if not planned.noise.needs_delta else "epsilon, delta and noise"
    with st.container(horizontal=True, vertical_alignment="center"):
        if st.button(f"Keep this {what} in the plan", key="tradeoff_keep"):
            session.keep_query(planned, session.question_index())
            session.remember("kept_setting", (session.question_mark(), planned))
            st.rerun()
        as_planned = question.plan.queries[session.question_index()]
        in_plan = as_planned == planned
        session.remember("left_on_the_dial", (session.question_mark(), planned.guarantee, as_planned.guarantee))
        if in_plan and session.remembered("kept_setting", None) == (session.question_mark(), planned):
            st.markdown(f"**Kept:** in the plan this question now asks for {wording.guarantee(planned.guarantee)}.")


def detail(question: QuestionView) -> Detail:
    """Why one person moves the answer only so far, and what comes with it; the noise stands between the two."""
    planned, plan = question.planned, question.plan
    why = unmarked(wording.sensitivity_line(planned, plan.schema, plan.neighbors))
    other = account_words.difference(accounts.current(), plan)
    followed = f"{other} The pictures here follow your plan." if other else ""
    people = plan.schema.people if question.asked.divides_by_people else None
    divided = f"Divided by the {people:,} people that were declared." if people else ""
    return Detail(
        before=f"{wording.clamping(planned.query, plan.schema)} {why} {divided}".strip(),
        after=f"{_rests_on(question)} {followed} {bias_words.said(planned.query, plan.schema)}".strip(),
    )


def _rests_on(question: QuestionView) -> str:
    """The guesses that the error of several noisy parts depends on, where nobody may see the rows."""
    if not question.rests_on_guesses:
        return ""
    if question.size == "exact":
        return _DRAWN_LATER
    if question.unsaid:
        return f"**Nobody has said {question.unsaid}**, and the error depends on it: type it below. {_DRAWN_LATER}"
    named = assumptions.named(question.planned, question.plan.schema, question.guess)
    return f"**This rests on guesses: {named}.** With fewer rows the error is larger. {_DRAWN_LATER}"
