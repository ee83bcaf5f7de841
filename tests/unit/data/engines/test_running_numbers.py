"""A running number that nobody declares, as pandas writes one, changes for everybody behind somebody who leaves."""

from __future__ import annotations

from collections.abc import Sequence
from contextlib import closing

import pytest

from dpengine.data import CategoryColumn, Comparison, PrivacyUnit, RowCount, Schema, TextColumn, read_table
from tests.servers.databases import Databases

SCHEMA = Schema(
    name="visits",
    columns=(TextColumn(name="id"), CategoryColumn(name="ward", categories=("A", "B"))),
    unit=PrivacyUnit(identifier="id", rows=1),
)
PEOPLE = [f"p{number}" for number in range(400)]
IN_WARD_A = RowCount(where=Comparison("ward", "=", "A"))


@pytest.mark.parametrize("leaves", [PEOPLE[0], PEOPLE[200], PEOPLE[-1]])
def test_whoever_leaves_an_open_table_moves_a_count_by_their_own_row_alone(databases: Databases, leaves: str) -> None:
    """The control: the row that counts is drawn, so that about half of all people are counted in each ward."""
    fill(databases, PEOPLE)
    with closing(read_table(databases.cluster.url("numbered"), schema=SCHEMA)) as table:
        before = table.run(IN_WARD_A).tolist()[0]
        assert 120 < before < 280
        fill(databases, [person for person in PEOPLE if person != leaves])
        assert before - table.run(IN_WARD_A).tolist()[0] in (0, 1)


def fill(databases: Databases, people: Sequence[str]) -> None:
    rows = [
        (number, person, ward) for number, (person, ward) in enumerate((one, ward) for one in people for ward in "AB")
    ]
    with databases.cluster.connect() as owner, owner.transaction(), owner.cursor() as cursor:
        cursor.execute("DROP TABLE IF EXISTS numbered")
        cursor.execute("CREATE TABLE numbered (index bigint, id text, ward text)")
        with cursor.copy("COPY numbered FROM STDIN") as copy:
            for row in rows:
                copy.write_row(row)
