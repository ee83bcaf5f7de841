"""A long list whose shares are looked for together: each question has what it has alone, found with fewer looks."""

from __future__ import annotations

import math
from random import Random

import numpy as np
import pytest

from dpengine import calibration
from dpengine.feasible import Asked, Wish, cheapest_plan
from dpengine.feasible.least_shares import LeastShares
from dpengine.feasible.share_searches import interpolated
from dpengine.plan import PlannedQuery
from dpengine.queries import CountQuery, MeanQuery, ModeQuery, ProportionQuery, SumQuery
from tests.examples.wishes import flag, flags, kept, wish
from tests.running.cases import each

RULES = (("basic", 0.0), ("concentrated", 0.0), ("concentrated", 1e-6), ("concentrated", 1e-3))


def questions(seed: int) -> list[Wish]:
    """Of several kinds, with errors from a step of the grid to many, at confidences that either noise is best at."""
    random = Random(seed)
    found = [kept(CountQuery(), epsilon=0.3), wish(ModeQuery("ward"), 40.0)]
    for _ in range(2):
        sure = random.choice((0.5, 0.9, 0.95, 0.999))
        found += [
            wish(CountQuery(), 10.0 ** random.uniform(-0.5, 1.5), confidence=random.choice((0.5, 0.95))),
            wish(MeanQuery("age"), random.uniform(0.5, 8.0)),
            wish(MeanQuery("age"), random.uniform(0.5, 8.0), answer=random.choice((2.0, 50.0))),
            wish(ProportionQuery(flag(0)), random.uniform(0.004, 0.03), answer=0.3, confidence=sure),
            wish(SumQuery("age"), random.uniform(300.0, 900.0)),
            wish(flags(5), random.uniform(20.0, 60.0), confidence=sure, together=True),
        ]
    random.shuffle(found)
    return found


@each(("seed", "rule"), enumerate(RULES))
def test_each_question_of_a_long_list_is_planned_as_it_is_alone(seed: int, rule: tuple[str, float]) -> None:
    wishes, (named, delta) = questions(seed), rule
    together = cheapest_plan(wishes, rule=named, delta=delta).queries
    alone = [cheapest_plan([one], rule=named, delta=delta).queries[0] for one in wishes]
    assert list(together) == alone
    assert {one.mechanism for one in alone} == ({"laplace", "gaussian"} if delta else {"laplace"})


def test_noise_without_a_delta_is_planned_where_it_costs_less_rho() -> None:
    """Of a count that is to be exact half the time; the golden values say so too."""
    wishes = [wish(CountQuery(), 0.5, confidence=0.5), wish(CountQuery(), 30.0)]
    found = cheapest_plan(wishes, rule="concentrated", delta=1e-6).queries
    assert [one.mechanism for one in found] == ["laplace", "gaussian"]


def test_counts_whose_errors_lie_in_one_step_of_the_grid_are_looked_at_once(monkeypatch: pytest.MonkeyPatch) -> None:
    looks = list[float]()
    planned = Asked.at

    def counted(self: Asked, epsilon: float) -> Asked:
        looks.append(epsilon)
        return planned(self, epsilon)

    monkeypatch.setattr(Asked, "at", counted)
    cheapest_plan([wish(CountQuery(), 12.3)])
    one = len(looks)
    looks.clear()
    found = cheapest_plan([wish(CountQuery(), 12.0 + number / 100.0) for number in range(100)])
    assert len(looks) == one
    assert len({query.guarantee.epsilon for query in found.queries}) == 1


def test_errors_of_other_steps_are_looked_at_by_themselves_control() -> None:
    wishes = [wish(CountQuery(), error) for error in (11.999, 12.0, 12.999, 13.0)]
    epsilons = [query.guarantee.epsilon for query in cheapest_plan(wishes).queries]
    assert epsilons[0] > epsilons[1] == epsilons[2] > epsilons[3]


def test_shares_looked_for_before_change_no_later_one() -> None:
    wishes = [wish(MeanQuery("age"), 1.0 + number / 7.0) for number in range(20)]
    first, second = LeastShares("concentrated"), LeastShares("concentrated")
    second.find((one, "gaussian", 1e-6, None) for one in wishes[::-1])

    def planned(shares: LeastShares) -> list[list[PlannedQuery]]:
        return [shares.with_delta(one, 1e-6) for one in wishes]

    assert planned(first) == planned(second)


def test_a_curve_through_neighbors_is_that_of_a_cubic_and_never_beyond_them() -> None:
    places = np.geomspace(1.0, 8.0, 7)

    def cubic(place: float) -> float:
        size = math.log(place)
        return math.exp(1.0 - size - 0.1 * size**2 + 0.03 * size**3)

    points = [(float(place), cubic(place)) for place in places]
    for place in np.geomspace(1.01, 7.9, 23):
        assert interpolated(points, float(place), slope=-1.0) == pytest.approx(cubic(place), rel=1e-12)
    close = [(1.0, 2.0), (1.0 + 1e-12, 1.9), (1.0 + 2e-12, 1.0), (5.0, 0.9)]
    assert 0.9 <= (interpolated(close, 3.0, slope=-1.0) or 0.0) <= 1.0
    assert interpolated([], 3.0, slope=-1.0) is None
    assert interpolated([(1.0, 2.0)], 2.0, slope=-1.0) == pytest.approx(1.0)


@each(
    ("near", "around"),
    [(0.12341, (0.1234, 0.1235)), (1.0, (0.9999, 1.0)), (1e-9, (1e-4, 1.001e-4)), (5e3, (999.9, 1e3))],
)
def test_the_numbers_of_four_digits_on_both_sides(near: float, around: tuple[float, float]) -> None:
    assert calibration.four_digits_around(near) == around
