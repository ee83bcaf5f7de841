"""A row's whole content as one text, its digest, and the repeatable choice of the rows that count for a person."""

from __future__ import annotations

from collections.abc import Sequence

import ibis

from dpengine.data.schema import PrivacyUnit


def content_digest(cells: Sequence[ibis.Value]) -> ibis.Value:
    """SHA-256 of a row's cells, each preceded by its length, so that no two different rows read alike."""
    separators = ibis.literal(":")
    text = ibis.literal("")
    for cell in cells:
        text = text.concat(cell.length().cast("string"), separators, cell)
    return text.hexdigest("sha256")


def chosen(staged: ibis.Table, unit: PrivacyUnit, salt: str) -> ibis.Table:
    """`staged` with `kept`: at most unit.rows rows a person, by the order of md5(salt | person and row content).

    The order of a person's rows depends on nothing but those rows and the salt, so that removing one person changes
    nobody else's rows; rows that tie are identical.
    """
    if unit.identifier is None:
        return staged.mutate(kept=ibis.literal(value=True)).drop("digest")
    key = ibis.literal(salt).concat(staged.digest).hexdigest("md5")
    place = ibis.row_number().over(group_by=staged.person, order_by=key)
    kept = staged.mutate(kept=place < unit.rows)
    return kept.filter(kept.person.notnull()).drop("digest")
