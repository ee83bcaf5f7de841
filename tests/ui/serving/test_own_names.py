"""Set up for one person, the dashboard hears whoever calls this machine by its own name, and its own pages alone."""

from __future__ import annotations

import pytest
from starlette.types import Message, Receive, Scope, Send

from pages.serving.alone import require_an_address
from pages.serving.guard import MIDDLEWARE
from pages.serving.layers import own_names
from pages.serving.layers.own_names import OwnNames
from pages.serving.network.outside import MARK, FromOutside
from tests.running.cases import each
from tests.servers.looping import finished

HERE = "127.0.0.1:8501"
REBOUND = "rebound.example:8501"
KINDS = ["http", "websocket"]
Headers = list[tuple[str, str]]


@pytest.fixture(autouse=True)
def alone(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(own_names, "set_up_for_one", lambda: True)


def told(kind: str, headers: Headers, *, from_outside: bool = False) -> list[Message]:
    """What somebody is answered; nothing where the application hears of them."""
    said = list[Message]()

    async def app(_: Scope, __: Receive, ___: Send) -> None:
        pass

    async def send(message: Message) -> None:
        said.append(message)

    guarded = FromOutside(OwnNames(app)) if from_outside else OwnNames(app)
    asked = {"method": "GET", "scheme": "http", "path": "/data", "query_string": b"plan=x", "server": None}
    scope = {"type": kind, **asked, "headers": [(name.encode(), value.encode()) for name, value in headers]}
    finished(guarded(scope, None, send))  # type: ignore[arg-type]
    return said


@each("kind", KINDS)
@each(
    "headers",
    [
        [("host", HERE)],
        [("host", HERE), ("origin", f"http://{HERE}")],
        [("host", HERE), ("origin", f"HTTPS://{HERE}")],
    ],
)
def test_this_machines_own_names_and_pages_are_heard(kind: str, headers: Headers) -> None:
    assert not told(kind, headers)


@each("kind", KINDS)
@each(
    "headers",
    [
        [],
        [("host", REBOUND)],
        [("host", REBOUND), ("origin", f"http://{REBOUND}")],
        [("host", "127.0.0.1.example.org")],
        [("host", "x@127.0.0.1:8501")],
        [("host", HERE), ("host", REBOUND)],
        [("host", HERE), ("origin", "http://127.0.0.1:3000")],
        [("host", HERE), ("origin", "http://localhost:8501")],
        [("host", HERE), ("origin", "null")],
        [("host", "localhost:8501"), ("origin", "http://localhost:8501"), ("accept", "text/html")],
        [("host", "localhost:8501"), ("accept", "*/*")],
        [("host", "[::1]:8501")],
        [("host", REBOUND), (MARK, "yes")],
        [("host", HERE), ("origin", f"http://{HERE}"), ("origin", "null")],
    ],
)
def test_whoever_calls_it_otherwise_is_refused_and_told_why(kind: str, headers: Headers) -> None:
    first, *rest = told(kind, headers)
    if kind == "websocket":
        assert first == {"type": "websocket.close", "code": 1008}
    else:
        assert first["status"] == 421
        assert b"EPSILON_EXPLORER_SERVED=yes" in rest[0]["body"]


@each("other", ["localhost", "LOCALHOST", "[::1]"])
def test_who_opens_another_name_of_this_machine_is_led_to_its_own(other: str) -> None:
    """There somebody else may listen as well, whose page would be one of ours."""
    first, _ = told("http", [("host", f"{other}:8501"), ("accept", "text/html,*/*")])
    assert first["status"] == 307
    assert dict(first["headers"])[b"location"] == f"http://{HERE}/data?plan=x".encode()
    for host in (f"{other}:99999", f"{other}:8501/x", REBOUND):
        assert told("http", [("host", host), ("accept", "text/html")])[0]["status"] == 421


def test_others_come_by_any_name(monkeypatch: pytest.MonkeyPatch) -> None:
    """Through the network's door, and where the settings say that others are served."""
    asked = [("host", REBOUND), ("origin", f"http://{REBOUND}")]
    assert not told("websocket", asked, from_outside=True)
    assert not told("lifespan", [])
    monkeypatch.setattr(own_names, "set_up_for_one", lambda: False)
    assert not told("websocket", asked)


OTHERS = ["http://127.0.0.1:3000", "http://localhost:8501", "http://0.0.0.0", "http://evil.example", "null", "http://["]


@each("origin", OTHERS)
def test_served_to_others_it_is_connected_to_by_its_own_pages_alone(
    monkeypatch: pytest.MonkeyPatch, origin: str
) -> None:
    """Streamlit hears any page of this machine's programs, and of its own address at any port."""
    asked = [("host", REBOUND), ("origin", origin)]
    assert told("websocket", asked, from_outside=True) == [{"type": "websocket.close", "code": 1008}]
    monkeypatch.setattr(own_names, "set_up_for_one", lambda: False)
    assert told("websocket", asked) == [{"type": "websocket.close", "code": 1008}]
    assert not told("http", asked), "What is no connection has its own guards."
    assert not told("websocket", [("host", REBOUND)]), "A program that names no page."


@each(("origin", "heard"), [("https://study.example.org", True), ("https://other.example.org", False), ("null", False)])
@each(
    "setting",
    [("browser.serverAddress", "study.example.org"), ("server.corsAllowedOrigins", ["https://study.example.org"])],
)
def test_but_where_the_settings_name_them(
    monkeypatch: pytest.MonkeyPatch, setting: tuple[str, object], origin: str, *, heard: bool
) -> None:
    usual = {"browser.serverAddress": "localhost", "server.corsAllowedOrigins": []}
    monkeypatch.setattr("streamlit.get_option", (usual | dict([setting])).__getitem__)
    monkeypatch.setattr(own_names, "set_up_for_one", lambda: False)
    assert (not told("websocket", [("host", "inner:8501"), ("origin", origin)])) is heard


def test_it_stands_before_every_door() -> None:
    assert [one for one in MIDDLEWARE if one.cls is OwnNames]  # type: ignore[comparison-overlap]


@each("address", ["localhost", "127.1"])
def test_a_name_of_this_machine_is_no_address_to_serve_at(monkeypatch: pytest.MonkeyPatch, address: str) -> None:
    """Another account that listens at its other end would be opened in our place, by the address that we say."""
    monkeypatch.setattr("streamlit.get_option", {"server.address": address}.__getitem__)
    with pytest.raises(SystemExit, match=r"another account may listen, too. Say 127\.0\.0\.1\.$"):
        require_an_address()


@each("address", ["127.0.0.1", "::1", "::", "", "192.0.2.7", "nowhere.invalid"])
def test_the_control_any_other_address_is(monkeypatch: pytest.MonkeyPatch, address: str) -> None:
    monkeypatch.setattr("streamlit.get_option", {"server.address": address}.__getitem__)
    require_an_address()
