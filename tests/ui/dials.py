"""The frames that a page hands to its live dial, read back from their bytes the way the browser does."""

from __future__ import annotations

import json
import struct
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import takewhile
from typing import Any

import numpy as np
import pytest
from numpy.typing import NDArray
from streamlit.testing.v1 import AppTest

from pages.question.dial import dial_header, frame_cache

KINDS = {"u1": np.uint8, "u2": np.uint16, "f4": np.float32}


@dataclass(frozen=True)
class ReadFrames:
    """The header and the arrays of all frames."""

    header: Mapping[str, Any]
    arrays: Mapping[str, NDArray[Any]]
    raw: bytes

    def row(self, name: str, index: int) -> NDArray[Any]:
        """What one frame holds of an array."""
        width = self.header["widths"][name]
        return self.arrays[name][index * width : (index + 1) * width]

    def words(self, index: int) -> Mapping[str, str]:
        """What one frame says."""
        return {name: said[index] for name, said in self.header["words"].items()}


def make_films_of(monkeypatch: pytest.MonkeyPatch, epsilons: Sequence[float]) -> None:
    """From here on, dials hand over the frames at these epsilons alone."""
    for module in (frame_cache, dial_header):
        monkeypatch.setattr(module, "EPSILONS", epsilons)


def frames_on(page: AppTest) -> ReadFrames:
    """The frames of the only dial on a page."""
    return read_frames(next(proto.bytes for proto in _components(page) if proto.WhichOneof("data") == "bytes"))


def now_on(page: AppTest) -> dict[str, Any]:
    """The present setting that the page tells its dial."""
    found = next(proto.json for proto in _components(page) if proto.WhichOneof("data") == "json")
    told: dict[str, Any] = json.loads(found)
    return told


def above_the_dial(page: AppTest) -> list[str]:
    """The kinds of all elements before the dial, as they stand on the page."""
    return list(takewhile(lambda kind: kind != "dial", _kinds(page._tree)))


def read_frames(raw: bytes) -> ReadFrames:
    """Frames from their bytes."""
    (length,) = struct.unpack_from("<I", raw)
    header = json.loads(raw[4 : 4 + length])
    arrays = {
        name: np.frombuffer(raw, dtype=KINDS[kind], count=count, offset=header["start"] + offset)
        for name, (kind, offset, count) in header["arrays"].items()
    }
    return ReadFrames(header=header, arrays=arrays, raw=raw)


def _components(page: AppTest) -> Iterator[Any]:
    """Components in their order on the page."""
    blocks: list[Any] = [page._tree]
    while blocks:
        for child in blocks.pop().children.values():
            if hasattr(child, "children"):
                blocks.append(child)
            elif child.type == "bidi_component":
                yield child.proto


def _kinds(element: Any) -> Iterator[str]:
    if not hasattr(element, "children"):
        dials = element.type == "bidi_component" and element.proto.WhichOneof("data") == "bytes"
        yield "dial" if dials else element.type
        return
    for place in sorted(element.children):
        yield from _kinds(element.children[place])
