"""A walk through every page and step: each chart has its words and its table, each word of art below the page is said.

A chart's words are for those who do not see it, its table for those who ask.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from itertools import pairwise
from pathlib import Path

import pytest
from streamlit.testing.v1 import AppTest
from streamlit.testing.v1.element_tree import Block, Element, UnknownElement

from pages.explore.budget.burn_panels import EVERY_RULE
from pages.lesson.lesson import ATTACKS
from pages.lesson.lesson import PAGES as LESSONS
from pages.phrasing.glossary import WORDS
from pages.shell import menu
from pages.widgets.escaping import unmarked
from tests.running.screens import spend_a_little
from tests.running.voice import retired
from tests.servers.server import Server
from tests.ui.reading import read_in
from tests.ui.step_words import assert_it_reads_well, short_title
from tests.ui.test_glossary import BEFORE_ANY_ANSWER, unsaid

PAGES = [path for section in {**menu.CURATORS, **menu.FOR_ALL}.values() for path in section]
DRAWN = {
    "data",
    "tradeoff",
    "budget",
    "budgets",
    "released",
    "deployments",
    "promise",
    "two_promises",
    *ATTACKS,
    *LESSONS,
} - {
    "linkage",
    "homogeneity",
}
"""The pages with a chart on their first screens; the others draw one after a click, or none."""
WITH_STEPS = {"promise", *ATTACKS, *LESSONS}
ABOUT_SOURCES = {"data", "deployments", "promise", "two_promises"}
"""The pages that say where practice tables and epsilons come from, with names and years."""
WITH_BOXES = {"averaging", "welcome", "queries", "tradeoff", "budget", "host", "deployments", "promise", *LESSONS} - {
    "randomized_response",
    "properties",
}
"""The pages with number boxes on their first screens: what becomes of each that is emptied is a test of its own."""


def name_of(path: str) -> str:
    """A page's name in its address."""
    return Path(path).parent.name


def elements(block: Block) -> Iterator[Element]:
    """Everything on the page, from top to bottom."""
    for child in block.children.values():
        if isinstance(child, Block):
            yield from elements(child)
        else:
            yield child


def charts(page: AppTest) -> list[str]:
    """The words of each chart."""
    drawn = (one for one in elements(page.main) if isinstance(one, UnknownElement) and one.type == "plotly_chart")
    return [str(one.proto.alt) for one in drawn]


def tables(page: AppTest) -> list[str]:
    """What is said right above each table."""
    return [str(one.value) for one, other in pairwise(elements(page.main)) if other.type == "dataframe"]


def opened(page: AppTest) -> AppTest:
    """With all that a switch shows; one may bring another."""
    for _ in range(3):
        off = [one for one in page.main.toggle if not one.value and not one.disabled]
        if not off:
            break
        for one in off:
            one.set_value(True)
        page.run()
    return page


def without_table(page: AppTest) -> list[str]:
    """The charts that have no words, or no table below the same words."""
    assert not page.exception
    known = "\n".join(tables(page))
    return [words for words in charts(page) if not words or unmarked(words) not in known]


@pytest.fixture(scope="module")
def new_ledger(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """One with answers to see, to be copied for each page."""
    folder = tmp_path_factory.mktemp("spent")
    spend_a_little(Server(folder))
    return folder


@pytest.mark.parametrize("path", PAGES)
def test_every_chart_has_its_words_and_its_table_and_every_word_is_said(
    new_app: Callable[[], AppTest], path: str
) -> None:
    name = name_of(path)
    page = new_app().switch_page(path).run()
    assert bool(page.number_input) == (name in WITH_BOXES)
    (short_title if name in ABOUT_SOURCES else assert_it_reads_well)(page)
    said = [read_in(page.main), read_in(page.sidebar)]
    said.append(read_in(opened(page).main))
    looks = page.segmented_control(key="closer_look").options if name == "tradeoff" else ()
    for look in reversed(looks):
        page.segmented_control(key="closer_look").set_value(look).run()
        said.append(read_in(page.main))
        assert_it_reads_well(page)
        assert without_table(page) == [], look
    assert without_table(page) == []
    assert bool(charts(page)) == (name in DRAWN)
    for step in range(1, len(page.segmented_control(key=f"{name}_step").options) if name in WITH_STEPS else 0):
        page.segmented_control(key=f"{name}_step").set_value(step).run()
        said.append(read_in(page.main))
        assert without_table(opened(page)) == [], step
    assert name in BEFORE_ANY_ANSWER or unsaid(name, said) == []
    assert retired("\n".join([*said, *charts(page)])) == []


def test_every_page_with_words_below_it_is_walked() -> None:
    assert {Path(path).parent.name for path in PAGES} >= set(WORDS)


def test_a_chart_without_its_table_is_found(new_app: Callable[[], AppTest]) -> None:
    page = new_app().switch_page("pages/explore/budget/page.py").run()
    page.toggle(key=EVERY_RULE).set_value(True).run()
    (words,) = charts(page)
    assert without_table(page) == [words]
    assert without_table(opened(page)) == []
