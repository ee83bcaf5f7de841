"""The glossary: one sentence a word, every word said on some page, and each page's words really on it."""

from __future__ import annotations

import ast
import math
import re
from collections.abc import Callable, Sequence

import pytest
from streamlit.testing.v1 import AppTest

from dpengine.errors import InvalidParameterError
from pages.access.roles import Role
from pages.lesson.lesson import ATTACKS, LOOKED_UP, PAGES
from pages.phrasing import words_below
from pages.phrasing.glossary import TERMS, THEMES, WORDS, Glossary, Term, found
from pages.shell import menu
from tests.servers.server import ROOT, page_files
from tests.ui.reading import read_in, texts

OpenPage = Callable[[str], AppTest]
BEFORE_ANY_ANSWER = ("released", "budgets")
"""Pages that say their words of art while there is nothing else to read on them."""
PATHS = {path.parent.name: path for path in page_files()}


def unsaid(name: str, said: Sequence[str]) -> list[str]:
    """The words of art below a page that it does not say itself, in none of its steps and not at its side."""
    below = words_below.sentences(name) if name in WORDS else ""
    text = "\n".join(said).replace(below, "")
    return [word for word in WORDS.get(name, ()) if not TERMS[word].shown_in(text)]


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


KNOWN = """
[themes.noise]
title = "Noise"
pages = ["learn/mechanisms"]
terms = [{ name = "scale", meaning = "How wide it is." }]

[words]
tradeoff = ["scale"]
"""


@pytest.mark.parametrize(
    ("before", "after", "reason"),
    [
        ('tradeoff = ["scale"]', 'tradeoff = ["scales"]', "terms of a theme"),
        ('"How wide it is."', '"How wide it is.", shown = ["b"]', "made of also, meaning, name, shown_as"),
        ('meaning = "How wide it is."', 'meaning = ""', "meaning must be a text"),
        ('pages = ["learn/mechanisms"]', 'pages = "learn/mechanisms"', "pages must be a list of texts"),
        ("terms = [", 'terms = [{ name = "scale", meaning = "Twice." }, ', "explained once"),
        ("[words]", "[word]", "made of themes, words"),
    ],
)
def test_a_glossary_that_says_something_else_is_refused(before: str, after: str, reason: str) -> None:
    assert Glossary.read(KNOWN).terms["scale"].shown_as == ("scale",), "The control."
    with pytest.raises(InvalidParameterError, match=reason):
        Glossary.read(KNOWN.replace(before, after))


def test_a_word_has_one_plain_sentence() -> None:
    for term in TERMS.values():
        assert term.meaning[0].isupper(), term
        assert term.meaning.endswith("."), term
        assert not re.search(r"[.!?] [A-Z]", term.meaning), term
        assert len(term.meaning.split()) <= 28, term
        assert term.theme in THEMES, term


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


@pytest.mark.parametrize("name", BEFORE_ANY_ANSWER)
def test_a_page_says_the_words_that_stand_below_it(open_page: OpenPage, name: str) -> None:
    """Of every other page the walk through all pages says so."""
    page = open_page(f"explore/{name}")
    assert unsaid(name, [read_in(page.main), read_in(page.sidebar)]) == []


def test_the_control_the_words_below_a_page_are_not_its_own() -> None:
    assert unsaid("tradeoff", [words_below.sentences("tradeoff")]) == list(WORDS["tradeoff"])


def test_they_stand_below_pages_of_words_alone(open_page: OpenPage) -> None:
    assert words_below.sentences("welcome") in texts(open_page("start/welcome"))
    page = open_page("learn/glossary")
    assert not [one for one in page.markdown if one.value == words_below.sentences("welcome")]
    page.switch_page("pages/learn/truncation/page.py").run()
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
    assert {f"pages/{page}/page.py" for theme in THEMES.values() for page in theme.pages} <= everybodys


def test_the_glossary_shows_every_word_and_finds_them(open_page: OpenPage) -> None:
    page = open_page("learn/glossary")
    assert page.title[0].value == f"{len(TERMS)} words, one sentence each"
    shown = texts(page)
    assert all(f"**{term.name}**: {term.meaning}" in shown for term in TERMS.values())
    page.text_input(key="glossary_search").set_value("Laplace").run()
    assert page.title[0].value == f"{len(found('laplace'))} words with “Laplace”, one sentence each"
    assert "**k-anonymity**" not in texts(page)
    assert "**Laplace noise**" in texts(page)


@pytest.mark.parametrize(
    ("search", "name"),
    [
        ("adversary", "attacker"),
        ("adjacent", "neighboring tables"),
        ("Hamming distance", "replaced"),
        ("unbounded", "added or removed"),
        ("global sensitivity", "sensitivity"),
        ("sensitivity", "sensitivity"),
        ("adaptive", "adaptive questions"),
        ("union bound", "union bound"),
        ("tail bound", "tail bound"),
        ("utility", "utility"),
        ("query", "question"),
        ("composition", "composition"),
        ("naive and advanced composition", "composition"),
        ("naive composition", "naive composition"),
        ("advanced composition", "advanced composition"),
        ("Warner", "randomized response"),
        ("Dinur and Nissim", "reconstruction"),
        ("noise distribution", "noise distribution"),
        ("posterior belief", "posterior"),
        ("privacy loss", "privacy loss"),
    ],
)
def test_words_of_textbooks_are_found(search: str, name: str) -> None:
    term = next(term for term in found(search) if term.name == name)
    assert search.casefold() in " ".join((term.name, term.meaning, *term.also)).casefold(), "In what is shown."


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
    assert {f"pages/learn/{name}/page.py" for name in LOOKED_UP} <= set(menu.FOR_ALL["Learn"])
