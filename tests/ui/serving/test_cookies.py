"""Of what a browser says that it keeps, only what can be read at once is handed on."""

from __future__ import annotations

from starlette.requests import cookie_parser
from starlette.types import Receive, Scope, Send

from pages.serving.guard import MIDDLEWARE
from pages.serving.layers.cookies import PlainCookies
from tests.running.cases import each
from tests.servers.looping import finished

ESCAPED = 'x="a\\134b"'


def handed_on(*lines: str) -> list[str]:
    heard = list[str]()

    async def app(scope: Scope, _receive: Receive, _send: Send) -> None:
        assert (b"host", b"a\\b") in scope["headers"], "All else stays."
        heard.extend(value.decode() for name, value in scope["headers"] if name == b"cookie")

    headers = [(b"host", b"a\\b"), *((b"cookie", line.encode()) for line in lines)]
    finished(PlainCookies(app)({"type": "http", "headers": headers}, None, None))  # type: ignore[arg-type]
    return heard


@each(
    ("lines", "heard"),
    [
        (["a=1; b=2"], ["a=1; b=2"]),
        ([f"a=1; {ESCAPED}; b=2"], ["a=1; b=2"]),
        ([ESCAPED, 'b="2=="'], ["", 'b="2=="']),
        ([], []),
    ],
)
def test_no_cookie_with_a_backslash_is_handed_on(lines: list[str], heard: list[str]) -> None:
    assert handed_on(*lines) == heard


def test_those_are_what_takes_long_to_read() -> None:
    """The control: they are read at all, and what they stand for is put together sign by sign."""
    assert cookie_parser(ESCAPED) == {"x": "a\\b"}
    assert not cookie_parser(handed_on(ESCAPED)[0])


def test_it_stands_before_whatever_reads_cookies() -> None:
    assert MIDDLEWARE[2].cls is PlainCookies, "The two before it read the dashboard's own alone."  # type: ignore[comparison-overlap]
