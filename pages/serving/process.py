"""Once in the life of the process: this machine's browser is opened, and the network's door where it was asked for."""

from __future__ import annotations

from collections.abc import AsyncIterator, Callable, Sequence
from contextlib import AbstractAsyncContextManager, AsyncExitStack, asynccontextmanager

import streamlit as st
from streamlit import net_util
from streamlit.runtime.pages_manager import PagesManager
from streamlit.starlette import App

from pages.serving import alone, bounds, ending, first_browser, warming
from pages.serving.layers import proof, proxies
from pages.serving.network import announcement, network_doors
from pages.serving.network.words import SHARE, Sharing, wanted
from pages.serving.patches import downloads, last_messages, left_sessions, leftovers, own_settings, run_begins, seldom

Lifespan = Callable[[App], AbstractAsyncContextManager[None]]
NOWHERE = "nowhere.invalid"


def lifespan(words: Sequence[str]) -> Lifespan:
    """What the process does around its visits, as the words after `--` want it; SystemExit for an unknown one."""
    own_settings.settle()
    alone.require_an_address()
    asked = wanted(words)
    if asked.share and not alone.on_loopback():
        raise SystemExit(
            f"{SHARE} opens the dashboard to the network, but server.address is "
            f"{st.get_option('server.address')!r}, which is open already. Leave out one of the two."
        )

    @asynccontextmanager
    async def around(app: App) -> AsyncIterator[None]:
        proxies.believe_no_others(ending.listener())
        if (listener := ending.listener()) is not None:
            bounds.keep(listener.config)
        bounds.hold_as_many_as_promised()
        left_sessions.remembered()
        ending.calmly()
        _settle_streamlit()
        proof.bind_sessions()
        last_messages.hear_out()
        downloads.last()
        run_begins.say_no_more_than_needed()
        seldom.write_seldom()
        warming.begin()
        async with AsyncExitStack() as stack:
            await stack.enter_async_context(_announced(app, asked))
            await stack.enter_async_context(leftovers.freed())
            stack.enter_context(first_browser.started())
            yield

    return around


@asynccontextmanager
async def _announced(app: App, asked: Sharing) -> AsyncIterator[None]:
    """Say where the dashboard is; with its door to the network, where that was asked for."""
    if asked.share:
        async with network_doors.shared(app, asked.address):
            yield
    else:
        announcement.first()
        yield


def _settle_streamlit() -> None:
    """It would ask a host on the internet before it turns a stranger's page away, and look for pages in a folder."""
    net_util._external_ip = NOWHERE  # noqa: SLF001
    PagesManager.uses_pages_directory = False
