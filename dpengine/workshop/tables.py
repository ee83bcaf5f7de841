"""The workshop's tables, in the ledger's database beside the ledger's own: everything here may change and is deleted.

No exact value has a column, and no answer: those stay in the ledger. Of a person there is a pseudonym, and as long as
they are in the room what it folds to, which nobody else may take, and the trace of a key; of an address a trace that
tells two apart within one room. Amounts are whole numbers as in the ledger.
"""

from __future__ import annotations

from sqlalchemy import CheckConstraint, Column, Float, ForeignKey, Integer, MetaData, Table, Text, UniqueConstraint

from dpengine.ledger.storage.tables import Whole

METADATA = MetaData()
VERSION = 2
"""Since 2 a question of a room has a name by chance: who knows 1 alone would give it another one, and charge again."""


def _text(name: str) -> Column[str]:
    return Column(name, Text, nullable=False)


def _whole(name: str) -> Column[int]:
    return Column(name, Whole, nullable=False)


def _number() -> Column[int]:
    return Column("id", Whole, primary_key=True, autoincrement=True)


def _of(table: str) -> Column[int]:
    return Column(table, Whole, ForeignKey(f"workshop_{table}s.id", ondelete="CASCADE"), nullable=False, index=True)


versions = Table(
    "workshop_versions",
    METADATA,
    Column("single", Integer, primary_key=True),
    CheckConstraint("single = 1"),
    _whole("version"),
)

rooms = Table(
    "workshop_rooms",
    METADATA,
    _number(),
    Column("code", Text, nullable=False, unique=True),
    Column("screen", Text, nullable=False, unique=True),
    _text("setting"),
    _whole("account"),
    _text("state"),
    CheckConstraint("state IN ('open', 'paused', 'closed')"),
    _whole("step"),
    _whole("phase"),
    Column("epsilon", Float, nullable=True),
    CheckConstraint("epsilon IS NULL OR epsilon > 0"),
    _whole("version"),
    _whole("pulse"),
    _text("opened"),
    _text("expires"),
    _text("touched"),
    sqlite_autoincrement=True,
)

participants = Table(
    "workshop_participants",
    METADATA,
    _number(),
    _of("room"),
    _text("name"),
    Column("folded", Text, nullable=True),
    Column("trace", Text, nullable=True, unique=True),
    CheckConstraint("(folded IS NULL) = (trace IS NULL)"),
    UniqueConstraint("room", "folded"),
    sqlite_autoincrement=True,
)

doors = Table(
    "workshop_doors",
    METADATA,
    _number(),
    Column("room", Whole, ForeignKey("workshop_rooms.id", ondelete="CASCADE"), nullable=False, unique=True),
    _whole("shut"),
    CheckConstraint("shut IN (0, 1)"),
    _whole("places"),
    CheckConstraint("places >= 1"),
    sqlite_autoincrement=True,
)
"""What a host has changed about who may join, nothing without a row; no columns of a room, which older ledgers lack."""

arrivals = Table(
    "workshop_arrivals",
    METADATA,
    _number(),
    _of("room"),
    _of("participant"),
    _text("at"),
    _text("origin"),
    sqlite_autoincrement=True,
)

sayings = Table(
    "workshop_sayings",
    METADATA,
    _number(),
    _of("room"),
    _of("participant"),
    _text("kind"),
    CheckConstraint("kind IN ('guess', 'choice', 'check')"),
    _whole("number"),
    CheckConstraint("number >= 0"),
    Column("value", Float, nullable=False),
    UniqueConstraint("participant", "kind", "number"),
    sqlite_autoincrement=True,
)

asks = Table(
    "workshop_asks",
    METADATA,
    _number(),
    _of("room"),
    _of("participant"),
    _whole("number"),
    CheckConstraint("number >= 0"),
    _text("planned"),
    _whole("epsilon"),
    _whole("delta"),
    _whole("rho"),
    CheckConstraint("epsilon >= 1 AND delta >= 0 AND rho >= 1"),
    _text("state"),
    CheckConstraint("state IN ('waiting', 'answered', 'refused', 'capped')"),
    _text("sentence"),
    UniqueConstraint("participant", "number"),
    sqlite_autoincrement=True,
)

requests = Table(
    "workshop_requests",
    METADATA,
    _number(),
    _of("room"),
    Column("ask", Whole, ForeignKey("workshop_asks.id", ondelete="CASCADE"), nullable=False, unique=True),
    _text("request"),
    sqlite_autoincrement=True,
)
"""Under which request id of the ledger an ask is charged: it tells nothing, and what it belongs to goes with the room.

An ask without a row has the id that older ledgers gave it.
"""
