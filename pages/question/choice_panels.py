"""The trade-off of an answer that is chosen among candidates: how far its rank falls short, and what will be seen."""

from __future__ import annotations

import html
import math
from collections.abc import Sequence
from functools import lru_cache

import numpy as np
from numpy.typing import NDArray

from dpengine.accuracy import SelectionError
from dpengine.charts import Chart, Palette
from dpengine.charts.accuracy import selection_charts
from dpengine.charts.accuracy.selection_charts import ChanceView
from dpengine.formatting import amount, at_most, error_in, out_of_100
from dpengine.queries import Choice
from dpengine.queries.forms import ChoiceForm
from pages.phrasing import wording
from pages.question import bias_words, uninformative
from pages.question.question_view import QuestionView
from pages.widgets.computed import formula
from pages.widgets.escaping import code, unmarked


def finding(question: QuestionView) -> str:
    """The headline: the bound on the rank, or on the rows by which the winner falls short."""
    share, within = f"{question.confidence * 100:g}", error_in(question.measure, question.half_width)
    if _by_rank(question):
        return f"{share}% of answers are within {within} of the true {question.planned.query.noun}"
    return f"{share}% of answers are at most {within} short of the most frequent value"


def _by_rank(question: QuestionView) -> bool:
    query = question.planned.query
    return isinstance(query, ChoiceForm) and query.falls_short_in == "rank"


def what_falls_short(question: QuestionView) -> str:
    """What the law of a choice counts, as an axis says it."""
    return "rank off by" if _by_rank(question) else "fewer than the most frequent"


def words(question: QuestionView, choice: Choice) -> str:
    """How likely each candidate is where that may be said, else the bound for any rows."""
    said = _bound_words(question, choice) if question.chances is None else _exact_words(question, choice)
    return f"{uninformative.ADVICE} {said}" if uninformative.is_everything(question, question.half_width) else said


def picture(question: QuestionView, choice: Choice, palette: Palette) -> Chart:
    """The candidates with their chances where they may be drawn, else the bound; for the numbers behind the dial."""
    if question.chances is None:
        return selection_charts.shortfall(
            question.law,
            confidence=question.confidence,
            axis=what_falls_short(question),
            unit=question.drawn_measure.errors,
            palette=palette,
        )
    if choice.names:
        return selection_charts.named(
            names=choice.names, chances=question.chances, best=_best(question, choice), palette=palette
        )
    return selection_charts.spread(_view(question, choice), palette)


def _view(question: QuestionView, choice: Choice) -> ChanceView:
    chances = np.zeros(0) if question.chances is None else question.chances
    return ChanceView(
        values=as_numbers(choice.values),
        chances=chances,
        best=question.center or 0.0,
        unit=html.escape(question.planned.query.unit(question.plan.schema), quote=False),
        confidence=question.confidence,
    )


@lru_cache(maxsize=16)
def as_numbers(values: Sequence[float]) -> NDArray[np.float64]:
    """Candidates as an array; there may be tens of thousands, and every frame of a dial asks for them."""
    return np.fromiter(values, dtype=np.float64, count=len(values))


def _best(question: QuestionView, choice: Choice) -> str:
    return choice.names[int(question.center or 0.0)]


def _exact_words(question: QuestionView, choice: Choice) -> str:
    """The exact answer beside the answers that people will see."""
    share = f"{question.confidence * 100:g}"
    if choice.names:
        best = _best(question, choice)
        chances = np.zeros(0) if question.chances is None else question.chances
        certain = out_of_100(float(chances[choice.names.index(best)]))
        return f"Most frequent: {code(best)} :gray[({wording.whose_eyes()})], reported in **{certain}%** of answers."
    view = _view(question, choice)
    lower, upper = selection_charts.central(view.values, view.chances, view.confidence)
    unit = f" {unmarked(html.unescape(view.unit))}" if view.unit else ""
    lie = f"lie from **{amount(lower, 5)} to {amount(upper, 5)}{unit}**" if lower < upper else "are exactly that"
    return f"{bias_words.given(question, f'{amount(view.best, 6)}{unit}')}. {share}% of answers {lie}."


def _bound_words(question: QuestionView, choice: Choice) -> str:
    share, records = f"{question.confidence * 100:g}", question.guess.records
    part = f": {out_of_100(min(question.half_width / records, 1.0)) if records else '100'}% of a guessed "
    guessed = "" if question.size == "unsaid" else f"{part}{records:,.0f}"
    return (
        f"With {len(choice.values):,} candidates, {share}% of answers fall short by at most "
        f"**{error_in(question.measure, question.half_width)}**{guessed}. How far "
        f"that is in {_own_unit(question)} depends on the rows: it is little where many values lie close together."
    )


def _own_unit(question: QuestionView) -> str:
    return unmarked(question.planned.query.unit(question.plan.schema)) or "the answer itself"


def theorem(question: QuestionView, choice: Choice) -> tuple[str, str]:
    """The bound of the textbook with its numbers, and where it comes from."""
    count = len(choice.values)
    scale = question.law.scale if isinstance(question.law, SelectionError) else 0.0
    often = at_most(scale * math.log(20.0 * count))
    words = (
        f"With {count:,} candidates, the choice falls short by more than {often} {question.unit} in at most 5% of "
        "cases, whatever the table. No noise is added, so the bounds on Laplace noise do not apply."
    )
    return words, formula(
        "The probability to fall short by more than the first is at most the second, for every t above 0, with "
        f"k = {count:,} candidates and b = {amount(scale)} {question.unit} (Dwork and Roth 2014, Theorem 3.11)",
        r"b\,(\ln k+t),\quad e^{-t}",
    )
