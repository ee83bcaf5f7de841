"""What stands after `python -m benchmarks.<name>`: how much is to be measured, or `--smallest`."""

from __future__ import annotations

import argparse
from collections.abc import Sequence
from dataclasses import replace
from typing import TYPE_CHECKING, TypeVar

if TYPE_CHECKING:
    from _typeshed import DataclassInstance

Size = TypeVar("Size", bound="DataclassInstance")


def size_asked_for(arguments: Sequence[str], *, usual: Size, smallest: Size, counted: str = "") -> Size:
    """The usual size, with another number in its field `counted` where one is given, or the smallest.

    At its smallest a benchmark takes seconds and measures nothing worth reading, but shows that it runs: it fails where
    something goes wrong or a result is, never because of a time. The tests run every benchmark so.
    """
    parser = argparse.ArgumentParser()
    parser.add_argument("--smallest", action="store_true", help="show in seconds that the benchmark runs")
    if counted:
        usually = getattr(usual, counted)
        parser.add_argument(counted, nargs="?", type=_whole, default=usually, help=f"usually {usually}")
    asked = parser.parse_args(arguments)
    if asked.smallest:
        return smallest
    return replace(usual, **{counted: getattr(asked, counted)}) if counted else usual


def _whole(text: str) -> int:
    """A count, also written as 1e7."""
    return int(float(text))
