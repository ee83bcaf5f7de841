"""Many counts or shares at once: which noise errs least for the same budget, also for a range, and what none can do."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import accumulate, repeat
from operator import mul

import streamlit as st
from streamlit.delta_generator import DeltaGenerator

from dpengine.charts import Chart
from dpengine.charts.accuracy import many_counts_charts
from dpengine.charts.accuracy.many_counts_charts import Compared
from dpengine.feasible import (
    Span,
    WayToCount,
    are_many_counts,
    fewest_bins,
    has_ranges,
    least_of_any_way,
    ways_to_count,
)
from dpengine.formatting import at_least, error_in, tiny
from pages import session
from pages.phrasing import wording
from pages.question.question_view import QuestionView
from pages.widgets import outputs
from pages.widgets.options import apart

_SOURCE = "Hardt and Talwar 2010; several histograms: Hay and others 2010."


def is_about(question: QuestionView) -> bool:
    """Whether it asks for many counts, or shares that are counts over a public number."""
    return are_many_counts(question.asked)


def look(question: QuestionView) -> str:
    """What this look is called."""
    return f"Noise for many {wording.cells(question.planned.query)}"


def show(question: QuestionView) -> list[Chart]:
    """Every noise side by side, for one count, all of them, and a range that a person marks."""
    left, right = st.columns([1, 1.5], vertical_alignment="top")
    heading = left.container()
    span = _range(left, question) if has_ranges(question.asked) else None
    delta = question.planned.used_delta or question.plan.budget.delta
    ways = ways_to_count(
        question.asked, delta=delta, confidence=question.confidence, rule=question.plan.rule, span=span
    )
    least = least_of_any_way(question.asked, delta=delta, confidence=question.confidence)
    picture = _picture(question, ways, span, least)
    heading.markdown(f"## {_finding(ways, wording.cells(question.planned.query))}", anchors=False)
    left.markdown("\n\n".join(_said(question, ways, span, least, delta)))
    left.caption(_SOURCE)
    outputs.chart(right, picture, key="chart_many_counts")
    return [picture]


def _range(place: DeltaGenerator, question: QuestionView) -> Span:
    """The first and last bin of a range: the middle half until somebody moves it."""
    (part,) = question.planned.parts(question.plan.schema, question.plan.neighbors)
    labels, many = part.labels, question.coordinates
    first, last = place.select_slider(
        f"A range of {wording.cells(question.planned.query)}, added up",
        range(many),
        value=(many // 4, max(many - 1 - many // 4, many // 4)),
        key=f"many_counts_range_{session.question_mark()}",
        format_func=apart(range(many), lambda number: labels[number]),
        persist_state="session",
    )
    return first, last


def _picture(question: QuestionView, ways: Sequence[WayToCount], span: Span | None, least: float) -> Chart:
    many, times = f"all {question.coordinates:,} at once", question.measure.times
    one = f"one {question.planned.query.noun}"
    compared = [
        Compared(measure=one, errors=[times * way.each for way in ways]),
        Compared(measure=many, errors=[times * way.together for way in ways], least=times * least),
    ]
    if span is not None:
        ranges = [way.in_range for way in ways if way.in_range is not None]
        compared.append(Compared(measure=f"the range ({_long(span):,} bins)", errors=ranges))
    names = [named(way) for way in ways]
    return many_counts_charts.side_by_side(names, compared, unit=question.unit, palette=outputs.palette())


def _long(span: Span | None) -> int:
    return span[1] - span[0] + 1 if span else 0


def named(way: WayToCount) -> str:
    """The noise, and how many histograms."""
    label = way.planned.noise.label
    return f"{label} noise" if way.levels == 1 else f"{way.levels} histograms, {label}"


def _finding(ways: Sequence[WayToCount], cells: str) -> str:
    for_all = min(ways, key=lambda way: way.together)
    said = f"{named(for_all)} errs least for all {cells}"
    if for_all.in_range is None:
        return said
    for_range = min(ways, key=lambda way: way.in_range or 0.0)
    if for_range == for_all:
        return f"{said} and this range"
    own = for_range.planned.noise
    several = f"{for_range.levels} histograms" if for_range.levels > 1 else ""
    noise = "" if several and own is for_all.planned.noise else f"{own.label} noise"
    return f"{said}; {' with '.join(filter(None, (several, noise)))} for this range"


def _said(
    question: QuestionView, ways: Sequence[WayToCount], span: Span | None, least: float, delta: float
) -> list[str]:
    cells = wording.cells(question.planned.query)
    needing = f", Gaussian with the budget's δ of {tiny(delta)}" if delta else ": Gaussian noise would need a δ, too"
    said = [f"All of these cost the same by this plan's rule{needing}."]
    if several := [way for way in ways if way.levels > 1]:
        way = min(several, key=lambda one: one.in_range or 0.0)
        wide = accumulate(repeat(way.width, way.levels - 1), mul, initial=1)
        widths = wording.listed([f"{width:,}" for width in wide])
        numbers = fewest_bins(span, bins=question.coordinates, width=way.width) if span else 0
        said.append(
            f"**{way.levels} histograms**, with bins as wide as {widths} of these, share the budget: more noise in "
            f"each number, but the range adds up {numbers:,} of them instead of {_long(span):,}. Each histogram is a "
            f"question of its own on the **Questions** page, at {wording.guarantee(way.planned.guarantee)}."
        )
    if least:
        below = error_in(question.measure, least, at_least)
        said.append(
            f"**No noise whatever** keeps all {question.coordinates:,} {cells} within less than "
            f"{below} in {question.confidence * 100:g}% of releases of every table, "
            f"at ε {question.planned.guarantee.epsilon:g}{f' and δ {tiny(delta)}' if delta else ''}."
        )
    return said
