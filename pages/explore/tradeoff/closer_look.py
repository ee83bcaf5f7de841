"""A closer look at one question: one more picture at a time."""

from __future__ import annotations

import streamlit as st

from dpengine import accuracy, feasible
from dpengine.accuracy import NoiseError
from dpengine.charts import Chart
from dpengine.errors import DPEngineError
from dpengine.formatting import amount, assumptions, at_most, error_in, out_of_100
from dpengine.queries import (
    CountPeopleQuery,
    GroupedMeanQuery,
    GroupedSumQuery,
    ModeQuery,
    QuantileQuery,
    VarianceQuery,
)
from dpengine.reports import exact_answer_to
from pages import session
from pages.explore.tradeoff import who_pays
from pages.phrasing import wording
from pages.question import bias_words, choice_panels, choices, consequences, pictures
from pages.question.question_view import Subject
from pages.widgets import outputs
from pages.widgets.escaping import unmarked

_UNKNOWN_SAMPLING = VarianceQuery | QuantileQuery | ModeQuery | GroupedSumQuery | GroupedMeanQuery


def show(subject: Subject) -> list[Chart]:
    """One more picture at a time, of what the dial leaves out; none until asked for: the dial stays quick."""
    looks = {
        "How often is it worse?": _tail,
        "Who pays": who_pays.show,
        "Who is in the table": _sampling,
        "How fast the budget burns": _burn,
        "Textbook bounds": _bounds,
    }
    chosen = st.segmented_control("A closer look", list(looks), key="closer_look")
    if chosen is None:
        return []
    with st.container(border=True, key="card_closer_look"):
        return looks[chosen](subject)


def _tail(subject: Subject) -> list[Chart]:
    left, right = st.columns([1, 2], vertical_alignment="center")
    reach = max(subject.law.quantile(0.9999), subject.shift)
    tolerance = choices.tolerance(left, start=subject.half_width or subject.shift, reach=reach, measure=subject.measure)
    chance = out_of_100(float(subject.law.tail(tolerance)))
    if subject.choice:
        short = f"more than {error_in(subject.measure, tolerance, amount)}"
        left.markdown(f"The choice falls short by {short} in **at most {chance} of 100** releases, whatever the rows.")
    else:
        off = "the answer" if subject.coordinates == 1 else f"one of the {wording.cells(subject.planned.query)}"
        left.markdown(
            f"By more than ±{error_in(subject.measure, tolerance, amount)} {off} is off in **{chance} of 100** releases"
            f"{consequences.assumed(subject)}."
        )
    if subject.coordinates > 1:
        left.markdown(_all_at_once(subject))
    picture = pictures.tail(subject, tolerance, outputs.palette())
    outputs.chart(right, picture, key="chart_tail")
    return [picture]


def _burn(subject: Subject) -> list[Chart]:
    left, right = st.columns([1, 2], vertical_alignment="center")
    left.markdown(consequences.spent(subject))
    picture = pictures.questions_like_this(subject, outputs.palette())
    outputs.chart(right, picture, key="chart_budget")
    return []


def _all_at_once(subject: Subject) -> str:
    together = subject.law.quantile(subject.confidence, subject.coordinates)
    largest = subject.law.expected_largest_error(subject.coordinates)
    return (
        f"All {subject.coordinates} {wording.cells(subject.planned.query)} at once are within **±{at_most(together)}** "
        f"in {subject.confidence * 100:g} of 100; the largest error among them is {amount(largest)} on average."
    )


def _sampling(subject: Subject) -> list[Chart]:
    bias = bias_words.line(subject.planned.query)
    if bias:
        st.markdown(bias)
    if subject.sampling is None:
        st.markdown(_no_sampling(subject))
        return []
    left, right = st.columns([1, 2], vertical_alignment="center")
    share, at = f"{subject.confidence * 100:g}", subject.confidence
    widening, times = accuracy.widening(subject.law, subject.sampling, at), subject.measure.times
    left.markdown(
        f"{_sampled(subject)} In {share} of 100 cases that alone puts the answer within "
        f"±{at_most(times * subject.sampling.quantile(at))}, the privacy noise alone within "
        f"±{at_most(times * subject.half_width)}, "
        f"both together within **±{error_in(subject.measure, subject.combined.quantile(at))}**: privacy widens "
        f"the interval by **{at_most(100 * widening, 2)} %**{consequences.from_rows(subject)}."
    )
    unsaid = subject.size == "unsaid" or not subject.guessed
    left.markdown(_of_nobody(subject) if unsaid else f"{_spread(subject)}{_negligible(subject, widening)}")
    picture = pictures.intervals(subject, outputs.palette())
    outputs.chart(right, picture, key="chart_sampling")
    return [picture]


def _of_nobody(subject: Subject) -> str:
    """In the place of a verdict, where nobody has said how many rows there are, or how large the answer is."""
    named = assumptions.named(subject.planned, subject.plan.schema, subject.guess)
    return f"All this is for {named}; **nobody has said** so. Type above what you expect."


def _spread(subject: Subject) -> str:
    """The guess about the values themselves, where a verdict rests on one; there is no box for it."""
    if subject.size == "exact" or subject.guess.spread is None:
        return ""
    spread = f"{amount(subject.guess.spread, 3)} {subject.unit}"
    return f"Supposing that values lie about {spread} from their mean (a quarter of the declared range; a guess): "


def _negligible(subject: Subject, widening: float) -> str:
    """From how many rows on privacy would hardly widen the interval, all else staying as it is."""
    rule = f"less than {100 * accuracy.NEGLIGIBLE:g} %"
    if widening <= accuracy.NEGLIGIBLE:
        return f"That is {rule}, which we call negligible."
    try:
        needed = _records_needed(subject)
    except DPEngineError as problem:
        return unmarked(str(problem))
    whose = "people" if subject.plan.schema.one_row_each or subject.unit == "people" else "rows"
    now = f"{amount(subject.asked.records, 6)}{consequences.from_rows(subject)}"
    return (
        f"With **about {at_most(needed, 2)} {whose}** instead of {now}, all else the same, privacy would widen it by "
        f"{rule}, which we call negligible."
    )


def _records_needed(subject: Subject) -> int:
    """Searched anew only where something has changed that it depends on."""
    key = subject.asked, subject.confidence
    kept = session.remembered("records_needed", None)
    if isinstance(kept, tuple) and kept[0] == key:
        return int(kept[1])
    needed = feasible.records_needed(subject.asked, confidence=subject.confidence)
    session.remember("records_needed", (key, needed))
    return needed


def _sampled(subject: Subject) -> str:
    """Whom the sampling error counts as drawn, and where that makes it too small."""
    if subject.plan.schema.one_row_each or isinstance(subject.planned.query, CountPeopleQuery):
        return "The people in the table are themselves a sample."
    return (
        "The rows in the table are themselves a sample. This takes every row for another person's; where people have "
        "several rows, the sampling error is larger."
    )


def _no_sampling(subject: Subject) -> str:
    """Why no sampling error stands beside the privacy noise."""
    if isinstance(subject.planned.query, _UNKNOWN_SAMPLING):
        return (
            f"The people in the table are themselves a sample, so even {_exact(subject)} would be off. By how much "
            "depends here on more than a size, such as the shape of the values or the sizes of the groups: it is not "
            "drawn, and comes on top of the privacy noise."
        )
    return "Nothing varies here, so there is no sampling error to compare with."


def _exact(subject: Subject) -> str:
    return unmarked(exact_answer_to(subject.planned.query, subject.plan.schema, subject.plan.neighbors))


def _bounds(subject: Subject) -> list[Chart]:
    if subject.choice:
        st.markdown(choice_panels.theorem(subject, subject.choice))
        return []
    if not isinstance(subject.law, NoiseError) or subject.planned.mechanism != "laplace":
        st.markdown("The textbook bounds are about one Laplace answer; this one has several parts or another noise.")
        return []
    st.markdown(
        wording.bounds_table(accuracy.textbook_bounds(subject.law, coordinates=subject.coordinates), subject.measure)
    )
    return []
