"""The dashboard before which nginx and HAProxy stand as docs/deploy has them: tried in Chromium, with figures."""

from __future__ import annotations

import tempfile
import time
import traceback
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import ExitStack
from dataclasses import dataclass
from pathlib import Path

from playwright.sync_api import Browser, Error, expect, sync_playwright

from pages.serving import curator_token
from pages.serving.layers import proxies
from tests.running import behind_a_proxy as tried
from tests.running.behind_a_proxy import Way
from tests.servers import chromium, databases
from tests.servers.browsing import launched
from tests.servers.certificates import certificate
from tests.servers.databases import Cluster
from tests.servers.ledger_places import ServerPlace
from tests.servers.proxies import ADDRESS, KINDS, Kind, Proxy
from tests.servers.server import LEDGER_VARIABLE, SERVED, Server

PATIENCE_MILLISECONDS = 60_000
BEFORE_ONE: tuple[Callable[[Way], str], ...] = (
    tried.it_opens_and_moves,
    tried.headers_stay,
    tried.cookies_are_safe,
    tried.files_are_taken,
    tried.too_large_a_file_is_refused,
    tried.tries_are_counted_by_address,
    tried.no_address_is_logged,
)
BEFORE_TWO: tuple[Callable[[Way], str], ...] = (
    tried.it_opens_and_moves,
    tried.cookies_are_safe,
    tried.a_browser_stays_with_its_server,
    tried.a_killed_server_costs_nothing_twice,
    tried.no_address_is_logged,
)
_SAYS_ALL = {"STREAMLIT_LOGGER_LEVEL": "debug"}
"""So that a server tells of each session that it begins."""


@dataclass(frozen=True, kw_only=True)
class Result:
    """What came of one try."""

    where: str
    what: str
    passed: bool
    said: str
    seconds: float


def missing(kinds: Sequence[Kind] = KINDS) -> str:
    """The sentence that says what has to be installed first; empty where all of it is there."""
    absent = [kind.program for kind in kinds if kind.found() is None]
    absent += [] if databases.programs() else ["PostgreSQL"]
    return f"Install {' and '.join(absent)} first: they are tried as they are." if absent else ""


def main() -> int:
    """Try everything and print it; 0 where all of it holds."""
    executable, sentence = chromium.found_or_installed()
    print(sentence)
    refused = missing() or ("" if executable else "Nothing is tried without a Chromium.")
    if refused or executable is None:
        print(refused)
        return 1
    expect.set_options(timeout=PATIENCE_MILLISECONDS)
    figures: dict[str, dict[str, str]] = {}
    with sync_playwright() as playwright:
        browser = launched(playwright, executable)
        results = list(_all(browser, figures))
        browser.close()
    print(f"\n{table(figures)}\n\n{sum(one.passed for one in results)} of {len(results)} hold.")
    return int(not all(one.passed for one in results))


def table(figures: dict[str, dict[str, str]]) -> str:
    """A row for each figure, a column for each way to the dashboard."""
    rows = list(dict.fromkeys(name for column in figures.values() for name in column))
    head = f"{'':<30}" + "".join(f"{where:>26}" for where in figures)
    return "\n".join(
        [head, *(f"{row:<30}" + "".join(f"{one.get(row, ''):>26}" for one in figures.values()) for row in rows)]
    )


def _all(browser: Browser, figures: dict[str, dict[str, str]]) -> Iterator[Result]:
    with ExitStack() as stack:
        server = _server(stack)
        direct = Way(browser=browser, url=server.url, servers=[server])
        yield from _tried("direct", direct, [tried.it_opens_and_moves, tried.files_are_taken], figures)
        for kind in KINDS:
            yield from _behind(kind, [server], browser, BEFORE_ONE, figures)
    for kind in KINDS:
        with ExitStack() as stack:
            place = _ledger_for_several(stack)
            both = [_server(stack, {LEDGER_VARIABLE: place.url, **_SAYS_ALL}) for _ in range(2)]
            yield from _behind(kind, both, browser, BEFORE_TWO, figures, ledger=place)


def _server(stack: ExitStack, settings: Mapping[str, str] | None = None) -> Server:
    """A dashboard that believes the proxy; its ledger is its own, unless the settings name another one."""
    believes = {**SERVED, proxies.VARIABLE: ADDRESS, curator_token.VARIABLE: tried.TOKEN}
    return stack.enter_context(Server(_folder(stack), environment={**believes, **(settings or {})}))


def _ledger_for_several(stack: ExitStack) -> ServerPlace:
    programs = databases.programs()
    assert programs is not None, "Whoever lacks it was told before."
    return ServerPlace(cluster=stack.enter_context(Cluster(programs)), folder=_folder(stack))


def _folder(stack: ExitStack) -> Path:
    return Path(stack.enter_context(tempfile.TemporaryDirectory()))


def _behind(
    kind: Kind,
    servers: Sequence[Server],
    browser: Browser,
    tries: Sequence[Callable[[Way], str]],
    figures: dict[str, dict[str, str]],
    ledger: ServerPlace | None = None,
) -> Iterator[Result]:
    with tempfile.TemporaryDirectory() as folder:
        own = certificate(Path(folder), "127.0.0.1")
        with Proxy(kind, Path(folder), own, [server.port for server in servers]) as proxy:
            way = Way(browser=browser, url=proxy.url, servers=servers, proxy=proxy, ledger=ledger)
            yield from _tried(f"{kind.program} before {len(servers)}", way, tries, figures)


def _tried(
    where: str, way: Way, tries: Sequence[Callable[[Way], str]], figures: dict[str, dict[str, str]]
) -> Iterator[Result]:
    """Each in turn, printed as it ends; one that fails stops no other."""
    for one in tries:
        began = time.monotonic()
        try:
            passed, said = True, one(way)
        except (AssertionError, Error, OSError, RuntimeError) as error:
            passed, said = False, _fault(error)
        result = Result(
            where=where,
            what=one.__name__.replace("_", " "),
            passed=passed,
            said=said,
            seconds=time.monotonic() - began,
        )
        verdict = "holds" if passed else "FAILED"
        print(f"{where:<18}{verdict:<8}{result.seconds:>6.1f} s  {result.what}: {said}", flush=True)
        yield result
    figures[where] = way.figures


def _fault(error: Exception) -> str:
    """What an error says, the picture of the page apart; of an assertion without words, the line."""
    said = str(error).partition("Aria snapshot")[0].strip()
    return f"{type(error).__name__}: {said or traceback.extract_tb(error.__traceback__)[-1].line}"
