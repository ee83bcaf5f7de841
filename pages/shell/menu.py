"""The pages of each role: what stands in the menu, what opens at "/", and what stays behind the curator's door."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from copy import copy
from functools import cache
from pathlib import Path

import streamlit as st
from streamlit.navigation.page import StreamlitPage

from pages.access.roles import Role
from pages.lesson import lesson
from pages.tour import progress

PATH = {
    "pages/explore/data/page.py": "Data",
    "pages/explore/queries/page.py": "Questions",
    "pages/explore/tradeoff/page.py": "Trade-off",
    "pages/explore/budget/page.py": "Budget",
    "pages/explore/release/page.py": "Release",
}
"""The way from a table to an answer, in the order in which it is gone."""
CURATORS: Mapping[str, Mapping[str, str]] = {
    "Start": {"pages/start/welcome/page.py": "Welcome", "pages/start/tour/page.py": "Guided tour"},
    "Explore": PATH,
    "Workshop": {"pages/workshop/host/page.py": "Host a room"},
}
"""What curators alone may open."""
FOR_ALL: Mapping[str, Mapping[str, str]] = {
    "Released": {
        "pages/explore/released/page.py": "Released answers",
        "pages/explore/budgets/page.py": "All budgets",
    },
    "Attack": {f"pages/attack/{name}/page.py": title for name, title in lesson.ATTACKS.items()},
    "Learn": {f"pages/learn/{name}/page.py": title for name, title in (lesson.PAGES | lesson.LOOKED_UP).items()},
    "Judge": {"pages/judge/promise/page.py": "Judge a promise", "pages/judge/two_promises/page.py": "Two promises"},
    "Workshop": {"pages/workshop/room/page.py": "Join a room"},
}
WITHOUT_A_LINK = ("pages/workshop/projector/page.py",)
"""Pages that everybody may open, and that no menu shows."""
OF_A_ROOM = ("room", "projector")
"""Pages whose address holds a place in a room, and no plan; and beside which nothing of a plan or a role stands."""
WITHOUT_A_PLAN = ("released", "answers", "budgets", "promise", "two_promises", "host", *OF_A_ROOM)
_WELCOME, _RELEASED = "pages/start/welcome/page.py", "pages/explore/released/page.py"
_FIRST = {Role.CURATOR: _WELCOME, Role.ANALYST: _RELEASED}
_TOUR = "pages/start/tour/page.py"
_ADDRESS = {_WELCOME: "start", _RELEASED: "answers"}
"""What the first page of a role is called beside "/", where its own name leads to it."""


def sections(role: Role) -> Mapping[str, Mapping[str, str]]:
    """What the menu of a role shows: section -> file of a page -> title."""
    if role is not Role.CURATOR:
        return FOR_ALL
    return {
        "Start": CURATORS["Start"],
        "Explore": {**PATH, **FOR_ALL["Released"]},
        "Attack": FOR_ALL["Attack"],
        "Learn": FOR_ALL["Learn"],
        "Judge": FOR_ALL["Judge"],
        "Workshop": {**CURATORS["Workshop"], **FOR_ALL["Workshop"]},
    }


def pages(role: Role) -> dict[str, Sequence[StreamlitPage]]:
    """The menu of a role; a page that it may not use has an address all the same, where it says so."""
    first = _FIRST[role]
    shown: dict[str, Sequence[StreamlitPage]] = {
        name: [_page(path, title, first) for path, title in one.items()] for name, one in sections(role).items()
    }
    behind = [] if role is Role.CURATOR else [path for one in CURATORS.values() for path in one]
    hidden = [_found(path, visibility="hidden") for path in (*behind, *WITHOUT_A_LINK)]
    others = [_found(path, url_path=_ADDRESS[path], visibility="hidden") for path in _ADDRESS if path != first]
    again = st.Page(_AGAIN[role], url_path=named(first), visibility="hidden")
    name = next(iter(shown))
    return shown | {name: [*shown[name], *hidden, *others, again]}


def name_of(address: str, role: Role) -> str:
    """The name of a page, which is its address on every page but the first of a role."""
    names = {own: named(path) for path, own in _ADDRESS.items()} | {"": named(_FIRST[role])}
    return names.get(address, address)


def named(path: str) -> str:
    """The name of a page, which is that of its folder."""
    return Path(path).parent.name


def _page(path: str, title: str, first: str) -> StreamlitPage:
    if path == first:
        return _found(path, title=title, default=True, url_path=_ADDRESS[path])
    return _found(path, title=progress.title() or title if path == _TOUR else title)


def _found(path: str, **look: str | bool) -> StreamlitPage:
    """A page of this run alone, since Streamlit writes on a page that it has run it."""
    return copy(_looked_up(path, **{"url_path": named(path), **look}))


@cache
def _looked_up(path: str, **look: str | bool) -> StreamlitPage:
    """Streamlit looks for the file of each page in each run: a sixth of the time of a short page."""
    return st.Page(path, **look)  # type: ignore[arg-type]


def _to_welcome() -> None:
    """The first page lies at "/"; whoever asks for it by its own name gets there too."""
    st.switch_page(_WELCOME)


def _to_released() -> None:
    """The same for analysts."""
    st.switch_page(_RELEASED)


_AGAIN = {Role.CURATOR: _to_welcome, Role.ANALYST: _to_released}
