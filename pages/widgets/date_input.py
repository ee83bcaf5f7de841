"""A box for one day of any year, empty at first."""

from __future__ import annotations

from datetime import date
from typing import Literal

from streamlit.delta_generator import DeltaGenerator

FIRST, LAST = date(1, 1, 1), date(9999, 12, 31)


def box(place: DeltaGenerator, label: str, *, key: str, width: int | Literal["stretch"] = "stretch") -> date | None:
    """The day that is picked; the label is for those who hear the page."""
    return place.date_input(
        label,
        None,
        FIRST,
        LAST,
        key=key,
        format="YYYY-MM-DD",
        label_visibility="collapsed",
        width=width,
        persist_state="session",
    )
