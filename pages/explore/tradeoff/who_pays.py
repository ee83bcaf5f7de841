"""Whom the noise hurts: each group's error beside its size, and what coarser groups would change."""

from __future__ import annotations

from collections.abc import Sequence

import streamlit as st
from streamlit.delta_generator import DeltaGenerator

from dpengine.accuracy.by_group import Group, GroupError, Regrouping, regrouped, smallest_first
from dpengine.charts import Chart
from dpengine.charts.accuracy import by_group_charts
from dpengine.charts.accuracy.by_group_charts import MOST_DRAWN, GroupRow, in_percent
from dpengine.formatting import at_most, error_in
from dpengine.queries import Query
from dpengine.queries.forms import RatioForm, over_the_same_rows
from dpengine.queries.sensitivity.sentences import agreeing
from pages.explore.tradeoff import coarser_choice, group_sizes, ungrouped
from pages.explore.tradeoff.group_sizes import Sizes
from pages.question import consequences
from pages.question.question_view import QuestionView
from pages.widgets import outputs
from pages.widgets.escaping import code


def show(question: QuestionView) -> list[Chart]:
    """The error of each group as a share of its own answer, smallest groups first."""
    if question.coordinates == 1:
        ungrouped.show(question)
        return []
    left, right = st.columns([1, 1.6], vertical_alignment="top")
    with left, outputs.sentences_for_errors():
        heading = st.container()
        sizes = group_sizes.of_question(question)
        errors = question.asked.group_errors(sizes.groups, confidence=question.confidence)
        if sizes.unsaid:
            _say_unsaid(heading, question, errors, sizes)
            return []
        regrouping = coarser_choice.chosen(question, sizes.groups)
        after = _after(question, errors, regrouping) if regrouping else None
        _say(heading, question, errors, sizes)
        if after is not None and regrouping is not None:
            st.markdown(_change(errors, after, regrouping, question.planned.query))
        return [_picture(right, question, errors, after, regrouping)]
    return []


def _after(question: QuestionView, errors: Sequence[GroupError], regrouping: Regrouping) -> tuple[GroupError, ...]:
    """The errors of the coarser question, under its own noise."""
    groups = regrouped(question.planned.query, [error.group for error in errors], regrouping)
    asked = question.asked.with_groups(len(groups)) if len(groups) < len(errors) else question.asked
    return asked.group_errors(groups, confidence=question.confidence)


def _say(place: DeltaGenerator, question: QuestionView, errors: Sequence[GroupError], sizes: Sizes) -> None:
    cell = question.planned.query.cell
    rests = sizes.known == group_sizes.ALIKE and not question.guessed
    assumed = f", assuming about {question.guess.records:,.0f} rows" if rests else ""
    place.markdown(f"## {finding(errors, cell)}{assumed}", anchors=False)
    enough = _large_enough(question, errors) if any(error.pays for error in errors) else ""
    sizes_from = group_sizes.source(sizes, question.planned.query)
    source = f" :gray[{sizes_from}]" if sizes_from else ""
    place.markdown(f"{_why(question)} {_worst(errors, question)}{enough}{source}")


def _say_unsaid(place: DeltaGenerator, question: QuestionView, errors: Sequence[GroupError], sizes: Sizes) -> None:
    """The noise by itself, and what has to be said before it is compared with anything."""
    cell, one = question.planned.query.cell, question.planned.query.noun
    assumed = consequences.assumed(question) if sizes.known == group_sizes.ALIKE else ""
    within = f"{question.sign}{error_in(question.measure, max(error.half_width for error in errors))}{assumed}"
    place.markdown(f"## Each of the {len(errors)} {one}s is within {within}", anchors=False)
    asked = _ASKED[sizes.unsaid].format(cell=cell, one=one)
    place.markdown(f"{_why(question)}{_large_enough(question, errors)} {asked}")


_ASKED = {
    "rows": "**How many rows there are, nobody has said**: type above what you expect, to see which {cell}s pay.",
    "sizes": "**How large the {cell}s are, nobody has said**: type below what you expect, to see which of them pay.",
    "answer": (
        "**How large a {one} may be, nobody has said**: type above what you expect (*Guess: the answer of one "
        "{cell}*), to see which {cell}s pay."
    ),
}


def _large_enough(question: QuestionView, errors: Sequence[GroupError]) -> str:
    """How large an answer has to be for this noise; of a mean it depends on its size and its value."""
    if isinstance(question.planned.query, RatioForm):
        return ""
    cell = question.planned.query.noun
    return f" A {cell} has to be at least **{at_most(errors[0].large_enough)}** for noise of a tenth or less."


def _worst(errors: Sequence[GroupError], question: QuestionView) -> str:
    """The group that the noise hurts most; where all are alike, each."""
    worst = max(errors, key=lambda error: error.relative)
    whom = "All alike" if worst.relative == min(error.relative for error in errors) else "Hurt most"
    named = code(worst.group.label) if whom == "Hurt most" else "each"
    if worst.group.answer == 0.0:
        return f"{whom}: {named}, with 0 there is nothing but noise."
    measure = question.measure
    off = f"{question.sign}{at_most(measure.times * worst.half_width)}"
    points = f" {measure.errors}" if measure.sign else ""
    share = f"{in_percent(worst.relative)} of its {measure.answer(worst.group.answer)}"
    return f"{whom}: {named}, off by up to **{off}**{points}, {share}."


def _why(question: QuestionView) -> str:
    if over_the_same_rows(question.planned.query):
        return "Every share is of the same rows, so small ones pay."
    if isinstance(question.planned.query, RatioForm):
        return "A mean of few rows gets more noise, so small groups pay."
    return f"Every {question.planned.query.noun} gets the same noise, so small ones pay."


def finding(errors: Sequence[GroupError], cell: str) -> str:
    """In how many groups the noise may be larger than a tenth of the answer."""
    many, paying = len(errors), sum(error.pays for error in errors)
    if not paying:
        return f"In none of {many} {cell}s is the noise larger than a tenth"
    return f"In {'all' if paying == many else f'{paying} of'} {many} {cell}s the noise is larger than a tenth"


def _change(before: Sequence[GroupError], after: Sequence[GroupError], regrouping: Regrouping, query: Query) -> str:
    """What the coarser question does for those who are in it."""
    said, one = finding(after, query.cell), query.noun
    line = f"Coarser: **{said[0].lower()}{said[1:]}**."
    merged = [places for places in regrouping if len(places) > 1]
    if len(merged) == 1:
        worst = max(before[place].relative for place in merged[0])
        now = after[regrouping.index(merged[0])].relative
        line += f" Together the {len(merged[0])} have noise of {in_percent(now)}, where one had {in_percent(worst)}."
    left_out = len(before) - sum(map(len, regrouping))
    if left_out:
        who = "The one left out gets" if left_out == 1 else f"The {left_out} left out get"
        line += f" {who} no answer, and the others less noise: fewer {one}s share the epsilon."
    return line


def _picture(
    place: DeltaGenerator,
    question: QuestionView,
    errors: Sequence[GroupError],
    after: Sequence[GroupError] | None,
    regrouping: Regrouping | None,
) -> Chart:
    groups = [error.group for error in errors]
    coarser: dict[int, float] = {}
    if after is not None and regrouping is not None:
        coarser = {old: after[new].relative for new, places in enumerate(regrouping) for old in places}
    query = question.planned.query
    rows = [
        GroupRow(
            label=groups[one].label,
            size=_rows_in(groups[one], query),
            relative=errors[one].relative,
            coarser=coarser.get(one),
        )
        for one in smallest_first(groups)
    ]
    axis = f"error of {question.confidence * 100:g}% of answers, as a share of the {_answer(question)}"
    picture = by_group_charts.by_group(rows, axis=axis, palette=outputs.palette())
    outputs.chart(place, picture, key="chart_who_pays")
    if len(rows) > MOST_DRAWN:
        rest = in_percent(max(row.relative for row in rows[MOST_DRAWN:]))
        others = len(rows) - MOST_DRAWN
        other = f"the other {others} {agreeing(others, 'have')} at most {rest}"
        place.markdown(f":gray[Drawn are the {MOST_DRAWN} smallest; as asked, {other}.]")
    return picture


def _rows_in(group: Group, query: Query) -> float:
    """How many rows a group has; of a share how many satisfy its condition, which are all of those that it is of."""
    return round(group.size * group.answer, 6) if over_the_same_rows(query) else group.size


def _answer(question: QuestionView) -> str:
    return f"{question.planned.query.cell}'s own {question.planned.query.noun}"
