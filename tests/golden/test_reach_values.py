"""How far Laplace noise reaches, in one answer, in many, and in a noisy sum over a noisy count, against mpmath."""

from __future__ import annotations

import pytest

from dpengine.accuracy import NoiseError, RatioBounds, RatioError, textbook_bounds
from dpengine.mechanisms import DiscreteLaplaceMechanism
from tests.golden.rows import number, rows
from tests.running.cases import each


@each("row", rows("laplace_reach"))
def test_the_reach_of_one_and_of_many(row: dict[str, str]) -> None:
    noise, t = DiscreteLaplaceMechanism(scale=number(row, "scale"), l1_sensitivity=1), number(row, "t")
    bounds = textbook_bounds(NoiseError(mechanism=noise), coordinates=int(row["coordinates"]))
    limit = bounds.limit(t)
    found = {
        "tail": bounds.tail_bound(t),
        "standard_deviation": bounds.continuous.standard_deviation,
        "total": bounds.total_error,
        "largest": bounds.largest_error,
        "largest_bound": bounds.largest_error_bound,
        "largest_tail": bounds.continuous.largest_error_tail(t, bounds.coordinates),
        "limit": limit,
        "curve_beyond": bounds.curve_beyond(limit),
        "released_tail": bounds.released_tail(t),
        "released_total": bounds.released_total_error,
        "released_largest": bounds.released_largest_error,
        "released_beyond": bounds.released_beyond(limit),
    }
    assert found == pytest.approx({column: number(row, column) for column in found}, rel=1e-12)
    assert bounds.curve_beyond(bounds.error_at(t)) == pytest.approx(number(row, "largest_tail"), rel=1e-12)


@each("row", rows("ratio_bounds"))
def test_the_bounds_of_a_noisy_sum_over_a_noisy_count(row: dict[str, str]) -> None:
    numerator, denominator = (
        DiscreteLaplaceMechanism(scale=number(row, name), l1_sensitivity=1) for name in ("sum_scale", "count_scale")
    )
    law = RatioError(
        numerator=numerator,
        denominator=denominator,
        numerator_step=number(row, "sum_step"),
        ratio=number(row, "ratio"),
        records=number(row, "records"),
        lowest=number(row, "lowest"),
        highest=number(row, "highest"),
    )
    bounds, t = RatioBounds(law=law, coordinates=int(row["coordinates"])), number(row, "t")
    assert bounds.error_at(t) == pytest.approx(number(row, "error"), rel=1e-12)
    assert bounds.tail_bound(t) == pytest.approx(number(row, "bound"), rel=1e-12)
    exact, told = number(row, "released"), bounds.released_beyond(bounds.error_at(t))
    assert exact * (1 - 1e-9) <= told <= exact * (1 + 2e-3), "At most that of a sum whose noise is a step larger."
