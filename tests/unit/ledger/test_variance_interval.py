"""The interval of a variance: all that three noisy parts allow, no more and no less."""

import itertools

import numpy as np
import pytest

from dpengine.data import NumberColumn, Schema
from dpengine.ledger.answers.intervals import of_variance
from dpengine.mechanisms import DiscreteLaplaceMechanism
from dpengine.plan import PlannedQuery
from dpengine.privacy import Guarantee, Neighbors
from dpengine.queries import VarianceQuery
from tests.running.cases import each

SCHEMA = Schema(name="t", columns=(NumberColumn(name="x", lower=0, upper=100),))
PLANNED = PlannedQuery(query=VarianceQuery("x"), guarantee=Guarantee(epsilon=1.0))
PARTS = PLANNED.query.parts(SCHEMA, Neighbors.ADD_REMOVE)
NOISES = [one for one in PLANNED.mechanisms(SCHEMA, Neighbors.ADD_REMOVE) if isinstance(one, DiscreteLaplaceMechanism)]
CONFIDENCE = 0.9


def reaches() -> list[float]:
    """How far each part may lie from its reading, so that all three hold together."""
    each = CONFIDENCE ** (1 / 3)
    return [float(noise.error_quantile(each)) * part.step for noise, part in zip(NOISES, PARTS, strict=True)]


@each("squares", [-5e4, 2e3, 2e5, 1e6])
@each("distances", [-3e4, 0.0, 400.0, 1e4])
@each("count", [-7, 3, 40, 900])
def test_it_is_the_range_of_all_variances_that_the_parts_allow(squares, distances, count):
    """Against a search over every corner and a thousand counts; and it is never upside down."""
    noisy = [[round(value / part.step)] for value, part in zip((squares, distances, count), PARTS, strict=True)]
    readings = [part.reading(one) for part, one in zip(PARTS, noisy, strict=True)]
    lower, upper = of_variance(readings, NOISES, confidence=CONFIDENCE)
    centers, widths = [float(reading.values[0]) for reading in readings], reaches()
    sums, means = ([center - wide, center, center + wide] for center, wide in zip(centers[:2], widths[:2], strict=True))
    sums, means = [max(value, 0.0) for value in sums], [*means, *([0.0] if means[0] < 0 < means[2] else [])]
    numbers = np.linspace(max(centers[2] - widths[2], 1.0), max(centers[2] + widths[2], 1.0), 1001)
    allowed = [total / numbers - (mean / numbers) ** 2 for total, mean in itertools.product(sums, means)]
    assert lower == pytest.approx(np.clip(np.min(allowed), 0.0, 2500.0), rel=1e-9, abs=1e-9)
    assert upper == pytest.approx(np.clip(np.max(allowed), 0.0, 2500.0), rel=1e-4, abs=1e-9)
    assert np.max(allowed) <= upper * (1 + 1e-12) or upper == pytest.approx(2500.0, rel=1e-3)
    assert 0.0 <= lower <= upper


def test_it_narrows_with_more_people_and_widens_with_more_confidence():
    def width(people: int, confidence: float) -> float:
        values = (people * 500.0, 0.0, people)
        readings = [part.reading([round(value / part.step)]) for value, part in zip(values, PARTS, strict=True)]
        lower, upper = of_variance(readings, NOISES, confidence=confidence)
        assert lower <= 500.0 <= upper
        return upper - lower

    assert width(100_000, 0.9) < width(1000, 0.9) / 50 < width(1000, 0.99)
