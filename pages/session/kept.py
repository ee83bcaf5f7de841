"""What outlives a run or a change of page: values by name, the state of widgets, sentences that wait."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

import streamlit as st
from streamlit.runtime.scriptrunner import get_script_run_ctx

from dpengine.errors import DPEngineError


def remembered(key: str, value: object) -> object:
    """A value that survives a change of page, `value` at first."""
    return st.session_state.setdefault("kept_" + key, value)


def remember(key: str, value: object) -> None:
    """Keep a value beyond a change of page."""
    st.session_state["kept_" + key] = value


def enter(page: str) -> None:
    """Forget what a page said about the last thing done there, once another one is open."""
    if remembered("page", page) != page:
        remember("loading_stopped", None)
    remember("page", page)


def notice(text: str) -> None:
    """Queue a sentence for the top of the next page."""
    st.session_state.setdefault("notices", []).append(text)


def take_notices() -> list[str]:
    """The queued sentences, once."""
    return list(st.session_state.pop("notices", []))


def attempt(action: object) -> bool:
    """Run an action and turn an engine error into a notice; says whether it went well."""
    try:
        action()  # type: ignore[operator]
    except DPEngineError as error:
        notice(str(error))
        return False
    return True


def widget_starts_at(key: str, value: object) -> None:
    """The first value of a widget; later runs keep what the person chose."""
    st.session_state.setdefault(key, value)


def widget_starts_over(key: str, value: object, *, owner: object) -> None:
    """The first value of a widget, and its value again whenever it comes to belong to another owner."""
    if remembered(f"{key}_owner", owner) != owner:
        set_widget(key, value)
    remember(f"{key}_owner", owner)
    widget_starts_at(key, value)


def widget_value(key: str) -> float:
    """What a widget holds now."""
    return st.session_state[key]  # type: ignore[no-any-return]


def set_widget(key: str, value: object) -> None:
    """Move a widget before it is drawn."""
    st.session_state[key] = value


def widget_stays_within(key: str, options: Sequence[object]) -> None:
    """Forget what a menu of another table holds, before the menu of this one is drawn."""
    held = st.session_state.get(key)
    if isinstance(held, list):
        st.session_state[key] = [value for value in held if value in options]
    elif held is not None and held not in options:
        del st.session_state[key]


def moving(name: str) -> str:
    """The key of a widget that the page itself moves, another one after each `move`.

    A browser sends what all its widgets hold along with every press. What it has not heard of yet, it sends as it was
    before, and that would count as typed again: of the widget before, it moves nothing. It is drawn with
    `persist_state`: then Streamlit tells the browser what it holds until it has heard so.
    """
    moves = remembered(f"{name}_moves", 0)
    return f"{name}_{moves}" if moves else name


def move(name: str, value: object) -> None:
    """Move a widget that is drawn under `moving(name)`, where it holds something else."""
    if widget_held(moving(name)) == value:
        return
    if moving(name) not in st.session_state:
        set_widget(moving(name), value)
        return
    remember(f"{name}_moves", int(str(remembered(f"{name}_moves", 0))) + 1)
    set_widget(moving(name), value)


def moves_over(name: str, value: object, *, owner: object) -> bool:
    """Move such a widget whenever it comes to belong to another owner, and say whether it has."""
    changed = remembered(f"{name}_owner", owner) != owner
    if changed:
        move(name, value)
    remember(f"{name}_owner", owner)
    return changed


def move_along(source: str, target: str) -> None:
    """Give one widget that the page moves the value of another, when the other was moved by hand."""
    move(target, widget_held(moving(source)))


def widget_held(key: str) -> object:
    """What a widget holds, None where it has not been drawn."""
    return st.session_state.get(key)


def call_nothing() -> None:
    """Whatever this session has drawn so far has nothing to call any more, and what was to be handed over is let go."""
    context = get_script_run_ctx()
    if context is None:
        return
    drawn = context.session_state._state._new_widget_state.widget_metadata  # noqa: SLF001
    for name, of_a_box in drawn.items():
        drawn[name] = replace(of_a_box, callback=None, callbacks=None, callback_args=None, callback_kwargs=None)
