"""The way from a table to an answer: its stations at the side, and a button to the next one at the end of each page."""

from __future__ import annotations

from itertools import pairwise

import streamlit as st

from pages.shell import menu

_STATIONS = {menu.named(path): (path, title) for path, title in menu.PATH.items()}
_AFTER = ("pages/explore/released/page.py", "Released answers")
_READ = ("released", "budgets")
_NEXT = dict(pairwise([*_STATIONS])) | {[*_STATIONS][-1]: ""}


def stations(address: str) -> None:
    """The pages of the way in order, where the page is one of them."""
    if address in _STATIONS:
        with st.sidebar.container(key="stations"):
            for number, (path, title) in enumerate(menu.PATH.items(), 1):
                st.page_link(path, label=f"{number} · {title}")


def onward(address: str) -> None:
    """A button to the next page of the way; after the last, to what everybody may read, and from there back."""
    if address in _READ and st.button("← Release an answer", key=f"back_from_{address}"):
        st.switch_page([*menu.PATH][-1])
    if address not in _STATIONS:
        return
    path, title = _STATIONS.get(_NEXT[address], _AFTER)
    kind = "primary" if _NEXT[address] else "secondary"
    if st.button(f"Next: {title} →", key=f"next_after_{address}", type=kind):  # type: ignore[arg-type]
        st.switch_page(path)
