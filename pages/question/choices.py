"""Choosing among what was planned and what is assumed: the question, a confidence, a prior, a tolerance, the noise."""

from __future__ import annotations

import html
from collections.abc import Mapping
from typing import Any

from streamlit.delta_generator import DeltaGenerator

from dpengine.formatting import Measure, at_most, number_in
from dpengine.mechanisms.released import NOISES, PURE_NOISE
from dpengine.plan import PlannedQuery
from dpengine.queries.forms import ChoiceForm
from pages import session
from pages.phrasing import wording
from pages.widgets import number_box
from pages.widgets.escaping import plain
from pages.widgets.options import apart

MECHANISM = "tradeoff_mechanism"
HIGHEST_OF_100 = 99.9
CHOSEN_LABEL = "no noise: one value is selected"


def mechanism_labels() -> Mapping[str, str]:
    """Each noise as the menu has it, by its name in plans."""
    return {one.name: one.label + (" (needs a δ)" if one.needs_delta else "") for one in NOISES.values()}


def question(place: DeltaGenerator, *, key: str) -> PlannedQuery | None:
    """The planned question that the page talks about; a sentence where there is none.

    On a phone the box cuts it, and the whole of it stands below.
    """
    plan = session.scenario()
    if not plan.queries:
        place.info("There is no question yet. Add one on the **Questions** page.")
        return None
    session.set_widget(key, session.question_index())
    place.selectbox(
        "Question",
        range(len(plan.queries)),
        format_func=apart(range(len(plan.queries)), lambda index: plain(wording.numbered(plan, index))),
        key=key,
        on_change=session.follow_question,
        args=(key,),
        label_visibility="collapsed",
    )
    asked = plain(wording.asked(plan.queries[session.question_index()], plan.spoken))
    place.html(f'<div class="whole-question">{html.escape(asked)}</div>')
    return plan.queries[session.question_index()]


def out_of_100(place: DeltaGenerator, label: str, *, key: str, start: float) -> float:
    """A share typed as so many of 100, kept from page to page; returns a share of 1."""
    widget, held = session.of_100_key(key), float(str(session.remembered(key, start)))
    value = number_box.kept(
        place, label, key=widget, start=held, min_value=0.1, max_value=HIGHEST_OF_100, step=None, format="%.4g"
    )
    if value != session.remembered(key, start):
        session.remember(key, value)
        session.write_address()
    return value / 100.0


def tolerance(place: DeltaGenerator, start: float, reach: float, measure: Measure) -> float:
    """A tolerated error: a slider and a number box, in the unit that people read; hidden with exact values."""
    exact = "_exact" if session.shows_real_people() else ""
    box = f"tradeoff_tolerance_{session.question_mark()}{exact}"
    box_key, slider = session.moving(box), f"{box}_slider"
    first = number_in(at_most(measure.read(start)))
    session.widget_starts_at(box_key, first)
    session.move(slider, min(max(number_box.shown(box_key, first), 0.0), measure.read(reach)))
    place.slider(
        "Tolerated error",
        0.0,
        measure.read(reach),
        key=session.moving(slider),
        on_change=session.move_along,
        args=(slider, box),
        label_visibility="collapsed",
        persist_state="session",
    )
    typed = number_box.kept(
        place,
        f"Tolerated error, {measure.errors}",
        key=box_key,
        start=first,
        min_value=0.0,
        step=None,
        format="%.6g",
        persist_state="session",
    )
    return measure.kept(typed)


def mechanism(place: DeltaGenerator, planned: PlannedQuery) -> str:
    """Which noise answers the question; it starts at the planned one, and again for every other question."""
    if isinstance(planned.query, ChoiceForm):
        place.selectbox("Noise", [CHOSEN_LABEL], disabled=True, key="tradeoff_chosen")
        return PURE_NOISE.name
    kept = planned.mechanism
    session.moves_over(MECHANISM, kept, owner=(session.question_mark(), kept))
    key, labels = session.moving(MECHANISM), mechanism_labels()
    session.widget_starts_at(key, kept)
    return str(
        place.selectbox(
            "Noise", list(labels), format_func=apart(labels, labels.__getitem__), key=key, persist_state="page"
        )
    )


def accepted_error(place: DeltaGenerator, label: str, measure: Measure) -> float | None:
    """The error that somebody accepts, typed as people read it; None while nobody has said."""
    key = session.error_key(session.question_mark())
    typed = _accepted(place, f"{label}, {measure.errors}", key=key, min_value=0.0, format="%.6g")
    return None if typed is None else measure.kept(typed)


def accepted_belief(place: DeltaGenerator, label: str) -> float | None:
    """The belief that somebody tolerates, typed as so many of 100; returns a share of 1, None while nobody has said."""
    typed = _accepted(place, label, key=session.BELIEF, min_value=0.1, max_value=HIGHEST_OF_100, format="%.4g")
    return None if typed is None else typed / 100.0


def _accepted(place: DeltaGenerator, label: str, *, key: str, **options: Any) -> float | None:
    """A limit that is off until somebody types one, and again when it is emptied; `options` go to Streamlit."""
    typed = place.number_input(
        label,
        value=None,
        placeholder="no limit yet",
        key=key,
        step=None,
        persist_state="session",
        on_change=_note_typed,
        args=(key,),
        **options,
    )
    return None if typed is None else float(typed)


def _note_typed(key: str) -> None:
    """A target that a person typed stands in the address from now on."""
    session.note_typed(key)
    session.write_address()
