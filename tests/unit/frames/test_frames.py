"""Frames of the dial: the law, the belief and the dots are those of the engine, at every step."""

from __future__ import annotations

import itertools

import numpy as np
import pytest

from dpengine import beliefs
from dpengine.accuracy import NoiseError, SelectionError
from dpengine.charts.accuracy.noise_charts import stacked_dots
from dpengine.errors import InvalidParameterError
from dpengine.frames import COLUMNS, EPSILONS, POINTS, PRIORS, Candidates, Frame, FrameView, frame, position
from dpengine.frames.frame import column_edges, dots_between, possible_answers, round_reach
from dpengine.losses.arrays import Array
from dpengine.mechanisms import DiscreteLaplaceMechanism, ExponentialMechanism, LaplaceMechanism
from tests.running.cases import each

STEPS = EPSILONS[::10]


def bounds_at(epsilon: float) -> Array:
    return beliefs.posterior_bounds(np.array([0.3]), epsilon=epsilon)[1]


def of_laplace(epsilon: float, *, continuous: bool = False, step: float = 1.0) -> FrameView:
    kind = LaplaceMechanism if continuous else DiscreteLaplaceMechanism
    law = NoiseError(mechanism=kind.from_epsilon(epsilon, l1_sensitivity=1), step=step)
    return FrameView(
        epsilon=epsilon,
        law=law,
        half_width=law.quantile(0.95),
        shift=step,
        belief=lambda priors: beliefs.posterior_bounds(priors, epsilon=epsilon),
        confidence=0.95,
        prior=0.3,
    )


def of_choice(epsilon: float, candidates: Candidates | None) -> FrameView:
    mechanism = ExponentialMechanism(epsilon=epsilon, score_sensitivity=1)
    law = SelectionError(mechanism=mechanism, candidates=20, step=1.0)
    return FrameView(
        epsilon=epsilon,
        law=law,
        half_width=law.quantile(0.95),
        shift=1.0,
        belief=lambda priors: beliefs.posterior_bounds(priors, epsilon=epsilon),
        confidence=0.95,
        prior=0.5,
        one_sided=True,
        candidates=candidates,
    )


def test_the_dial_has_at_least_120_round_steps_close_to_even_on_a_logarithmic_scale() -> None:
    ratios = [after / before for before, after in itertools.pairwise(EPSILONS)]
    assert len(EPSILONS) >= 120
    assert (EPSILONS[0], EPSILONS[-1]) == (0.01, 10.0)
    assert 1.02 < min(ratios) < max(ratios) < 1.1
    assert all(float(f"{epsilon:.3g}") == epsilon for epsilon in EPSILONS)


def test_every_step_lies_where_the_thumb_stands() -> None:
    places = [position(epsilon) for epsilon in EPSILONS]
    assert places == pytest.approx(np.linspace(0.0, 1.0, len(EPSILONS)))
    assert position(1e-6) == 0.0
    assert position(1e4) == 1.0
    assert position(0.1) < position(0.1024) < position(0.105)
    with pytest.raises(InvalidParameterError, match="epsilon"):
        position(0.0)


@each("epsilon", STEPS)
@each("step", [1.0, 0.125])
def test_band_and_belief_are_those_of_the_released_law(epsilon: float, step: float) -> None:
    view = of_laplace(epsilon, step=step)
    one = frame(view)
    low, high = one.bell.band
    assert -low == high == view.law.quantile(0.95)
    assert view.law.tail(high) <= 0.05 + 1e-12
    least, most = beliefs.posterior_bounds(0.3, epsilon=epsilon)
    assert one.after == pytest.approx((least, most))
    assert one.least == pytest.approx(beliefs.posterior_bounds(PRIORS, epsilon=epsilon)[0])
    assert one.shift == step


@each("epsilon", STEPS)
@each("continuous", [True, False])
def test_the_curve_holds_what_the_axis_holds(epsilon: float, continuous: bool) -> None:
    """The area under it, in dots, is 100 times the chance of an answer on the axis."""
    view = of_laplace(epsilon, continuous=continuous)
    bell = frame(view).bell
    area = np.trapezoid(bell.heights, np.linspace(-bell.reach, bell.reach, POINTS)) / bell.width
    inside = 100.0 * (1.0 - float(view.law.tail(bell.reach)))
    assert area == pytest.approx(inside, abs=0.5 if continuous and epsilon < 1.0 else 10.0), (
        "Steps are drawn with slopes."
    )
    assert bell.heights.shape == (POINTS,)
    assert bell.heights.max() == bell.heights[POINTS // 2]


def test_the_dots_are_the_likely_answers_in_their_columns() -> None:
    for epsilon in STEPS:
        view = of_laplace(epsilon)
        bell = frame(view).bell
        errors = view.law.likely_errors(100)
        inside = errors[np.abs(errors) < (len(bell.dots) / 2) * bell.width]
        columns = np.rint(inside / bell.width).astype(int) + len(bell.dots) // 2
        assert len(bell.dots) % 2 == 1, epsilon
        assert len(bell.dots) <= COLUMNS, epsilon
        assert np.abs(np.bincount(columns, minlength=len(bell.dots)) - bell.dots).max() <= 1, epsilon
        assert sum(bell.dots) == pytest.approx(len(inside), abs=1), epsilon
        assert bell.width >= (view.law.grid_step or 0.0), "Two columns never share one possible answer."


def test_columns_of_a_picture_and_of_the_dial_agree_where_they_are_equally_wide() -> None:
    """Positive control of the counts above, against the picture that other pages draw."""
    bell = frame(of_laplace(0.2, continuous=True)).bell
    errors = of_laplace(0.2, continuous=True).law.likely_errors(100)
    x, y, width = stacked_dots(errors[np.abs(errors) <= bell.reach], span=2 * bell.reach, columns=40)
    assert width == bell.width
    assert max(bell.dots) == y[x == 0.0].max()


def test_a_larger_epsilon_never_widens_the_band_nor_narrows_the_belief() -> None:
    frames = [frame(of_laplace(epsilon)) for epsilon in EPSILONS]
    assert all(before.bell.band[1] >= after.bell.band[1] for before, after in itertools.pairwise(frames))
    assert all(before.after[1] <= after.after[1] for before, after in itertools.pairwise(frames))


def test_a_worst_case_has_no_dots_and_falls_from_100() -> None:
    bell = frame(of_choice(0.5, None)).bell
    assert bell.dots == ()
    assert bell.band[0] == 0.0
    assert bell.heights[0] == 100.0
    assert np.all(np.diff(bell.heights) <= 0.0)


def test_named_candidates_share_a_hundred_dots() -> None:
    chances = np.array([0.615, 0.301, 0.084])
    assert frame(of_choice(0.5, Candidates(chances=chances))).bell.dots == (62, 30, 8)
    assert sum(frame(of_choice(0.5, Candidates(chances=np.full(7, 1 / 7)))).bell.dots) == 100


def test_candidates_with_a_distance_stand_around_the_exact_answer() -> None:
    away = np.arange(-50.0, 51.0)
    chances = np.exp(-np.abs(away)) / np.exp(-np.abs(away)).sum()
    bell = frame(of_choice(0.5, Candidates(chances=chances, away=away))).bell
    low, high = bell.band
    assert chances[(away >= low) & (away <= high)].sum() >= 0.95
    assert sum(bell.dots) >= 95
    assert bell.dots[len(bell.dots) // 2] == max(bell.dots)


def test_axes_hold_still_while_the_dial_moves_a_little() -> None:
    reaches = [frame(of_laplace(epsilon)).bell.reach for epsilon in EPSILONS]
    assert len(set(reaches)) <= 12
    assert reaches == sorted(reaches, reverse=True)
    assert round_reach(0.0) > 0.0


def test_edges_and_dots_of_columns() -> None:
    assert len(column_edges(20.0)) == COLUMNS + 1
    assert column_edges(20.0)[COLUMNS // 2] == -0.5
    assert dots_between(np.array([0.0, 0.004, 0.006, 1.0])) == (0, 1, 99)


def test_possible_answers_follow_the_law_and_their_seed() -> None:
    law = of_laplace(0.1).law
    drawn = possible_answers(law, count=4000, rng=np.random.default_rng(1))
    assert np.mean(np.abs(drawn) > law.quantile(0.9)) == pytest.approx(float(law.tail(law.quantile(0.9))), abs=0.015)
    assert np.array_equal(drawn[:5], possible_answers(law, count=4000, rng=np.random.default_rng(1))[:5])


@each(("field", "value"), [("epsilon", 0.0), ("confidence", 1.0), ("prior", 1.5)])
def test_a_senseless_view_names_its_field(field: str, value: float) -> None:
    good = {name: getattr(of_laplace(1.0), name) for name in FrameView.__slots__}
    assert isinstance(frame(FrameView(**good)), Frame)
    with pytest.raises(InvalidParameterError, match=field):
        FrameView(**good | {field: value})
