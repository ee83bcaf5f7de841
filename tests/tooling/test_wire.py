"""The search for planted values: every writing of each is found, and what only looks like one is not."""

from __future__ import annotations

import base64
import json
from urllib.parse import quote

import numpy as np

from dpengine.data import And, Comparison
from dpengine.plan import PlannedQuery
from dpengine.privacy import Guarantee
from dpengine.queries import CountQuery
from tests.examples import planted
from tests.running.cases import each
from tests.servers.wire import Found, Wire

VALUES = planted.cells() | planted.exact()
NUMBERS = {name: value for name, value in VALUES.items() if not isinstance(value, str)}
TEXTS = {name: value for name, value in VALUES.items() if isinstance(value, str)}


def written(text: str) -> Found:
    wire = Wire()
    wire.take_text(text)
    return wire.found()


def received(*values: float, kind: type = np.float64) -> Found:
    """Numbers as a chart carries them."""
    return Found(raw=b"", texts=(), numbers=np.array(values, dtype=kind).astype(np.float64))


def test_there_are_thirty_values_that_no_page_could_know_by_itself() -> None:
    assert len(VALUES) >= 30
    assert len(set(VALUES.values())) == len(VALUES)
    assert all(abs(value) > 1000 for value in NUMBERS.values())


@each("name", TEXTS)
def test_a_text_is_found_in_every_writing(name: str) -> None:
    text = str(TEXTS[name])
    ways = [text, json.dumps(text), quote(text)]
    packed = [base64.b64encode(f"{'-' * n}{text}!".encode()).decode() for n in range(3)]
    for way in [*ways, *packed]:
        assert written(f"before {way} after").holds(text), way
    assert Found(raw=text.encode("utf-16-le"), texts=(), numbers=np.array([])).holds(text)
    assert not written(f"before {text[:-1]} after").holds(text)


def test_what_stands_in_a_link_is_found() -> None:
    text, number = str(TEXTS["a text"]), NUMBERS["exact mean"]
    where = And((Comparison(planted.CITY, "=", text), Comparison(planted.HEIGHT, ">", number)))
    asked = PlannedQuery(query=CountQuery(where=where), guarantee=Guarantee(epsilon=1.0))
    link = planted.plan().with_query(asked).to_link()
    for found in (written(f"http://127.0.0.1/budget?plan={link}&tour=1"), written(quote(f"?plan={link}"))):
        assert found.holds(text)
        assert found.holds(number)
    clean = written(f"http://127.0.0.1/budget?plan={planted.plan().to_link()}")
    assert [name for name, value in VALUES.items() if clean.holds(value)] == []


@each("name", NUMBERS)
def test_a_number_is_found_in_every_writing(name: str) -> None:
    value = float(NUMBERS[name])
    for way in (
        f"{value}",
        f"{value:,}",
        f"{value:,.2f}",
        f"{value:,.1f}",
        f"({value:.6f})",
        f"{value:_}".replace("_", "\u202f"),
    ):
        assert written(f"about {way} rows").holds(value), way
    assert received(1.0, value).holds(value)
    assert received(value, kind=np.float32).holds(value)


@each("name", NUMBERS)
def test_another_number_is_not_taken_for_it(name: str) -> None:
    value = float(NUMBERS[name])
    for other in (value * 1.001, value + 7, value * 10):
        assert not written(f"about {other:,.4f} rows").holds(value), other
        assert not received(other).holds(value), other


def test_digits_inside_something_else_are_not_a_number() -> None:
    for text in ["a1019b", "1019.5", "21019", "10190", "0.1019", "-1019", "v1019"]:
        assert not written(text).holds(1019), text
        assert written("1019").holds(1019), text
