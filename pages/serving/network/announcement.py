"""What the terminal says at the start: which address opens the dashboard, and where participants come in."""

from __future__ import annotations

import sys
from collections.abc import Callable, Sequence
from typing import TextIO
from urllib.parse import quote

import streamlit as st
from streamlit.web.server import server_util

from pages.serving import alone, curator_token
from pages.serving.layers import opened
from pages.serving.network import qr

NO_NETWORK = (
    "Epsilon Explorer is not shared now: this machine has no address in a private network where it may listen. "
    "Join the Wi-Fi, and the address appears here; or start with --share=ADDRESS. At this machine it runs all the same."
)


def own(token: str = "") -> str:
    """The address at which this machine's browser opens the dashboard; with a token, as the curator's."""
    address = server_util.get_display_address(st.get_option("server.address"))
    plain = server_util.get_url(f"[{address}]" if ":" in address else address)
    return f"{plain}/?{opened.PARAMETER}={token}" if token else plain


def first(to: TextIO | None = None) -> None:
    """Where the dashboard is that is not shared, and how the curator opens it."""
    if alone.set_up_for_one():
        lines = ["Epsilon Explorer runs, for you alone. Whoever opens this address sees your table:", "", *_here()]
    else:
        lines = [f"Epsilon Explorer is served to others at {own()}", "", curator_token.of_this_server().said()]
    _write(lambda _: lines, to)


def shared(addresses: Sequence[str], to: TextIO | None = None) -> None:
    """All that is to be known at the start: where participants come in, and how the curator does."""
    here = ["", "You open, at this machine:", *_here()] if alone.set_up_for_one() else []
    entry = [curator_token.of_this_server().said(), *here]
    _write(lambda stream: [*_way_in(addresses, stream), "", *entry], to)


def _here() -> list[str]:
    """The address that makes a browser of this machine the curator's."""
    token = curator_token.of_this_server()
    if not token.secret:
        return [token.refusal()]
    if token.chosen:
        written = ", each sign as addresses write it (+ is %2B)" if quote(token.secret, safe="") != token.secret else ""
        return [f"{own()}/?{opened.PARAMETER}= and then what {curator_token.VARIABLE} says{written}"]
    return [own(token.secret)]


def again(addresses: Sequence[str], to: TextIO | None = None) -> None:
    """The way in has changed; the token has not, and is not repeated."""
    _write(lambda stream: _way_in(addresses, stream), to)


def _write(lines: Callable[[TextIO], Sequence[str]], to: TextIO | None) -> None:
    """One block, at once, so that nothing else stands in between."""
    stream = to or sys.stderr
    stream.write("\n" + "\n".join(f"  {line}".rstrip() for line in lines(stream)) + "\n\n")
    stream.flush()


def _way_in(addresses: Sequence[str], stream: TextIO) -> list[str]:
    if not addresses:
        return [NO_NETWORK]
    one, *others = addresses
    return [
        "Epsilon Explorer is shared with your network",
        "",
        f"Participants open  {one}",
        *(f"or, elsewhere      {other}" for other in others),
        "",
        *_code(one, stream),
    ]


def _code(address: str, stream: TextIO) -> list[str]:
    """The address for a phone's camera, where the terminal can write blocks."""
    try:
        "█▀▄".encode(stream.encoding or "ascii")
    except UnicodeEncodeError:
        return []
    return qr.blocks(address, colored=stream.isatty()).splitlines()
