"""Everything that a browser receives, decoded, and a search for values in it however they are written."""

from __future__ import annotations

import base64
import html
import io
import json
import math
import re
from collections.abc import Iterable, Iterator
from contextlib import suppress
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any
from urllib.parse import unquote_plus

import numpy as np
import pyarrow as pa
from numpy.typing import NDArray
from playwright.sync_api import BrowserContext, ConsoleMessage, Error, Frame, Page, Response, WebSocket
from streamlit.proto.ForwardMsg_pb2 import ForwardMsg

from dpengine.errors import ScenarioError
from dpengine.scenario.packing import unpacked

Value = str | int | float
_GROUPED = re.compile(r"(?<=\d)[,\u00a0\u202f\u2009' ](?=\d{3}(?!\d))")
_BASE64 = re.compile(r"[A-Za-z0-9+/_-]{24,}={0,2}")
_LINK = re.compile(r"(?<=plan)(?:=|%3D)([A-Za-z0-9_.-]{8,})")
_NUMERIC = {"f8", "f4", "i4", "u4", "i2", "u2", "i1", "u1", "i8", "u8"}
DIGITS = 5
"""So many leading digits make a number its own; fewer may stand anywhere."""
AROUND = 60
_SHOWN = """() => {
    const kept = [{...localStorage}, {...sessionStorage}, document.cookie];
    const head = [...document.head.children].map(one => one.outerHTML);
    return [document.body.outerHTML, ...head, document.title, location.href, JSON.stringify(kept)];
}"""
"""What a page shows and keeps, in pieces of which most are the same from page to page."""
TOLERANCE = 3e-7
"""Of a number in an array: what single precision leaves of it."""


@dataclass
class Wire:
    """What came over the wire, in three forms: the bytes, the texts in them, and the numbers of charts and tables."""

    raw: list[bytes] = field(default_factory=list)
    texts: list[str] = field(default_factory=list)
    numbers: list[float] = field(default_factory=list)
    arrays: list[NDArray[np.float64]] = field(default_factory=list)
    _taken: set[str] = field(default_factory=set)

    def listen(self, context: BrowserContext) -> None:
        """Keep what every page that this context opens from now on receives; call it before the first one."""
        context.on("page", self._listen_to_page)
        context.on("response", self._response)

    def take_page(self, page: Page) -> None:
        """Keep what a page shows and what its browser has stored."""
        self.take_text(*page.evaluate(_SHOWN))

    def take_text(self, *texts: str) -> None:
        """Keep texts, with all that is packed into them."""
        for text in texts:
            if text not in self._taken:
                self._taken.add(text)
                self.texts.append(text)
                self.raw.append(text.encode("utf-8", "replace"))

    def take_frame(self, payload: bytes) -> None:
        """Keep one message of the websocket."""
        self.raw.append(payload)
        message = ForwardMsg()
        message.ParseFromString(payload)
        self._message(message)

    def found(self) -> Found:
        """All of it, ready to be searched."""
        numbers = np.concatenate([np.array(self.numbers, dtype=np.float64), *self.arrays])
        return Found(raw=b"\n".join(self.raw), texts=tuple(self.texts), numbers=numbers)

    def _listen_to_page(self, page: Page) -> None:
        page.on("websocket", self._websocket)
        page.on("console", self._console)
        page.on("framenavigated", self._navigated)

    def _websocket(self, websocket: WebSocket) -> None:
        websocket.on("framereceived", lambda payload: self.take_frame(_bytes(payload)))

    def _console(self, message: ConsoleMessage) -> None:
        self.take_text(message.text)

    def _navigated(self, frame: Frame) -> None:
        self.take_text(frame.url)

    def _response(self, response: Response) -> None:
        """Files and downloads; Streamlit's own scripts know nothing of any table."""
        self.take_text(response.url, response.headers.get("content-disposition", ""))
        if "/static/" in response.url or response.request.resource_type in ("script", "stylesheet", "font"):
            return
        try:
            body = response.body()
        except Error:
            return
        self.raw.append(body)
        self.texts.append(body.decode("utf-8", "replace"))

    def _message(self, message: Any) -> None:
        for descriptor, value in message.ListFields():
            if hasattr(value, "items"):
                self._each([*value.keys(), *value.values()])
            else:
                self._each(value if descriptor.is_repeated else [value])

    def _each(self, values: Iterable[Any]) -> None:
        for value in values:
            if hasattr(value, "ListFields"):
                self._message(value)
            elif isinstance(value, str):
                self._text(value)
            elif isinstance(value, bytes):
                self._packed(value)
            elif isinstance(value, int | float):
                self.numbers.append(float(value))

    def _text(self, text: str) -> None:
        self.texts.append(text)
        if text[:1] in ("{", "["):
            try:
                self._json(json.loads(text))
            except ValueError:
                return

    def _json(self, value: object) -> None:
        if isinstance(value, dict):
            if value.get("dtype") in _NUMERIC and isinstance(value.get("bdata"), str):
                self._array(np.frombuffer(base64.b64decode(value["bdata"]), dtype="<" + value["dtype"]))
            self._json([*value.keys(), *value.values()])
        elif isinstance(value, list):
            for one in value:
                self._json(one)
        elif isinstance(value, str):
            self.texts.append(value)
        elif isinstance(value, int | float):
            self.numbers.append(float(value))

    def _packed(self, payload: bytes) -> None:
        """Bytes inside a message: a table of Arrow, or anything else, which is searched as it is."""
        self.raw.append(payload)
        self.texts.append(payload.decode("utf-8", "replace"))
        try:
            table = pa.ipc.open_stream(io.BytesIO(payload)).read_all()
        except (pa.ArrowInvalid, OSError):
            return
        for column in table.columns:
            if pa.types.is_integer(column.type) or pa.types.is_floating(column.type):
                self._array(column.to_numpy())
            else:
                self.take_text(*(str(cell) for cell in column.to_pylist()))

    def _array(self, values: NDArray[np.generic]) -> None:
        finite = values.astype(np.float64).ravel()
        self.arrays.append(finite[np.isfinite(finite)])


@dataclass(frozen=True)
class Found:
    """What was received, to be searched for planted values."""

    raw: bytes
    texts: tuple[str, ...]
    numbers: NDArray[np.float64]

    def holds(self, value: Value) -> bool:
        """Whether a value is in it: as text in some writing, as a number in an array, or packed as base64."""
        return bool(self.evidence(value))

    def evidence(self, value: Value) -> str:
        """What stands around a value where it was found; empty where it was not."""
        if isinstance(value, str):
            return self._text_around(value)
        return self._number_around(value) or self._number_near(float(value))

    def _text_around(self, value: str) -> str:
        plain = value.encode()
        ways = (plain, value.encode("utf-16-le"), json.dumps(value)[1:-1].encode(), *_as_base64(plain))
        at = next((place for way in ways if (place := self.raw.find(way)) >= 0), -1)
        if at >= 0:
            return repr(self.raw[max(at - AROUND, 0) : at + AROUND])
        return self._read[max(self._read.find(value) - AROUND, 0) :][: 2 * AROUND] if value in self._read else ""

    def _number_around(self, value: float) -> str:
        match = next((found for digits, pattern in _writings(value) for found in self._matches(digits, pattern)), None)
        return "" if match is None else self._read[max(match.start() - AROUND, 0) : match.end() + AROUND]

    def _matches(self, digits: str, pattern: str) -> Iterator[re.Match[str]]:
        """Where a pattern fits: looked at only where its digits are, which is many times as fast as a search."""
        fits, at = re.compile(pattern), self._read.find(digits)
        while at >= 0:
            if match := fits.match(self._read, at):
                yield match
            at = self._read.find(digits, at + 1)

    def _number_near(self, value: float) -> str:
        margin = abs(value) * TOLERANCE
        first, last = np.searchsorted(self._sorted, [value - margin, value + margin])
        return f"{last - first} numbers in messages, charts or tables" if last > first else ""

    @cached_property
    def _sorted(self) -> NDArray[np.float64]:
        return np.sort(self.numbers)

    @cached_property
    def _read(self) -> str:
        """The texts as a person would read them: entities, escapes, base64 and links opened, thousands not grouped."""
        whole = "\n".join(dict.fromkeys(self.texts))
        opened = "\n".join(
            [whole, html.unescape(whole), unquote_plus(whole), *_from_base64(whole), *_from_links(whole)]
        )
        return _GROUPED.sub("", opened)


def _bytes(payload: str | bytes) -> bytes:
    return payload.encode() if isinstance(payload, str) else payload


def _as_base64(plain: bytes) -> Iterator[bytes]:
    """The three ways in which bytes may stand inside longer bytes in base64, without the ends that depend on those."""
    for before in range(3):
        coded = base64.b64encode(b"\0" * before + plain)
        yield coded[math.ceil(before * 8 / 6) : len(coded) // 4 * 4 - 4]


def _from_base64(text: str) -> Iterator[str]:
    for found in set(_BASE64.findall(text)):
        padded = found.rstrip("=").replace("-", "+").replace("_", "/")
        try:
            yield base64.b64decode(padded + "=" * (-len(padded) % 4)).decode("utf-8")
        except ValueError:
            continue


def _from_links(text: str) -> Iterator[str]:
    """What plans in addresses hold."""
    for link in set(_LINK.findall(text)):
        with suppress(ScenarioError):
            yield unpacked(link)[1]


def _writings(value: float) -> Iterator[tuple[str, str]]:
    """Patterns for a number as text: whole, in full, or with its first digits, cut or rounded, and any after them.

    Each comes with the digits with which all that it fits begins.
    """
    whole = float(value).is_integer()
    if whole and abs(value) < 10**DIGITS:
        yield str(int(value)), rf"(?<![\w.\-]){int(value)}(?!\w|\.\d*[1-9])"
        return
    for digits in range(DIGITS, 9):
        for first in {_rounded(value, digits), _cut(value, digits)}:
            rest = r"\d*(?![A-Za-z_])" if "." in first else r"(?:\.\d*)?(?!\w)"
            yield first, rf"(?<![\w.]){re.escape(first)}{rest}"


def _rounded(value: float, digits: int) -> str:
    return f"{abs(value):.{max(digits - _before_point(value), 0)}f}"


def _cut(value: float, digits: int) -> str:
    places = max(digits - _before_point(value), 0)
    return f"{math.floor(abs(value) * 10**places) / 10**places:.{places}f}"


def _before_point(value: float) -> int:
    return len(str(int(abs(value))))
