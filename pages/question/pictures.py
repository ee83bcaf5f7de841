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
from pages.question.question_view import QuestionView

PRIORS = np.linspace(0.0, 1.0, 61)
MOST_DRAWN = 400


def of_the_dial(question: QuestionView, palette: Palette) -> list[Chart]:
    """The pictures of the live dial at its present epsilon, for the numbers behind them."""
    return [likely_answers(question, palette), posterior(question, palette), questions_like_this(question, palette)]


def likely_answers(question: QuestionView, palette: Palette) -> Chart:
    """What people will see: 100 likely answers, with one person and without, or the candidates of a choice."""
    if question.choice:
        return choice_panels.picture(question, question.choice, palette)
    view = AnswerView(
        law=question.law,
        shift=question.shift,
        confidence=question.confidence,
        center=question.center,
        measure=question.drawn_measure,
        neighbors=question.plan.neighbors,
    )
    return noise_charts.likely_answers(view, palette)


def posterior(question: QuestionView, palette: Palette) -> Chart:
    """What an attacker may believe, over all priors and at the chosen one."""
    lower, upper = question.belief(PRIORS)
    return belief_charts.posterior(
        priors=PRIORS,
        lower=lower,
        upper=upper,
        prior=question.prior,
        after=question.belief(question.prior),
        at_half=question.belief(0.5),
        palette=palette,
    )


def questions_like_this(question: QuestionView, palette: Palette) -> Chart:
    """How the budget would burn if every question were like this one, by the rule that decides and by others."""
    questions = np.unique(np.linspace(1, max(1.5 * question.room, 12), MOST_DRAWN).astype(np.int64))
    within, in_rho = question.compared_within, question.balance.rule == "concentrated"
    lines = [
        BurnLine(
            label=label,
            spent=accounting.drawn_repeated(
                question.events, repetitions=questions, delta=within.delta, accountant=accountant
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
        spent = question.converted(questions.astype(np.float64))
        lines.append(BurnLine(label=CONVERTED, spent=spent, color=palette.moments, width=3.0))
    return budget_charts.burn(questions=questions, lines=lines, budget=within.epsilon, palette=palette)


def tail(question: QuestionView, tolerance: float, palette: Palette) -> Chart:
    """How often the error exceeds each tolerance."""
    reach = max(question.law.quantile(0.9999), 1.1 * tolerance)
    tolerances = np.linspace(0.0, reach, 120)
    return noise_charts.tail(
        tolerances=tolerances,
        probabilities=np.asarray(question.law.tail(tolerances)),
        tolerance=tolerance,
        probability=float(question.law.tail(tolerance)),
        measure=question.drawn_measure,
        palette=palette,
    )


def intervals(question: QuestionView, palette: Palette) -> Chart:
    """Sampling error beside privacy noise, and both together."""
    sampling = question.sampling.quantile(question.confidence) if question.sampling else 0.0
    return noise_charts.intervals(
        sampling=sampling,
        noise=question.half_width,
        combined=question.combined.quantile(question.confidence),
        confidence=question.confidence,
        measure=question.drawn_measure,
        palette=palette,
    )
