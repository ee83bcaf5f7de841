"""The CSS of a workshop's three screens: nothing but the room on a projector, wide buttons on a phone, a large code."""

from __future__ import annotations

import streamlit as st

_HOST = """
<style>
.st-key-host_code p { font-size: 2.6rem; letter-spacing: .06em; line-height: 1.1; font-variant-numeric: tabular-nums; }
.st-key-card_host_join .qr { width: min(100%, 380px); }
.st-key-host_moves { position: sticky; top: 3.2rem; z-index: 90; background: var(--st-background-color); }
</style>
"""
_PROJECTOR = """
<style>
.stApp:has(.st-key-projector) [data-testid="stSidebar"], .stApp:has(.st-key-projector) [data-testid="stHeader"],
.stApp:has(.st-key-projector) [data-testid="stSidebarCollapsedControl"] { display: none; }
.stApp:has(.st-key-projector) .stMainBlockContainer { max-width: none; padding: 2.5vh 3vw 1vh; }
.st-key-projector h1 { font-size: clamp(2.2rem, min(3.4vw, 6vh), 5rem) !important; line-height: 1.15; }
.st-key-projector h2 { font-size: clamp(1.6rem, min(2.3vw, 4.2vh), 3.4rem) !important; line-height: 1.2; }
.st-key-projector p, .st-key-projector li {
  font-size: clamp(1.25rem, min(1.65vw, 3vh), 2.6rem) !important; line-height: 1.35; }
.st-key-projector .stVerticalBlock { gap: 1.5vh; }
.st-key-projector code { font-size: 1em !important; }
.st-key-projector_code p { font-size: min(9.2vw, 24vh) !important; font-weight: 700; line-height: 1.05;
  letter-spacing: .04em; white-space: nowrap; font-variant-numeric: tabular-nums; }
.st-key-projector_address p { font-size: min(3.6vw, 6vh) !important; font-weight: 600; line-height: 1.2; }
.st-key-projector_picture .qr { width: min(36vw, 80vh); display: block; margin: 0 auto; }
.st-key-projector_foot p { font-size: clamp(1rem, min(1.2vw, 2.2vh), 1.8rem) !important; opacity: .8; }
</style>
"""
_PHONE = """
<style>
@media (max-width: 640px) {
  .st-key-phone button { min-height: 3rem; }
  .st-key-phone input { min-height: 3rem; font-size: 1.1rem; }
  .stMainBlockContainer:has(.st-key-phone) { padding-top: 3.6rem; }
  .st-key-phone h1 { font-size: 1.5rem; }
}
</style>
"""


def of_a_host() -> None:
    """A join code that can be read out across a table."""
    st.html(_HOST)


def of_a_projector() -> None:
    """Nothing but the room, readable from ten meters."""
    st.html(_PROJECTOR)


def of_a_phone() -> None:
    """Buttons for one thumb."""
    st.html(_PHONE)
