"""What the terminal says when the server is shared: where participants come in, and how the curator does."""

from __future__ import annotations

import sys
from collections.abc import Callable, Sequence
from typing import TextIO

from pages.serving import alone, curator_token
from pages.serving.network import qr

NO_NETWORK = (
    "Epsilon Explorer is not shared now: this machine has no address in a private network where it may listen. "
    "Join the Wi-Fi, and the address appears here; or start with --share=ADDRESS. At this machine it runs all the same."
)
HERE = "At this machine no token is needed."


def first(addresses: Sequence[str], to: TextIO | None = None) -> None:
    """All that is to be known at the start: where participants come in, and how the curator does."""
    entry = [curator_token.of_this_server().said(), *([HERE] if alone.set_up_for_one() else [])]
    _write(lambda stream: [*_way_in(addresses, stream), "", *entry], to)


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
