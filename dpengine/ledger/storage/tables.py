"""The ledger's tables, append-only: what is charged is never updated and never deleted.

Amounts are whole numbers (see amounts.py) in columns that accept nothing else. Every cost stands under both rules; an
account's own rule says which one counts. A top-up is a row with the new total and its reason. An exact value has no
column. A row's number is its place in the one order in which everything was written (see chain.py). A charge carries
the total of its account up to it, so that nobody has to add up all of them to know what is left.
"""

from __future__ import annotations

from sqlalchemy import (
    BigInteger,
    CheckConstraint,
    Column,
    ForeignKey,
    Index,
    Integer,
    LargeBinary,
    MetaData,
    Table,
    Text,
    UniqueConstraint,
)

Whole = BigInteger().with_variant(Integer(), "sqlite")
METADATA = MetaData()


def _table(
    name: str, *members: Column[int] | Column[str] | Column[bytes] | CheckConstraint | UniqueConstraint
) -> Table:
    return Table(name, METADATA, *members, sqlite_strict=True)


def _place() -> tuple[Column[int], CheckConstraint]:
    return Column("id", Whole, primary_key=True, autoincrement=False), CheckConstraint("id >= 1")


def _head() -> tuple[Column[str], CheckConstraint]:
    return Column("head", Text, nullable=False), CheckConstraint("length(head) = 64")


def _whole(name: str, rule: str = ">= 0") -> tuple[Column[int], CheckConstraint]:
    return Column(name, Whole, nullable=False), CheckConstraint(f"{name} {rule}")


def _text(name: str) -> tuple[Column[str], CheckConstraint]:
    return Column(name, Text, nullable=False), CheckConstraint(f"length({name}) > 0")


meta = _table(
    "meta",
    Column("single", Whole, primary_key=True),
    CheckConstraint("single = 1"),
    *_text("ledger_id"),
    *_whole("version", ">= 1"),
    Column("secret", LargeBinary, nullable=False),
    CheckConstraint("length(secret) = 32"),
    *_text("created"),
)

accounts = _table(
    "accounts",
    *_place(),
    *_text("fingerprint"),
    *_whole("practice", "IN (0, 1)"),
    *_whole("generation", ">= 1"),
    Column("predecessor", Whole, ForeignKey("accounts.id"), nullable=True, unique=True),
    CheckConstraint("predecessor IS NULL OR (predecessor < id AND practice = 0 AND generation = 1)"),
    *_text("table_name"),
    *_text("table_schema"),
    Column("identifier", Text, nullable=True),
    *_whole("rows_each", ">= 1"),
    Column("neighbors", Text, nullable=False),
    CheckConstraint("neighbors IN ('add_remove', 'replace_one')"),
    Column("people", Whole, nullable=True),
    CheckConstraint("(people IS NULL) = (neighbors = 'add_remove')"),
    Column("rule", Text, nullable=False),
    CheckConstraint("rule IN ('basic', 'concentrated')"),
    *_whole("granted_epsilon", ">= 1"),
    *_whole("granted_delta", "BETWEEN 0 AND 999999999999999999"),
    *_whole("granted_rho"),
    CheckConstraint("rule = 'basic' OR granted_rho > 0"),
    *_text("opened"),
    UniqueConstraint("fingerprint", "practice", "generation"),
    CheckConstraint("generation = 1 OR practice = 1"),
    *_head(),
)

topups = _table(
    "topups",
    *_place(),
    Column("account", Whole, ForeignKey("accounts.id"), nullable=False),
    *_whole("granted_epsilon", ">= 1"),
    *_whole("granted_delta", "BETWEEN 0 AND 999999999999999999"),
    *_whole("granted_rho"),
    *_text("reason"),
    *_text("granted"),
    *_head(),
)
Index("raising", topups.c.account, topups.c.id)

charges = _table(
    "charges",
    *_place(),
    Column("account", Whole, ForeignKey("accounts.id"), nullable=False),
    *_text("request_id"),
    *_text("request_hash"),
    *_text("planned"),
    *_text("table_schema"),
    *_whole("epsilon", ">= 1"),
    *_whole("delta"),
    *_whole("rho", ">= 1"),
    *_whole("total_epsilon", ">= epsilon"),
    *_whole("total_delta", ">= delta"),
    *_whole("total_rho", ">= rho"),
    *_text("charged"),
    *_head(),
    UniqueConstraint("request_id", "account"),
)
Index("spending", charges.c.account, charges.c.id)

answers = _table(
    "answers",
    *_place(),
    Column("charge", Whole, ForeignKey("charges.id"), nullable=False, unique=True),
    *_text("noisy"),
    *_text("answered"),
    *_head(),
)
CHAINED = (accounts, topups, charges, answers)
