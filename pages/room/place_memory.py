"""A browser's own memory of its place in a room, so that whoever scans the picture again need not take another name."""

from __future__ import annotations

import re
from pathlib import Path

import streamlit as st

_KEY = re.compile(r"[A-Za-z0-9_-]{16,64}")
_PLACE = st.components.v2.component(
    "room_place",
    html="<span hidden></span>",
    js=(Path(__file__).parent / "place.js").read_text(encoding="utf-8"),
)


def keep(key: str) -> None:
    """Let this browser remember its key."""
    _tell(keep=key)


def forget(key: str) -> None:
    """Let this browser forget a key that opens nothing any more."""
    _tell(forget=key)


def kept() -> str:
    """The key that this browser remembers, in the shape of a key; empty where it has none, or has not said it yet."""
    said = _PLACE(key="room_place_asked", data={"ask": True}, on_kept_change=lambda: None).kept
    return said if isinstance(said, str) and _KEY.fullmatch(said) else ""


def _tell(**data: str) -> None:
    _PLACE(key="room_place_told", data=data)
