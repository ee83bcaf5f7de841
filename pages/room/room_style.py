"""The little CSS of a room: letters that ten meters do not make small, and buttons that a thumb finds."""

from __future__ import annotations

import streamlit as st

from pages.widgets import outputs

_BROAD = """
<style>
.st-key-projector code { white-space: normal; }
.st-key-projector .modebar-container { display: none; }
.st-key-projector .stMarkdown hr { margin: .4rem 0; }
.st-key-projector .strip > div { height: 24px; }
.st-key-projector .strip-legend { font-size: 1.4rem; }
</style>
"""
_CHOICES = """
<style>
.st-key-room_step [data-testid="stRadio"], .st-key-room_step [role="radiogroup"],
.st-key-room_step [role="radiogroup"] > div {{ width: 100%; gap: .45rem; }}
.st-key-room_step [role="radiogroup"] label {{
  padding: .5rem .6rem; width: 100%; min-height: 3rem; align-items: center; border: 1px solid {line};
  border-radius: .5rem; background: {background};
}}
.st-key-room_step [role="radiogroup"] label[data-selected] {{ border-color: {with_person}; }}
.st-key-room_step .stButton button[kind="primary"] {{ min-height: 3.4rem; }}
.st-key-room_button > :nth-child(n + 2) {{ display: none; }}
.st-key-room_step h2 {{ font-size: 1.7rem !important; line-height: 1.2; }}
.stMainBlockContainer:has(.st-key-room_foot) {{ padding-bottom: 6rem; }}
.st-key-room_foot {{
  position: fixed; bottom: 0; left: 0; right: 0; z-index: 90; padding: .5rem .9rem .7rem; background: {background};
  border-top: 1px solid {line};
}}
@media (min-width: 641px) {{ .st-key-room_foot {{ padding-left: 16.75rem; }} }}
</style>
"""
_BAR = """
<style>
[data-testid="stLayoutWrapper"]:has(> .st-key-choose_bar) { position: sticky; bottom: 0; z-index: 10; }
.st-key-choose_bar { background: BACKGROUND; padding: .5rem 0 .3rem; gap: .25rem !important; }
.st-key-choose_bar button { min-height: 3.6rem; }
.st-key-choose_bar button p { font-size: 1.25rem; font-weight: 700; }
.st-key-room_step .live-dial :is(.near, .save, .row, .others) { display: none; }
@media (max-width: 760px) {
  .st-key-room_step .live-dial svg { height: 150px; }
  .st-key-room_step .live-dial [data-part="believed"] { order: -1; }
  .st-key-room_step .live-dial h2, .st-key-room_step .live-dial .quiet { order: -2; }
  .st-key-room_step .live-dial [data-part="tradeoff"] svg { pointer-events: none; }
}
</style>
"""
MOST_DOTS = 60


def broad() -> None:
    """On the projector: long names break, and no picture has buttons."""
    st.html(_BROAD)


def choices() -> None:
    """On a phone: every choice is a box to touch, and the container "room_foot" stays in sight.

    Streamlit 1.67 at times leaves a fragment's last button below its successor: of "room_button" one is seen.
    """
    colors = outputs.palette()
    st.html(_CHOICES.format(line=colors.line, background=colors.background, with_person=colors.with_person))


def dots(done: int, of: int) -> str:
    """One dot for each person, filled for who has done it; empty for more than a wall shows in one line."""
    return "●" * done + "○" * max(0, of - done) if of <= MOST_DOTS else ""


def at_the_thumb() -> None:
    """On a phone: the button stays below the dial in sight, and what a thumb may touch by accident does nothing."""
    st.html(_BAR.replace("BACKGROUND", outputs.palette().background))
