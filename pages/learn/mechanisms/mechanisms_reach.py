"""Steps on mechanisms: how far Laplace noise reaches, in one count and in the worst of many."""

from __future__ import annotations

import math

import numpy as np

from dpengine.accuracy import NoiseError, TextbookBounds, textbook_bounds
from dpengine.charts import Chart
from dpengine.charts.accuracy import reach_charts
from dpengine.charts.accuracy.reach_charts import BeyondView, ChanceLine
from dpengine.formatting import amount, at_least, at_most, chance_of_100
from dpengine.mechanisms import DiscreteLaplaceMechanism
from pages.lesson import pickers
from pages.lesson.lesson import Shown, dial, picture_and_words
from pages.widgets import outputs
from pages.widgets.computed import formula

KEY = "mechanisms"
MOST_EPSILON, LAST_DIGITS, SCALES, SCALES_DRAWN, POINTS = 10.0, 1e-9, (0.5, 1.0, 1.5, 2.0, 3.0, 4.0, 5.0), 7.0, 241
OF_ONE = (
    formula("The density of Laplace noise with scale b at z, where b is sensitivity / ε", r"\frac{1}{2b}\,e^{-|z|/b}")
    + formula("Its mean distance from 0, and its variance", r"E|Z|=b,\quad \operatorname{Var}(Z)=2b^2")
    + formula("How often it is larger than t scales; of the curve exactly", r"\Pr(|Z|>t\,b)=e^{-t}")
    + formula(
        "The same for the whole numbers that are released",
        r"\Pr(|Z|>t\,b)=\frac{2\,q^{\lfloor t b\rfloor+1}}{1+q},\quad q=e^{-1/b}",
    )
    + "Sources: Dwork, McSherry, Nissim and Smith 2006; Ghosh, Roughgarden and Sundararajan 2009."
)
OF_MANY = (
    formula("All d errors added up, on average", r"E\|Z\|_1=d\,b")
    + formula(
        "The largest of them, on average, for the curve",
        r"E\max_i|Z_i|=b\,\Bigl(1+\tfrac12+\dots+\tfrac1d\Bigr)\le b\,(\ln d+1)",
    )
    + formula(
        "How often the largest is above b (ln d + t): exactly for the curve, and by the union bound",
        r"1-\Bigl(1-\tfrac{e^{-t}}{d}\Bigr)^d\le e^{-t}",
    )
    + "The union bound adds up the chances of all d errors. The table looks beyond the next whole number, where the "
    "bound holds for the released noise, too. Sources: Rényi 1953; Dwork and Roth 2014."
)


def how_far() -> Shown:
    """The tails of the noise in one count, as a curve and as it is released."""
    epsilon = dial(f"{KEY}_far_epsilon", start=0.1, most=MOST_EPSILON)
    place, words = picture_and_words(f"{KEY}_far")
    t = pickers.stop(place, "Beyond how many scales (t)", SCALES, key=f"{KEY}_far_t", start=1.0)
    bounds = _bounds(epsilon)
    picture = reach_charts.tails(bounds, t=t, unit="people", palette=outputs.palette())
    outputs.chart(place, picture, key=f"{KEY}_far_chart")
    curve, released, scale = bounds.continuous, bounds.released, amount(bounds.scale)
    beyond, share = at_least(t * bounds.scale, 4), chance_of_100(bounds.released_tail(t))
    words.markdown(
        "| error, people | curve | released |\n|---|---|---|\n"
        f"| on average | {scale} | {amount(released.expected_absolute_error)} |\n"
        f"| standard deviation | {amount(curve.standard_deviation)} | {amount(released.standard_deviation)} |\n"
        f"| beyond ±{beyond} | {chance_of_100(bounds.tail_bound(t))}% | {share}% |\n\n"
        f"The scale of a count's noise is 1 divided by ε: **{scale} people**. Such a count is useful where the answer "
        f"is far above {scale}, and useless where it is far below. Counts get noise in whole numbers (released)."
    )
    steps = math.floor(t * bounds.scale + LAST_DIGITS)
    off = f"off by more than {steps:,} {'person' if steps == 1 else 'people'}" if steps else "not exactly right"
    finding = f"{share}% of counts are {off}"
    return Shown(finding=finding, pictures=(picture,), computed=OF_ONE)


def worst_of_many() -> Shown:
    """The sum and the largest of the errors of many counts, beside the bounds for them."""
    epsilon = dial(f"{KEY}_worst_epsilon", start=0.1, most=MOST_EPSILON)
    place, words = picture_and_words(f"{KEY}_worst", picture=1.2)
    left, right = place.columns(2)
    count = pickers.stop(left.container(), "Counts", pickers.COUNTS, key=f"{KEY}_worst_count", start=20)
    t = pickers.stop(right.container(), "Scales farther out (t)", SCALES, key=f"{KEY}_worst_t", start=1.0)
    bounds = _bounds(epsilon, count)
    picture = _worst_picture(bounds, t)
    outputs.chart(place, picture, key=f"{KEY}_worst_chart")
    words.markdown(
        f"{_table_of_many(bounds, t)}\n\n"
        "Each person is in one of the counts. Adding up the chances of all errors (**union bound**) is never below the "
        "exact chance. Ten times as many counts push the curve's worst out by at most 2.31 scales, on average."
    )
    whose = "The worst of one count" if count == 1 else f"The worst of {count:,} counts"
    finding = f"{whose} is off by {amount(bounds.released_largest_error)} on average"
    return Shown(finding=finding, pictures=(picture,), computed=OF_MANY)


def _table_of_many(bounds: TextbookBounds, t: float) -> str:
    limit = bounds.limit(t)
    chances = bounds.curve_beyond(limit), bounds.released_beyond(limit)
    rows = (
        ("all added up, on average", bounds.total_error, bounds.total_error, bounds.released_total_error),
        ("the worst, on average", bounds.largest_error_bound, bounds.largest_error, bounds.released_largest_error),
    )
    lines = [f"| {what} | {at_most(most)} | {amount(curve)} | {amount(own)} |" for what, most, curve, own in rows]
    shares = " | ".join(f"{chance_of_100(chance)}%" for chance in chances)
    beyond = f"| the worst beyond {limit:,.0f} | {at_most(100 * bounds.largest_tail_bound(t))}% | {shares} |"
    return "\n".join(["| error, people | at most | curve | released |", "|---|---|---|---|", *lines, beyond])


def _bounds(epsilon: float, counts: int = 1) -> TextbookBounds:
    noise = DiscreteLaplaceMechanism.from_epsilon(epsilon, l1_sensitivity=1)
    return textbook_bounds(NoiseError(mechanism=noise), coordinates=counts)


def _worst_picture(bounds: TextbookBounds, t: float) -> Chart:
    palette, here = outputs.palette(), bounds.error_at(t)
    errors = np.linspace(0.0, bounds.error_at(SCALES_DRAWN), POINTS)
    drawn = (
        ("union bound", bounds.union_bound, palette.text, "dash"),
        (f"worst of {bounds.coordinates:,}", bounds.curve_beyond, palette.advanced, "solid"),
        ("one count", bounds.continuous.tail, palette.muted, "solid"),
    )
    lines = [
        ChanceLine(label=label, chances=chances(errors), here=float(chances(here)), color=color, dash=dash)
        for label, chances, color, dash in drawn
    ]
    view = BeyondView(
        errors=errors,
        here=here,
        x_title="error, people",
        y_title="chance of a larger error, %",
        average=bounds.largest_error,
    )
    return reach_charts.chances_beyond(view, lines, palette)
