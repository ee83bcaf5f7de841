"""Charts of the lessons on mechanisms, randomized response and truncation, as examples for the contract of charts."""

from __future__ import annotations

from collections.abc import Callable, Mapping

import numpy as np

from dpengine.accuracy import NoiseError, textbook_bounds
from dpengine.accuracy.lessons.local_and_central import likely_estimates, running_estimates
from dpengine.accuracy.lessons.one_survey import counts_of_groups, invented_people
from dpengine.beliefs import laplace_log_likelihood_ratio
from dpengine.charts import Chart, Palette
from dpengine.charts.accuracy import choice_charts, mechanism_charts, reach_charts
from dpengine.charts.accuracy.mechanism_charts import NamedMechanism
from dpengine.charts.accuracy.reach_charts import BeyondView, ChanceLine
from dpengine.charts.privacy import (
    cut_charts,
    delta_charts,
    ratio_charts,
    response_charts,
    share_charts,
    survey_charts,
)
from dpengine.charts.privacy.cut_charts import CostLine, OneWorld
from dpengine.charts.privacy.delta_charts import LogRatios, OneByOne
from dpengine.charts.privacy.ratio_charts import TwoDensities
from dpengine.charts.privacy.response_charts import Converging
from dpengine.charts.privacy.share_charts import CountLoss
from dpengine.charts.tables import deployment_charts, line_charts
from dpengine.charts.tables.line_charts import Line, LineView
from dpengine.deployments import DEPLOYMENTS
from dpengine.mechanisms import (
    DiscreteLaplaceMechanism,
    LaplaceMechanism,
    RandomizedResponse,
    TruncatedLaplaceMechanism,
)
from dpengine.mechanisms.additive.bounded_noise import log_delta_of_truncated
from dpengine.mechanisms.additive.families import FAMILIES, with_guarantee
from dpengine.privacy import Guarantee

Drawing = Callable[[Palette], Chart]


def _entries(palette: Palette, names: tuple[str, ...], epsilon: float) -> list[NamedMechanism]:
    guarantee = Guarantee(epsilon=epsilon, delta=1e-6)
    return [NamedMechanism(label=name, mechanism=with_guarantee(name, guarantee), color=palette.text) for name in names]


def _sides(names: tuple[str, ...], epsilon: float) -> dict[str, Drawing]:
    label = f"{' and '.join(names)} at {epsilon:g}"
    return {
        f"noises, {label}": lambda palette: mechanism_charts.noises(
            _entries(palette, names, epsilon), unit="people", palette=palette
        ),
        f"losses, {label}": lambda palette: mechanism_charts.losses(
            _entries(palette, names, epsilon), epsilon=epsilon, palette=palette
        ),
        f"profiles, {label}": lambda palette: mechanism_charts.profiles(
            _entries(palette, names, epsilon), epsilon=epsilon, palette=palette
        ),
        f"trade-offs, {label}": lambda palette: mechanism_charts.trade_offs(
            _entries(palette, names, epsilon), palette=palette
        ),
    }


def _ratio(palette: Palette) -> Chart:
    answers = np.linspace(-10.0, 11.0, 101)
    noise = LaplaceMechanism.from_epsilon(0.5)
    view = TwoDensities(
        answers=answers,
        with_person=noise.density(answers - 1.0),
        without_person=noise.density(answers),
        losses=laplace_log_likelihood_ratio(answers, answer_with=1.0, answer_without=0.0, scale=2.0),
        epsilon=0.5,
        unit="people",
    )
    return ratio_charts.densities_and_losses(view, palette)


def _lines(palette: Palette) -> Chart:
    at = np.geomspace(1.0, 1000.0, 50)
    drawn = [
        Line(label="straight", values=3.0 * at, here=60.0, color=palette.text),
        Line(label="bent", values=8.0 * np.sqrt(at), here=36.0, color=palette.advanced, dash="dash"),
    ]
    view = LineView(
        at=at, x_title="answers", y_title="error, people", here=20.0, crossing=7.1, crossing_words="they cross at 7.1"
    )
    return line_charts.lines(view, drawn, palette)


def _shaded(palette: Palette) -> Chart:
    at = np.geomspace(0.1, 30.0, 50)
    view = LineView(at=at, x_title="ε", y_title="δ", here=10.0, shaded_from=1.0, shaded_words="not proved")
    return line_charts.lines(view, [Line(label="true δ", values=1e-6 * at, here=1e-5, color=palette.attacker)], palette)


def _shares(palette: Palette) -> Chart:
    counts = [
        CountLoss(name="GP visits", loss=0.3, most=0.3),
        CountLoss(name="Emergencies", loss=-0.05, most=0.1),
        CountLoss(name="Hospital stays", loss=0.0, most=0.1),
    ]
    return share_charts.shares(counts, epsilon=0.5, palette=palette)


def _tails(scale: float) -> Drawing:
    bounds = textbook_bounds(NoiseError(mechanism=DiscreteLaplaceMechanism(scale=scale, l1_sensitivity=1)))
    return lambda palette: reach_charts.tails(bounds, t=1.0, unit="people", palette=palette)


def _beyond(average: float | None) -> Drawing:
    errors = np.linspace(0.0, 7.0, 50)
    view = BeyondView(
        errors=errors, here=1.0, x_title="error, people", y_title="chance of a larger error, %", average=average
    )

    def drawn(palette: Palette) -> Chart:
        bound = ChanceLine(label="bound", chances=np.minimum(1.0, 2.0 * np.exp(-errors)), here=0.74, color=palette.text)
        exact = ChanceLine(label="exact", chances=np.exp(-errors), here=0.37, color=palette.advanced, dash="dash")
        return reach_charts.chances_beyond(view, [bound, exact], palette)

    return drawn


def _choices(ways: int) -> Drawing:
    chances = np.array([0.9, 0.1, 0.0])
    return lambda palette: choice_charts.choices(
        labels=("flu<br>30", "mumps<br>20", "[x](y)<br>1"),
        axis="disease",
        ways=[(f"way {way}", chances, palette.text) for way in range(ways)],
        palette=palette,
    )


def _converging(palette: Palette, epsilon: float = 1.0) -> Chart:
    people = np.unique(np.geomspace(10, 1000, 40).round())
    lower, upper = likely_estimates(people, epsilon=epsilon, share=0.3, confidence=0.95)
    estimates = running_estimates(people, epsilon=epsilon, share=0.3, rng=np.random.default_rng(1))
    view = Converging(people=people, estimates=estimates, lower=lower, upper=upper, share=0.3, here=100)
    return response_charts.converging(view, palette)


def _groups(epsilon: float) -> Drawing:
    rng = np.random.default_rng(1)
    survey = invented_people(400, rng)
    reports = RandomizedResponse.from_epsilon(epsilon).simulate(survey.smokes, rng)
    counts = counts_of_groups(survey, reports, epsilon=epsilon)
    return lambda palette: survey_charts.groups(counts, counts[3], palette)


def _two_laws(palette: Palette) -> Chart:
    answers = np.linspace(-6.0, 7.0, 201)
    noise = TruncatedLaplaceMechanism(scale=2.0, truncation=4.0, l1_sensitivity=1.0)
    return cut_charts.two_laws(
        answers=answers,
        with_person=OneWorld(density=noise.density(answers - 1.0), spikes=[(5.0, 0.1)], only_here=(4.0, 5.0)),
        without_person=OneWorld(density=noise.density(answers), spikes=[(4.0, 0.1)], only_here=(-4.0, -3.0)),
        unit="people",
        palette=palette,
    )


def _same_places(palette: Palette) -> Chart:
    answers = np.linspace(0.0, 4.0, 81)
    world = OneWorld(density=np.exp(-answers), spikes=[(0.0, 0.5)])
    return cut_charts.two_laws(answers=answers, with_person=world, without_person=world, unit="people", palette=palette)


def _costs(reach: float) -> Drawing:
    cuts = np.linspace(1.0, reach, 60)
    logs = np.array([log_delta_of_truncated(epsilon=1.0, reach=float(cut)) for cut in cuts])
    return lambda palette: cut_charts.costs(
        cuts=cuts,
        drawn=[CostLine(label="drawn again", log_deltas=logs, color=palette.text)],
        here=reach,
        unit="people",
        palette=palette,
    )


def _leaning(palette: Palette) -> Chart:
    answers = np.linspace(0.0, 10.0, 41)
    means = answers + np.exp(-answers)
    return cut_charts.leaning(answers=answers, means=means, here=(0.0, 1.0), limit=0.0, unit="people", palette=palette)


def _one_by_one(count: int) -> Drawing:
    view = OneByOne(
        names=[f"{page}" for page in range(1, count + 1)],
        singles=np.full(count, 1.0),
        together=float(count),
        limits={"δ = 1%": 1.0},
        unit="%",
    )
    return lambda palette: delta_charts.one_by_one(view, axis="page", quantity="chance, %", palette=palette)


def _log_ratios(palette: Palette) -> Chart:
    chances = np.geomspace(1e-10, 1.0, 41)
    with np.errstate(divide="ignore"):
        lower = np.log(np.maximum(chances - 1e-6, 0.0) / chances)
    view = LogRatios(
        chances=chances,
        lower=lower,
        upper=np.log1p(1e-6 / chances),
        added=(np.full(41, -1e-6), np.full(41, 1e-6)),
        marked=(1e-6, 0.693),
        delta=1e-6,
    )
    return delta_charts.log_ratios(view, palette)


EXAMPLES: Mapping[str, Drawing] = {
    "what others chose": lambda palette: deployment_charts.ruler(
        DEPLOYMENTS, epsilon=3.0, near=DEPLOYMENTS[:2], palette=palette
    ),
    **_sides(tuple(FAMILIES), 1.0),
    **_sides(("Discrete Gaussian",), 0.01),
    **_sides(("Discrete Laplace", "Gaussian"), 10.0),
    "densities and losses": _ratio,
    "lines": _lines,
    "lines, some of it shaded": _shaded,
    "shares of several counts": _shares,
    "tails of wide noise": _tails(1e6),
    "tails of narrow noise": _tails(0.1),
    "chances beyond, with an average": _beyond(1.5),
    "chances beyond, with a far average": _beyond(6.0),
    "chances beyond": _beyond(None),
    "choices, one way": _choices(1),
    "choices, three ways": _choices(3),
    "a hundred people": lambda palette: response_charts.hundred_people(
        told_share=0.5, true_share=0.75, palette=palette
    ),
    "a hundred plain coins": lambda palette: response_charts.hundred_people(
        told_share=0.0, true_share=0.5, palette=palette
    ),
    "converging": _converging,
    "polls that tell nothing": lambda palette: _converging(palette, 0.01),
    "groups of one survey": _groups(1.0),
    "groups of which the reports tell nothing": _groups(0.001),
    "two laws, given away": _two_laws,
    "two laws, nothing given away": _same_places,
    "costs, far": _costs(1250.0),
    "costs, near": _costs(3.0),
    "leaning": _leaning,
    "one page": _one_by_one(1),
    "a hundred pages": _one_by_one(100),
    "log ratios": _log_ratios,
}
