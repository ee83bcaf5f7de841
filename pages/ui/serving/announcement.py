"""What the terminal says when the server is shared: where participants come in, and how the curator does."""

from __future__ import annotations

import sys
from collections.abc import Sequence
from typing import TextIO

from pages.ui import curator_token
from pages.ui.serving import alone, qr

NO_NETWORK = (
    "Epsilon Explorer is not shared: this machine has no address in a private network. Join the Wi-Fi and start "
    "again, or name an address with --share=ADDRESS. Here it runs all the same."
)
HERE = "At this machine no token is needed."


def write(addresses: Sequence[str], to: TextIO | None = None) -> None:
    """One block, at once, so that nothing else stands in between."""
    stream = to or sys.stderr
    stream.write("\n" + "\n".join(f"  {line}".rstrip() for line in _lines(addresses, stream)) + "\n\n")
    stream.flush()


def _lines(addresses: Sequence[str], stream: TextIO) -> list[str]:
    if not addresses:
        return [NO_NETWORK]
    first, *others = addresses
    return [
        "Epsilon Explorer is shared with your network",
        "",
        f"Participants open  {first}",
        *(f"or, elsewhere      {other}" for other in others),
        "",
        *_code(first, stream),
        "",
        curator_token.of_this_server().said(),
        *([HERE] if alone.set_up_for_one() else []),
    ]


def _code(address: str, stream: TextIO) -> list[str]:
    """The address for a phone's camera, where the terminal can write blocks."""
    try:
        "█▀▄".encode(stream.encoding or "ascii")
    except UnicodeEncodeError:
        return []
    return qr.blocks(address, colored=stream.isatty()).splitlines()
