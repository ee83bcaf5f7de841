"""What was declared while the same file was read otherwise: it comes back with the columns that it belongs to."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

from pages import session
from pages.plan.table import column_fields

_KEPT = "form_typed"
_UNIT = ("unit_kind", "identifier", "person_rows", "person_groups", "person_rows_per_group")


@dataclass(slots=True)
class Typed:
    """The fields of each column by its name, and what names a person by the columns that there were."""

    owner: object
    columns: dict[str, dict[str, object]] = field(default_factory=dict)
    units: dict[tuple[str, ...], dict[str, object]] = field(default_factory=dict)


def of(owner: object) -> Typed:
    """What is kept for this file; nothing for another one."""
    kept = session.remembered(_KEPT, None)
    if not (isinstance(kept, Typed) and kept.owner == owner):
        kept = Typed(owner)
        session.remember(_KEPT, kept)
    return kept


def keep(kept: Typed, names: Sequence[str], guesses: Sequence[str]) -> None:
    """Keep what the form holds for these columns, except for lines that nobody has touched."""
    for i, name in enumerate(names):
        line = {one: session.widget_held(f"{one}_{i}") for one in ("kind", *column_fields.FIELDS)}
        untouched = {"kind": guesses[i], **column_fields.FIELDS} if guesses else None
        if line != untouched:
            kept.columns[name] = line
    kept.units[tuple(names)] = {key: session.widget_held(key) for key in _UNIT}


def unit(kept: Typed, names: Sequence[str]) -> Mapping[str, object]:
    """What was said about who a row is when the file had these columns."""
    return kept.units.get(tuple(names), {})
