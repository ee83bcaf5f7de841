"""Words for a table, its columns and common conditions: what sentences say in place of names. SQL keeps the names."""

from __future__ import annotations

from collections.abc import Collection, Iterable
from dataclasses import dataclass, replace

from dpengine.data.declared.columns import require_name
from dpengine.data.declared.conditions import Condition
from dpengine.data.declared.references import columns_of
from dpengine.data.declared.schema import Schema
from dpengine.errors import InvalidParameterError, items_of, named, require_fields
from dpengine.seen_text import cannot_be_shown, is_ignorable, look

LONGEST_LABEL = 60


@named
@dataclass(frozen=True, slots=True)
class ColumnLabel:
    """What a column is called in a sentence: "medical costs in dollars" for medical_dollars."""

    column: str
    words: str

    def __post_init__(self) -> None:
        require_name(self.column)
        _require_words(f"label of {self.column}", self.words)


@named
@dataclass(frozen=True, slots=True)
class Phrase:
    """What people of whom a condition holds are or do: "had a hospital stay" for hospital_stays > 0."""

    condition: Condition
    words: str

    def __post_init__(self) -> None:
        require_fields(self)
        _require_words("phrase", self.words)


@named
@dataclass(frozen=True, slots=True, kw_only=True)
class Labels:
    """The words of one table; what has none is called by its name. No budget and no answer depends on them."""

    table: str = ""
    columns: tuple[ColumnLabel, ...] = ()
    phrases: tuple[Phrase, ...] = ()

    def __post_init__(self) -> None:
        for field in ("columns", "phrases"):
            object.__setattr__(self, field, items_of(field, getattr(self, field)))
        require_fields(self)
        if self.table:
            _require_words("label of the table", self.table)
        _require_apart("columns", (one.column for one in self.columns))
        _require_apart("labels", (look(one.words) for one in self.columns))
        _require_apart("phrases", (look(one.words) for one in self.phrases))

    def with_phrases_of(self, before: Labels, *, was: Schema, now: Schema) -> Labels:
        """With the other words `before` had for conditions on columns that are declared `now` as they were."""
        unchanged = {column.name for column in now.columns if column in was.columns}
        about, said = {one.condition for one in self.phrases}, {look(one.words) for one in self.phrases}
        kept = (
            one
            for one in before.phrases
            if columns_of(one.condition) <= unchanged and one.condition not in about and look(one.words) not in said
        )
        return replace(self, phrases=(*self.phrases, *kept))

    def require_told_apart(self, schema: Schema) -> None:
        """InvalidParameterError where words look like another column's name: a reader would take it for that one.

        Those of a condition as those of a column: the name of a column with yes and no asks for those with yes.
        """
        for one in self.columns:
            _require_no_name(f"label of {one.column}", one.words, schema, besides={one.column})
        for phrase in self.phrases:
            _require_no_name("phrase", phrase.words, schema, besides=columns_of(phrase.condition))

    def column(self, name: str) -> str | None:
        """The words for a column, None where it has none."""
        return next((one.words for one in self.columns if one.column == name), None)

    def phrase(self, condition: Condition) -> str | None:
        """The words for a whole condition, None where it has none."""
        return next((one.words for one in self.phrases if one.condition == condition), None)


def proposed_label(name: str) -> str:
    """A column's name as words, for somebody to correct; empty where there is no room for all of them.

    >>> proposed_label("hospital_stays"), proposed_label("dateOfBirth"), proposed_label("who_" * 20)
    ('hospital stays', 'date of birth', '')
    """
    apart = "".join(
        f" {sign.lower()}" if sign.isupper() and before.islower() else sign
        for before, sign in zip(" " + name, name, strict=False)
    )
    words = " ".join(apart.replace("_", " ").split())
    return words if len(words) <= LONGEST_LABEL else ""


def _require_words(what: str, words: str) -> None:
    shown = isinstance(words, str) and words.isprintable() and not any(map(_shows_nothing, words)) and look(words)
    if not shown or not words.strip() or len(words) > LONGEST_LABEL:
        raise InvalidParameterError(what, words, f"printable words of 1 to {LONGEST_LABEL} characters")
    if words != " ".join(words.split()):
        raise InvalidParameterError(what, words, "without spaces around it, and with single ones within")


def _shows_nothing(letter: str) -> bool:
    return is_ignorable(letter) or cannot_be_shown(letter)


def _require_no_name(what: str, words: str, schema: Schema, *, besides: Collection[str]) -> None:
    if look(words) in {look(column.name) for column in schema.columns if column.name not in besides}:
        raise InvalidParameterError(what, words, "not another column's name")


def _require_apart(what: str, values: Iterable[str]) -> None:
    """Two columns under one label, or one column under two, would leave a reader to guess."""
    listed = list(values)
    if twice := sorted({one for one in listed if listed.count(one) > 1}):
        raise InvalidParameterError(what, twice[0], "said only once")
