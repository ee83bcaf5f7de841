"""From frames to bytes: a header that says where what stands, then small whole numbers; made once for a question."""

from __future__ import annotations

import json
import struct
from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np

from pages.question.dial.drawn_frame import NUMBERS, DialScales, DrawnFrame

_HEAD = struct.Struct("<I")
_KINDS: Mapping[str, Any] = {"u1": np.uint8, "u2": np.uint16, "f4": np.float32}
_COLUMNS: Mapping[str, str] = {
    "axis": "u1",
    "top": "f4",
    "heights": "u2",
    "dots": "u1",
    "band": "f4",
    "shift": "f4",
    "least": "u2",
    "most": "u2",
    "after": "f4",
    "error": "f4",
    "risk": "f4",
    "price": "f4",
}


def packed(frames: Sequence[DrawnFrame], scales: DialScales, header: Mapping[str, Any]) -> bytes:
    """All frames of a dial for the browser, behind what is said of them once."""
    places, widths, body = {}, {}, b""
    for name, kind in _COLUMNS.items():
        values = np.array([_values(frame, name, scales) for frame in frames])
        raw = np.ascontiguousarray(values, dtype=_KINDS[kind]).tobytes()
        places[name], widths[name] = [kind, len(body), values.size], values.shape[1] if values.ndim > 1 else 1
        body += raw + b"\0" * (-len(raw) % 4)
    said = {name: [frame.words[name] for frame in frames] for name in frames[0].words}
    whole = {**header, "words": said, "arrays": places, "widths": widths}
    head = _padded(json.dumps(whole | {"start": 10**9}))
    text = _padded(json.dumps(whole | {"start": _HEAD.size + len(head)}), length=len(head))
    return _HEAD.pack(len(text)) + text + body


def _values(frame: DrawnFrame, name: str, scales: DialScales) -> Any:
    if name == "axis":
        return scales.axes.index(frame.axis)
    return frame.values[name][0] if name in NUMBERS else frame.values[name]


def _padded(text: str, length: int = 0) -> bytes:
    """JSON that ends where numbers of four bytes may begin."""
    raw = text.encode()
    return raw + b" " * (length - len(raw) if length else -len(raw) % 4)
