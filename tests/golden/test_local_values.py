"""Errors of the local model against mpmath, where laws were integrated and reports enumerated."""

from __future__ import annotations

import pytest

from dpengine.accuracy.lessons.local_and_central import (
    laplace_over_response,
    laplace_standard_errors,
    local_standard_error,
    rounded_standard_error,
)
from dpengine.accuracy.lessons.one_survey import all_facts_standard_error, one_fact_standard_error
from dpengine.promises import NOT_SAID, Promise
from dpengine.promises.count_errors import count_error
from tests.golden.rows import number, rows
from tests.running.cases import each


@each("row", rows("local_errors"))
def test_local_laplace_beside_coins_and_a_curator(row: dict[str, str]) -> None:
    epsilon, people, width = number(row, "epsilon"), int(row["people"]), number(row, "width")
    local, central = laplace_standard_errors(people, epsilon=epsilon, width=width)
    found = {
        "local_laplace": float(local),
        "central_laplace": float(central),
        "randomized_response": float(local_standard_error(people, epsilon=epsilon)),
        "laplace_over_response": laplace_over_response(epsilon=epsilon),
        "rounded_at_most": float(rounded_standard_error(people, epsilon=epsilon, width=width)),
    }
    assert found == pytest.approx({name: number(row, name) for name in found}, rel=1e-12)


@each("row", rows("survey_counts"))
def test_one_of_several_facts_and_all_of_them(row: dict[str, str]) -> None:
    epsilon, people, facts = number(row, "epsilon"), int(row["people"]), int(row["facts"])
    one = one_fact_standard_error(people, facts, epsilon=epsilon)
    together = all_facts_standard_error(people, facts, epsilon=epsilon)
    assert (one, together) == pytest.approx((number(row, "one_fact"), number(row, "all_facts")), rel=1e-11)


@each("row", rows("count_errors"))
def test_a_count_at_a_promise_by_a_curator_and_by_everybody(row: dict[str, str]) -> None:
    sizes = {name: number(row, name) for name in ("epsilon", "delta", "rho", "noise_multiplier") if row[name]}
    of_homes = {"unit": "household", "contribution": int(row["sensitivity"])}
    unit = {"unit": "person"} if row["sensitivity"] == "1" else of_homes
    promise = Promise(**sizes, **unit, noise=row["noise"] or NOT_SAID)  # type: ignore[arg-type]
    found = count_error(promise, count=50, people=int(row["people"]))
    assert found.central == number(row, "central")
    deviations = found.by_curator.standard_deviation, found.local, found.by_everybody.standard_deviation
    known = tuple(number(row, name) for name in ("central_deviation", "local", "local_deviation"))
    assert deviations == pytest.approx(known, rel=1e-9)
