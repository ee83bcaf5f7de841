"""By which name and port somebody sits at this machine: those that the dashboard itself listens to, and no others."""

from __future__ import annotations

import pytest

from pages.access import visit
from tests.running.cases import each

NAMES = ("127.0.0.1", "localhost", "LOCALHOST", "[::1]")
OWN = {"127.0.0.1": ("127.0.0.1",), "::1": ("[::1]",)}
"""For each address of this machine, what leads there and nowhere else."""


def sits_here(host: str, scheme: str = "http") -> bool:
    headers = {"Host": (host,), "Origin": (f"{scheme}://{host}",), "User-Agent": ("a browser",)}
    return visit.Visit(alone=True, headers=headers).at_this_machine


def listening(monkeypatch: pytest.MonkeyPatch, address: str, port: int) -> None:
    monkeypatch.setattr("streamlit.get_option", {"server.address": address, "server.port": port}.__getitem__)


@each("address", list(OWN))
def test_only_a_name_that_is_listened_to_is_the_curators(monkeypatch: pytest.MonkeyPatch, address: str) -> None:
    """Under another one, any account of this machine may listen in our place."""
    listening(monkeypatch, address, 8501)
    assert {name for name in NAMES if sits_here(f"{name}:8501")} == set(OWN[address])


@each("host", ["127.0.0.1:9000", "127.0.0.1:850", "127.0.0.1:0", "127.0.0.1:", "127.0.0.1:99999", "127.0.0.1"])
def test_another_port_is_an_honest_browser_at_the_far_end_of_a_tunnel(
    monkeypatch: pytest.MonkeyPatch, host: str
) -> None:
    listening(monkeypatch, "127.0.0.1", 8501)
    assert not sits_here(host)
    assert sits_here("127.0.0.1:8501"), "The control."


@each("scheme", ["http", "https"])
def test_the_usual_port_need_not_be_said(monkeypatch: pytest.MonkeyPatch, scheme: str) -> None:
    for port, usual in ((80, "http"), (443, "https"), (8501, "")):
        listening(monkeypatch, "127.0.0.1", port)
        assert sits_here("127.0.0.1", scheme) == (scheme == usual)
