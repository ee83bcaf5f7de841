"""The trade-off of an answer that is chosen among candidates: how far its rank falls short, and what will be seen."""

from __future__ import annotations

import html
from collections.abc import Sequence
from functools import lru_cache

import numpy as np
from numpy.typing import NDArray

from dpengine.accuracy import SelectionError
from dpengine.charts import Chart, Palette
from dpengine.charts.accuracy import selection_charts
from dpengine.charts.accuracy.selection_charts import ChanceView
from dpengine.formatting import amount, error_in, out_of_100
from dpengine.queries import Choice, QuantileQuery
from pages.phrasing import wording
from pages.question import bias_words, uninformative
from pages.question.question_view import Subject
from pages.widgets.escaping import code, unmarked

MEDIAN = 0.5


def finding(subject: Subject) -> str:
    """The headline: the bound on the rank, or on the rows by which the winner falls short."""
    share, within = f"{subject.confidence * 100:g}", error_in(subject.measure, subject.half_width)
    query = subject.planned.query
    if isinstance(query, QuantileQuery):
        called = "median" if query.quantile == MEDIAN else f"{query.quantile:g} quantile"
        return f"The {called}'s place in the sorted list is at most {within} off in {share} of 100 answers"
    return f"The reported value is at most {within} short of the most frequent in {share} of 100 answers"


def what_falls_short(subject: Subject) -> str:
    """What the law of a choice counts, as an axis says it."""
    return "rank off by" if isinstance(subject.planned.query, QuantileQuery) else "fewer than the most frequent"


def words(subject: Subject, choice: Choice) -> str:
    """How likely each candidate is where that may be said, else the bound for any rows."""
    said = _bound_words(subject, choice) if subject.chances is None else _exact_words(subject, choice)
    return f"{uninformative.ADVICE} {said}" if uninformative.is_everything(subject, subject.half_width) else said


def picture(subject: Subject, choice: Choice, palette: Palette) -> Chart:
    """The candidates with their chances where they may be drawn, else the bound; for the numbers behind the dial."""
    if subject.chances is None:
        return selection_charts.shortfall(
            subject.law,
            confidence=subject.confidence,
            axis=what_falls_short(subject),
            unit=subject.drawn_measure.errors,
            palette=palette,
        )
    if choice.names:
        return selection_charts.named(
            names=choice.names, chances=subject.chances, best=_best(subject, choice), palette=palette
        )
    return selection_charts.spread(_view(subject, choice), palette)


def _view(subject: Subject, choice: Choice) -> ChanceView:
    chances = np.zeros(0) if subject.chances is None else subject.chances
    return ChanceView(
        values=as_numbers(choice.values),
        chances=chances,
        best=subject.center or 0.0,
        unit=html.escape(subject.planned.query.unit(subject.plan.schema), quote=False),
        confidence=subject.confidence,
    )


@lru_cache(maxsize=16)
def as_numbers(values: Sequence[float]) -> NDArray[np.float64]:
    """Candidates as an array; there may be tens of thousands, and every frame of a dial asks for them."""
    return np.fromiter(values, dtype=np.float64, count=len(values))


def _best(subject: Subject, choice: Choice) -> str:
    return choice.names[int(subject.center or 0.0)]


def _exact_words(subject: Subject, choice: Choice) -> str:
    """The exact answer beside the answers that people will see."""
    share = f"{subject.confidence * 100:g}"
    if choice.names:
        best = _best(subject, choice)
        chances = np.zeros(0) if subject.chances is None else subject.chances
        certain = out_of_100(float(chances[choice.names.index(best)]))
        return f"Most frequent: {code(best)} :gray[({wording.whose_eyes()})], reported **{certain} of 100** times."
    view = _view(subject, choice)
    lower, upper = selection_charts.central(view.values, view.chances, view.confidence)
    unit = f" {unmarked(html.unescape(view.unit))}" if view.unit else ""
    lie = f"lie from **{amount(lower, 5)} to {amount(upper, 5)}{unit}**" if lower < upper else "are just that"
    return f"{bias_words.given(subject, f'{amount(view.best, 6)}{unit}')}. {share} of 100 answers {lie}."


def _bound_words(subject: Subject, choice: Choice) -> str:
    share, records = f"{subject.confidence * 100:g}", subject.guess.records
    part = f": {out_of_100(min(subject.half_width / records, 1.0)) if records else '100'} of every 100 of a guessed "
    guessed = "" if subject.size == "unsaid" else f"{part}{records:,.0f}"
    return (
        f"With {len(choice.values):,} candidates, {share} of 100 answers fall short by at most "
        f"**{error_in(subject.measure, subject.half_width)}**{guessed}. How far "
        f"that is in {_own_unit(subject)} cannot be said beforehand: where many values lie close together it is little."
    )


def _own_unit(subject: Subject) -> str:
    return unmarked(subject.planned.query.unit(subject.plan.schema)) or "the answer itself"


def theorem(subject: Subject, choice: Choice) -> str:
    """The bound of the textbook, with its numbers."""
    count = len(choice.values)
    scale = subject.law.scale if isinstance(subject.law, SelectionError) else 0.0
    return (
        f"With {count:,} candidates a choice falls short by more than b (ln {count:,} + t) with a chance of at most "
        f"e⁻ᵗ, where b = {amount(scale)} {subject.unit}, for every table (Dwork and Roth 2014, Theorem 3.11). "
        "No noise is added, so the bounds on Laplace noise do not apply."
    )
