"""What an account promises, fixed for ever when it is opened."""

from __future__ import annotations

from dataclasses import dataclass, replace

from dpengine.data import PrivacyUnit, Schema
from dpengine.errors import AccountMismatchError, InvalidParameterError, require_between, require_one_of
from dpengine.ledger.storage.amounts import COUNTED, Amounts, granted_by
from dpengine.privacy import Guarantee, Neighbors
from dpengine.privacy.amounts import ATTO, NANO

PEOPLE = "number of people"
"""The term that names how many people there are, where that is public."""
LARGEST_EPSILON = 1e4
"""Above it a budget protects nobody; below it every total under either rule fits in the ledger's columns."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Terms:
    """Who is protected, against what, under which rule and up to which budget.

    `people` is the public number of people that REPLACE_ONE needs, and None under ADD_REMOVE. Bounds on groups are no
    terms: they say how much noise an answer by group needs, and not who is protected, so that questions may differ.
    """

    unit: PrivacyUnit
    neighbors: Neighbors
    people: int | None
    rule: str
    granted: Amounts
    practice: bool = False

    def __post_init__(self) -> None:
        require_one_of("rule", self.rule, tuple(COUNTED))
        if self.neighbors is Neighbors.REPLACE_ONE and self.people is None:
            raise InvalidParameterError(
                "people", None, "declared when one person is replaced: their number is public then"
            )
        if self.rule == "concentrated" and not self.granted.rho:
            raise InvalidParameterError(
                "delta", self.granted.delta / ATTO, "above 0 under the concentrated rule, which promises nothing pure"
            )

    @classmethod
    def of(cls, schema: Schema, *, neighbors: Neighbors, budget: Guarantee, rule: str, practice: bool) -> Terms:
        """The terms that a person asks for; the budget is rounded down to whole billionths."""
        require_one_of("rule", rule, tuple(COUNTED))
        if not isinstance(neighbors, Neighbors):
            raise InvalidParameterError("neighbors", neighbors, "Neighbors.ADD_REMOVE or Neighbors.REPLACE_ONE")
        if not isinstance(budget, Guarantee):
            raise InvalidParameterError("budget", budget, "a Guarantee, such as Guarantee(epsilon=1.0)")
        require_between("budget epsilon", budget.epsilon, 1 / NANO, LARGEST_EPSILON)
        require_between("budget delta", budget.delta, 0.0, 1.0, open_at="upper")
        return cls(
            unit=_protected(schema),
            neighbors=neighbors,
            people=_public_people(schema, neighbors),
            rule=rule,
            granted=granted_by(budget),
            practice=practice,
        )

    @property
    def budget(self) -> Guarantee:
        """The (epsilon, delta) that the account will never exceed."""
        return Guarantee(epsilon=self.granted.epsilon / NANO, delta=self.granted.delta / ATTO)

    def require_same(self, asked: Terms) -> None:
        """Raise AccountMismatchError at the first term that differs, in words."""
        there = asked.in_words()
        for term, here in self.in_words().items():
            if here != there[term]:
                raise AccountMismatchError(term, here, there[term])

    def require_schema(self, schema: Schema) -> None:
        """Raise AccountMismatchError where a schema protects somebody else, or another number of people."""
        self.require_same(replace(self, unit=_protected(schema), people=_public_people(schema, self.neighbors)))

    def in_words(self) -> dict[str, str]:
        """Each term by its name, as a person reads it."""
        return {
            "privacy unit": _unit_words(self.unit),
            "neighbor relation": _RELATIONS[self.neighbors],
            PEOPLE: str(self.people),
            "rule": self.rule,
            "budget": self.granted.in_words("basic"),
            "kind": "practice" if self.practice else "real",
        }


_RELATIONS = {Neighbors.ADD_REMOVE: "add or remove one person", Neighbors.REPLACE_ONE: "replace one person"}


def _public_people(schema: Schema, neighbors: Neighbors) -> int | None:
    return schema.people if neighbors is Neighbors.REPLACE_ONE else None


def _protected(schema: Schema) -> PrivacyUnit:
    """Whose rows belong together, and how many of them count."""
    return replace(schema.unit, groups=None, rows_per_group=None)


def _unit_words(unit: PrivacyUnit) -> str:
    if unit.identifier is None:
        return "one row for each person"
    return f"at most {unit.rows} row{'s' if unit.rows > 1 else ''} for each {unit.identifier!r}"
