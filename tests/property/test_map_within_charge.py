"""What noise reveals is never above what is charged for it: 1,000 questions, each in exact fractions; slow: 10,000.

The reference is arithmetic of its own on the scale that the sampler gets; opendp's map of the very measurement agrees.
"""

from __future__ import annotations

import math
import random
from collections import Counter
from collections.abc import Callable, Sequence
from decimal import Decimal
from fractions import Fraction
from functools import cache

import pytest

from dpengine import release as door
from dpengine.data import BooleanColumn, CategoryColumn, Comparison, NumberColumn, PrivacyUnit, Schema, TextColumn
from dpengine.errors import RefusedQueryError
from dpengine.ledger.storage.amounts import cost_of
from dpengine.losses import delta_of
from dpengine.mechanisms import (
    DiscreteGaussianMechanism,
    DiscreteLaplaceMechanism,
    ExponentialMechanism,
    ReleasedMechanism,
    exact_noise,
)
from dpengine.plan import PlannedQuery
from dpengine.privacy import DiscreteGaussianEvent, Guarantee, Neighbors
from dpengine.queries import (
    AnyPart,
    CountPeopleQuery,
    CountQuery,
    GroupedCountQuery,
    GroupedMeanQuery,
    GroupedProportionQuery,
    GroupedSumQuery,
    HistogramQuery,
    MeanQuery,
    ModeQuery,
    Part,
    ProportionQuery,
    QuantileQuery,
    Query,
    SeveralProportionsQuery,
    StatisticalQueries,
    SumQuery,
    VarianceQuery,
)

CASES, SEED = 700, 20_261_122
NANO, ATTO = 10**9, 10**18
ROUNDING = Fraction(1, 2**50)
ODD = (0.1 + 0.2, 1e-8, 7 / 3, 1 / 3, 0.1, 0.3, 1e-7, math.pi, 2.0**-20, 19.999999999, 1.0, 5e-8, 123.456)
DELTAS = (1e-6, 1e-17, 0.1 + 0.2, 1e-9, 1 / 3 * 1e-5)
SICK = Comparison("ill", "=", True)
ADDITIVE: Sequence[Query] = (
    CountQuery(SICK),
    CountPeopleQuery(),
    SumQuery("value"),
    MeanQuery("value"),
    VarianceQuery("value"),
    ProportionQuery(SICK),
    HistogramQuery("kind"),
    GroupedCountQuery(("kind", "ill")),
    GroupedSumQuery("value", "kind"),
    GroupedMeanQuery("value", "ill"),
    GroupedProportionQuery(SICK, "kind"),
    StatisticalQueries((SICK, Comparison("kind", "=", "a"), Comparison("kind", "=", "b"))),
    SeveralProportionsQuery((SICK, Comparison("kind", "=", "a"))),
)
CHOSEN: Sequence[Query] = (ModeQuery("kind"), QuantileQuery("value", 0.5), QuantileQuery("value", 0.123))


def schemas(rng: random.Random) -> Schema:
    """Bounds of any size and place; one row each, or several rows of a person with or without bounds by group."""
    lower, width = rng.uniform(-1, 1) * 10 ** rng.randint(-3, 4), rng.choice([1.0, 3.7, rng.random() + 0.1])
    column = NumberColumn(
        name="value", lower=lower, upper=lower + width * 10 ** rng.randint(-2, 4), complete=rng.random() < 0.3
    )
    others = (
        TextColumn(name="person"),
        BooleanColumn(name="ill"),
        CategoryColumn(name="kind", categories=tuple("abcdefg")[: rng.randint(2, 7)]),
    )
    unit = PrivacyUnit()
    if rng.random() < 0.5:
        unit = PrivacyUnit(
            identifier="person",
            rows=rng.choice([1, 2, 3, 7, 30]),
            groups=rng.choice([None, 1, 2]),
            rows_per_group=rng.choice([None, 1, 2]),
        )
    return Schema(name="people", columns=(column, *others), unit=unit, people=rng.randint(1, 10_000))


def plans(rng: random.Random) -> PlannedQuery:
    """Any kind of question at any epsilon, half of the means at any split; delta only where the noise needs one."""
    epsilon = rng.choice([*ODD, rng.uniform(0.001, 5), 10 ** rng.uniform(-7, 2), rng.randint(1, 10**9) / NANO])
    if rng.random() < 0.2:
        return PlannedQuery(query=rng.choice(CHOSEN), guarantee=Guarantee(epsilon=max(epsilon, 1e-8)))
    query, percent = rng.choice(ADDITIVE), rng.choice([None, rng.randint(1, 99)])
    if rng.random() < 0.4:
        guarantee = Guarantee(epsilon=max(epsilon, 1e-8), delta=rng.choice(DELTAS))
        return PlannedQuery(query=query, guarantee=guarantee, mechanism="gaussian", percent_for_sum=percent)
    return PlannedQuery(query=query, guarantee=Guarantee(epsilon=max(epsilon, 1e-8)), percent_for_sum=percent)


def losses(mechanism: ReleasedMechanism, part: AnyPart, share: Fraction) -> tuple[Fraction, Fraction, Fraction]:
    """Epsilon, delta and rho of one part's noise as it will be drawn, without rounding but that of delta's own sum."""
    if isinstance(mechanism, DiscreteLaplaceMechanism):
        assert isinstance(part, Part)
        epsilon = Fraction(part.grid_sensitivity.l1) / Fraction(mechanism.scale)
        return epsilon, Fraction(0), epsilon**2 / 2
    if isinstance(mechanism, DiscreteGaussianMechanism):
        assert isinstance(part, Part)
        event = mechanism.event
        exact = isinstance(event, DiscreteGaussianEvent)
        delta = Fraction(float(delta_of(event, epsilon=_down(share)))) if exact else Fraction(0)
        return share, delta, Fraction(part.grid_sensitivity.l2) ** 2 / (2 * Fraction(mechanism.scale) ** 2)
    assert not isinstance(part, Part)
    steps = (1 if part.score_sensitivity.monotone else 2) * int(part.score_sensitivity.score_sensitivity)
    epsilon = Fraction(steps) / Fraction(exact_noise._scale_of_choice(mechanism))
    return epsilon, Fraction(0), epsilon**2 / (8 if isinstance(mechanism, ExponentialMechanism) else 2)


def _down(share: Fraction) -> float:
    nearest = float(share)
    return nearest if nearest <= share else math.nextafter(nearest, 0.0)


def checked(planned: PlannedQuery, schema: Schema, neighbors: Neighbors) -> bool:
    """Whether a question was answered or refused; fails where its noise reveals more than it is charged for."""
    try:
        door.require_releasable(planned, schema, neighbors)
    except RefusedQueryError as refusal:
        if "more than it is charged" in str(refusal):
            raise
        return False
    charged, total = cost_of(planned, schema, neighbors), [Fraction(0)] * 3
    parts, shares = planned.parts(schema, neighbors), planned.shares(schema, neighbors)
    for part, mechanism, share in zip(parts, planned.mechanisms(schema, neighbors), shares, strict=True):
        epsilon, delta, rho = losses(mechanism, part, share)
        assert epsilon <= share, (planned, schema, neighbors)
        mapped = Fraction(exact_noise.privacy_map(mechanism))
        in_rho = isinstance(mechanism, DiscreteGaussianMechanism | ExponentialMechanism)
        assert mapped <= (rho if in_rho else epsilon) * (1 + ROUNDING), (planned, schema, neighbors)
        total = [so_far + more for so_far, more in zip(total, (epsilon, delta, rho), strict=True)]
    assert sum(shares) * NANO == charged.epsilon
    assert total[0] * NANO <= charged.epsilon <= Fraction(Decimal(repr(planned.guarantee.epsilon))) * NANO
    assert total[1] * ATTO <= charged.delta <= Fraction(Decimal(repr(planned.guarantee.delta))) * ATTO
    assert total[2] * NANO <= charged.rho
    return True


@pytest.mark.parametrize("portion", [0, *(pytest.param(more, marks=pytest.mark.slow) for more in range(1, 10))])
def test_noise_reveals_at_most_what_is_charged(portion):
    """Few are refused, none of them because its noise would reveal too much."""
    rng, outcomes, kinds = random.Random(SEED + portion), Counter[bool](), set()
    for _ in range(CASES):
        planned, schema, neighbors = plans(rng), schemas(rng), rng.choice(list(Neighbors))
        outcomes[checked(planned, schema, neighbors)] += 1
        kinds.add((planned.query, planned.mechanism, neighbors, schema.unit == PrivacyUnit()))
    assert outcomes[True] > 0.75 * sum(outcomes.values())
    assert len(kinds) == 4 * (2 * len(ADDITIVE) + len(CHOSEN)), "each kind of question in each of its forms"


@cache
def rounded(epsilon: float, sensitivity: int) -> float:
    """The scale that one division in floats gives."""
    return float(sensitivity / epsilon)


def _above(scale_of: Callable[[float, int], float]) -> int:
    """In how many of 3,000 cases the scale is too small for the epsilon that was typed."""
    rng = random.Random(SEED)
    cases = [(rng.randint(1, 10**4) / 1000, rng.randint(1, 2**20)) for _ in range(3000)]
    return sum(
        Fraction(steps) / Fraction(scale_of(epsilon, steps)) > Fraction(Decimal(repr(epsilon)))
        for epsilon, steps in cases
    )


def test_a_scale_from_one_division_would_be_seen():
    assert _above(rounded) > 1000
    assert (
        _above(lambda epsilon, steps: DiscreteLaplaceMechanism.from_epsilon(epsilon, l1_sensitivity=steps).scale) == 0
    )
