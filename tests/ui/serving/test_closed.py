"""Addresses of Streamlit that answer nobody: as Streamlit itself names them, whatever stands before them."""

from __future__ import annotations

import pytest
from starlette.responses import PlainTextResponse
from starlette.types import ASGIApp, Message
from streamlit.web.server.starlette import starlette_agent_routes, starlette_routes

from pages.serving.layers.closed import Closed
from tests.servers.looping import finished

EVERYTHING = PlainTextResponse("told")
AGENTS = {address for name, address in vars(starlette_agent_routes).items() if name.startswith("_ROUTE_AGENT_")}


async def answered(app: ASGIApp, path: str) -> int:
    """With which code."""
    answers: list[Message] = []

    async def receive() -> Message:
        return {"type": "http.request"}

    async def send(message: Message) -> None:
        answers.append(message)

    await app({"type": "http", "method": "GET", "path": path, "headers": []}, receive, send)
    return int(answers[0]["status"])


def told(app: ASGIApp, path: str) -> bool:
    """Whether the application behind answers at this address."""
    return finished(answered(app, path)) == 200


@pytest.mark.parametrize("before", ["/", "/base/"])
def test_programs_figures_and_trial_runs_are_told_nothing(before: str) -> None:
    assert len(AGENTS) > 2
    for address in (*AGENTS, starlette_routes.ROUTE_METRICS, starlette_routes.ROUTE_SCRIPT_HEALTH):
        for path in (before + address, f"{before}{address}/"):
            assert told(EVERYTHING, path), "The control."
            assert not told(Closed(EVERYTHING), path), path
    for address in (starlette_routes.ROUTE_HEALTH, starlette_routes.BASE_ROUTE_UPLOAD_FILE, "agents"):
        assert told(Closed(EVERYTHING), before + address), address


@pytest.mark.parametrize("sign", ["\n", "\r", "\x00", "\x7f", "\x85", "\u2028", "\u200b"])
def test_no_address_with_a_sign_that_nobody_sees_reaches_a_route(sign: str) -> None:
    """A route's pattern matches before a last line break, and every comparison of ends here does not."""
    for path in ("/_stcore/metrics", "/_stcore/upload_file/a/b", "/auth/logout", "/_stcore/stream", "/"):
        assert told(Closed(EVERYTHING), path) or "metrics" in path, "The control."
        for hidden in (path + sign, sign + path, path.replace("_", f"_{sign}")):
            if hidden != path:
                assert finished(answered(Closed(EVERYTHING), hidden)) == 400, hidden
