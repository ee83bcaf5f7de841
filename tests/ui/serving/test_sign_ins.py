"""Of each browser its last sign-in is known, however long the cookie is in which Streamlit keeps it."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from urllib.parse import urlencode, urljoin, urlsplit

import pytest
import streamlit as st
from starlette.responses import Response
from starlette.types import Message, Receive, Scope, Send
from streamlit.auth_util import encode_provider_token, set_cookie_with_chunks
from streamlit.web.server.server_util import get_cookie_secret
from streamlit.web.server.starlette.starlette_app_utils import create_signed_value
from streamlit.web.server.starlette.starlette_server_config import USER_COOKIE_NAME

from pages.serving.layers import proof, sign_ins
from pages.serving.layers.sign_ins import NotedSignIns, counts
from tests.servers.looping import finished

HERE, ELSEWHERE = "this browser", "another browser"
PROVIDER, STATE = "https://provider.example/authorize", "a-state"
BACK, IN, OUT = "/oauth2callback", "/auth/login", "/auth/logout"


@pytest.fixture(autouse=True)
def nobody_yet() -> Iterator[None]:
    yield
    for browser in (HERE, ELSEWHERE):
        sign_ins.end(browser)


def visit(
    path: str,
    *,
    claims: Mapping[str, object] | None = None,
    signer: str = "",
    led_by: str = "",
    asked_as: str = "",
    browser: str = HERE,
    state: str | None = None,
    provider: str = "",
    issuer: str = "",
    again: str = "",
) -> str:
    """Where a browser's request leads to, where Streamlit would answer with the cookies of these claims.

    Unless a state is given, who comes back from a provider was sent there by this browser.
    """
    if path == BACK and state is None:
        visit(IN, browser=browser, provider=provider)
    answer, places = Response(headers={"location": f"{PROVIDER}?state={STATE}"} if path == IN else {}), list[str]()

    def signed(name: str, value: str) -> bytes:
        return create_signed_value(signer or get_cookie_secret(), name, value)

    def leave(name: str, value: str) -> None:
        answer.set_cookie(name, signed(name, value).decode(), httponly=True)

    if claims is not None:
        set_cookie_with_chunks(leave, signed, USER_COOKIE_NAME, dict(claims), cookie_attr_size=60)

    async def streamlit(scope: Scope, receive: Receive, send: Send) -> None:
        await answer(scope, receive, send)

    async def nothing() -> Message:
        return {"type": "http.disconnect"}

    async def sent(message: Message) -> None:
        assert message["type"].startswith("http.response")
        places.extend(value.decode() for name, value in message.get("headers", ()) if name == b"location")

    headers = [(proof.HEADER.encode(), browser.encode()), (b"sec-fetch-site", led_by.encode())]
    headers += [(b"sec-fetch-dest", asked_as.encode())] if asked_as else []
    asked = {"provider": encode_provider_token(provider)} if path == IN and provider else {}
    came = {"iss": issuer} if path == BACK and issuer else {}
    query = (
        urlencode({"code": "c", "state": STATE if state is None else state} | asked | came).encode() + again.encode()
    )
    request = {"type": "http", "method": "GET", "path": path, "query_string": query, "headers": headers}
    finished(NotedSignIns(streamlit)(request, nothing, sent))
    return next(iter(places), "")


@pytest.mark.parametrize("groups", [0, 2000])
def test_a_sign_in_counts_in_its_own_browser_until_it_ends(groups: int) -> None:
    visit(BACK, claims={"nonce": "n1", "groups": ["students"] * groups})
    assert counts(HERE, "n1")
    assert not counts(ELSEWHERE, "n1")
    assert not counts(HERE, "n2")
    visit("/", claims={"nonce": "n2"})
    assert counts(HERE, "n1"), "Only who comes from a provider has signed in."
    visit(OUT)
    assert not counts(HERE, "n1")


@pytest.mark.parametrize(
    ("led_by", "stays"),
    [("cross-site", True), ("same-site", True), ("none", True), ("same-origin", False), ("", False)],
)
def test_a_link_that_somebody_sent_signs_nobody_out_or_in(led_by: str, stays: bool) -> None:
    visit(BACK, claims={"nonce": "n1"})
    visit(OUT, led_by=led_by)
    assert counts(HERE, "n1") is stays
    assert (visit(IN, led_by=led_by) == "../") is stays


@pytest.mark.parametrize(
    ("asked_as", "stays"), [("image", True), ("iframe", True), ("empty", True), ("document", False)]
)
def test_nor_does_a_picture_on_a_page_of_ours(asked_as: str, stays: bool) -> None:
    """Of a name that a link brought and that has come alive."""
    visit(BACK, claims={"nonce": "n1"})
    visit(OUT, asked_as=asked_as)
    assert counts(HERE, "n1") is stays
    assert (visit(IN, asked_as=asked_as) == "../") is stays


def test_who_comes_back_was_sent_away_by_this_browser_and_once() -> None:
    """Else a link to what somebody began elsewhere, with the cookie of that left here, would sign in who sent it."""
    ada = {"nonce": "n1", "iss": "https://a", "sub": "ada"}
    visit(BACK, claims=ada)
    eve = {"nonce": "n2", "iss": "https://a", "sub": "eve"}
    visit(IN, browser=ELSEWHERE)
    for state in (STATE, "another", ""):
        assert visit(BACK, claims=eve, state=state) == "../"
        assert (counts(HERE, "n1"), counts(HERE, "n2")) == (True, False)
    assert visit(BACK, claims=eve, state=STATE, browser=ELSEWHERE) == ""
    assert counts(ELSEWHERE, "n2"), "The control."
    assert visit(BACK, claims=eve, state=STATE, browser=ELSEWHERE) == "../", "Each state counts once."
    visit(IN)
    for again in ("&state=another", "&code=another"):
        assert visit(BACK, claims=eve, state=STATE, again=again) == "../", (
            "Who reads the first of two, and who the last?"
        )
    assert visit(BACK, claims=ada, state=STATE) == "", "The control."


def test_who_comes_back_comes_from_the_provider_that_they_were_sent_to(monkeypatch: pytest.MonkeyPatch) -> None:
    """One provider could lead on to another one's page, and hand on to its own people what that one gives."""
    found = "{}/.well-known/openid-configuration"
    known = {name: {"server_metadata_url": found.format(f"https://{name}.example")} for name in ("first", "second")}
    monkeypatch.setattr(st, "secrets", {"auth": known})
    assert visit(BACK, claims={"nonce": "n1"}, provider="second", issuer="https://first.example") == "../"
    assert not counts(HERE, "n1")
    assert visit(BACK, claims={"nonce": "n2"}, provider="second", issuer="https://second.example") == ""
    assert counts(HERE, "n2"), "The control."
    assert visit(BACK, claims={"nonce": "n3"}, provider="second") == "", "Not every provider says it."


def test_whoever_sends_many_to_a_provider_keeps_nobody_from_signing_in(monkeypatch: pytest.MonkeyPatch) -> None:
    """The first of them have to begin anew, and not the last."""
    monkeypatch.setattr(sign_ins, "MOST", 3)
    for stranger in range(10):
        visit(IN, browser=f"stranger {stranger}")
    visit(BACK, claims={"nonce": "n1"})
    assert counts(HERE, "n1")
    assert visit(BACK, state=STATE, browser="stranger 0") == "../"
    assert visit(BACK, state=STATE, browser="stranger 9") == ""


def test_who_signs_in_again_keeps_what_stands_in_another_tab_and_somebody_else_ends_it() -> None:
    ada, eve = {"iss": "https://a", "sub": "ada"}, {"iss": "https://a", "sub": "eve"}
    visit(BACK, claims={"nonce": "n1"} | ada)
    first = sign_ins.of(HERE)
    visit(BACK, claims={"nonce": "n2"} | ada)
    assert counts(HERE, "n1")
    assert counts(HERE, "n2")
    assert sign_ins.of(HERE) == first
    for other in (eve, ada | {"iss": "https://b"}, {"iss": "https://a"}, {}):
        visit(BACK, claims={"nonce": "n3"} | other)
        assert not counts(HERE, "n1")
        assert not counts(HERE, "n2")
        assert counts(HERE, "n3")
        visit(BACK, claims={"nonce": "n1"} | ada)
    visit(OUT)
    assert not counts(HERE, "n1")


@pytest.mark.parametrize("path", [OUT, f"//stranger.example{OUT}", f"/\\stranger.example{OUT}", f"/explorer{OUT}"])
def test_who_is_led_here_by_another_site_stays_here(path: str) -> None:
    here = f"http://127.0.0.1:8501{path}"
    assert urlsplit(urljoin(here, visit(path, led_by="cross-site"))).netloc == "127.0.0.1:8501"


def test_the_next_sign_in_of_a_browser_ends_the_last() -> None:
    visit(BACK, claims={"nonce": "n1"})
    visit(BACK)
    assert counts(HERE, "n1"), "Nobody has signed in, as after signing out with the provider."
    visit(BACK, claims={"nonce": "n2"})
    assert (counts(HERE, "n1"), counts(HERE, "n2")) == (False, True)


def test_what_is_not_signed_or_has_no_name_is_no_sign_in() -> None:
    visit(BACK, claims={"nonce": "n1"}, signer="of somebody else")
    visit(BACK, claims={"sub": "1001"})
    assert not counts(HERE, "n1")
    assert not counts(HERE, "")
    assert not counts("", "")


def test_what_is_too_old_is_not_kept() -> None:
    late = sign_ins.HOURS * 3600.0
    sign_ins.begin(HERE, "n1", 0.0)
    sign_ins.begin(ELSEWHERE, "n2", late - 1)
    assert counts(HERE, "n1")
    sign_ins.begin(ELSEWHERE, "n3", late + 1)
    assert (counts(HERE, "n1"), counts(ELSEWHERE, "n3")) == (False, True)
