"""Answers to one count as they came, and how their average closes in on a public number."""

from __future__ import annotations

import numpy as np
import pytest

from dpengine.attacks.on_answers import Answers, Told, WornDown, averaged, worn_down
from dpengine.data import Comparison, Table
from dpengine.errors import RefusedQueryError
from dpengine.plan import PlannedQuery
from dpengine.privacy import Guarantee, Neighbors
from dpengine.queries import CountQuery
from tests.examples.ledgers import people
from tests.examples.tables import shared_sample

MUMPS = CountQuery(where=Comparison("disease", "=", "mumps"))
BUDGET = Guarantee(epsilon=1.0)


@pytest.fixture(scope="module")
def patients() -> Table:
    return shared_sample("patients")[0]


def told(table: Table, *noisy: tuple[float, int]) -> Answers:
    """Answers to the count of mumps, each at its epsilon."""
    return Answers(
        schema=table.schema,
        neighbors=Neighbors.ADD_REMOVE,
        told=tuple(
            Told(planned=PlannedQuery(query=MUMPS, guarantee=Guarantee(epsilon=epsilon)), noisy=((value,),))
            for epsilon, value in noisy
        ),
    )


def worn(answers: Answers, table: Table | None, *, further: int) -> WornDown:
    return worn_down(answers, averaged(answers, budget=BUDGET).counts[0], table, further=further, seed=5)


def test_what_was_told_stands_in_its_order_and_ends_at_the_average_of_the_attack(patients: Table) -> None:
    """By hand: at half the epsilon twice the scale and about a quarter of the weight."""
    answers = told(patients, (0.1, 40), (0.05, 90), (0.1, 20))
    found = worn(answers, patients, further=0)
    assert found.values.tolist() == [40.0, 90.0, 20.0]
    assert found.averages[0] == 40.0
    assert found.averages[1] == pytest.approx((40 + 90 / 4) / 1.25, rel=1e-3)
    assert found.averages[2] == pytest.approx(averaged(answers, budget=BUDGET).counts[0].average)


def test_further_answers_close_in_on_the_public_count(patients: Table) -> None:
    exact = float(patients.memberships((MUMPS.where,)).sum())  # type: ignore[arg-type]
    found = worn(told(patients, (0.1, round(exact) + 30)), patients, further=8000)
    assert (found.told, len(found.values), found.exact) == (1, 8001, exact)
    assert found.values[1:].std() == pytest.approx(np.sqrt(2.0) * 10.0, rel=0.1)
    assert abs(found.averages[-1] - exact) < 5 * np.sqrt(2.0) * 10.0 / np.sqrt(8001)
    fewer = found.first(20)
    assert (len(fewer.values), fewer.averages.tolist()) == (21, found.averages[:21].tolist())


def test_nothing_is_drawn_without_public_rows(patients: Table) -> None:
    found = worn(told(patients, (0.1, 40)), None, further=50)
    assert (len(found.values), found.exact) == (1, None)


def test_rows_that_are_not_public_are_not_drawn_from(patients: Table) -> None:
    with pytest.raises(RefusedQueryError, match="public"):
        worn(told(patients, (0.1, 40)), people(), further=1)
