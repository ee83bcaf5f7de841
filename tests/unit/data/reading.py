"""What several tests of tables share: a small schema, and a table from lines of text."""

from dpengine.data import CategoryColumn, NumberColumn, Schema, TextColumn
from tests.examples.tables import read_here

PEOPLE = Schema(
    name="people",
    columns=(
        TextColumn(name="name"),
        NumberColumn(name="age", lower=0, upper=120),
        CategoryColumn(name="city", categories=("Rome", "Oslo")),
    ),
)
LINES = ("name,age,city", "ann,31,Rome", "bob,64,Oslo", "cy,,Rome")


def table_of(*lines, schema=PEOPLE, **options):
    return read_here("\n".join(lines).encode(), schema=schema, **options)
