"""What is declared about a table, recognized by a short fingerprint; it is made of public facts and of nothing else.

A hash of the content never leaves a server: whoever knows all rows but one could test the last with it.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Mapping
from dataclasses import dataclass
from functools import singledispatch

from dpengine.data import BooleanColumn, CategoryColumn, Column, DateColumn, NumberColumn, Schema, TextColumn
from dpengine.privacy import Neighbors
from dpengine.scenario.codec import to_plain

_LETTERS = "0123456789ABCDEFGHJKMNPQRSTVWXYZ"
"""No I, L, O and U, which are misread."""
_BYTES = 5


@dataclass(frozen=True, slots=True, kw_only=True)
class DeclaredDifference:
    """One fact that two declarations tell otherwise; of the table itself where `column` is empty."""

    column: str
    fact: str
    here: str
    there: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Declarations:
    """A schema, and what answers about its table hide."""

    schema: Schema
    neighbors: Neighbors

    @property
    def fingerprint(self) -> str:
        """Eight letters and digits, equal for equal facts in whatever order the columns stand: 'K7QF-2M9D'.

        It finds tables that were declared differently by mistake; it is no seal against a forger.
        """
        number = int.from_bytes(hashlib.sha256(self._in_one_order().encode()).digest()[:_BYTES])
        letters = [_LETTERS[number >> shift & 31] for shift in range(8 * _BYTES - 5, -1, -5)]
        return "".join((*letters[:4], "-", *letters[4:]))

    def same_as(self, other: Declarations) -> bool:
        """Whether the other one tells the same facts, in whatever order the columns stand; nobody can forge that."""
        return self._in_one_order() == other._in_one_order()

    def _in_one_order(self) -> str:
        schema, columns = self.schema, sorted(self.schema.columns, key=lambda column: column.name)
        facts = (schema.name, self.neighbors, self._people, schema.unit, *columns)
        return json.dumps([to_plain(fact, brief=True) for fact in facts], sort_keys=True)

    def differences(self, other: Declarations) -> tuple[DeclaredDifference, ...]:
        """What the other one tells otherwise, columns that one of them lacks first; empty where the facts are equal."""
        mine, others = ([column.name for column in one.schema.columns] for one in (self, other))
        lacking = [
            DeclaredDifference(column=name, fact="column", here=_presence(name, mine), there=_presence(name, others))
            for name in dict.fromkeys((*mine, *others))
            if name not in mine or name not in others
        ]
        here, there = self._facts(), other._facts()
        changed = [
            DeclaredDifference(column=column, fact=fact, here=_shown(told), there=_shown(there[column, fact]))
            for (column, fact), told in here.items()
            if there.get((column, fact), told) != told
        ]
        return (*lacking, *changed)

    @property
    def _people(self) -> int | None:
        """The number of people, where the promise uses it."""
        return self.schema.people if self.neighbors is Neighbors.REPLACE_ONE else None

    def _facts(self) -> dict[tuple[str, str], object]:
        """Everything that is declared, by column and fact."""
        unit = self.schema.unit
        table: Mapping[str, object] = {
            "name of the table": self.schema.name,
            "what the answers hide": _HIDDEN[self.neighbors],
            "number of people": self._people,
            "column that names the person": unit.identifier or "none",
            "rows of one person that count": unit.rows,
            "groups in which one person counts": unit.groups,
            "rows of one person in a group": unit.rows_per_group,
        }
        told = {column.name: {"kind": _KINDS[type(column)], **_told(column)} for column in self.schema.columns}
        return {(name, fact): one for name, facts in {"": table, **told}.items() for fact, one in facts.items()}


def _presence(name: str, names: list[str]) -> str:
    return "declared" if name in names else "missing"


def _shown(told: object) -> str:
    if isinstance(told, float | int):
        return f"{told:,}".removesuffix(".0")
    return ", ".join(told) if isinstance(told, tuple) else str(told or "not stated")


_HIDDEN = {Neighbors.ADD_REMOVE: "whether a person is in the table", Neighbors.REPLACE_ONE: "a person's values"}
_KINDS: Mapping[type[Column], str] = {
    NumberColumn: "number",
    CategoryColumn: "category",
    BooleanColumn: "yes or no",
    DateColumn: "date",
    TextColumn: "text",
}


@singledispatch
def _told(column: Column) -> Mapping[str, object]:
    """What is declared of a column beside its kind."""
    return {}


@_told.register
def _(column: NumberColumn) -> Mapping[str, object]:
    missing = "never" if column.complete else "possibly"
    return {"lowest value": column.lower, "highest value": column.upper, "unit": column.unit, "missing values": missing}


@_told.register
def _(column: CategoryColumn) -> Mapping[str, object]:
    return {"values": column.categories}


@_told.register
def _(column: BooleanColumn) -> Mapping[str, object]:
    return {"words for yes": column.true_words, "words for no": column.false_words}


@_told.register
def _(column: DateColumn) -> Mapping[str, object]:
    return {"earliest day": column.earliest, "latest day": column.latest}
