"""Of a page that is gone nothing is called any more: not by who presses a button that stands nowhere.

Streamlit 1.67 keeps, for each box that a session has ever drawn, what to call when it changes and what to hand to that,
rows of a table among it; and calls it before the page looks at who is there.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from streamlit.runtime.scriptrunner import get_script_run_ctx
from streamlit.runtime.state.session_state import SessionState, _is_stale_widget

_EVENTS = "$$STREAMLIT_INTERNAL_KEY_"
"""What a component's events are called by, before the component's own name; Streamlit does not count them as drawn."""
_remove = SessionState._remove_stale_widgets  # noqa: SLF001
_begin = SessionState.on_script_will_rerun


def call_no_more() -> None:
    """From now on, in every session of this process."""
    SessionState._remove_stale_widgets = _removed  # type: ignore[method-assign,assignment]  # noqa: SLF001


def look_first(at_who_is_there: Callable[[], object]) -> None:
    """From now on this is done before anything is called that was asked for."""

    def looked(state: SessionState, *given: Any, **named: Any) -> None:
        at_who_is_there()
        _begin(state, *given, **named)

    SessionState.on_script_will_rerun = looked  # type: ignore[method-assign,assignment]


def _removed(state: SessionState, active: frozenset[str]) -> None:
    _remove(state, active)
    context, boxes = get_script_run_ctx(), state._new_widget_state  # noqa: SLF001
    if context is None:
        return
    parts = context.fragment_ids_this_run
    for name, drawn in [*boxes.widget_metadata.items()]:
        events_of = name.partition(_EVENTS)[2].removesuffix("__events")
        if name not in boxes.states and events_of not in active and _is_stale_widget(drawn, active, parts):
            del boxes.widget_metadata[name]
