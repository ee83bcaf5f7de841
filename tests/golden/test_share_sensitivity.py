"""How far one person moves several shares of a public number of people at once, against mpmath."""

from fractions import Fraction

import pytest

from dpengine.data import BooleanColumn, Comparison, NumberColumn, Schema
from dpengine.privacy import Neighbors
from dpengine.queries import SeveralProportionsQuery
from tests.golden.rows import number, rows
from tests.running.cases import each


@each("row", rows("share_sensitivity"))
def test_the_norms_of_several_shares(row: dict[str, str]) -> None:
    many, people = int(row["shares"]), int(row["people"])
    columns = (NumberColumn(name="age", lower=0, upper=200), BooleanColumn(name="ill"))
    query = SeveralProportionsQuery(tuple(Comparison("age", ">=", bound) for bound in range(many)))
    (part,) = query.parts(Schema(name="people", columns=columns, people=people), Neighbors.REPLACE_ONE)
    moved = part.sensitivity
    assert Fraction(part.grid_sensitivity.l1) / people == Fraction(many, people)
    assert part.grid_sensitivity.l2**2 >= many * (1 - 1e-15), "Never below the root."
    found = (moved.l1, moved.l2, moved.linf)
    assert found == pytest.approx((number(row, "l1"), number(row, "l2"), 1 / people), rel=1e-14)
