"""From engine values to the charts of one question; each function is one picture."""

from __future__ import annotations

import numpy as np

from dpengine import accounting
from dpengine.charts import Chart, Palette
from dpengine.charts.accuracy import noise_charts
from dpengine.charts.accuracy.noise_charts import AnswerView
from dpengine.charts.budget import budget_charts
from dpengine.charts.budget.budget_charts import BurnLine
from dpengine.charts.privacy import belief_charts
from pages.phrasing.rules import CONVERTED
from pages.question import choice_panels
from pages.question.question_view import Subject

PRIORS = np.linspace(0.0, 1.0, 61)
MOST_DRAWN = 400


def of_the_dial(subject: Subject, palette: Palette) -> list[Chart]:
    """The pictures of the live dial at its present epsilon, for the numbers behind them."""
    return [likely_answers(subject, palette), posterior(subject, palette), questions_like_this(subject, palette)]


def likely_answers(subject: Subject, palette: Palette) -> Chart:
    """What people will see: 100 likely answers, with one person and without, or the candidates of a choice."""
    if subject.choice:
        return choice_panels.picture(subject, subject.choice, palette)
    view = AnswerView(
        law=subject.law,
        shift=subject.shift,
        confidence=subject.confidence,
        center=subject.center,
        measure=subject.drawn_measure,
        neighbors=subject.plan.neighbors,
    )
    return noise_charts.likely_answers(view, palette)


def posterior(subject: Subject, palette: Palette) -> Chart:
    """What an attacker may believe, over all priors and at the chosen one."""
    lower, upper = subject.belief(PRIORS)
    return belief_charts.posterior(
        priors=PRIORS,
        lower=lower,
        upper=upper,
        prior=subject.prior,
        after=subject.belief(subject.prior),
        at_half=subject.belief(0.5),
        palette=palette,
    )


def questions_like_this(subject: Subject, palette: Palette) -> Chart:
    """How the budget would burn if every question were like this one, by the rule that decides and by others."""
    questions = np.unique(np.linspace(1, max(1.5 * subject.room, 12), MOST_DRAWN).astype(np.int64))
    within, in_rho = subject.compared_within, subject.balance.rule == "concentrated"
    lines = [
        BurnLine(
            label=label,
            spent=accounting.drawn_repeated(
                subject.events, repetitions=questions, delta=within.delta, accountant=accountant
            ),
            color=color,
            width=width,
        )
        for label, accountant, color, width in (
            ("advanced", "advanced", palette.advanced, 5.0),
            ("naive", "basic", palette.spent, 2.4),
        )
    ]
    if in_rho and within.delta:
        spent = subject.converted(questions.astype(np.float64))
        lines.append(BurnLine(label=CONVERTED, spent=spent, color=palette.moments, width=3.0))
    return budget_charts.burn(questions=questions, lines=lines, budget=within.epsilon, palette=palette)


def tail(subject: Subject, tolerance: float, palette: Palette) -> Chart:
    """How often the error exceeds each tolerance."""
    reach = max(subject.law.quantile(0.9999), 1.1 * tolerance)
    tolerances = np.linspace(0.0, reach, 120)
    return noise_charts.tail(
        tolerances=tolerances,
        probabilities=np.asarray(subject.law.tail(tolerances)),
        tolerance=tolerance,
        probability=float(subject.law.tail(tolerance)),
        measure=subject.drawn_measure,
        palette=palette,
    )


def intervals(subject: Subject, palette: Palette) -> Chart:
    """Sampling error beside privacy noise, and both together."""
    sampling = subject.sampling.quantile(subject.confidence) if subject.sampling else 0.0
    return noise_charts.intervals(
        sampling=sampling,
        noise=subject.half_width,
        combined=subject.combined.quantile(subject.confidence),
        confidence=subject.confidence,
        measure=subject.drawn_measure,
        palette=palette,
    )
