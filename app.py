"""Epsilon Explorer: page set-up, the menu, run."""

from __future__ import annotations

import gc
from pathlib import Path

import streamlit as st

from pages.ui import house_style, outputs, session, sidebar
from pages.ui.lessons import lesson

ICON = Path(__file__).parent / "pages" / "ui" / "icon.png"
MENU = {
    "Start": [("pages/start/welcome.py", "Welcome")],
    "Explore": [
        ("pages/explore/data.py", "Data"),
        ("pages/explore/queries.py", "Questions"),
        ("pages/explore/tradeoff.py", "Trade-off"),
        ("pages/explore/budget.py", "Budget"),
        ("pages/explore/release.py", "Release"),
    ],
    "Learn": [(f"pages/learn/{name}.py", title) for name, title in lesson.PAGES.items()],
}


@st.cache_resource
def _freeze_imports() -> None:
    """Streamlit collects garbage after every run; what the imports left behind need not be walked each time."""
    gc.collect()
    gc.freeze()


def _to_welcome() -> None:
    """The first page lies at "/"; whoever asks for it by its own name gets there too."""
    st.switch_page(MENU["Start"][0][0])


_freeze_imports()
st.set_page_config(
    page_title="Epsilon Explorer", page_icon=str(Path(__file__).parent / "pages" / "ui" / "icon.png"), layout="wide"
)
pages = {section: [st.Page(path, title=title) for path, title in entries] for section, entries in MENU.items()}
pages["Start"][0] = st.Page(MENU["Start"][0][0], title="Welcome", default=True, url_path="start")
pages["Start"].append(st.Page(_to_welcome, url_path="welcome", visibility="hidden"))
page = st.navigation(pages)
session.scenario()
house_style.apply(outputs.palette())
with outputs.sentences_for_errors():
    sidebar.show(folded=page.url_path in lesson.PAGES)
    outputs.notices()
    page.run()
session.write_address()
