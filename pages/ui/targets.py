"""Turn it around: type the error or the belief that you accept, and read off epsilon."""

from __future__ import annotations

import streamlit as st
from streamlit.delta_generator import DeltaGenerator

from dpengine import calibration
from dpengine.errors import DPEngineError
from pages.ui import choices, drowned, session, wording
from pages.ui.names import unmarked
from pages.ui.subject import UNLIKELY, Subject


def show(subject: Subject, *, dial: str) -> None:
    """Both targets side by side, each with the epsilon that meets it, and whether one epsilon meets both."""
    with st.container(border=True, key="card_targets"):
        first, second, third = st.columns([1.2, 1.2, 1], vertical_alignment="top")
        least = _for_error(first, subject)
        most = _for_belief(second, subject)
        with third:
            _verdict(least, most, dial)


def _for_error(place: DeltaGenerator, subject: Subject) -> float | None:
    share = f"{subject.confidence * 100:g}"
    with place:
        single = f" in any single {wording.cells(subject.planned.query).removesuffix('s')}"
        each = single if subject.coordinates > 1 else ""
        accepted = "I accept a choice that falls short by" if subject.choice else f"I accept this error{each}"
        error = choices.accepted_error(f"{accepted}, {subject.unit}", start=_round_half_width(subject))
        if drowned.is_everything(subject, error):
            st.markdown("**Any answer at all is as close as that.** Type a smaller error.")
            return None
        try:
            least = _least_epsilon(subject, error)
        except DPEngineError as problem:
            st.markdown(unmarked(str(problem)))
            return None
        smallest = " (the smallest that is tried)" if least <= calibration.LOWEST_EPSILON else ""
        st.markdown(f"in {share} of 100 answers: **ε at least {least:g}**{smallest}")
        return least


def _least_epsilon(subject: Subject, error: float) -> float:
    """Searched anew only where something else than the dial was moved."""
    plan = subject.plan
    target = subject.planned.at(1.0), plan.schema, plan.neighbors, subject.guess, error, subject.confidence
    kept = session.remembered("least_epsilon", None)
    if isinstance(kept, tuple) and kept[0] == target:
        return float(kept[1])
    least = subject.planned.least_epsilon(
        plan.schema, plan.neighbors, subject.guess, error=error, confidence=subject.confidence
    )
    session.remember("least_epsilon", (target, least))
    return least


def _round_half_width(subject: Subject) -> float:
    return float(f"{subject.half_width or subject.shift:.1g}")


def _for_belief(place: DeltaGenerator, subject: Subject) -> float | None:
    with place:
        belief = choices.accepted_belief("An attacker's belief may rise to at most, of 100", subject.prior)
        if belief <= subject.prior:
            st.markdown(f"An attacker already believes {subject.prior * 100:g} of 100: type more than that.")
            return None
        try:
            most = _epsilon_for_belief(subject, belief)
        except DPEngineError:
            st.markdown("The delta alone allows more than that: choose a smaller delta, or Laplace noise.")
            return None
        st.markdown(f"from {subject.prior * 100:g} of 100 before: **ε at most {most:g}**")
        return most


def _epsilon_for_belief(subject: Subject, belief: float) -> float:
    if subject.planned.mechanism == "laplace":
        return calibration.epsilon_for_belief(prior=subject.prior, belief=belief)
    return calibration.epsilon_for_likely_belief(
        prior=subject.prior, belief=belief, delta=subject.delta, failure_probability=UNLIKELY
    )


def _verdict(least: float | None, most: float | None, dial: str) -> None:
    if least is None or most is None:
        return
    if least <= most:
        st.markdown(f":green[**ε from {least:g} to {most:g} meets both.**]")
        st.button(
            "Set the dial to the smaller", key="target_use", on_click=session.set_widget, args=(f"{dial}_box", least)
        )
    else:
        st.markdown(
            f"**No ε meets both**: the error needs {least:g}, the belief allows {most:g}. "
            "Accept a larger error, ask about more people, or accept a higher belief."
        )
