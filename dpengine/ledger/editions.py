"""A new edition of a table continues the account before; the same rows in another form should go on in theirs."""

from __future__ import annotations

from sqlalchemy import Connection

from dpengine.data import Schema
from dpengine.errors import AccountMismatchError, LedgerError
from dpengine.ledger import rows
from dpengine.ledger.account import Account
from dpengine.ledger.opening import Opening


def require_continues(connection: Connection, opening: Opening, predecessor: Account) -> None:
    """Raise LedgerError unless an account may be opened as the successor of another one.

    Both must protect the same kind of person against the same change, or the sum of their budgets would mean nothing.
    """
    terms, before = opening.terms, predecessor.terms
    known = rows.account(connection, predecessor.id)
    if known is None or known.fingerprint != predecessor.fingerprint:
        raise LedgerError("The account of the earlier edition is not in this ledger. Nothing was opened.")
    if terms.practice or before.practice:
        raise LedgerError("Practice accounts have no editions: a built-in table never changes. Nothing was opened.")
    if terms.unit.identifier != before.unit.identifier or terms.neighbors is not before.neighbors:
        raise LedgerError(
            "The new edition must protect the same kind of person against the same change as the edition before. "
            "Nothing was opened."
        )
    if (later := rows.successor(connection, predecessor.id)) is not None:
        raise LedgerError(
            f"The account of the earlier edition is continued already, by that of {later.table_name!r}. Continue that "
            "one. Nothing was opened."
        )


def require_same(account: Account, predecessor: Account) -> None:
    """Raise AccountMismatchError where an account that was opened before continues another one, or none."""
    if account.predecessor != predecessor.id:
        raise AccountMismatchError("predecessor", account.predecessor or "none", predecessor.id)


def resembles(schema: Schema, other: Schema) -> bool:
    """Whether two tables look like one in another form: the same name, or at least two and most of their columns.

    What was declared is compared and nothing else: it is public, where a count of rows or of people would be exact.
    """
    one, two = ({column.name.casefold() for column in each.columns} for each in (schema, other))
    shared = len(one & two)
    return schema.name.casefold() == other.name.casefold() or (shared >= 2 and 2 * shared > min(len(one), len(two)))
