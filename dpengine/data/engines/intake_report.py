"""What happened to the cells on the way in: exact counts, for the eyes of the person who brought the file."""

from __future__ import annotations

from dataclasses import dataclass, field

from dpengine.errors import named


@named
@dataclass(frozen=True, slots=True, kw_only=True)
class ColumnReport:
    """One declared column: empty cells, cells that do not fit, and the rule for them as a sentence.

    `beyond` are numbers that fit and lie beyond a declared bound: each counts as that bound. `example` is a cell of a
    file that does not fit, "" where there is none or the table stays where it is.
    """

    name: str
    missing: int = field(repr=False)
    misfits: int = field(repr=False)
    beyond: int = field(repr=False)
    rule: str
    example: str = field(default="", repr=False)


@named
@dataclass(frozen=True, slots=True, kw_only=True)
class IntakeReport:
    """Exact counts, so never for an analyst's browser; they stay out of the repr.

    `rows_without_identifier` do not count at all; `rows_beyond_limit` are those that the bound per person leaves out.
    """

    rows_read: int = field(repr=False)
    rows_without_identifier: int = field(repr=False)
    rows_beyond_limit: int = field(repr=False)
    columns: tuple[ColumnReport, ...]
    undeclared: tuple[str, ...] = ()
