"""Differential privacy that can be seen: mechanisms, bounds, accounting, beliefs and a durable ledger.

The names with which a notebook begins are here too, each imported when it is first asked for.
"""

from importlib import import_module
from typing import Any

__all__ = [
    "Comparison",
    "CountPeopleQuery",
    "Guarantee",
    "Ledger",
    "Neighbors",
    "PlannedQuery",
    "load_sample",
    "read_table",
    "release",
    "repeated",
]
__version__ = "0.1.0"
_HOMES = {
    "Comparison": "data",
    "CountPeopleQuery": "queries",
    "Guarantee": "privacy",
    "Ledger": "ledger",
    "Neighbors": "privacy",
    "PlannedQuery": "plan",
    "load_sample": "data",
    "read_table": "data",
    "repeated": "accounting",
}


def __getattr__(name: str) -> Any:
    if name == "release":
        return import_module("dpengine.release")
    if name not in _HOMES:
        raise AttributeError(f"module 'dpengine' has no attribute {name!r}")
    return getattr(import_module(f"dpengine.{_HOMES[name]}"), name)


def __dir__() -> list[str]:
    return sorted({*globals(), *__all__})
