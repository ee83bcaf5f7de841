"""Who sits at this machine: the browser that opened the address with the token, and nobody else, whatever they say."""

from __future__ import annotations

import secrets
import time
from collections.abc import Iterator
from http.cookies import SimpleCookie

import pytest
from starlette.types import Message, Receive, Scope, Send

from pages.serving import curator_token
from pages.serving.curator_token import CuratorToken
from pages.serving.guard import MIDDLEWARE
from pages.serving.layers import opened
from pages.serving.layers.opened import COOKIE, HEADER, MOST, OpenedHere, signed_by
from pages.serving.layers.own_names import OwnNames
from pages.serving.layers.proof import SameBrowser
from pages.serving.network.outside import MARK
from tests.running.cases import each
from tests.servers.looping import finished
from tests.servers.server import KEY

WEAK = "a-token-that-somebody-chose"
Headers = dict[str, str]


@pytest.fixture(autouse=True)
def alone(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """A server set up for one person, with a token of its own."""
    monkeypatch.setattr(opened, "set_up_for_one", lambda: True)
    monkeypatch.delenv(curator_token.VARIABLE, raising=False)
    curator_token.of_this_server.cache_clear()
    yield
    curator_token.of_this_server.cache_clear()


def asked(query: str = "", *, method: str = "GET", kind: str = "http", **headers: str) -> tuple[str | None, Message]:
    """What the application hears of who sits here, None where it is not asked; and what is answered before it."""
    heard, said = list[str](), list[Message]()

    async def app(scope: Scope, _: Receive, __: Send) -> None:
        heard.extend(value.decode() for name, value in scope["headers"] if name == HEADER.encode())

    async def send(message: Message) -> None:
        said.append(message)

    wanted = {"host": "127.0.0.1:8501", "accept": "text/html,*/*"} | headers
    scope = {
        "type": kind,
        "method": method,
        "scheme": "http",
        "path": "/release",
        "query_string": query.encode(),
        "client": ("127.0.0.1", 5),
        "server": ("127.0.0.1", 8501),
        "headers": [(name.replace("_", "-").encode(), value.encode()) for name, value in wanted.items()],
    }
    finished(OpenedHere(app)(scope, None, send))  # type: ignore[arg-type]
    return (heard[0] if heard else None), (said[0] if said else {})


def left(message: Message) -> str:
    """The cookie that an answer leaves; empty where it leaves none."""
    lines = [value.decode() for name, value in message["headers"] if name == b"set-cookie"]
    return lines[0] if lines else ""


def sits_here(cookie: str, **others: str) -> bool:
    return bool(asked(kind="websocket", cookie=cookie, **others)[0])


def token() -> CuratorToken:
    return curator_token.of_this_server()


def test_the_address_with_the_token_leaves_a_mark_and_leads_on_without_it() -> None:
    heard, answer = asked(f"plan=x&token={token().secret}&show=1")
    assert heard is None, "No page is drawn at an address with the token in it."
    assert answer["status"] == 303
    said = dict(answer["headers"])
    assert said[b"location"] == b"http://127.0.0.1:8501/release?plan=x&show=1"
    assert said[b"cache-control"] == b"no-store"
    assert left(answer).endswith("; Path=/; HttpOnly; SameSite=Strict")
    assert sits_here(left(answer).partition(";")[0])
    assert token().secret not in left(answer)


@each(
    ("query", "changed"),
    [
        ("token=", {}),
        ("token=wrong", {}),
        ("", {}),
        ("token={}", {"method": "POST"}),
        ("token={}", {"kind": "websocket"}),
        ("token={}", {"accept": "*/*"}),
        ("token={}", {MARK: "yes"}),
        ("token={}", {"sec_fetch_site": "cross-site"}),
        ("token={}", {"sec_fetch_site": "same-site"}),
        ("token={}", {"sec_fetch_dest": "iframe"}),
    ],
)
def test_nothing_else_leaves_one(query: str, changed: Headers) -> None:
    _, answer = asked(query.format(token().secret), **changed)
    assert not answer or not left(answer)
    assert left(asked(f"token={token().secret}")[1]), "The control."


@each(
    "cookie",
    [
        "",
        COOKIE,
        f"{COOKIE}=",
        f"{COOKIE}=.",
        f"{COOKIE}=~~",
        f"{COOKIE}=drawn.",
        f"{COOKIE}=\u00e9.\u00e9",
        f"{COOKIE}={signed_by(CuratorToken.of(None))}",
        f"{COOKIE}={signed_by(CuratorToken.of(KEY))}",
    ],
)
def test_what_this_process_has_not_signed_is_no_mark(cookie: str) -> None:
    assert not sits_here(cookie)
    assert not sits_here("", **{HEADER: signed_by(token())}), "A header that a visitor sends is taken away."
    mine = f"{COOKIE}={signed_by(token())}"
    assert sits_here(mine)
    assert not sits_here(f"{mine}; {mine}"), "Of two, one was left by somebody else."
    assert not sits_here(mine.removesuffix(mine[-1]))
    assert not sits_here(mine, **{MARK: "yes"}), "Who came through the network's door is elsewhere."


def test_nobody_sits_here_where_others_are_served(monkeypatch: pytest.MonkeyPatch) -> None:
    mine = f"{COOKIE}={signed_by(token())}"
    assert sits_here(mine)
    monkeypatch.setattr(opened, "set_up_for_one", lambda: False)
    assert not sits_here(mine)
    heard, answer = asked(f"token={token().secret}")
    assert (heard, answer["status"], left(answer)) == (None, 303, ""), "It stays in no address, and opens nothing."


def test_one_browser_keeps_the_marks_of_several_dashboards_and_not_of_all() -> None:
    kept = f"{COOKIE}=" + "~".join(signed_by(CuratorToken.of(None)) for _ in range(MOST))
    marks = left(asked(f"token={token().secret}", cookie=kept)[1]).partition(";")[0].partition("=")[2].split("~")
    assert len(marks) == MOST
    assert "~".join(marks[:-1]) in kept
    assert sits_here(f"{COOKIE}={'~'.join(marks)}")
    assert not left(asked(f"token={token().secret}", cookie=f"{COOKIE}={marks[-1]}")[1]), "It has one already."


def test_the_one_that_is_left_can_be_read_by_a_browser() -> None:
    read = SimpleCookie(left(asked(f"token={token().secret}")[1]))
    assert sits_here(f"{COOKIE}={read[COOKIE].value}")


def test_a_token_for_a_single_time_opens_once() -> None:
    """Programs of this machine can read with which address a browser was started, be it one that has a mark."""
    once = token().once()
    asked(f"token={once}", cookie=f"{COOKIE}={signed_by(token())}")
    assert not left(asked(f"token={once}")[1])
    once = token().once()
    assert left(asked(f"token={once}", sec_fetch_site="cross-site")[1]), "A file of this account leads to it."
    assert not left(asked(f"token={once}")[1])
    assert left(asked(f"token={token().secret}")[1]), "The one in the terminal opens as often as one likes."


def test_a_token_for_a_single_time_is_none_to_type_and_none_for_later(monkeypatch: pytest.MonkeyPatch) -> None:
    once = token().once()
    assert "not the token" in token().opens(once, "192.0.2.7"), "Who reads it types it, from another account."
    moment = time.monotonic() + curator_token.ONCE_SECONDS
    with monkeypatch.context() as later:
        later.setattr(time, "monotonic", lambda: moment)
        assert not left(asked(f"token={once}")[1])
    assert left(asked(f"token={once}")[1]), "The control: nobody has used it up."


def test_another_account_opens_nothing_with_it_and_uses_nothing_up() -> None:
    once = token().once()
    assert not left(asked(f"token={once}", **{MARK: "said by accounts_here"})[1])
    assert left(asked(f"token={once}")[1])


@each(("chosen", "known"), [(KEY, True), (WEAK, False)])
def test_only_a_strong_token_signs_for_the_next_process_too(
    monkeypatch: pytest.MonkeyPatch, chosen: str, known: bool
) -> None:
    """One that might be guessed could be tried out on the mark."""
    monkeypatch.setenv(curator_token.VARIABLE, chosen)
    curator_token.of_this_server.cache_clear()
    before = f"{COOKIE}={signed_by(token())}"
    assert sits_here(before)
    curator_token.of_this_server.cache_clear()
    assert sits_here(before) is known


def test_too_many_wrong_ones_wait_and_never_for_a_strong_one(monkeypatch: pytest.MonkeyPatch) -> None:
    for chosen, opens in (("", True), (WEAK, False)):
        monkeypatch.setenv(curator_token.VARIABLE, chosen)
        curator_token.of_this_server.cache_clear()
        for _ in range(3 * curator_token.TRIES):
            asked(f"token={secrets.token_urlsafe()}")
        assert bool(left(asked(f"token={token().secret}")[1])) is opens


def test_no_other_page_tries_tokens_in_the_curators_name(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv(curator_token.VARIABLE, WEAK)
    curator_token.of_this_server.cache_clear()
    for number in range(3 * curator_token.TRIES):
        asked(f"token={number}", sec_fetch_site="cross-site")
    assert left(asked(f"token={WEAK}", sec_fetch_site="none", sec_fetch_dest="document")[1])


def test_it_stands_behind_the_names_and_before_the_proof() -> None:
    kinds = [one.cls for one in MIDDLEWARE]
    assert kinds.index(OwnNames) < kinds.index(OpenedHere) < kinds.index(SameBrowser)  # type: ignore[arg-type]
