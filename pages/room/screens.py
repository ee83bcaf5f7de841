"""The CSS of a workshop's three screens: nothing but the room on a projector, wide buttons on a phone, a large code."""

from __future__ import annotations

import streamlit as st

from pages.widgets import outputs

_HOST = """
<style>
.st-key-host_code p { font: 700 2.6rem/1.1 "Source Code Pro", ui-monospace, monospace; }
.st-key-card_host_join .qr { width: min(100%, 420px, 48vh); }
</style>
"""
_PROJECTOR = """
<style>
.stApp:has(.st-key-projector) :is([data-testid="stSidebar"], [data-testid="stHeader"]) { display: none; }
.stApp:has(.st-key-projector) .stMainBlockContainer { max-width: none; padding: 2.5vh 3vw 9vh; }
.st-key-projector h1 { font-size: clamp(2.2rem, min(3.1vw, 5.6vh), 5rem) !important; line-height: 1.15; }
.st-key-projector h2 { font-size: clamp(1.6rem, min(2.3vw, 4.2vh), 3.4rem) !important; line-height: 1.2; }
.st-key-projector p, .st-key-projector li {
  font-size: clamp(1.25rem, min(1.65vw, 3vh), 2.6rem) !important; line-height: 1.35; }
.st-key-projector .stVerticalBlock { gap: 1.5vh; }
.st-key-projector code { font-size: 1em !important; }
.st-key-projector_lobby p { font-size: clamp(1.4rem, min(2.1vw, 3.8vh), 3.2rem) !important; }
.st-key-projector_code p { font: 700 9.2vw/1.1 "Source Code Pro", ui-monospace, monospace !important;
  white-space: nowrap; }
.st-key-projector_alone .st-key-projector_code p { font-size: min(17vw, 44vh) !important; }
.st-key-projector_address p { font-size: min(3.2vw, 6vh) !important; font-weight: 600; line-height: 1.2;
  overflow-wrap: anywhere; }
.st-key-projector_address code { padding: 0; background: none; color: inherit; }
.st-key-projector_picture .qr { width: min(100%, 84vh); display: block; margin: 0 auto; }
.st-key-projector_said { margin-top: 26vh; }
.st-key-projector_said h1 { font-size: min(7vw, 13vh) !important; }
.stApp:has(.st-key-projector_refusal), .stApp:has(.st-key-projector_refusal) .st-key-projector_foot {
  background: #14181f !important; }
.stApp:has(.st-key-projector_refusal) :is(h1, h2, p, code) { color: #f4f6f9 !important; background: none; }
.st-key-projector_refusal { margin-top: 22vh; max-width: 86vw; }
.st-key-projector_refusal h1 { font-size: min(7vw, 13vh) !important; }
.st-key-projector_refusal h2 { font-size: min(3.4vw, 6vh) !important; font-weight: 400; line-height: 1.35; }
.st-key-projector_foot { position: fixed; bottom: 0; left: 0; right: 0; z-index: 90; padding: .8vh 3vw; width: auto;
  background: BACKGROUND; border-top: 1px solid LINE; }
.st-key-projector_foot p { font-size: clamp(1.3rem, min(1.7vw, 3.2vh), 2.6rem) !important; }
</style>
"""
_PHONE = """
<style>
@media (max-width: 640px) {
  .st-key-phone [data-testid^="stBaseButton"], .st-key-phone [data-testid="stTextInputRootElement"] {
    min-height: 3rem; }
  .st-key-phone [data-testid^="stBaseButton"] p, .st-key-phone input { font-size: 1.1rem; }
  .stMainBlockContainer:has(.st-key-phone) { padding-top: 3.4rem; }
  .st-key-phone h1 { font-size: 1.6rem; overflow-wrap: anywhere; }
}
</style>
"""


def of_a_host() -> None:
    """A join code that can be read out across a table."""
    st.html(_HOST)


def of_a_projector() -> None:
    """Nothing but the room, readable from ten meters."""
    colors = outputs.palette()
    st.html(_PROJECTOR.replace("BACKGROUND", colors.background).replace("LINE", colors.line))


def of_a_phone() -> None:
    """Buttons for one thumb."""
    st.html(_PHONE)
