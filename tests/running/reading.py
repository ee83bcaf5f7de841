"""Where each worker begins to read: what one has compiled is there for the others, where all would compile all."""

from __future__ import annotations

from collections.abc import Sequence
from importlib import import_module
from typing import TypeVar

import pytest

LARGE = ("pandas", "ibis", "scipy.stats", "sqlalchemy", "streamlit", "playwright.sync_api")
"""Libraries of which each takes long to compile, in an environment in which nothing is compiled yet."""
One = TypeVar("One")


def import_libraries(config: pytest.Config) -> None:
    """Import what all workers need, each beginning with another library; without workers, nothing."""
    if hasattr(config, "workerinput"):
        for name in begun_elsewhere(LARGE, config):
            import_module(name)


def begun_elsewhere(all_of_them: Sequence[One], config: pytest.Config) -> list[One]:
    """The same things in turn, from this worker's share of them on."""
    worker = getattr(config, "workerinput", {"workerid": "gw0", "workercount": 1})
    begin = len(all_of_them) * int(worker["workerid"].removeprefix("gw")) // worker["workercount"]
    return [*all_of_them[begin:], *all_of_them[:begin]]
