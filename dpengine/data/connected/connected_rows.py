"""Rows that stay where they are: typed, with the person and the place where somebody has several."""

from __future__ import annotations

from collections.abc import Sequence

import ibis

from dpengine.data.aggregates.stored_rows import StoredRows, position
from dpengine.data.declared.schema import Schema
from dpengine.data.files.cells import SEPARATOR
from dpengine.data.typed.contents import placed, row_digest
from dpengine.data.typed.loading import require_columns
from dpengine.data.typed.native_casts import canonical_text, person_of, typed

_ESCAPE, _JOINED = "\x1e", 64


def connected_rows(source: ibis.Table, schema: Schema, salt: str) -> StoredRows:
    """The rows of a source table, derived anew by each question; rows without an identifier do not count.

    Raises IntakeError where a declared column is missing or holds what cannot be read as declared.
    """
    return StoredRows(placed(staged_rows(source, schema), schema.unit, salt), schema)


def rows_as_read(source: ibis.Table, schema: Schema) -> StoredRows:
    """The rows of a source in which every row is another person: each question types the columns that it names.

    Raises IntakeError like `connected_rows`.
    """
    staged_rows(source, schema)
    return StoredRows(source, schema, _read)


def staged_rows(source: ibis.Table, schema: Schema) -> ibis.Table:
    """Typed values with `person` and `digest` of every row; the digest is of what is declared and has a text.

    A running number, which nobody declares, changes for everybody behind one who leaves: it orders nobody's rows.
    """
    require_columns(tuple(source.columns), schema)
    values = {position(schema, column.name): typed(column, source[column.name]) for column in schema.queryable}
    identifier = schema.unit.identifier
    if identifier is None:
        nobody, nothing = ibis.literal(None, type="string"), ibis.literal("", type="string")
        return source.select(**values, person=nobody, digest=nothing)
    person = person_of(identifier, source[identifier])
    return source.select(**values, person=person, digest=_digest(_texts(source, schema)))


def _digest(texts: Sequence[ibis.Value]) -> ibis.Value:
    """Of many texts, each of which may be a megabyte, of digests: PostgreSQL joins no more than a gigabyte."""
    some = [texts[first : first + _JOINED] for first in range(0, len(texts), _JOINED)]
    return row_digest(texts if len(some) <= 1 else [row_digest(one) for one in some])


def _texts(source: ibis.Table, schema: Schema) -> list[ibis.Value]:
    """Every declared column as text, in the order of the names: rows alike in these are alike to every question."""
    texts = [canonical_text(source[name]) for name in sorted(column.name for column in schema.columns)]
    return [_separable(text).fill_null("") for text in texts if text is not None]


def _separable(text: ibis.Value) -> ibis.Value:
    """The text without the separator, and still different from every other text."""
    return text.replace(_ESCAPE, _ESCAPE + "0").replace(SEPARATOR, _ESCAPE + "1")


def _read(source: ibis.Table, schema: Schema, name: str) -> ibis.Value:
    return typed(schema.column(name), source[name])
