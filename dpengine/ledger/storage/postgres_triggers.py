"""What a PostgreSQL ledger refuses by itself, whatever asks: changes, and charges beyond the budget."""

from __future__ import annotations

from collections.abc import Iterator

from dpengine.ledger.storage.invariants import BOUNDED
from dpengine.ledger.storage.tables import METADATA

NAMESPACE = "epsilon_explorer_ledger"


def triggers() -> Iterator[str]:
    """The statements that make them, functions before what calls them."""
    yield _function("never", "RAISE EXCEPTION 'append only';")
    for name in METADATA.tables:
        yield _trigger(f"{name}_never_changed", f"UPDATE OR DELETE ON {name} FOR EACH ROW", "never")
        yield _trigger(f"{name}_never_emptied", f"TRUNCATE ON {name} FOR EACH STATEMENT", "never")
    for name, conditions in BOUNDED.items():
        refusals = (
            f"IF NOT EXISTS ({condition}) THEN RAISE EXCEPTION '{message}'; END IF;"
            for condition, message in conditions
        )
        yield _function(f"{name}_bounded", f"{' '.join(refusals)} RETURN NEW;")
        yield _trigger(f"{name}_bounded", f"INSERT ON {name} FOR EACH ROW", f"{name}_bounded")


def _function(name: str, body: str) -> str:
    """It finds the ledger's own tables, whatever the search path of the one who asks."""
    settings = f"SET search_path = {NAMESPACE}, pg_temp"
    return f"CREATE FUNCTION {name}() RETURNS trigger LANGUAGE plpgsql {settings} AS $$ BEGIN {body} END $$"


def _trigger(name: str, when: str, function: str) -> str:
    return f"CREATE TRIGGER {name} BEFORE {when} EXECUTE FUNCTION {function}()"
