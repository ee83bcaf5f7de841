"""What theory says of an answer's Laplace noise, t scales out: bounds beside the exact chances of what is released."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

import numpy as np
import streamlit as st

from dpengine import accuracy
from dpengine.accuracy import RatioBounds, TextbookBounds
from dpengine.charts import Chart
from dpengine.charts.accuracy import reach_charts
from dpengine.charts.accuracy.reach_charts import BeyondView, ChanceLine
from dpengine.formatting import Measure, amount, at_most, chance_of_100, error_in, number_in
from dpengine.losses.arrays import Array
from pages import session
from pages.question import choice_panels, consequences
from pages.question.question_view import QuestionView
from pages.widgets import computed, outputs
from pages.widgets.computed import formula

FIRST, MOST, MOST_DRAWN, POINTS = 3.0, 10.0, 7.0, 141
_OF_NOISE = (
    formula("Laplace noise of scale b errs by more than t scales with this probability", "e^{-t}")
    + formula("All d errors added up are on average", r"d\,b")
    + formula(
        "The largest of d errors is on average at most this, and exceeds b (ln d + t) with at most the probability "
        "above (union bound)",
        r"b\,(\ln d+1)",
    )
    + "The noise really released comes in whole steps; the limit is the first step from there on, so that the bounds "
    "hold for it, too. Source: Dwork and Roth 2014."
)
_OF_RATIOS = (
    formula(
        "With u = ln d + t for d answers: while no sum's noise is above u of its scales s, and no count's above u of "
        "its scales c, a mean of n rows that lies m from the middle of its bounds is off by at most",
        r"\frac{u\,(s+|m|\,c)}{n-u\,c}",
    )
    + formula("One of the noises is larger with at most this probability (union bound), for the curve", r"2\,e^{-t}")
    + "The bound shown adds up the exact chances of the noise that is released, and the limit is never beyond the "
    "public bounds."
)
_NONE_KNOWN = (
    "The textbook bounds are about Laplace noise in counts, sums, means and shares. This answer has other noise, or is "
    "put together in another way."
)


def show(question: QuestionView) -> list[Chart]:
    """Bounds and exact chances at the chosen t, as a table and as a picture."""
    if question.choice:
        words, explained = choice_panels.theorem(question, question.choice)
        st.markdown(words)
        computed.how(explained, key="bounds_computed")
        return []
    bounds = _bounds(question)
    if bounds is None:
        st.markdown(_NONE_KNOWN)
        return []
    left, right = st.columns([1.3, 1], vertical_alignment="center")
    session.widget_starts_at("bounds_scales", FIRST)
    label = "How many scales out (t)"
    t = float(left.slider(label, 0.5, MOST, step=0.5, key="bounds_scales", format="%g", persist_state="session"))
    if isinstance(bounds, TextbookBounds):
        table, picture, explained = _noise_table(question.measure, bounds, t), _of_noise(question, bounds, t), _OF_NOISE
    else:
        table, picture, explained = _ratio_table(question, bounds, t), _of_ratio(question, bounds, t), _OF_RATIOS
    left.markdown(table)
    outputs.chart(right, picture, key="chart_bounds")
    computed.how(explained, key="bounds_computed")
    return [picture]


def _bounds(question: QuestionView) -> TextbookBounds | RatioBounds | None:
    law, many = question.law, question.coordinates
    if accuracy.has_textbook_bounds(law):
        return accuracy.textbook_bounds(law, coordinates=many)
    return RatioBounds(law=law, coordinates=many) if accuracy.has_ratio_bounds(law) else None


def _noise_table(measure: Measure, bounds: TextbookBounds, t: float) -> str:
    """Of one answer, and of all of them where there are several."""
    many, scale, own = bounds.coordinates, bounds.scale, bounds.released.expected_absolute_error
    named = f"Laplace noise of scale {error_in(measure, scale, amount)}"
    rows = [
        f"| {named} | bound from theory | Laplace curve | the noise really released |",
        "|---|---|---|---|",
        _average(measure, "error, on average", (scale, scale, own)),
        _chance(measure, "chance of an error above", replace(bounds, coordinates=1), t),
    ]
    if many > 1:
        total = bounds.total_error, bounds.total_error, bounds.released_total_error
        largest = bounds.largest_error_bound, bounds.largest_error, bounds.released_largest_error
        rows += [
            _average(measure, f"all {many} errors added up, on average", total),
            _average(measure, f"largest of {many} errors, on average", largest),
            _chance(measure, f"chance that the largest of {many} is above", bounds, t),
        ]
    return "\n".join(rows)


def _average(measure: Measure, what: str, errors: tuple[float, float, float]) -> str:
    most, *others = errors
    own = " | ".join(error_in(measure, error, amount) for error in others)
    return f"| {what} | at most {error_in(measure, most)} | {own} |"


def _chance(measure: Measure, what: str, bounds: TextbookBounds, t: float) -> str:
    limit = _as_read(measure, bounds.limit(t))
    own = " | ".join(f"{chance_of_100(chance(limit))}%" for chance in (bounds.curve_beyond, bounds.released_beyond))
    bound = at_most(100.0 * bounds.largest_tail_bound(t))
    return f"| {what} {error_in(measure, limit, _four_digits)} | at most {bound}% | {own} |"


def _as_read(measure: Measure, limit: float) -> float:
    """The limit that is written, for which the chances are told; never below the one that was found."""
    return measure.kept(number_in(_four_digits(measure.times * limit)))


def _four_digits(error: float) -> str:
    return at_most(error, 4)


def _ratio_table(question: QuestionView, bounds: RatioBounds, t: float) -> str:
    """Of a noisy sum over a noisy count, for all answers at once; the limit is the one that is read."""
    measure, many, noun = question.measure, question.coordinates, question.planned.query.noun
    limit = _as_read(measure, bounds.error_at(t))
    which = f"the {noun} is off" if many == 1 else f"any of {many} {noun}s is off"
    table = (
        "| Laplace noise in a sum and in a count | bound from theory | the noise really released |\n|---|---|---|\n"
        f"| chance that {which} by more than {error_in(measure, limit, _four_digits)} | at most "
        f"{at_most(100.0 * bounds.tail_bound(t))}% | {chance_of_100(bounds.released_beyond(limit))}% |"
    )
    scales = f"{amount(bounds.sum_scale)} for the sum and {amount(bounds.count_scale)} for the count"
    said = f"The scales are {scales}{consequences.assumed(question)}."
    if many > 1:
        said += " Every group is taken to be of average size, with the answer farthest from the middle."
    if bounds.error_at(t) >= bounds.law.farthest:
        said += " So far out, noise may be as large as the count itself: only the public bounds limit the error."
    return f"{table}\n\n{said}"


def _of_noise(question: QuestionView, bounds: TextbookBounds, t: float) -> Chart:
    """Drawn at grid points alone, where the bound holds for the released noise."""
    palette, here, step = outputs.palette(), bounds.limit(t), bounds.released.step
    reach = bounds.limit(max(MOST_DRAWN, t))
    stride = step * np.ceil(reach / step / POINTS)
    errors = stride * np.arange(np.ceil(reach / stride) + 1.0)
    drawn = (
        ("bound", bounds.union_bound, palette.text, "dash"),
        ("released", bounds.released_beyond, palette.advanced, "solid"),
    )
    lines = [
        ChanceLine(label=label, chances=chances(errors), here=chances(here), color=color, dash=dash, steps=True)
        for label, chances, color, dash in drawn
    ]
    return _picture(question, errors, here, lines)


def _of_ratio(question: QuestionView, bounds: RatioBounds, t: float) -> Chart:
    palette, scales = outputs.palette(), np.linspace(0.0, max(MOST_DRAWN, t), POINTS)
    errors, first = np.unique(np.append(bounds.error_at(scales), 0.0), return_index=True)
    bound = np.append(bounds.tail_bound(scales), 1.0)[first]
    here = bounds.error_at(t)
    lines = [
        ChanceLine(label="bound", chances=bound, here=bounds.tail_bound(t), color=palette.text, dash="dash"),
        ChanceLine(
            label="released",
            chances=bounds.released_beyond(errors),
            here=bounds.released_beyond(here),
            color=palette.advanced,
        ),
    ]
    return _picture(question, errors, here, lines)


def _picture(question: QuestionView, errors: Array, here: float, lines: Sequence[ChanceLine]) -> Chart:
    measure = question.drawn_measure
    which = "a larger error" if question.coordinates == 1 else "any larger error"
    view = BeyondView(
        errors=measure.times * errors,
        here=measure.times * here,
        x_title=f"error, {measure.errors}",
        y_title=f"chance of {which}, %",
    )
    return reach_charts.chances_beyond(view, lines, outputs.palette())
