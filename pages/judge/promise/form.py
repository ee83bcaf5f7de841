"""The promise, field by field in plain words: what was read and where, what is not known, what was typed."""

from __future__ import annotations

import streamlit as st
from streamlit.delta_generator import DeltaGenerator

from dpengine.promises import Unsaid
from dpengine.promises.promise import LONGEST_NAME
from dpengine.reports.evaluations.promise_fields import A_NUMBER, FIELDS, GROUPS, PromiseField
from pages import session
from pages.judge.promise import hand
from pages.judge.promise.hand import KEY, Hand
from pages.lesson.lesson import choice
from pages.widgets.escaping import unmarked

GROUP = f"{KEY}_group"


def show(held: Hand) -> None:
    """One step of the form at a time; every answer is kept as it is given."""
    group = choice("Steps of the form", list(GROUPS), key=GROUP)
    if held.read is None and group == next(iter(GROUPS)):
        _names(held)
    for name, one in GROUPS[group].items():
        _field(held, name, one)
    if held.changed:
        st.button(
            "Take back what I changed", key=f"{KEY}_as_read", on_click=hand.replace_changes, args=(held.choice, {})
        )


def turn_to_the_mistake(held: Hand) -> None:
    """Open the step of the form where a new sentence stands, once, so that other steps stay within reach."""
    wrong = next((name for name, group in GROUPS.items() if held.field in group), "")
    if wrong and session.remembered(f"{KEY}_wrong", "") != held.why:
        session.set_widget(GROUP, wrong)
    session.remember(f"{KEY}_wrong", held.why)


def says_it(held: Hand) -> bool:
    """Whether the open step of the form, if it is in sight, has the field that is refused."""
    return held.field in GROUPS[str(session.widget_held(GROUP) or next(iter(GROUPS)))]


def _names(held: Hand) -> None:
    left, right = st.columns(2)
    for place, name, label in ((left, "name", "What is promised, in a few words"), (right, "by", "By whom")):
        key = _key(held.choice, name)
        session.widget_starts_at(key, str(held.answers[name]))
        place.text_input(
            label,
            key=key,
            max_chars=LONGEST_NAME,
            on_change=_typed,
            args=(held.choice, name, key),
            persist_state="session",
        )


def _field(held: Hand, name: str, one: PromiseField) -> None:
    """The question with its answers, a box where the answer is a number, and where the answer comes from."""
    asked, *number, state = st.columns([2.2, 2.8] if one.unit is None else [2.2, 1.0, 1.8], vertical_alignment="bottom")
    key = session.moving(_key(held.choice, name))
    session.widget_starts_at(key, one.option_of(held.answers[name]))
    asked.selectbox(
        one.question,
        list(one.options),
        key=key,
        on_change=_chosen,
        args=(held.choice, name),
        persist_state="session",
    )
    for place in number:
        _box(place, held, name)
    state.markdown(_state(held, name))
    if held.field == name:
        st.error(unmarked(held.why))


def _box(place: DeltaGenerator, held: Hand, name: str) -> None:
    """Always there, so that a number can be typed at once; what it holds stays when another answer is chosen."""
    key, value = f"{_key(held.choice, name)}_number", held.answers[name]
    is_typed = isinstance(value, int | float) and FIELDS[name].option_of(value) == A_NUMBER
    session.widget_starts_at(key, float(str(value)) if is_typed else None)
    place.number_input(
        f"{FIELDS[name].question}: the number",
        value=None,
        key=key,
        step=None,
        format="%.6g",
        label_visibility="collapsed",
        placeholder="days" if _counts_days(name) else "a number",
        on_change=_numbered,
        args=(held.choice, name, key),
        persist_state="session",
    )


def _state(held: Hand, name: str) -> str:
    """Where an answer comes from; an empty one says itself why it is."""
    if isinstance(held.answers[name], Unsaid):
        return ""
    unit = "days · " if _counts_days(name) and FIELDS[name].option_of(held.answers[name]) == A_NUMBER else ""
    if held.read is None or name in held.changed:
        return f":gray[{unit}typed by you]"
    source = held.pages[name]
    return f"{unit}stated · [{unmarked(source.publisher)}]({source.address})"


def _counts_days(name: str) -> bool:
    return "days" in (FIELDS[name].unit or "")


def _chosen(choice: str, name: str) -> None:
    """Keep an answer of the list; the number is that of the box beside it."""
    key = _key(choice, name)
    option = str(session.widget_held(session.moving(key)))
    number = session.widget_held(f"{key}_number")
    hand.change(choice, name, number if option == A_NUMBER else FIELDS[name].options[option])


def _numbered(choice: str, name: str, key: str) -> None:
    """Keep a number, which is the answer from now on."""
    hand.change(choice, name, session.widget_held(key))
    session.move(_key(choice, name), A_NUMBER)


def _typed(choice: str, name: str, key: str) -> None:
    hand.change(choice, name, session.widget_held(key))


def _key(choice: str, name: str) -> str:
    place = hand.choices().index(choice)
    return f"{KEY}_{place}_{hand.edition(choice)}_{name}"
