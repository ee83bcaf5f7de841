"""What every chart owes: axes with words, a description with its numbers, the numbers themselves, two palettes."""

from __future__ import annotations

import json
from collections.abc import Callable
from functools import cache

import numpy as np
import pytest

from dpengine.accuracy import ErrorLaw, NoiseError, RatioError, SamplingError, combined_error
from dpengine.charts import DARK, LIGHT, Chart, Palette
from dpengine.charts.accuracy import estimate_charts, noise_charts
from dpengine.charts.accuracy.estimate_charts import EstimateBar
from dpengine.charts.accuracy.noise_charts import AnswerView
from dpengine.charts.budget import budget_charts, composition_charts, refusal_charts
from dpengine.charts.budget.budget_charts import BurnLine
from dpengine.charts.budget.composition_charts import Totals, Turn
from dpengine.charts.drawing import theme
from dpengine.charts.privacy import belief_charts, definition_charts, loss_charts, property_charts
from dpengine.charts.privacy.loss_charts import OneOutput
from dpengine.charts.privacy.property_charts import GroupLine
from dpengine.charts.privacy.ratio_charts import TwoDensities
from dpengine.formatting import Measure
from dpengine.mechanisms import DiscreteLaplaceMechanism, GaussianMechanism
from dpengine.mechanisms.listed import ListedMechanism, clamped_noisy_count, random_id, random_row
from dpengine.privacy import Neighbors
from tests.contracts.charts import (
    averaging_examples,
    by_group_examples,
    contribution_examples,
    crowd_examples,
    differencing_examples,
    guessing_examples,
    lesson_charts,
    promise_examples,
    reconstruction_examples,
    released_examples,
    room_examples,
    two_promises_examples,
    walk_examples,
    workshop_examples,
)
from tests.running.cases import each

COUNT_NOISE = NoiseError(mechanism=DiscreteLaplaceMechanism(scale=10.0, l1_sensitivity=1), step=1.0)
TINY_NOISE = NoiseError(mechanism=DiscreteLaplaceMechanism(scale=0.05, l1_sensitivity=1), step=1.0)
FINE_NOISE = NoiseError(mechanism=DiscreteLaplaceMechanism(scale=1e6, l1_sensitivity=1), step=1 / 256)
GAUSSIAN_NOISE = NoiseError(mechanism=GaussianMechanism(standard_deviation=4.0, l2_sensitivity=1.0), step=1.0)
RATIO = RatioError(
    numerator=DiscreteLaplaceMechanism(scale=1e5, l1_sensitivity=1),
    denominator=DiscreteLaplaceMechanism(scale=5.0, l1_sensitivity=1),
    numerator_step=0.01,
    denominator_step=1.0,
    ratio=3.0,
    records=500.0,
    lowest=-40.0,
    highest=40.0,
)
PEOPLE = Measure(errors="people", answers="people")


def _answers(law: ErrorLaw, center: float | None) -> Callable[[Palette], Chart]:
    view = AnswerView(
        law=law, shift=1.0, confidence=0.95, center=center, measure=PEOPLE, neighbors=Neighbors.ADD_REMOVE
    )
    return lambda palette: noise_charts.likely_answers(view, palette)


def _posterior(palette: Palette) -> Chart:
    priors = np.linspace(0, 1, 11)
    return belief_charts.posterior(
        priors=priors,
        lower=priors**2,
        upper=np.sqrt(priors),
        prior=0.25,
        after=(0.0625, 0.5),
        at_half=(0.25, 0.7),
        palette=palette,
    )


def _burn(palette: Palette) -> Chart:
    questions = np.arange(1, 1001)
    lines = [
        BurnLine(label="naive", spent=np.linspace(0.1, 100.0, 1000, dtype=np.float64), color=palette.spent),
        BurnLine(label="advanced", spent=np.linspace(1.0, 9.0, 1000, dtype=np.float64), color=palette.advanced),
    ]
    return budget_charts.burn(questions=questions, lines=lines, budget=3.0, palette=palette)


def _burn_after_some(palette: Palette) -> Chart:
    rising = np.linspace(0.5, 6.0, 40, dtype=np.float64)
    lines = [BurnLine(label=label, spent=rising, color=palette.exact) for label in ("a", "b", "c")]
    return budget_charts.burn(questions=np.arange(1, 41), lines=lines, budget=3.0, palette=palette, earlier=7)


def _refused(palette: Palette, count: int = 9) -> Chart:
    rising = np.linspace(0.5, 4.0, count, dtype=np.float64)
    lines = [
        BurnLine(label=label, spent=factor * rising, color=palette.exact) for label, factor in (("a", 1), ("b", 0.5))
    ]
    return refusal_charts.refused_step(lines=lines, budget=3.0, quantity="epsilon", palette=palette)


def _refused_delta(palette: Palette) -> Chart:
    line = BurnLine(label="naive", spent=np.array([7e-7, 1.4e-6]), color=palette.spent)
    return refusal_charts.refused_step(lines=[line], budget=1e-6, quantity="delta", palette=palette)


def _totals(palette: Palette) -> Chart:
    answers = np.arange(1, 1001, dtype=np.float64)
    false = np.where(answers > 600, 0.1 * answers, np.nan)
    lines = [
        BurnLine(label="naive", spent=0.5 * answers, color=palette.spent),
        BurnLine(label="exact", spent=np.linspace(1.0, 31.0, 1000, dtype=np.float64), color=palette.exact),
        BurnLine(label="textbook formula: false here", spent=false, color=palette.attacker),
    ]
    turns = [Turn(answers=700, epsilon=70.0, words="textbook false from 700", color=palette.attacker)]
    return composition_charts.totals(Totals(lines=lines, chosen=300, turns=turns), palette)


def _tail(palette: Palette) -> Chart:
    at = np.linspace(0.0, 100.0, 50)
    return noise_charts.tail(
        tolerances=at, probabilities=np.exp(-at / 10), tolerance=30.0, probability=0.05, measure=PEOPLE, palette=palette
    )


def _intervals(palette: Palette) -> Chart:
    halves = {"sampling": 58.0, "noise": 30.0, "combined": 65.0}
    return noise_charts.intervals(**halves, confidence=0.95, measure=PEOPLE, palette=palette)


def _two_worlds(
    listed: ListedMechanism, chosen: int | None = None, up_to: float | None = None
) -> Callable[[Palette], Chart]:
    return lambda palette: definition_charts.two_worlds(
        outputs=listed.outputs, laws=listed.laws, axis="published", palette=palette, chosen=chosen, up_to=up_to
    )


def _one_output(palette: Palette) -> Chart:
    at = np.linspace(0.0, 10.0, 50)
    density = np.exp(-np.abs(at - 5.0)) / 2.0
    densities = TwoDensities(
        answers=at, with_person=density, without_person=density[::-1], losses=0.1 * at - 0.5, epsilon=0.3, unit="cases"
    )
    return loss_charts.one_output(OneOutput(densities=densities, observed=7.0, loss=0.2), palette)


def _estimates(palette: Palette) -> Chart:
    rows = [
        EstimateBar(label="before", value=310.0, half_width=30.0, color=palette.answers, sampling=35.0),
        EstimateBar(label="after", value=92.0, half_width=900.0, color=palette.left),
        EstimateBar(label="known", value=12.0, half_width=0.0, color=palette.muted),
    ]
    return estimate_charts.estimates(rows, axis="cases", reach=(-100.0, 500.0), palette=palette)


def _groups(palette: Palette) -> Chart:
    sizes = np.arange(1, 11)
    line = GroupLine(label="theorem", shares=np.linspace(0.5, 0.9, 10), color=palette.attacker)
    return property_charts.groups(sizes=sizes, lines=[line], size=3, palette=palette)


def _parts(palette: Palette) -> Chart:
    return property_charts.parts(
        labels=("young", "old"), epsilons=np.array([0.5, 0.3]), touched=[0], together=0.5, palette=palette
    )


def _before_and_after(palette: Palette) -> Chart:
    return property_charts.before_and_after(
        labels=("flu", "heart disease"),
        released=np.array([3.0, -2.0]),
        processed=np.array([3.0, 0.0]),
        process="no negative counts",
        unit="people",
        palette=palette,
    )


EXAMPLES: dict[str, Callable[[Palette], Chart]] = {
    "likely answers": _answers(COUNT_NOISE, 1043.0),
    "likely answers, hidden": _answers(COUNT_NOISE, None),
    "likely answers, hardly any noise": _answers(TINY_NOISE, 0.0),
    "likely answers, fine grid": _answers(FINE_NOISE, None),
    "likely answers, Gaussian": _answers(GAUSSIAN_NOISE, None),
    "likely answers, ratio": _answers(RATIO, 43.0),
    "likely answers, of a sample": _answers(combined_error(COUNT_NOISE, SamplingError(standard_deviation=20.0)), None),
    "posterior": _posterior,
    "burn": _burn,
    "burn, after some were spent": _burn_after_some,
    "refused": _refused,
    "refused at the first": lambda palette: _refused(palette, 1),
    "refused after many": lambda palette: _refused(palette, 3000),
    "refused by its delta": _refused_delta,
    "totals": _totals,
    "tail": _tail,
    "intervals": _intervals,
    "two worlds": _two_worlds(clamped_noisy_count(epsilon=0.5, answer=40)),
    "two worlds, some chosen": _two_worlds(random_id(ids=20), chosen=3),
    "two worlds, high bars cut off": _two_worlds(random_row(people=100), up_to=3.0),
    "one output": _one_output,
    "estimates": _estimates,
    "groups": _groups,
    "parts": _parts,
    "before and after": _before_and_after,
    **lesson_charts.EXAMPLES,
    **released_examples.EXAMPLES,
    **walk_examples.EXAMPLES,
    **contribution_examples.EXAMPLES,
    **averaging_examples.EXAMPLES,
    **by_group_examples.EXAMPLES,
    **differencing_examples.EXAMPLES,
    **guessing_examples.EXAMPLES,
    **promise_examples.EXAMPLES,
    **two_promises_examples.EXAMPLES,
    **crowd_examples.EXAMPLES,
    **reconstruction_examples.EXAMPLES,
    **workshop_examples.EXAMPLES,
    **room_examples.EXAMPLES,
}


@cache
def drawn(name: str, palette: Palette = LIGHT) -> Chart:
    """Drawn once for all that a chart owes."""
    return EXAMPLES[name](palette)


@cache
def written(name: str, palette: Palette = LIGHT) -> str:
    """What the browser gets of it."""
    return str(drawn(name, palette).figure.to_json())


def _axes_are_named(chart: Chart) -> bool:
    layout = chart.figure.layout
    across = layout.xaxis.title.text or layout.xaxis.type == "category"
    upward = layout.yaxis.title.text or layout.yaxis.visible is False
    return bool(across and (upward or any(isinstance(trace.y[0], str) for trace in chart.figure.data)))


OWED: dict[str, Callable[[Chart], bool]] = {
    "axes say what they measure": _axes_are_named,
    "the description is a sentence with a number": lambda c: c.alt.endswith(".") and any(map(str.isdigit, c.alt)),
    "the numbers behind it are columns": lambda c: bool(c.numbers) and all(map(len, c.numbers.values())),
    "all of one length": lambda c: len({len(column) for column in c.numbers.values()}) == 1,
    "no trace has too many points": lambda c: all(len(trace.x) <= 420 for trace in c.figure.data),
    "letters come with the page: a machine's own may be wider": lambda c: c.figure.layout.font.family == theme.FONT,
}


@each("law", OWED)
def test_every_chart_keeps_what_it_owes(law: str) -> None:
    assert [name for name in EXAMPLES if not OWED[law](drawn(name))] == []


def test_both_palettes_draw_the_same_numbers_in_other_colors_and_no_text_that_comes_alive() -> None:
    assert [name for name in EXAMPLES if drawn(name).alt != drawn(name, DARK).alt] == []
    assert [name for name in EXAMPLES if written(name) == written(name, DARK)] == []
    assert [name for name in EXAMPLES if "<a" in json.dumps(json.loads(written(name)))] == []


def test_likely_answers_sit_where_the_law_puts_them() -> None:
    chart = _answers(COUNT_NOISE, 1000.0)(LIGHT)
    (errors,) = chart.numbers.values()
    inside = np.abs(np.asarray(errors, dtype=float) - 1000.0) <= COUNT_NOISE.quantile(0.95)
    assert inside.mean() == pytest.approx(0.95, abs=0.02)
    assert "within 30 people" in chart.alt


def test_a_thinned_line_never_runs_below_the_truth() -> None:
    trace = next(trace for trace in _burn(LIGHT).figure.data if trace.name == "naive")
    assert trace.line.shape == "vh"
    few = budget_charts.burn(
        questions=np.arange(1, 6),
        lines=[BurnLine(label="naive", spent=np.arange(1.0, 6.0), color="#000000")],
        budget=3.0,
        palette=LIGHT,
    )
    assert few.figure.data[0].line.shape == "hv"


def test_totals_are_never_below_the_truth_and_cut_the_line_that_runs_away() -> None:
    chart = _totals(LIGHT)
    naive = next(trace for trace in chart.figure.data if trace.name == "naive")
    assert naive.line.shape == "vh"
    assert chart.figure.layout.yaxis.range[1] == pytest.approx(1.12 * 100.0)
    assert chart.alt == "Epsilon of 300 answers together: naive 150; exact 9.98."
    assert any(note.text == "textbook false from 700" for note in chart.figure.layout.annotations)


def test_what_was_spent_before_lies_in_a_band() -> None:
    (band, *_) = _burn_after_some(LIGHT).figure.layout.shapes
    assert band.x1 == 7.5
    assert "The first 7 were charged before." in _burn_after_some(LIGHT).alt


@each("count", [1, 2, 9, 3000])
def test_only_the_refused_step_is_dashed_and_it_rises_above_the_budget(count: int) -> None:
    """The dashed trace begins at what was spent and ends at what the question would make it."""
    lines = _refused(LIGHT, count).figure.data
    dashed, solid = ([line for line in lines if line.line.dash == dash] for dash in ("dot", "solid"))
    assert len(dashed) == 2
    assert len(solid) == (2 if count > 1 else 0)
    own = dashed[-1]
    assert own.name == "a"
    assert own.y[-1] == pytest.approx(4.0 if count > 1 else 0.5)
    assert own.y[0] == (pytest.approx(solid[-1].y[-1]) if count > 1 else 0.0)
    assert own.x[1] == own.x[2] == count
