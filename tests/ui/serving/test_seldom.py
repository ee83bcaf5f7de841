"""The log has a few lines a minute of each kind, however often somebody causes one."""

from __future__ import annotations

import logging
from collections.abc import Iterator

import pytest

from pages.serving.patches import seldom
from pages.serving.patches.seldom import Seldom, write_seldom
from tests.running.cases import each


@pytest.fixture
def told() -> Iterator[logging.Logger]:
    """A logger as the packages have them, before the process begins to serve."""
    yield logging.getLogger("tests.seldom")
    for logger in (logging.root, *logging.root.manager.loggerDict.values()):
        if isinstance(logger, logging.Logger):
            logger.filters = [one for one in logger.filters if not isinstance(one, Seldom)]


def test_so_many_lines_of_one_place_and_the_last_says_so(
    told: logging.Logger, caplog: pytest.LogCaptureFixture, monkeypatch: pytest.MonkeyPatch
) -> None:
    clock = [0.0]
    monkeypatch.setattr(seldom, "monotonic", lambda: clock[0])
    told.addFilter(Seldom(most=3))
    for number in range(5):
        told.warning("wrong: %d", number)
    told.warning("another place")
    clock[0] = 60.0
    told.warning("a minute later")
    *first, last, other, later = (record.getMessage() for record in caplog.records)
    assert first == ["wrong: 0", "wrong: 1"]
    assert last == "wrong: 2 (Further ones like this are not written for a minute.)"
    assert (other, later) == ("another place", "a minute later")


@each("sign", ["\r\n", "\n", "\x1b[2J", "\u2028"])
def test_nobody_writes_a_line_of_their_own(told: logging.Logger, caplog: pytest.LogCaptureFixture, sign: str) -> None:
    told.addFilter(Seldom())
    told.warning("The provider says: %s", f"no{sign}2026-11-26 Somebody signed in")
    assert not set(caplog.records[-1].getMessage()) & set("\r\n\x1b\u2028")


def test_nor_does_an_error_that_quotes_them_and_its_trace_is_cut(
    told: logging.Logger, caplog: pytest.LogCaptureFixture
) -> None:
    told.addFilter(Seldom())
    try:
        int("x\n2026-11-26 Somebody signed in\x1b[31m" + "y" * 100_000)
    except ValueError:
        told.exception("Uncaught: %s", "z" * 100_000)
    first, *below = logging.Formatter().format(caplog.records[-1]).split("\n")
    assert first.startswith("Uncaught: zz")
    assert any("ValueError: " in line for line in below)
    assert all(line.startswith("    ") for line in below)
    assert "\x1b" not in "".join(below)
    assert len(first) + sum(map(len, below)) < 10_000


@each("name", ["tests.seldom", "uvicorn.error", "asyncio", "streamlit.error_util"])
@pytest.mark.usefixtures("told")
def test_all_who_write_when_the_process_begins_to_serve_are_held_to_it(name: str) -> None:
    logger = logging.getLogger(name)
    write_seldom()
    assert [one for one in logger.filters if isinstance(one, Seldom)]
