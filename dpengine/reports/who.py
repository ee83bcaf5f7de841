"""Who is protected, and which program says so."""

from __future__ import annotations

from collections.abc import Mapping

import dpengine
from dpengine.data import Labels, PrivacyUnit
from dpengine.ledger import Terms
from dpengine.privacy import Neighbors
from dpengine.queries.sensitivity.sentences import agreeing, plural
from dpengine.reports.declared import in_words_with_name
from dpengine.reports.quoting import as_text

NEIGHBORS: Mapping[Neighbors, str] = {Neighbors.ADD_REMOVE: "added or removed", Neighbors.REPLACE_ONE: "replaced"}
"""What happens to one person in two tables that an answer does not tell apart, in one word."""


def software() -> str:
    """The program's name with its version, installed or run from a checkout."""
    return f"Epsilon Explorer {dpengine.__version__}"


def protected(terms: Terms) -> str:
    """The privacy unit in words, names unmarked."""
    return as_text(person(terms))


def person(terms: Terms, labels: Labels | None = None) -> str:
    """The privacy unit in words, with the number of people where that is public."""
    return person_of(terms.unit, terms.people, labels or Labels())


def person_of(unit: PrivacyUnit, people: int | None, labels: Labels) -> str:
    """The same of a unit, and of a number of people that is None where it is private."""
    public = "" if people is None else f" The number of people is public: {people:,}."
    if unit.identifier is None:
        return f"One person: each row is a different person.{public}"
    counted = f"{plural(unit.rows, 'row')} {agreeing(unit.rows, 'count')}"
    return f"One person: rows with the same {in_words_with_name(unit.identifier, labels)}. At most {counted}.{public}"


def in_groups(unit: PrivacyUnit) -> str:
    """In how many groups a person counts, as a sentence that follows another; empty without caps."""
    if not (unit.groups or unit.rows_per_group):
        return ""
    groups = f"at most {unit.groups} groups" if unit.groups else "any number of groups"
    rows = f", with at most {unit.rows_per_group} rows in each" if unit.rows_per_group else ""
    return f" In answers by group a person counts in {groups}{rows}."
