"""A row's whole content as one digest, and the repeatable random order of one person's rows."""

from __future__ import annotations

import hashlib
from collections.abc import Sequence

import ibis
import pyarrow as pa

from dpengine.data.declared.schema import PrivacyUnit
from dpengine.data.files.cells import SEPARATOR


def _of_text(text: str) -> str:
    """What an engine does under the name that it is given below."""
    raise NotImplementedError


md5 = ibis.udf.scalar.builtin(_of_text, name="md5")
sha256 = ibis.udf.scalar.builtin(_of_text, name="sha256")


def row_digest(cells: Sequence[ibis.Value]) -> ibis.Value:
    """A digest of a row's cells; the separator is in no cell, so that no two different rows read alike."""
    return sha256(ibis.literal(SEPARATOR).join(cells))


def table_digest(names: Sequence[str], digests: pa.ChunkedArray) -> bytes:
    """A digest of sorted column names and sorted row digests: the order of neither matters.

    How many there are of each comes first, so that no name can pass for a name and a row.
    """
    total = hashlib.sha256(SEPARATOR.join((str(len(names)), str(len(digests)), *sorted(names))).encode())
    for chunk in digests.chunks:
        total.update("".join(chunk.to_pylist()).encode())
    return total.digest()


def placed(staged: ibis.Table, unit: PrivacyUnit, salt: str) -> ibis.Table:
    """Rows that belong to somebody, with `place`: their number, from 0, in the order of md5(salt, row digest).

    A person's rows are ordered by nothing but their own content, which has the identifier in it, and the salt, so that
    removing one person changes nobody else's rows; rows that tie are identical.
    """
    if unit.identifier is None:
        return staged.mutate(place=ibis.literal(0, type="int64")).drop("digest")
    owned = staged.filter(staged.person.notnull())
    order = md5(ibis.literal(salt).concat(owned.digest))
    place = ibis.row_number().over(group_by=owned.person, order_by=order)
    return owned.mutate(place=place).drop("digest")
