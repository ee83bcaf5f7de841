"""What surrounds every page: page set-up, the menu of each role, run."""

from __future__ import annotations

import gc
from contextlib import nullcontext
from functools import cache
from pathlib import Path

import streamlit as st

from pages import session
from pages.access import roles
from pages.access.roles import Role
from pages.lesson import lesson
from pages.phrasing import words_below
from pages.plan import accounts, entry, sharing
from pages.plan.table import recognized, words_to_read
from pages.serving.patches import gone_widgets
from pages.shell import house_style, menu, path, sidebar
from pages.tour import bar as tour
from pages.tour import progress, staging
from pages.widgets import outputs

ICON = Path(__file__).parent / "icon.png"
_SCRIPTS = ("one_step.js", "commas.js", "remote.js", "in_sight.js", "not_connected.js", "every_page.js")
_IN_THE_BROWSER = st.components.v2.component(
    "in_the_browser",
    html="<span hidden></span>",
    js="\n".join((Path(__file__).parent / name).read_text(encoding="utf-8") for name in _SCRIPTS),
)


@cache
def freeze_imports() -> None:
    """Python collects garbage now and then; what the imports left behind need not be walked each time."""
    gc.collect()
    gc.freeze()


@cache
def look_before_anything_is_called() -> None:
    """What is pressed is done for whom the page was drawn, and for nobody else."""
    gone_widgets.call_no_more()
    gone_widgets.look_first(entry.end_what_was_anothers)


def show() -> None:
    """The page of this visit."""
    freeze_imports()
    look_before_anything_is_called()
    st.set_page_config(page_title="Epsilon Explorer", page_icon=str(ICON), layout="wide")
    entry.end_what_was_anothers()
    is_curator = roles.current() is Role.CURATOR
    roles.settle_uploads()
    page = st.navigation(menu.pages(roles.current()), position="top")
    session.enter(page.url_path)
    house_style.apply(outputs.palette())
    with st.container(key="no_room"):
        _IN_THE_BROWSER(key="in_the_browser")
    of_a_room = page.url_path in menu.OF_A_ROOM
    with outputs.sentences_for_errors(), accounts.found_once():
        if not of_a_room:
            staging.settle(page.url_path) if is_curator else staging.refuse()
            entry.at_the_side()
        if is_curator and not of_a_room:
            _plan_at_the_side(page.url_path)
        outputs.notices()
        with tour.around(page.url_path) if is_curator and not of_a_room else nullcontext():
            page.run()
        if is_curator:
            path.onward(page.url_path)
        words_below.show(menu.name_of(page.url_path, roles.current()))
    if is_curator and not of_a_room:
        session.write_address()
        progress.write_address()


def _plan_at_the_side(address: str) -> None:
    """The way of the plan and what it stands on, and beside the title its link."""
    in_lesson = address in lesson.PAGES | lesson.LOOKED_UP
    folded = in_lesson or address in menu.WITHOUT_A_PLAN
    path.stations(address)
    on_invented_rows = address in lesson.ATTACKS and session.is_built_in()
    sidebar.show(folded=folded or on_invented_rows, lesson=in_lesson)
    if not folded:
        if not session.is_lent():
            sharing.corner()
        recognized.say_what_is_missing(address)
        words_to_read.offer()
