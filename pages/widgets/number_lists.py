"""Lists of numbers that are chosen without looking at the rows: edges of bins, candidates, thresholds."""

from __future__ import annotations

import re
from collections.abc import Mapping

import numpy as np
import streamlit as st

from dpengine.data import NumberColumn
from dpengine.errors import RefusedQueryError
from pages.widgets import number_box
from pages.widgets.options import apart

FIRST_COUNT = 10
MOST = 1000


def way(label: str, words: Mapping[str, str], *, key: str, hint: str | None = None) -> str:
    """Which kind of list, chosen among so many in words."""
    found = st.radio(
        label,
        list(words),
        format_func=apart(words, words.__getitem__),
        key=key,
        horizontal=True,
        persist_state="session",
        help=hint,
    )
    return str(found)


def edges(column: NumberColumn) -> tuple[float, ...]:
    """Edges of bins: equally wide between the public bounds, or typed."""
    words = {"equal": "equally wide between the bounds", "typed": "edges that you type"}
    if way("Bins, chosen without looking at the rows", words, key="query_bins_how") == "typed":
        return typed("Edges, from low to high", column, key="query_edges", called="edges")
    bins = counted("Number of bins", key="query_bins", called="bins")
    return equal(column, bins + 1)


def equal(column: NumberColumn, count: int) -> tuple[float, ...]:
    """So many numbers from bound to bound, both included; a single one lies in the middle."""
    if count == 1:
        return ((column.lower + column.upper) / 2,)
    return tuple(float(number) for number in np.linspace(column.lower, column.upper, count))


def counted(label: str, *, key: str, called: str, start: int = FIRST_COUNT) -> int:
    """How long the list is; raises RefusedQueryError beyond what one question may ask."""
    count = int(number_box.kept(st.container(), label, key=key, start=start, step=1, persist_state="session"))
    if not 1 <= count <= MOST:
        raise RefusedQueryError(f"The number of {called} must be from 1 to {MOST:,}; it is {count}.")
    return count


def typed(label: str, column: NumberColumn, *, key: str, called: str) -> tuple[float, ...]:
    """Numbers typed in one line, with spaces, commas or semicolons between them."""
    hint = f"{column.lower:g}, …, {column.upper:g}"
    text = st.text_input(label, placeholder=hint, key=key, persist_state="session")
    words = [word for word in re.split(r"[\s,;]+", text or "") if word]
    return tuple(_number(word, called) for word in words)


def _number(word: str, called: str) -> float:
    try:
        return float(word)
    except ValueError:
        raise RefusedQueryError(f"{word[:20]!r} is not a number; type the {called} like 0, 18, 40, 65.") from None
