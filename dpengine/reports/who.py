"""Who is protected, and which program says so."""

from __future__ import annotations

import dpengine
from dpengine.ledger import Terms
from dpengine.queries.sentences import plural
from dpengine.reports.quoting import as_text, quoted


def software() -> str:
    """The program's name with its version, installed or run from a checkout."""
    return f"Epsilon Explorer {dpengine.__version__}"


def protected(terms: Terms) -> str:
    """The privacy unit in words, names unmarked."""
    return as_text(person(terms))


def person(terms: Terms) -> str:
    """The privacy unit in words, with the number of people where that is public."""
    people = "" if terms.people is None else f" The number of people is public: {terms.people:,}."
    if terms.unit.identifier is None:
        return f"One person: every row is somebody else.{people}"
    rows = plural(terms.unit.rows, "row")
    return f"One person, named by {quoted(terms.unit.identifier)}, with at most {rows} that count.{people}"
