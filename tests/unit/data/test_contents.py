"""The digest of a table: whatever is in the names, no two tables share one."""

import pyarrow as pa

from dpengine.data.typed.contents import table_digest

FIRST, SECOND = "0" * 64, "1" * 64


def digest(names, *rows):
    return table_digest(names, pa.chunked_array([list(rows)], type=pa.string()))


def test_a_name_that_ends_like_a_row_is_not_a_name_and_a_row():
    assert digest(("a", "b"), FIRST, SECOND) != digest(("a", f"b{FIRST}"), SECOND)


def test_how_the_digests_are_stored_does_not_matter_and_the_order_of_names_neither():
    chunks = pa.chunked_array([[FIRST], [SECOND]], type=pa.string())
    assert table_digest(("b", "a"), chunks) == digest(("a", "b"), FIRST, SECOND)
