"""A closer look at one question: one more picture at a time."""

from __future__ import annotations

import streamlit as st

from dpengine import accuracy, feasible
from dpengine.charts import Chart
from dpengine.errors import DPEngineError
from dpengine.formatting import amount, assumptions, at_most, error_in, out_of_100
from dpengine.queries.forms import is_of_people
from dpengine.reports import exact_answer_to
from pages import session
from pages.explore.tradeoff import many_counts, textbook_look, who_pays
from pages.phrasing import wording
from pages.question import bias_words, choices, consequences, pictures
from pages.question.question_view import QuestionView
from pages.widgets import outputs
from pages.widgets.escaping import unmarked

KEY, BURN = "closer_look", "How fast the budget burns"


def show(question: QuestionView) -> list[Chart]:
    """One more picture at a time, of what the dial leaves out; none until asked for: the dial stays quick."""
    looks = {
        "How often is it worse?": _tail,
        "Who pays": who_pays.show,
        "Sampling error": _sampling,
        BURN: _burn,
        "Textbook bounds": textbook_look.show,
    }
    if many_counts.is_about(question):
        looks[many_counts.look(question)] = many_counts.show
    chosen = st.segmented_control("A closer look", list(looks), key=KEY)
    if chosen is None:
        return []
    with st.container(border=True, key="card_closer_look"):
        return looks[chosen](question)


def _tail(question: QuestionView) -> list[Chart]:
    left, right = st.columns([1, 2], vertical_alignment="center")
    reach = max(question.law.quantile(0.9999), question.shift)
    tolerance = choices.tolerance(
        left, start=question.half_width or question.shift, reach=reach, measure=question.measure
    )
    chance = out_of_100(float(question.law.tail(tolerance)))
    if question.choice:
        short = f"more than {error_in(question.measure, tolerance, amount)}"
        left.markdown(f"The choice falls short by {short} in **at most {chance}%** of releases, for any rows.")
    else:
        off = "the answer" if question.coordinates == 1 else f"each of the {wording.cells(question.planned.query)}"
        left.markdown(
            f"By more than ±{error_in(question.measure, tolerance, amount)} {off} is off in **{chance}%** "
            f"of releases{_any_of_them(question, tolerance)}{consequences.assumed(question)}."
        )
    if question.coordinates > 1:
        left.markdown(_all_at_once(question))
    picture = pictures.tail(question, tolerance, outputs.palette())
    outputs.chart(right, picture, key="chart_tail")
    return [picture]


def _any_of_them(question: QuestionView, tolerance: float) -> str:
    """In how many releases at least one of several numbers is off; nothing where there is one."""
    if question.coordinates == 1:
        return ""
    chance = out_of_100(accuracy.any_off(question.law, tolerance, question.coordinates))
    return f", at least one of the {question.coordinates} in **{chance}%**"


def _burn(question: QuestionView) -> list[Chart]:
    left, right = st.columns([1, 2], vertical_alignment="center")
    left.markdown(consequences.spent(question))
    picture = pictures.questions_like_this(question, outputs.palette())
    outputs.chart(right, picture, key="chart_budget")
    return []


def _all_at_once(question: QuestionView) -> str:
    together = question.law.quantile(question.confidence, question.coordinates)
    largest = question.law.expected_largest_error(question.coordinates)
    return (
        f"All {question.coordinates} {wording.cells(question.planned.query)} at once are within "
        f"**±{error_in(question.measure, together)}** in {question.confidence * 100:g}% of releases; the largest "
        f"error among them is {error_in(question.measure, largest, amount)} on average."
    )


def _sampling(question: QuestionView) -> list[Chart]:
    bias = bias_words.line(question.planned.query)
    if bias:
        st.markdown(bias)
    if question.sampling is None:
        st.markdown(_no_sampling(question))
        return []
    left, right = st.columns([1, 2], vertical_alignment="center")
    share, at = f"{question.confidence * 100:g}", question.confidence
    widening, times = accuracy.widening(question.law, question.sampling, at), question.measure.times
    left.markdown(
        f"{_sampled(question)} In {share}% of cases the sampling error alone stays within "
        f"±{at_most(times * question.sampling.quantile(at))}, the privacy noise alone within "
        f"±{at_most(times * question.half_width)}, "
        f"both together within **±{error_in(question.measure, question.combined.quantile(at))}**: privacy widens "
        f"the interval by **{at_most(100 * widening, 2)}%**{consequences.from_rows(question)}."
    )
    unsaid = question.size == "unsaid" or not question.guessed
    left.markdown(_of_nobody(question) if unsaid else f"{_spread(question)}{_negligible(question, widening)}")
    picture = pictures.intervals(question, outputs.palette())
    outputs.chart(right, picture, key="chart_sampling")
    return [picture]


def _of_nobody(question: QuestionView) -> str:
    """In the place of a verdict, where nobody has said how many rows there are, or how large the answer is."""
    named = assumptions.named(question.planned, question.plan.schema, question.guess)
    return f"All this assumes {named}; **nobody has said** so. Enter above what you expect."


def _spread(question: QuestionView) -> str:
    """The guess about the values themselves, where a verdict rests on one; there is no box for it."""
    if question.size == "exact" or question.guess.spread is None:
        return ""
    spread = f"{amount(question.guess.spread, 3)} {question.unit}"
    return f"This takes values to lie about {spread} from their mean (a quarter of the declared range; a guess). "


def _negligible(question: QuestionView, widening: float) -> str:
    """From how many rows on privacy would hardly widen the interval, all else staying as it is."""
    rule = f"less than {100 * accuracy.NEGLIGIBLE:g}%"
    if widening <= accuracy.NEGLIGIBLE:
        return f"That is {rule}, which we call negligible."
    try:
        needed = _records_needed(question)
    except DPEngineError as problem:
        return unmarked(str(problem))
    whose = "people" if question.plan.schema.one_row_each or question.unit == "people" else "rows"
    now = f"{amount(question.asked.records, 6)}{consequences.from_rows(question)}"
    return (
        f"With **about {at_most(needed, 2)} {whose}** instead of {now}, all else the same, privacy would widen it by "
        f"{rule}, which we call negligible."
    )


def _records_needed(question: QuestionView) -> int:
    """Searched anew only where something has changed that it depends on."""
    key = question.asked, question.confidence
    kept = session.remembered("records_needed", None)
    if isinstance(kept, tuple) and kept[0] == key:
        return int(kept[1])
    needed = feasible.records_needed(question.asked, confidence=question.confidence)
    session.remember("records_needed", (key, needed))
    return needed


def _sampled(question: QuestionView) -> str:
    """Whom the sampling error counts as drawn, and where that makes it too small."""
    if question.plan.schema.one_row_each or is_of_people(question.planned.query):
        return "The people in the table are themselves a sample."
    return (
        "The rows in the table are themselves a sample. This counts every row as another person; where people have "
        "several rows, the sampling error is larger."
    )


def _no_sampling(question: QuestionView) -> str:
    """Why no sampling error stands beside the privacy noise."""
    if not accuracy.sampling_is_known(question.planned.query):
        return (
            f"The people in the table are themselves a sample, so even {_exact(question)} would be off. By how much "
            "depends on more than the number of rows, such as the shape of the values or the sizes of the groups. "
            "This error is not drawn, and comes on top of the privacy noise."
        )
    return "Nothing varies here, so there is no sampling error to compare with."


def _exact(question: QuestionView) -> str:
    return unmarked(exact_answer_to(question.planned.query, question.plan.schema, question.plan.neighbors))
