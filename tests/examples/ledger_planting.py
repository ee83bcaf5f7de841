"""What somebody writes into a ledger past its code: one charge, or all hashes anew."""

from __future__ import annotations

from typing import Any

from dpengine.ledger import Ledger
from dpengine.ledger.storage import chain
from dpengine.ledger.storage.tables import CHAINED
from tests.servers.ledger_places import Place

NEXT = f"SELECT 1 + {' + '.join(f'(SELECT count(*) FROM {table.name})' for table in CHAINED)}"
_SPENT = "SELECT total_epsilon, total_delta, total_rho FROM charges WHERE account = 1 ORDER BY id DESC LIMIT 1"
_CHARGE = (
    "{insert} INTO charges (id, account, request_id, request_hash, planned, table_schema, epsilon, delta, rho, "
    "total_epsilon, total_delta, total_rho, charged, head) "
    "VALUES (?, ?, ?, 'hash', 'planned', 'schema', ?, ?, ?, ?, ?, ?, 'now', '" + "0" * 64 + "')"
)
_IN_PLACE = -77


def planted(
    place: Place,
    request_id: str,
    epsilon: Any,
    delta: Any = 0,
    rho: Any = 1,
    *,
    totals: tuple[Any, ...] | None = None,
    number: int | None = _IN_PLACE,
    account: int = 1,
    insert: str = "INSERT",
) -> str:
    """What the database says to one more charge; in its place and with the right totals unless told otherwise."""
    costs = (epsilon, delta, rho)
    spent = (place.asked(_SPENT) or [(0, 0, 0)])[0]
    right = tuple(_sum(before, cost) for before, cost in zip(spent, costs, strict=True))
    following = place.asked(NEXT)[0][0] if number == _IN_PLACE else number
    return place.tampered(_CHARGE.format(insert=insert), following, account, request_id, *costs, *(totals or right))


def rewritten(place: Place, ledger: Ledger, *changes: str) -> None:
    """Make changes without any guard, and then every head what it has to be."""
    if changes:
        place.unguarded(*changes)
    with ledger._store.reading() as connection:
        link, heads = chain.Link(0, chain._first_head(connection)), []
        for table, row in chain._all_rows(connection, chain.newest(connection).id):
            placed = chain.linked(
                table, {name: value for name, value in row.items() if name not in ("id", "head")}, link
            )
            link = chain.Link(placed["id"], placed["head"])
            heads.append(f"UPDATE {table.name} SET head = '{link.head}' WHERE id = {link.id}")
    place.unguarded(*heads)


def _sum(before: int, cost: Any) -> Any:
    return before + cost if isinstance(cost, int | float) else cost
