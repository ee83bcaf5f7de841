"""What an SQLite ledger refuses by itself, whatever asks: changes, second copies, charges beyond the budget."""

from __future__ import annotations

from collections.abc import Iterator

from dpengine.ledger.storage.invariants import BOUNDED
from dpengine.ledger.storage.tables import METADATA

_ONLY_ONCE = {
    "meta": "1",
    "accounts": "predecessor = NEW.predecessor OR "
    "(fingerprint = NEW.fingerprint AND practice = NEW.practice AND generation = NEW.generation)",
    "charges": "account = NEW.account AND request_id = NEW.request_id",
    "answers": "charge = NEW.charge",
}
"""INSERT OR REPLACE would delete the row that is in its way; one of the same number is not the next one anyway."""


def triggers() -> Iterator[str]:
    """The statements that make them, one each."""
    for name in METADATA.tables:
        for verb in ("UPDATE", "DELETE"):
            yield _trigger(f"{name}_never_{verb.lower()}", f"{verb} ON {name}", _refusal("append only"))
    for name, same in _ONLY_ONCE.items():
        there = f"SELECT 1 FROM {name} WHERE {same}"  # noqa: S608  nothing but our own names
        yield _trigger(f"{name}_only_once", f"INSERT ON {name} WHEN EXISTS ({there})", _refusal("already there"))
    for name, conditions in BOUNDED.items():
        refusals = (f"{_refusal(message)} WHERE NOT EXISTS ({condition})" for condition, message in conditions)
        yield _trigger(f"{name}_bounded", f"INSERT ON {name}", *refusals)


def _trigger(name: str, when: str, *refusals: str) -> str:
    return f"CREATE TRIGGER {name} BEFORE {when} BEGIN {'; '.join(refusals)}; END"


def _refusal(message: str) -> str:
    return f"SELECT RAISE(ABORT, '{message}')"
