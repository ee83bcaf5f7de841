"""The glossary: one sentence a word, every word said on some page, and each page's words really on it."""

from __future__ import annotations

import ast
import math
import re
from collections.abc import Callable

import pytest
from streamlit.testing.v1 import AppTest

from pages.ui import menu, words_below
from pages.ui.glossary import TERMS, THEMES, WORDS, Term, found
from pages.ui.lessons.lesson import ATTACKS, LOOKED_UP, PAGES
from pages.ui.roles import Role
from tests.reading import read_in, texts
from tests.server import ROOT
from tests.ui.waiting import at_rest

OpenPage = Callable[[str], AppTest]
PATHS = {path.stem: path for path in ROOT.glob("pages/*/*.py") if path.parent.name != "ui"}


def whole_text(page: AppTest, name: str) -> str:
    """What a page says in all its steps, at its side too, without the list of words at its foot."""
    folder = PATHS[name].parent.name
    page.switch_page(f"pages/{folder}/{name}.py").run()
    told = [read_in(at_rest(page).main), read_in(page.sidebar)]
    if name in PAGES | ATTACKS:
        steps = page.segmented_control(key=f"{name}_step")
        for index in range(1, len(steps.options)):
            page.segmented_control(key=f"{name}_step").set_value(index).run()
            told.append(read_in(at_rest(page).main))
    if name == "tradeoff":
        for look in page.segmented_control(key="closer_look").options:
            page.segmented_control(key="closer_look").set_value(look).run()
            told.append(read_in(at_rest(page).main))
    return "\n".join(told).replace(words_below.sentences(name), "")


def strings(source: str) -> str:
    """Every text in a program that is not a docstring."""
    tree = ast.parse(source)
    docs = {
        id(node.body[0].value)
        for node in ast.walk(tree)
        if isinstance(node, (ast.Module, ast.FunctionDef, ast.ClassDef)) and isinstance(node.body[0], ast.Expr)
    }
    constants = (node for node in ast.walk(tree) if isinstance(node, ast.Constant) and id(node) not in docs)
    return " ".join(node.value for node in constants if isinstance(node.value, str))


@pytest.mark.parametrize("term", TERMS.values(), ids=list(TERMS))
def test_a_word_has_one_plain_sentence(term: Term) -> None:
    assert term.meaning[0].isupper()
    assert term.meaning.endswith(".")
    assert not re.search(r"[.!?] [A-Z]", term.meaning)
    assert len(term.meaning.split()) <= 28
    assert term.theme in THEMES


def test_the_factors_of_epsilon_are_never_below_the_truth() -> None:
    meaning = TERMS["epsilon (ε)"].meaning
    for factor, epsilon in re.findall(r"([\d.,]+) times at ε ([\d.]+)", meaning):
        stated, true = float(factor.replace(",", "")), math.exp(float(epsilon.rstrip(".")))
        assert true <= stated <= 1.005 * true
    assert len(re.findall(r"times at ε", meaning)) == 3


def test_every_word_is_said_somewhere_on_the_screens() -> None:
    files = [path for path in (ROOT / "pages").rglob("*.py") if "glossary" not in path.as_posix()]
    said = "\n".join(strings(path.read_text(encoding="utf-8")) for path in files)
    listed = {name for words in WORDS.values() for name in words}
    assert [name for name, term in TERMS.items() if name not in listed and not term.shown_in(said)] == []
    assert not Term(name="x", meaning="X.", theme="noise", shown_as=("supercalifragilistic",)).shown_in(said)


def test_the_words_of_a_page_are_known_and_few() -> None:
    assert set(WORDS) <= set(PATHS)
    assert {*PAGES, *ATTACKS, "deployments"} <= set(WORDS)
    for words in WORDS.values():
        assert len(set(words)) == len(words) <= 16
        assert set(words) <= set(TERMS)


def test_every_page_says_the_words_that_stand_below_it(new_app: Callable[[], AppTest]) -> None:
    page = new_app()
    missing = {}
    for name, words in WORDS.items():
        text = whole_text(page, name)
        missing[name] = [word for word in words if not TERMS[word].shown_in(text)]
        assert not page.exception
    assert missing == {name: [] for name in WORDS}


def test_they_stand_below_pages_of_words_alone(open_page: OpenPage) -> None:
    assert words_below.sentences("welcome") in texts(open_page("start/welcome"))
    page = open_page("learn/glossary")
    assert not [one for one in page.markdown if one.value == words_below.sentences("welcome")]
    page.switch_page("pages/learn/truncation.py").run()
    assert words_below.sentences("truncation") in texts(page)


def test_the_first_page_of_a_role_has_its_own_name() -> None:
    assert [menu.name_of("", role) for role in Role] == ["welcome", "released"]
    assert [menu.name_of(address, Role.CURATOR) for address in ("start", "answers", "tradeoff")] == [
        "welcome",
        "released",
        "tradeoff",
    ]


@pytest.mark.parametrize("role", ["curator", "analyst"])
def test_a_theme_leads_to_pages_that_everybody_has(role: str) -> None:
    everybodys = {path for section in menu.FOR_ALL.values() for path in section}
    assert {f"pages/{page}.py" for theme in THEMES.values() for page in theme.pages} <= everybodys


def test_the_glossary_shows_every_word_and_finds_them(open_page: OpenPage) -> None:
    page = open_page("learn/glossary")
    assert page.title[0].value == f"{len(TERMS)} words, one sentence each"
    shown = texts(page)
    assert all(f"**{term.name}**: {term.meaning}" in shown for term in TERMS.values())
    page.text_input(key="glossary_search").set_value("Laplace").run()
    assert page.title[0].value == f"{len(found('laplace'))} words with “Laplace”, one sentence each"
    assert "**k-anonymity**" not in texts(page)
    assert "**Laplace noise**" in texts(page)


def test_nothing_found_gets_a_sentence_and_a_theme_narrows(open_page: OpenPage) -> None:
    page = open_page("learn/glossary")
    page.text_input(key="glossary_search").set_value("[x](y) ![z](w)").run()
    assert page.title[0].value.startswith("No word with")
    assert "](y)" not in page.title[0].value
    assert "Try a shorter word" in texts(page)
    page.text_input(key="glossary_search").set_value("").run()
    page.pills(key="glossary_theme").set_value(THEMES["attack"].title).run()
    assert page.title[0].value == f"{sum(term.theme == 'attack' for term in TERMS.values())} words, one sentence each"


def test_both_pages_are_in_the_menu() -> None:
    assert set(LOOKED_UP) == {"deployments", "glossary"}
    assert {f"pages/learn/{name}.py" for name in LOOKED_UP} <= set(menu.FOR_ALL["Learn"])
