"""Every page with planted values: none reaches a browser that may not see it, no name comes alive, nothing is wrong."""

from __future__ import annotations

import hashlib
import re
from collections.abc import Iterator, Mapping
from dataclasses import replace
from pathlib import Path
from urllib.parse import urljoin

import pytest
from playwright.sync_api import Browser, Page, expect

from pages.access.roles import Role
from pages.lesson.lesson import ATTACKS, PAGES
from pages.serving.layers.headers import HEADERS
from pages.shell import menu
from tests.browser import leaking
from tests.browser.explore.test_main_path import choose, heading
from tests.browser.serving.test_side_doors import POLICY
from tests.browser.walks import CURATORS, FOR_ALL, LESSONS, Walk, alive, titles
from tests.examples import planted
from tests.examples.ledgers import stored
from tests.servers.browsing import LAPTOP, PHONE, settled, turned
from tests.servers.menus import offered
from tests.servers.server import SHARED, Server
from tests.servers.wire import Found, Value

pytestmark = pytest.mark.timeout(1800)
"""Whichever test comes first waits for the whole way."""
STEPPED = [*ATTACKS.values(), "Contributions", "Composition"]
"""What reads a table, and two of the lessons, which show only what is invented; the slow tests walk through all."""
QUESTIONS = len(planted.plan().queries)
UP_TO_THE_MEAN = 4
VALUES, CHANNELS = 30, 30
SHOWN_ON_REQUEST = {
    "first row's text",
    "a number that is no number",
    "a value that was not declared",
    "a day before the calendar",
    "rows of the file",
    "rows of nobody",
    "rows beyond the limit",
    "rows of the heaviest person",
    "number of people",
    "numbers that do not fit",
    "empty numbers",
    "yes or no that do not fit",
    "exact count",
    "exact sum",
    "exact mean",
}
"""What a curator sees who asks for it; everything else the application never sends to anybody."""


def values(server: Server) -> dict[str, Value]:
    """Everything that only the rows, or the ledger's secrets, can tell."""
    ((fingerprint,),) = stored(server.ledger_path, "SELECT fingerprint FROM accounts")
    ((secret,),) = stored(server.ledger_path, "SELECT secret FROM meta")
    digest = hashlib.sha256(planted.file()).hexdigest()
    secrets = {"fingerprint": fingerprint, "secret of the ledger": secret.hex(), "hash of the file": digest}
    return planted.cells() | planted.exact() | secrets


def seen(found: Found, wanted: Mapping[str, Value]) -> dict[str, str]:
    """The values that were received, each with what stood around it."""
    return {name: around for name, value in wanted.items() if (around := found.evidence(value))}


def bring(page: Page, server: Server, *, budget: float = 1.0) -> None:
    """The planted file, declared by its plan, which waits in the address; what the file holds is not shown."""
    page.goto(f"{server.address('data')}?plan={planted.plan(budget).to_link()}")
    settled(page)
    file = {"name": "harvest.csv", "mimeType": "text/csv", "buffer": planted.file()}
    page.locator('[data-testid="stFileUploader"] input[type="file"]').first.set_input_files(file)  # type: ignore[arg-type]
    expect(page.get_by_role("button", name="Use this table")).to_be_visible(timeout=30_000)
    settled(page)


def use(page: Page) -> None:
    page.get_by_role("button", name="Use this table").click()
    expect(page.get_by_text("Your table. What you declared, which everybody may know:")).to_be_visible(timeout=30_000)
    settled(page)


def walk_as_curator(walk: Walk) -> None:
    """Every page of the menu, attacks with each of their steps, and every question on the trade-off.

    A lesson that reads no table (tests/architecture) has nothing folded away that could tell of one.
    """
    for title in titles(CURATORS, FOR_ALL):
        if title == "Trade-off":
            each_question(walk)
        (walk.arrive if title in LESSONS.keys() - {*STEPPED} else walk.visit)(title)
        if title in STEPPED:
            walk.steps(title)


def each_question(walk: Walk, questions: int = QUESTIONS) -> None:
    """On the trade-off, or the first of them; the last of these stays."""
    page = walk.go("Trade-off")
    for number in range(1, questions + 1):
        choose(page, "Question", re.compile(f"^Question {number} "))
        walk.wire.take_page(page)


def release_all(walk: Walk, server: Server) -> None:
    """Every question, and then its answer, charged and shown."""
    page = walk.go("Release")
    page.get_by_role("button", name="Open the account").click()
    settled(page)
    for number in range(1, QUESTIONS + 1):
        choose(page, "Question", re.compile(f"^Question {number} "))
        expect(heading(page)).not_to_contain_text("The answer")
        walk.wire.take_page(page)
        page.get_by_role("button", name="Release this answer").click()
        expect(heading(page)).to_contain_text("The answer")
        settled(page)
        assert stored(server.ledger_path, "SELECT count(*) FROM answers") == [(number,)]
    for title in ("Release", "Released answers", "All budgets"):
        walk.visit(title)


@pytest.fixture(scope="module")
def planted_server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    """A server for one curator with a table of bait, which is shared."""
    with Server(tmp_path_factory.mktemp("planted"), words=SHARED) as running:
        yield running


@pytest.fixture(scope="module")
def curator(planted_server: Server, browser: Browser) -> Iterator[Walk]:
    """A curator who hides exact values, on a phone: the whole way, with an answer to each question at the end."""
    walk = Walk.begun(browser, first="Welcome", viewport=PHONE)
    bring(walk.page, planted_server)
    walk.faults["a file that is being declared"] = alive(walk.page)
    use(walk.page)
    walk_as_curator(walk)
    release_all(walk, planted_server)
    walk.wire.take_text(planted_server.log())
    yield walk
    walk.page.context.close()


@pytest.fixture(scope="module")
def analyst(curator: Walk, planted_server: Server, browser: Browser) -> Iterator[Walk]:
    """Somebody at another machine, which is dark: each page of the menu, and two of the curator's.

    What is folded away in a lesson is the same for everybody, and the curator has opened it.
    """
    walk = Walk.begun(browser, first="Released answers", color_scheme="dark")
    walk.page.goto(planted_server.for_others())
    settled(walk.page)
    for title in FOR_ALL:
        (walk.arrive if title in LESSONS else walk.visit)(title)
    for name in ("data", "release"):
        walk.page.goto(planted_server.for_others(name))
        settled(walk.page)
        expect(heading(walk.page)).to_have_text("This page is for the curator")
        walk.look(f"{name}, which is the curator's")
    yield walk
    walk.page.context.close()


@pytest.fixture(scope="module")
def secrets(curator: Walk, planted_server: Server) -> dict[str, Value]:
    """What nobody may see, once there is an account."""
    return values(planted_server)


@pytest.fixture(scope="module")
def hidden(curator: Walk, secrets: dict[str, Value]) -> dict[str, str]:
    """What of it the curator received who hides exact values."""
    found = curator.wire.found()
    assert found.holds(planted.CITY), "What is declared is shown."
    return seen(found, secrets)


@pytest.fixture(scope="module")
def asking_curator(curator: Walk, hidden: dict[str, str]) -> Walk:
    """The same curator afterwards, now at a dark desk, who asks for everything that may be asked for."""
    page, walk = curator.page, replace(curator, faults={})
    turned(page, "dark")
    page.set_viewport_size({"width": LAPTOP[0], "height": LAPTOP[1]})
    expect(page.get_by_test_id("stTopNavSection").first).to_be_visible()
    walk.go("Data")
    page.get_by_text("Show exact values, for your eyes only").click()
    settled(page)
    page.get_by_text("Show what happened to the cells").click()
    expect(page.get_by_text(f"{planted.exact()['numbers that do not fit']:,} do not fit")).to_be_visible()
    settled(page)
    page.get_by_text("Show how many rows people have").click()
    expect(page.get_by_text("nobody has more than")).to_be_visible()
    walk.look("Data, with exact values")
    for title in CURATORS:
        if title == "Trade-off":
            each_question(walk, UP_TO_THE_MEAN)
        walk.arrive(title)
    walk.go("Data")
    page.get_by_role("button", name="Declare it differently").click()
    switch, tables = page.get_by_text("Show the first rows"), page.get_by_test_id("stDataFrame")
    expect(switch).to_be_visible()
    expect(tables).to_have_count(0)
    switch.click()
    expect(tables).to_have_count(1)
    walk.look("Data, with its first rows")
    return walk


def test_no_planted_value_reaches_a_curator_who_hides_exact_values(
    hidden: dict[str, str], secrets: dict[str, Value]
) -> None:
    assert len(secrets) >= VALUES
    assert hidden == {}


def test_the_policy_hinders_none_of_our_pages(curator: Walk, analyst: Walk) -> None:
    """A browser says in its console what it does not let a page do, as serving/test_side_doors sees it say."""
    assert "Content-Security-Policy" in HEADERS
    assert not [text for walk in (curator, analyst) for text in walk.wire.texts if POLICY in text]


def test_no_planted_value_reaches_an_analyst(analyst: Walk, secrets: dict[str, Value]) -> None:
    assert seen(analyst.wire.found(), secrets) == {}


def test_the_control_the_same_curator_sees_what_she_asks_for(asking_curator: Walk, secrets: dict[str, Value]) -> None:
    assert set(seen(asking_curator.wire.found(), secrets)) >= SHOWN_ON_REQUEST


def test_where_exact_values_are_shown_an_attack_may_run_on_them(asking_curator: Walk) -> None:
    attacked = asking_curator.anew()
    attacked.go("Guessing")
    attacked.steps("Guessing")
    assert seen(attacked.wire.found(), planted.exact())
    assert attacked.found == {}


def test_nothing_is_wrong_on_any_page_or_step_of_it(curator: Walk, analyst: Walk, asking_curator: Walk) -> None:
    """By axe-core's rules and at first sight, light on a phone and dark on a laptop, whatever the names are."""
    assert [curator.found, analyst.found, asking_curator.found] == [{}, {}, {}]
    assert curator.faults.keys() > {*CURATORS, *FOR_ALL}
    assert all(f"{title}, step 3" in curator.faults for title in STEPPED)
    assert analyst.faults.keys() | asking_curator.faults.keys() > {*CURATORS, *FOR_ALL}


@pytest.mark.slow
def test_nothing_is_wrong_on_any_step_of_a_lesson(planted_server: Server, browser: Browser) -> None:
    walk = Walk.begun(browser, first="", viewport=PHONE)
    walk.page.goto(planted_server.address())
    settled(walk.page)
    for title in PAGES.values():
        walk.visit(title)
        walk.steps(title)
    assert walk.found == {}
    assert all(f"{title}, step 3" in walk.faults for title in PAGES.values())
    walk.page.context.close()


def test_each_role_has_its_menu_and_nothing_leaves_the_machine(
    curator: Walk, analyst: Walk, planted_server: Server
) -> None:
    for walk, role in ((curator, Role.CURATOR), (analyst, Role.ANALYST)):
        menu_of_the_role = {name: [*section.values()] for name, section in menu.sections(role).items()}
        page = walk.page.context.new_page()
        page.set_viewport_size({"width": LAPTOP[0], "height": LAPTOP[1]})
        page.goto(urljoin(walk.page.url, "/glossary"))
        assert offered(settled(page)) == menu_of_the_role
        page.close()
        assert len(menu_of_the_role) <= 6, "With the way to an answer at the side, eleven entries at once."
    assert curator.log.foreign_hosts == set()
    assert analyst.log.hosts == {"127.0.0.1"}
    assert "Traceback" not in planted_server.log()


@pytest.fixture
def leaking_server(tmp_path: Path) -> Iterator[Server]:
    """A dashboard that leaks through every channel."""
    with Server(tmp_path, app=Path(__file__).with_name("leaking.py")) as running:
        yield running


def test_the_search_finds_a_leak_through_every_channel(leaking_server: Server, browser: Browser) -> None:
    walk = Walk.begun(browser, first="")
    walk.page.goto(leaking_server.address())
    settled(walk.page)
    walk.open_all()
    walk.page.context.close()
    walk.wire.take_text(leaking_server.log())
    found = walk.wire.found()
    texts = {channel for channel in leaking.TEXTS if found.holds(leaking.text(channel))}
    numbers = {channel for channel in leaking.NUMBERS if found.holds(leaking.number(channel))}
    assert texts == set(leaking.TEXTS)
    assert numbers == set(leaking.NUMBERS)
    assert len(texts | numbers) >= CHANNELS
    assert not found.holds("Vexley nowhere bramble")
    assert not found.holds(leaking.FIRST_NUMBER - leaking.STEP)
