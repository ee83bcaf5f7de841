"""A preview guesses kinds for the form, says so, and never proposes a bound."""

import dataclasses

import pytest

from dpengine.data import preview
from dpengine.data.preview import guess
from dpengine.errors import IntakeError


@pytest.mark.parametrize(
    "cells, kind, categories",
    [
        (["1", "2.5", "", "-3e2"], "number", ()),
        (["1", "1", "2"], "number", ()),
        (["yes", "no", "", "YES"], "boolean", ()),
        (["0", "1", "1"], "boolean", ()),
        (["1", "1", "1"], "number", ()),
        (["2020-01-31", "", "1999-12-01"], "date", ()),
        (["2020-02-30", "2020-02-30"], "category", ("2020-02-30",)),
        (["02138", "02139", "02138"], "category", ("02138", "02139")),
        (["a", "b", "a", ""], "category", ("a", "b")),
        (["a", "b", "c"], "text", ()),
        ([f"name {i % 25}" for i in range(100)], "text", ()),
        ([f"name {i % 20}" for i in range(100)], "category", tuple(sorted(f"name {i}" for i in range(20)))),
        ([str(i) for i in range(100)], "text", ()),
        ([str(i / 2) for i in range(100)], "number", ()),
        (["", ""], "text", ()),
        (["1", "x"], "text", ()),
    ],
)
def test_guesses(cells, kind, categories):
    found = guess("x", cells)
    assert (found.kind, found.categories) == (kind, categories)


def test_it_shows_the_first_rows_as_text_and_looks_at_a_sample_only():
    lines = ["zip,age"] + ["02138,31"] * 1000 + ["nowhere,old"]
    seen = preview("\n".join(lines).encode(), rows=3)
    assert seen.names == ("zip", "age")
    assert seen.rows == (("02138", "31"),) * 3
    assert seen.sampled == 1000
    assert [column.kind for column in seen.columns] == ["category", "number"]


def test_it_never_proposes_bounds_and_says_that_it_guesses():
    seen = preview(b"age\n31\n64\n")
    assert {field.name for field in dataclasses.fields(seen.columns[0])} == {"name", "kind", "categories"}
    assert "guesses from the first 2 rows" in seen.warning
    assert "31" not in repr(seen)


def test_it_reads_and_refuses_as_read_table_does():
    assert preview("a;b\n1;é\n".encode("latin-1"), encoding="latin-1", delimiter=";").rows == (("1", "é"),)
    assert preview(b"a\tb\n1\t2\n", format="tsv").names == ("a", "b")
    with pytest.raises(IntakeError, match="Line 2 has 1 cell"):
        preview(b"a,b\n1\n")
