"""Whose visit a named proxy passes on: the last address that is none of its own, whatever a visitor wrote before it."""

from __future__ import annotations

import pytest
from starlette.types import Message, Receive, Scope, Send

from pages.serving.layers import proxies
from tests.servers.looping import finished

PROXY, VISITOR, FORGED = "10.1.2.3", "198.51.100.4", "203.0.113.9"


def seen(named: str, peer: str, *forwarded: str, monkeypatch: pytest.MonkeyPatch) -> str:
    """The address that the application sees of a visit from this peer, with these headers."""
    addresses: list[str] = []

    async def app(scope: Scope, receive: Receive, send: Send) -> None:
        addresses.append(scope["client"][0])

    async def nothing(*_: Message) -> Message:
        return {}

    monkeypatch.setenv(proxies.VARIABLE, named)
    layer, arguments, options = proxies.middleware()
    headers = [(b"x-forwarded-for", one.encode()) for one in forwarded]
    scope: Scope = {"type": "websocket", "client": (peer, 5), "headers": headers}
    finished(layer(app, *arguments, **options)(scope, nothing, nothing))
    return addresses[0]


@pytest.mark.parametrize(
    ("named", "peer", "forwarded", "address"),
    [
        ("", PROXY, (VISITOR,), PROXY),
        ("", "127.0.0.1", (FORGED,), "127.0.0.1"),
        ("192.0.2.1", PROXY, (VISITOR,), PROXY),
        (PROXY, PROXY, (VISITOR,), VISITOR),
        (PROXY, PROXY, (), PROXY),
        (PROXY, PROXY, (f"{FORGED}, {VISITOR}",), VISITOR),
        (PROXY, PROXY, (FORGED, VISITOR), VISITOR),
        (f"{PROXY}, 10.9.0.0/16", PROXY, (f"{FORGED}, {VISITOR}, 10.9.8.7",), VISITOR),
        (PROXY, f"::ffff:{PROXY}", (VISITOR,), VISITOR),
        (PROXY, FORGED, (VISITOR,), FORGED),
    ],
)
def test_a_visitor_has_the_address_that_a_named_proxy_saw(
    named: str, peer: str, forwarded: tuple[str, ...], address: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    assert seen(named, peer, *forwarded, monkeypatch=monkeypatch) == address


@pytest.mark.parametrize("wrong", ["*", "proxy.example.org", "10.0.0.0/99"])
def test_what_names_no_proxy_is_said_at_the_start(wrong: str, monkeypatch: pytest.MonkeyPatch) -> None:
    with pytest.raises(SystemExit, match="neither an address nor a network"):
        seen(wrong, PROXY, monkeypatch=monkeypatch)
