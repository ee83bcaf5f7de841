"""Which of one person's rows count: what the picture shows is what the engine answers."""

import hashlib
import itertools
from collections import Counter

import pyarrow as pa

from dpengine.data import CategoryColumn, GroupedCounts, Grouping, PrivacyUnit, RowCount, Schema, Table, TextColumn
from dpengine.data.aggregates.counted_rows import counted_rows
from dpengine.data.files.cells import SEPARATOR, Cells
from tests.examples.tables import shared

CLINICS = ("North", "Harbor", "Hill")
VISITS = ["North", "North", "Harbor", "North", "Hill", "Harbor", "North", "Hill", "North"]
SALT = "a salt for this test"


def drawn() -> list[int]:
    """The visits in the order of the lot: md5 of the salt and of the row's own digest."""
    rows = [SEPARATOR.join((clinic, "ana", str(i))) for i, clinic in enumerate(VISITS)]
    digests = [hashlib.sha256(row.encode()).hexdigest() for row in rows]
    return sorted(range(len(VISITS)), key=lambda i: hashlib.md5((SALT + digests[i]).encode()).hexdigest())  # noqa: S324


@shared
def table(rows: int) -> Table:
    """How many groups a person may be in is part of each question."""
    columns = {"clinic": VISITS, "person": ["ana"] * 9, "visit": [str(i) for i in range(9)]}
    schema = Schema(
        name="visits",
        columns=(
            TextColumn(name="person"),
            CategoryColumn(name="clinic", categories=CLINICS),
            TextColumn(name="visit"),
        ),
        unit=PrivacyUnit(identifier="person", rows=rows),
    )
    cells = Cells.of(tuple(columns), [pa.chunked_array([column], type=pa.string()) for column in columns.values()])
    return Table.of_cells(cells, schema=schema, salt=SALT)


def test_the_engine_counts_the_rows_of_the_picture():
    for rows, groups, rows_per_group in [
        *itertools.product((1, 4, 9), (None, 1, 2), (None, 1, 2)),
        (4, 3, None),
        (4, 3, 1),
        (9, 3, 2),
        (20, 2, 2),
    ]:
        unit = PrivacyUnit(identifier="person", rows=rows, groups=groups, rows_per_group=rows_per_group)
        lot = drawn()
        counted = counted_rows([VISITS[i] for i in lot], unit)
        grouping = Grouping(by=("clinic",), values=(CLINICS,), groups=groups, rows_per_group=rows_per_group)
        answers = table(rows)
        assert answers.run(RowCount()).tolist() == [sum(counted.overall)], (rows, groups, rows_per_group)
        kept = Counter(VISITS[i] for i, counts in zip(lot, counted.by_group, strict=True) if counts)
        assert answers.run(GroupedCounts(grouping=grouping)).tolist() == [kept[clinic] for clinic in CLINICS], (
            rows,
            groups,
            rows_per_group,
        )


def test_more_is_kept_as_a_bound_grows():
    for rows, groups, rows_per_group in itertools.product((1, 3, 5), (1, 2), (1, 2)):
        smaller, larger = (
            counted_rows(
                VISITS,
                PrivacyUnit(
                    identifier="person", rows=rows + more, groups=groups + more, rows_per_group=rows_per_group + more
                ),
            )
            for more in (0, 1)
        )
        assert sum(smaller.by_group) <= sum(larger.by_group) <= sum(larger.overall) == rows + 1
        assert all(wide or not narrow for narrow, wide in zip(smaller.overall, larger.overall, strict=True))
        assert all(overall or not grouped for overall, grouped in zip(larger.overall, larger.by_group, strict=True))


def test_without_an_identifier_every_row_is_a_person_and_counts():
    assert counted_rows(VISITS, PrivacyUnit()).by_group == (True,) * 9
    assert counted_rows([], PrivacyUnit(identifier="person")).overall == ()
