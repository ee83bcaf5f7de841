"""Who is curator: this machine's own browser, whoever has the token, whoever signed in and is named; nobody else."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path
from unittest.mock import MagicMock

import pytest
import streamlit as st
from streamlit.runtime import Runtime
from streamlit.testing.v1 import AppTest

from dpengine.data import Schema, Table, load_sample
from pages.access import sign_on, visit
from pages.serving import curator_token
from pages.session import rows
from pages.shell import menu
from tests.running.cases import each
from tests.ui.reading import texts

CHOSEN = "a-token-that-somebody-chose"
NewApp = Callable[[], AppTest]
NOW = 1_800_000_000.0
SIGNED_IN = {
    "is_logged_in": True,
    "email": "Ada@example.org",
    "email_verified": True,
    "iss": "https://login.example.org",
    "sub": "1234",
    "iat": NOW - 60,
}


def test_a_server_of_another_kind_than_we_know_is_no_test(monkeypatch: pytest.MonkeyPatch) -> None:
    """In which everybody would be curator."""

    class Another(Runtime):
        """As a later version might have it."""

    for made, by_a_test in ((lambda: object.__new__(Another), False), (MagicMock, True)):
        monkeypatch.setattr(visit, "get_instance", made)
        assert visit.by_a_test() is by_a_test


@pytest.mark.parametrize(
    ("name", "value"),
    [
        ("server.address", "::"),
        ("server.address", ""),
        ("server.address", "192.168.1.7"),
        ("server.address", "localhost"),
        ("server.enableCORS", False),
        ("server.corsAllowedOrigins", ["https://study.example.org"]),
        ("server.allowedHosts", ["study.example.org"]),
        ("browser.serverAddress", "study.example.org"),
        ("server.baseUrlPath", "explorer"),
    ],
)
def test_settings_that_let_others_in_are_noticed(monkeypatch: pytest.MonkeyPatch, name: str, value: object) -> None:
    closed = {
        "server.address": "127.0.0.1",
        "server.enableCORS": True,
        "server.corsAllowedOrigins": [],
        "server.allowedHosts": [],
        "browser.serverAddress": "localhost",
        "server.baseUrlPath": "",
    }
    monkeypatch.delenv(visit.SERVED, raising=False)
    monkeypatch.setattr("streamlit.get_option", closed.__getitem__)
    assert visit.set_up_for_one()
    monkeypatch.setattr("streamlit.get_option", (closed | {name: value}).__getitem__)
    assert not visit.set_up_for_one()


def test_a_variable_says_that_others_are_served(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv(visit.SERVED, "yes")
    assert not visit.set_up_for_one()


@each(
    "curators",
    [
        "ada@example.org",
        "someone@example.org, ADA@EXAMPLE.ORG",
        "https://login.example.org|1234",
        " https://login.example.org|1234 ,",
    ],
)
def test_a_named_curator_who_signed_in_is_curator(curators: str) -> None:
    assert sign_on.names(SIGNED_IN, curators, now=NOW)


@each(
    ("changed", "curators"),
    [
        ({}, ""),
        ({}, "bob@example.org"),
        ({}, "da@example.org"),
        ({}, "123"),
        ({}, "1234"),
        ({"sub": "ada@example.org", "email_verified": False}, "ada@example.org"),
        ({"iss": "https://other.example.org"}, "https://login.example.org|1234"),
        ({"email": "ad\u212a@example.org"}, "adk@example.org"),
        ({"is_logged_in": False}, "ada@example.org"),
        ({"is_logged_in": "true"}, "ada@example.org"),
        ({"email_verified": False}, "ada@example.org"),
        ({"email_verified": None}, "ada@example.org"),
        ({"email_verified": "true"}, "ada@example.org"),
        ({"email": None}, "None"),
        ({"sub": None}, "https://login.example.org|None"),
        ({"iat": NOW - 13 * 3600}, "ada@example.org"),
        ({"iat": NOW + 3600}, "ada@example.org"),
        ({"iat": None}, "ada@example.org"),
        ({"iat": True}, "ada@example.org"),
    ],
)
def test_nobody_else_is(changed: dict[str, object], curators: str) -> None:
    assert not sign_on.names(SIGNED_IN | changed, curators, now=NOW)


def test_nobody_signs_in_where_no_provider_is_set() -> None:
    assert sign_on.providers() == ()
    assert not sign_on.is_curator()
    assert not sign_on.is_signed_in()


@pytest.fixture
def served(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """A server of others: every AppTest is a browser elsewhere."""
    monkeypatch.setattr(visit, "by_a_test", lambda: False)
    monkeypatch.setenv(visit.SERVED, "yes")
    monkeypatch.setenv(curator_token.VARIABLE, CHOSEN)
    curator_token.of_this_server.cache_clear()
    yield
    curator_token.of_this_server.cache_clear()


@pytest.fixture
def analyst(served: None, new_app: NewApp) -> AppTest:
    return new_app().run()


def typed(page: AppTest, token: str) -> AppTest:
    """Type a token into the box at the side."""
    page.text_input(key="token_side").set_value(token)
    return next(button for button in page.sidebar.button if button.label == "Enter as curator").click().run()


def test_an_analyst_begins_with_what_was_released(analyst: AppTest) -> None:
    assert analyst.title[0].value == "Nothing has been released yet"
    assert "You are an analyst here." in texts_at_the_side(analyst)
    assert not analyst.exception


@pytest.mark.parametrize("path", [path for section in menu.CURATORS.values() for path in section])
def test_a_curators_page_refuses_an_analyst_and_opens_with_the_token(analyst: AppTest, path: str) -> None:
    page = analyst.switch_page(path).run()
    assert page.title[0].value == "This page is for the curator"
    assert "No page that you can open reads a row" in texts(page)
    assert [link.proto.label for link in page.get("page_link")] == ["See the released answers →"]
    assert not page.selectbox
    assert not page.dataframe
    typed(page, CHOSEN)
    assert page.title[0].value != "This page is for the curator"
    assert not page.exception


def test_who_has_signed_in_without_being_named_reads_so_and_may_sign_out(
    analyst: AppTest, monkeypatch: pytest.MonkeyPatch
) -> None:
    page = analyst.switch_page("pages/explore/data/page.py").run()
    assert "not named" not in texts(page)
    monkeypatch.setattr(sign_on, "is_signed_in", lambda: True)
    page.run()
    assert page.title[0].value == "This page is for the curator"
    assert "You are signed in, but not named as a curator of this server." in texts(page)
    assert "Sign out" in {button.label for button in page.main.button}


@pytest.fixture
def loaded(ledger_folder: Path, monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """The built-in tables that are read from now on."""
    names: list[str] = []
    rows.built_in_table.clear()

    def noted(name: str) -> tuple[Table, Schema]:
        names.append(name)
        return load_sample(name)

    monkeypatch.setattr(rows, "load_sample", noted)
    return names


def test_an_analysts_session_holds_no_plan_and_no_table_of_one(loaded: list[str], analyst: AppTest) -> None:
    for path in [path for section in menu.FOR_ALL.values() for path in section]:
        page = analyst.switch_page(path).run()
        assert not page.exception
        assert not [key for key in ("scenario", "table", "guesses") if key in page.session_state]
        assert "plan" not in page.query_params
    assert loaded == []


def test_the_curators_session_does_hold_a_plan(loaded: list[str], new_app: NewApp) -> None:
    """The control of the test before."""
    assert "scenario" in new_app().run().session_state
    assert loaded


def test_too_many_wrong_tokens_have_to_wait_at_their_own_address(
    served: None, new_app: NewApp, monkeypatch: pytest.MonkeyPatch
) -> None:
    def at(address: str) -> AppTest:
        monkeypatch.setattr(type(st.context), "ip_address", address)
        return new_app().run()

    page = at("2001:db8::1")
    for _ in range(curator_token.TRIES):
        assert "This is not the token" in typed(page, "a wrong one, typed often").error[0].value
    for neighbor in (page, at("2001:db8::2")):
        assert "Too many wrong tokens" in typed(neighbor, CHOSEN).error[0].value.replace("\\", "")
        assert neighbor.title[0].value == "Nothing has been released yet"
    assert "leave" in {button.key for button in typed(at("192.0.2.7"), CHOSEN).button}


def test_whoever_leaves_is_an_analyst_again_with_nothing_kept(analyst: AppTest) -> None:
    typed(analyst, CHOSEN)
    curator = analyst.switch_page("pages/explore/release/page.py").run()
    assert "scenario" in curator.session_state
    left = curator.button(key="leave").click().run()
    assert left.title[0].value == "This page is for the curator"
    assert "scenario" not in left.session_state


def test_an_analyst_reads_what_the_curator_released(served: None, new_app: NewApp) -> None:
    curator, analyst = typed(new_app().run(), CHOSEN), new_app()
    curator.switch_page("pages/explore/release/page.py").run()
    for label in ("Open the account", "Release this answer"):
        next(button for button in curator.button if button.label == label).click().run()
    answers = analyst.switch_page("pages/explore/released/page.py").run()
    assert answers.title[0].value == "1 answer released about `rand_hie`"
    assert "Practice" in texts(answers)
    assert "How many people were in hospital at least once?" in texts(answers)
    assert not answers.exception
    budgets = analyst.switch_page("pages/explore/budgets/page.py").run()
    assert budgets.title[0].value.startswith("ε 2.9 is left of ε 3")
    assert not [button for button in budgets.button if "over" in button.label]
    assert not budgets.exception


def texts_at_the_side(page: AppTest) -> str:
    return "\n".join(element.value for element in page.sidebar.markdown)


def test_who_may_sit_here_is_told_what_to_open_and_nobody_else(
    served: None, new_app: NewApp, monkeypatch: pytest.MonkeyPatch
) -> None:
    assert not [one for one in new_app().run().info if "Is this your dashboard?" in one.value]
    monkeypatch.setattr(visit, "may_be_here", lambda: True)
    page = new_app().run()
    assert [one for one in page.info if "copy the address that its terminal shows" in one.value]
    assert page.title[0].value == "Nothing has been released yet"
