"""A new edition of a table continues the account before; the same rows in another form should go on in theirs."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Collection, Hashable

from sqlalchemy import Connection

from dpengine.data import CategoryColumn, Column, DateColumn, NumberColumn, Schema
from dpengine.errors import AccountMismatchError, LedgerError
from dpengine.ledger.accounts import rows
from dpengine.ledger.accounts.account import Account
from dpengine.ledger.accounts.opening import Opening

_BORDER, _WORD = re.compile(r"(?<=[a-z])(?=[A-Z])"), re.compile(r"[^\W_]+")


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
            f"The account of the earlier edition is already continued by that of {later.table_name!r}. Continue that "
            "one. Nothing was opened."
        )


def require_none_beside(connection: Connection, known: Collection[Account]) -> None:
    """Raise LedgerError where there is an account of real people that whoever opens one has said nothing about."""
    said = {account.id for account in known}
    if any(row.id not in said for row in rows.all_accounts(connection) if not row.practice):
        raise LedgerError(
            "Meanwhile another table got an account here. Nothing was opened. Look at that table's name, say whether "
            "somebody is in both tables, and open this account then."
        )


def require_same(account: Account, predecessor: Account) -> None:
    """Raise AccountMismatchError where an account that was opened before continues another one, or none."""
    if account.predecessor != predecessor.id:
        raise AccountMismatchError("predecessor", account.predecessor or "none", predecessor.id)


def resembles(schema: Schema, other: Schema) -> bool:
    """Whether two tables look like one in another form: the same name, or most of their columns, and two if there are.

    What was declared is compared and nothing else: it is public, where a count of rows or of people would be exact. An
    export renames columns, so that the words of their names count, and what is declared of their values.
    """
    (same_name, shared), fewer = likeness(schema, other), min(len(schema.columns), len(other.columns))
    return same_name or (shared >= min(2, fewer) and 2 * shared > fewer)


def likeness(schema: Schema, other: Schema) -> tuple[bool, int]:
    """How much two tables look alike: whether they have one name, and how many columns; the more, the larger."""
    shared = min(_known_in(schema, other), _known_in(other, schema))
    return _words(schema.name) == _words(other.name), shared


def _known_in(schema: Schema, other: Schema) -> int:
    """How many columns of a table look like one of another table."""
    return sum(
        _names_people(column, schema, other) or any(_alike(column, one) for one in other.columns)
        for column in schema.columns
    )


def _names_people(column: Column, schema: Schema, other: Schema) -> bool:
    """Whether it says whose rows belong together, as some column of the other table does, whatever it is called."""
    return column.name == schema.unit.identifier and other.unit.identifier is not None


def _alike(column: Column, other: Column) -> bool:
    """The same name, up to signs between its words and words that one of them leaves out; or the same values."""
    one, two, values = _words(column.name), _words(other.name), _values(column)
    return one <= two or two <= one or (values is not None and values == _values(other))


def _words(name: str) -> frozenset[str]:
    """The words of a name, however they are set apart: `PatientID` and `patient_id` have the same."""
    words = _WORD.findall(_BORDER.sub(" ", unicodedata.normalize("NFKC", name)))
    return frozenset(word.casefold() for word in words) or frozenset({name})


def _values(column: Column) -> Hashable:
    """What was declared of a column's values where that tells it from most others, else nothing."""
    match column:
        case NumberColumn():
            return column.lower, column.upper
        case CategoryColumn():
            return frozenset(category.casefold() for category in column.categories)
        case DateColumn():
            return column.earliest, column.latest
    return None
