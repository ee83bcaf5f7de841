"""Packed bytes, unpacked piece by piece so that nothing grows beyond a limit."""

from __future__ import annotations

import zlib
from collections.abc import Iterator

from dpengine.data.files.limits import DECODED_BYTES, require_at_most
from dpengine.errors import IntakeError

MAGIC = b"\x1f\x8b"
_PACKED, _UNPACKED = 2**16, 2**20


def unpacked(content: bytes, *, most: int | None = None) -> bytes:
    """The content of a gzip file, or its first `most` bytes; refused as soon as it passes the limit."""
    kept = bytearray()
    try:
        for piece in unpacked_pieces(content, wbits=31):
            kept += piece
            require_at_most("The unpacked file", len(kept), DECODED_BYTES, "bytes")
            if most is not None and len(kept) > most:
                break
    except EOFError:
        raise IntakeError("The gzip file ends too early.") from None
    except zlib.error:
        raise IntakeError("The gzip file is damaged.") from None
    if kept.startswith(MAGIC):
        raise IntakeError("The file is packed with gzip twice. Unpack it once and bring that.")
    return bytes(kept)


def unpacked_pieces(content: bytes, *, wbits: int) -> Iterator[bytes]:
    """Pieces of at most a mebibyte, of every member; raises zlib.error where damaged, EOFError where cut off."""
    unpacker = zlib.decompressobj(wbits=wbits)
    for begin in range(0, len(content), _PACKED):
        packed = content[begin : begin + _PACKED]
        while packed:
            if unpacker.eof:  # another member, or zeros that fill a block
                packed = packed.lstrip(b"\0")
                if not packed:
                    break
                unpacker = zlib.decompressobj(wbits=wbits)
            yield unpacker.decompress(packed, _UNPACKED)
            packed = unpacker.unused_data if unpacker.eof else unpacker.unconsumed_tail
    while not unpacker.eof:
        rest = unpacker.decompress(b"", _UNPACKED)
        if not rest:
            raise EOFError
        yield rest
