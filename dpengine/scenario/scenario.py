"""Everything a person chose, as one value to save, share and load; never a row, an exact value or a hash."""

from __future__ import annotations

import base64
import binascii
import json
import zlib
from dataclasses import dataclass, replace

from dpengine.data import Schema
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
from dpengine.scenario.codec import from_plain, to_plain

VERSION = 1
RULES = ("basic", "concentrated")
MOST_QUERIES = 500
LONGEST_LINK = 100_000
LARGEST_PLAN = 2_000_000


@dataclass(frozen=True, slots=True, kw_only=True)
class Scenario:
    """A table by name and schema, the neighbor relation, the planned questions, the budget and the rule that adds up.

    `rule` is "basic" (epsilons and deltas add up) or "concentrated" (rhos add up; the budget needs a delta above 0).
    """

    table_name: str
    schema: Schema
    neighbors: Neighbors
    budget: Guarantee
    queries: tuple[PlannedQuery, ...] = ()
    rule: str = "basic"

    def __post_init__(self) -> None:
        object.__setattr__(self, "queries", items_of("queries", self.queries))
        require_fields(self)
        require_one_of("rule", self.rule, RULES)
        if len(self.queries) > MOST_QUERIES:
            raise InvalidParameterError("number of questions", len(self.queries), f"at most {MOST_QUERIES}")
        if self.neighbors is Neighbors.REPLACE_ONE and self.schema.people is None:
            raise InvalidParameterError(
                "people", None, "declared when one person is replaced: their number is public then"
            )

    def with_query(self, planned: PlannedQuery) -> Scenario:
        """The same with one more question at the end."""
        return replace(self, queries=(*self.queries, planned))

    def with_query_at(self, index: int, planned: PlannedQuery) -> Scenario:
        """The same with the question at this place exchanged."""
        return replace(self, queries=(*self.queries[:index], planned, *self.queries[index + 1 :]))

    def without_query(self, index: int) -> Scenario:
        """The same without the question at this place."""
        return replace(self, queries=(*self.queries[:index], *self.queries[index + 1 :]))

    def to_json(self) -> str:
        """Versioned JSON, the same text for equal scenarios."""
        names = ("table_name", "schema", "neighbors", "budget", "queries", "rule")
        plain = {"version": VERSION} | {name: to_plain(getattr(self, name)) for name in names}
        return json.dumps(plain, separators=(",", ":"), allow_nan=False)

    @classmethod
    def from_json(cls, text: str) -> Scenario:
        """The scenario back; another version, a missing field or a value out of range raises ScenarioError."""
        require_kind("text", text, str)
        plain = _parsed(text)
        version = plain.pop("version", None)
        if version != VERSION:
            raise ScenarioError(
                f"This plan was saved by version {str(version)[:20]!r}; this program reads version {VERSION}."
            )
        try:
            arguments = {name: from_plain(value) for name, value in plain.items()}
            require_kinds(cls, arguments)
            return cls(**arguments)
        except ScenarioError:
            raise
        except InvalidParameterError as error:
            raise ScenarioError(f"This plan cannot be read: {error}") from None
        except (TypeError, ValueError, AttributeError):
            raise ScenarioError("This plan cannot be read: a field is missing or of the wrong kind.") from None

    def to_link(self) -> str:
        """The JSON packed into text that fits an address."""
        packed = zlib.compress(self.to_json().encode(), 9)
        return base64.urlsafe_b64encode(packed).decode().rstrip("=")

    @classmethod
    def from_link(cls, text: str) -> Scenario:
        """The scenario of a link; damaged or oversized links raise ScenarioError."""
        require_kind("text", text, str)
        if len(text) > LONGEST_LINK:
            raise ScenarioError(f"This link has {len(text):,} characters; at most {LONGEST_LINK:,} are read.")
        try:
            packed = base64.b64decode(text + "=" * (-len(text) % 4), altchars=b"-_", validate=True)
            unpacker = zlib.decompressobj()
            plain = unpacker.decompress(packed, LARGEST_PLAN)
            if unpacker.unconsumed_tail or not unpacker.eof:
                raise ScenarioError("This link is damaged or unpacks to too much.")
            return cls.from_json(plain.decode())
        except (binascii.Error, zlib.error, UnicodeError, ValueError):
            raise ScenarioError("This link is damaged: part of it is missing or was changed.") from None


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
