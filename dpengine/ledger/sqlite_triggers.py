"""What an SQLite ledger refuses by itself, whatever asks: changes, second copies, charges beyond the budget."""

from __future__ import annotations

from collections.abc import Iterator

from dpengine.ledger.invariants import BOUNDED
from dpengine.ledger.tables import METADATA

_ONLY_ONCE = {
    "meta": "1",
    "accounts": "id = NEW.id OR predecessor = NEW.predecessor OR "
    "(fingerprint = NEW.fingerprint AND practice = NEW.practice AND generation = NEW.generation)",
    "topups": "id = NEW.id",
    "charges": "id = NEW.id OR (account = NEW.account AND request_id = NEW.request_id)",
    "answers": "charge = NEW.charge",
    "links": "position = NEW.position OR (entity = NEW.entity AND key = NEW.key)",
}
"""INSERT OR REPLACE would delete the row that is in its way."""


def triggers() -> Iterator[str]:
    """The statements that make them, one each."""
    for name in METADATA.tables:
        for verb in ("UPDATE", "DELETE"):
            yield _trigger(f"{name}_never_{verb.lower()}", f"{verb} ON {name}", "append only")
        there = f"SELECT 1 FROM {name} WHERE {_ONLY_ONCE[name]}"  # noqa: S608  nothing but our own names
        yield _trigger(f"{name}_only_once", f"INSERT ON {name} WHEN EXISTS ({there})", "already there")
    for name, (condition, message) in BOUNDED.items():
        yield _trigger(f"{name}_bounded", f"INSERT ON {name} WHEN NOT EXISTS ({condition})", message)


def _trigger(name: str, when: str, message: str) -> str:
    return f"CREATE TRIGGER {name} BEFORE {when} BEGIN SELECT RAISE(ABORT, '{message}'); END"
