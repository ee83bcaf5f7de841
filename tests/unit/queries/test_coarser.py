"""The same kind of question with another number of groups."""

from dpengine.data import CategoryColumn, NumberColumn, Schema
from dpengine.privacy import Neighbors
from dpengine.queries import GroupedCountQuery, GroupedMeanQuery
from dpengine.queries.coarser import with_groups
from tests.running.cases import each

SCHEMA = Schema(
    name="patients",
    columns=(
        CategoryColumn(name="ward", categories=("north", "south")),
        CategoryColumn(name="sex", categories=("female", "male")),
        NumberColumn(name="age", lower=0, upper=100),
    ),
)


@each("asked", [GroupedCountQuery(("ward", "sex")), GroupedMeanQuery("age", ("ward", "sex"))])
def test_groups_by_two_columns_become_so_many_in_all(asked):
    assert {len(part.labels) for part in asked.parts(SCHEMA, Neighbors.ADD_REMOVE)} == {4}
    query, schema = with_groups(asked, SCHEMA, 3)
    assert {len(part.labels) for part in query.parts(schema, Neighbors.ADD_REMOVE)} == {3}
