"""Turn it around: type the error or the belief that you accept, and read off epsilon; or what to change for one."""

from __future__ import annotations

import math

import streamlit as st
from streamlit.delta_generator import DeltaGenerator

from dpengine import calibration
from dpengine.feasible import Feasible, Targets, feasible_epsilons
from dpengine.formatting import at_least, at_most, number_in
from pages import session
from pages.explore.tradeoff import target_changes
from pages.question import choices, consequences, uninformative
from pages.question.question_view import QuestionView

_NO_ERROR = "How far off may an answer be and still be of use (tail bound)? No limit yet."


def show(question: QuestionView, *, dial: str) -> Feasible:
    """Both targets side by side with the epsilons that meet them; where there are none, what to change.

    The range is solved anew only where something else than the dial was moved.
    """
    with st.container(border=True, key="card_targets"):
        first, second, third, fourth, fifth = st.columns([1.05, 1.0, 1.05, 1.0, 1.4], vertical_alignment="bottom")
        error = _error(first, question)
        together = _together(second, question)
        belief = choices.accepted_belief(third, "Accepted belief, out of 100")
        feasible = _solved(
            question,
            Targets(
                error=_sought(question, error),
                belief=belief if belief is not None and belief > question.prior else None,
                confidence=question.confidence,
                prior=question.prior,
                together=together,
            ),
        )
        second.markdown(_least_in_words(question, feasible, error))
        fourth.markdown(_most_in_words(question, feasible, belief))
        with fifth:
            _verdict(question, feasible, dial)
        if feasible.is_empty:
            target_changes.show(question, feasible)
    return feasible


def _error(place: DeltaGenerator, question: QuestionView) -> float | None:
    accepted = "Accepted shortfall" if question.choice else "Accepted error"
    return choices.accepted_error(place, accepted, question.measure)


def _together(place: DeltaGenerator, question: QuestionView) -> bool:
    """Whether the error has to hold for all numbers of the answer at once, as that of the headline does."""
    if question.coordinates == 1 or question.choice:
        return True
    key = session.together_key(session.question_mark())
    session.widget_starts_at(key, value=True)
    label = f"all {question.coordinates} at once"
    return place.checkbox(label, key=key, persist_state="session", on_change=session.write_address)


def _one_by_one(question: QuestionView, feasible: Feasible) -> str:
    """What an error holds for where it is another one than the headline's: the middle of a sentence."""
    if feasible.targets.together or feasible.targets.error is None:
        return ""
    return f" for each number alone, not all {question.coordinates} at once"


def _sought(question: QuestionView, error: float | None) -> float | None:
    """The error as a target; none where it is no error, any answer keeps it, or nobody has said what it depends on."""
    senseless = error is None or error <= 0.0 or uninformative.is_everything(question, error)
    return None if senseless or question.unsaid else error


def _solved(question: QuestionView, targets: Targets) -> Feasible:
    plan = question.plan
    key = question.planned.at(1.0), plan.schema, plan.neighbors, question.guess, targets
    kept = session.remembered("feasible", None)
    if isinstance(kept, tuple) and kept[0] == key and isinstance(kept[1], Feasible):
        return kept[1]
    found = feasible_epsilons(question.asked, targets)
    session.remember("feasible", (key, found))
    return found


def _least_in_words(question: QuestionView, feasible: Feasible, error: float | None) -> str:
    if error is None:
        return _NO_ERROR
    alone, percent = _one_by_one(question, feasible), f"{question.confidence * 100:g}%"
    share = f"in {percent} of {'releases' if question.coordinates > 1 else 'answers'}{alone}: "
    if error <= 0.0:
        return "Type an error above 0."
    if question.unsaid:
        return f"**Nobody has said {question.unsaid}**, and this error depends on it: type it below (*Guess: …*)."
    if feasible.targets.error is None:
        return "**Every possible answer is as close as that.** Type a smaller error."
    if feasible.least is None:
        return f"{share}**not even ε {calibration.HIGHEST_EPSILON:g} does**"
    smallest = " (the smallest tried)" if feasible.least <= calibration.LOWEST_EPSILON else ""
    return f"{share}**ε at least {at_most(feasible.least, 4)}**{smallest}"


def _most_in_words(question: QuestionView, feasible: Feasible, belief: float | None) -> str:
    before = f"{question.prior * 100:g} out of 100"
    if belief is None:
        return f"How sure may an attacker become, starting from {before}? No limit yet."
    if feasible.targets.belief is None:
        return f"An attacker already believes {before}: type more than that."
    if feasible.most is None:
        return "**The delta alone allows more.**"
    return f"starting from {before}: **ε at most {at_least(feasible.most, 4)}**"


def _verdict(question: QuestionView, feasible: Feasible, dial: str) -> None:
    least, most, targets = feasible.least, feasible.most, feasible.targets
    alone, assumed = _one_by_one(question, feasible), consequences.assumed(question) if targets.error else ""
    if feasible.is_empty:
        which = "keeps this belief" if not targets.error else "meets both" if targets.belief else "keeps this error"
        st.markdown(f"**No ε {which}{alone}{assumed}.**")
    elif least is not None and most is not None:
        st.markdown(f":green[**ε {at_most(least, 4)} to {at_least(most, 4)} meets both{alone}{assumed}.**]")
        _use("Set the dial to the smaller", least, dial, most)
    elif least is not None:
        st.markdown(f":green[**ε {at_most(least, 4)} is enough for this error{alone}{assumed}.**]")
        _use("Set the dial to it", least, dial)


def _use(label: str, least: float, dial: str, most: float = math.inf) -> None:
    """Where exact values say what is enough, two digits of it: an epsilon goes into links and labels, rows do not."""
    exact = session.shows_real_people()
    epsilon = number_in(at_most(least, 2)) if exact else least
    if epsilon <= most:
        said = f"Set the dial to ε {at_most(least, 2)}" if exact else label
        st.button(said, key="target_use", on_click=session.move, args=(f"{dial}_box", epsilon))
