"""Everything a person chose, as one value to save, share and load; never a row, an exact value or a hash."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any

from dpengine.data import Labels, Schema, sample_labels, sample_names, sample_schema
from dpengine.errors import (
    InvalidParameterError,
    ScenarioError,
    items_of,
    require_fields,
    require_kind,
    require_kinds,
    require_one_of,
)
from dpengine.plan import PlannedQuery
from dpengine.privacy import Guarantee, Neighbors
from dpengine.scenario.codec import from_plain, require_texts, to_plain
from dpengine.scenario.declarations import Declarations
from dpengine.scenario.packing import LARGEST_PLAN, packed, unpacked
from dpengine.scenario.targets import MOST_QUERIES, PlanTargets

VERSION = 2
READ = (1, VERSION)
RULES = ("basic", "concentrated")
_BUILT_IN = "BuiltIn"


@dataclass(frozen=True, slots=True, kw_only=True)
class Scenario:
    """A table by name and schema, the neighbor relation, the planned questions, the budget, the rule that adds up.

    `rule` is "basic" (epsilons and deltas add up) or "concentrated" (rhos add up; the budget needs a delta above 0).
    `targets` is what the person assumes and aims at beside; `labels` are words that somebody gave to the table.
    """

    table_name: str
    schema: Schema
    neighbors: Neighbors
    budget: Guarantee
    queries: tuple[PlannedQuery, ...] = ()
    rule: str = "basic"
    targets: PlanTargets = field(default_factory=PlanTargets)
    labels: Labels = field(default_factory=Labels)

    def __post_init__(self) -> None:
        object.__setattr__(self, "queries", items_of("queries", self.queries))
        require_fields(self)
        require_one_of("rule", self.rule, RULES)
        if len(self.queries) > MOST_QUERIES:
            raise InvalidParameterError("number of questions", len(self.queries), f"at most {MOST_QUERIES}")
        self.labels.require_told_apart(self.schema)
        if self.neighbors is Neighbors.REPLACE_ONE and self.schema.people is None:
            raise InvalidParameterError(
                "people", None, "declared when one person is replaced: their number is public then"
            )

    def with_query(self, planned: PlannedQuery) -> Scenario:
        """The same with one more question at the end, of which nothing is said yet."""
        return self._followed((*self.queries, planned), [*range(len(self.queries)), None])

    def with_query_at(self, index: int, planned: PlannedQuery) -> Scenario:
        """The same with the question at this place exchanged; what was accepted of it stays if it asks the same."""
        came_from: list[int | None] = [*range(len(self.queries))]
        if planned.query != self.queries[index].query:
            came_from[index] = None
        return self._followed((*self.queries[:index], planned, *self.queries[index + 1 :]), came_from)

    def without_query(self, index: int) -> Scenario:
        """The same without the question at this place and what was accepted of it."""
        came_from = [place for place in range(len(self.queries)) if place != index]
        return self._followed((*self.queries[:index], *self.queries[index + 1 :]), came_from)

    def _followed(self, queries: tuple[PlannedQuery, ...], came_from: Sequence[int | None]) -> Scenario:
        return replace(self, queries=queries, targets=self.targets.followed(came_from))

    @property
    def declarations(self) -> Declarations:
        """The public facts by which a table of another machine is recognized."""
        return Declarations(schema=self.schema, neighbors=self.neighbors)

    @property
    def built_in(self) -> bool:
        """Whether the table is one that ships with the program, under the schema that it ships with."""
        return self.table_name in sample_names() and self.schema == sample_schema(self.table_name)

    @property
    def spoken(self) -> Labels:
        """What sentences call the table and its columns: as the table ships with, else as somebody said."""
        return sample_labels(self.table_name) if self.built_in else self.labels

    def to_json(self) -> str:
        """Versioned JSON, the same text for equal scenarios."""
        told = _FIELDS if self.labels != Labels() else _FIELDS[:-1]
        return _json({"version": VERSION} | {name: to_plain(getattr(self, name)) for name in told})

    @classmethod
    def from_json(cls, text: str) -> Scenario:
        """The scenario back; another version, a missing field or a value out of range raises ScenarioError."""
        require_kind("text", text, str)
        plain = _parsed(text)
        version = plain.pop("version", None)
        if version not in READ or isinstance(version, bool):
            raise ScenarioError(
                f"This plan was saved by version {str(version)[:20]!r}; this program reads versions 1 and {VERSION}."
            )
        return _scenario_from(plain)

    def to_link(self) -> str:
        """What differs from the usual, packed into text that fits an address; a built-in table is named, not told."""
        plain = {name: to_plain(getattr(self, name), brief=True) for name in _FIELDS}
        if self.built_in:
            plain["schema"] = {"is": _BUILT_IN, "fingerprint": self.declarations.fingerprint}
        if self.rule == RULES[0]:
            del plain["rule"]
        if self.targets == PlanTargets():
            del plain["targets"]
        if self.labels == Labels():
            del plain["labels"]
        return packed(_json(plain))

    @classmethod
    def from_link(cls, text: str) -> Scenario:
        """The scenario of a link; damaged, oversized or unknown links raise ScenarioError."""
        require_kind("text", text, str)
        version, unfolded = unpacked(text)
        if version == 1:
            return cls.from_json(unfolded)
        plain = _parsed(unfolded)
        return _scenario_from(plain | {"schema": _schema_told(plain)})


_FIELDS = ("table_name", "schema", "neighbors", "budget", "queries", "rule", "targets", "labels")


def _json(plain: Mapping[str, Any]) -> str:
    return json.dumps(plain, separators=(",", ":"), allow_nan=False)


def _scenario_from(plain: Mapping[str, Any]) -> Scenario:
    require_texts(dict(plain))
    try:
        arguments = {name: from_plain(value) for name, value in plain.items()}
        require_kinds(Scenario, arguments)
        return Scenario(**arguments)
    except ScenarioError:
        raise
    except InvalidParameterError as error:
        raise ScenarioError(f"This plan cannot be read: {error}") from None
    except (TypeError, ValueError, AttributeError):
        raise ScenarioError("This plan cannot be read: a field is missing or of the wrong kind.") from None


def _schema_told(plain: Mapping[str, Any]) -> Any:
    """The plain schema of a link; of a built-in table, that of this program, where it is still the same."""
    told, name, neighbors = plain.get("schema"), plain.get("table_name"), from_plain(plain.get("neighbors"))
    if not isinstance(told, dict) or told.get("is") != _BUILT_IN:
        return told
    if name not in sample_names() or not isinstance(name, str) or not isinstance(neighbors, Neighbors):
        raise ScenarioError(f"This link needs a practice table that this program does not have: {str(name)[:40]!r}.")
    schema = sample_schema(name)
    here, there = Declarations(schema=schema, neighbors=neighbors).fingerprint, str(told.get("fingerprint"))[:20]
    if there != here:
        raise ScenarioError(
            f"This link is about a practice table {name!r} with other declarations ({there}) than this program's "
            f"({here}). Ask for the plan as a file, which holds them all."
        )
    return to_plain(schema)


def _parsed(text: str) -> dict[str, object]:
    if len(text) > LARGEST_PLAN:
        raise ScenarioError(f"This plan has {len(text):,} characters; at most {LARGEST_PLAN:,} are read.")
    try:
        plain = json.loads(text, parse_constant=_refuse_constant)
    except (ValueError, RecursionError):
        raise ScenarioError("This is not a saved plan: it is not readable as JSON.") from None
    if not isinstance(plain, dict):
        raise ScenarioError("This is not a saved plan.")
    return plain


def _refuse_constant(name: str) -> float:
    raise ValueError(name)
