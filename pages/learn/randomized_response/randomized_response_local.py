"""Steps on randomized response: local and central privacy told apart, what the difference costs, and many options."""

from __future__ import annotations

import math
from collections.abc import Callable

import numpy as np
import numpy.typing as npt

from dpengine.accuracy.lessons.local_and_central import (
    central_standard_error,
    errors_of_rare_options,
    laplace_over_response,
    laplace_standard_errors,
    local_standard_error,
    options_where_unary_wins,
    rounded_standard_error,
    sampling_standard_error,
    times_as_many,
)
from dpengine.charts.tables import line_charts
from dpengine.charts.tables.line_charts import Line, LineView
from dpengine.formatting import amount, at_most
from dpengine.losses.arrays import Array
from pages.lesson import pickers
from pages.lesson.check import Answer, Check
from pages.lesson.drawings import Box, flow
from pages.lesson.lesson import Shown, choice, dial, picture_and_words
from pages.widgets import outputs
from pages.widgets.computed import formula

KEY = "randomized_response"
ErrorOver = Callable[..., Array]
MODELS = ("Local: noise before you answer", "Central: noise before they publish")
BOXES = {
    MODELS[0]: (
        Box(name="You", line="flip your coin, then answer", look="lit"),
        Box(name="The collector", line="gets noisy answers only"),
        Box(name="The public", line="an estimate from them"),
    ),
    MODELS[1]: (
        Box(name="You", line="answer exactly"),
        Box(name="The curator", line="sees every exact answer, adds noise once", look="lit"),
        Box(name="The public", line="a noisy count"),
    ),
}
WORDS = {
    MODELS[
        0
    ]: "You need to trust nobody: a collector, a thief who takes the collected answers, or a court that demands "
    "them gets only noisy answers.\n\n"
    "The price: everybody's noise ends up in the result. What you send must look alike **whatever your answer is**; "
    "the public may know that you took part.",
    MODELS[
        1
    ]: "You trust the curator to keep your answer secret, and to keep thieves out. The promise covers only what "
    "is published.\n\n"
    "The gain: noise is added once for everybody. Here **two tables that differ in one person** must look alike. The "
    "rest of this dashboard works like this.",
}


def trust() -> Shown:
    """Who sees what, in the local and in the central model."""
    model = choice("Where is the noise?", MODELS, key=f"{KEY}_model")
    place, words = picture_and_words(f"{KEY}_trust", picture=2.2)
    flow(place, BOXES[model], outputs.palette())
    words.markdown(WORDS[model])
    finding = (
        "With noise of your own you need to trust nobody"
        if model == MODELS[0]
        else "With noise added later, you trust one curator with your exact answer"
    )
    return Shown(finding=finding)


PEOPLE = np.unique(np.geomspace(10, 1_000_000, 120).round())
SHARE, EVERYTHING = 0.3, 100.0


def price() -> Shown:
    """The error of a share by local and by central noise at the same epsilon, over the number of people."""
    epsilon = dial(f"{KEY}_price_epsilon", start=1.0, most=700.0)
    place, words = picture_and_words(f"{KEY}_price", picture=1.5)
    people = pickers.stop(place, "People", pickers.PEOPLE, key=f"{KEY}_price_people", start=1000)
    palette = outputs.palette()
    local = _error_line("local noise", local_standard_error, people, palette.advanced, epsilon=epsilon)
    central = _error_line("central noise", central_standard_error, people, palette.text, epsilon=epsilon)
    chance = _error_line("sampling error", sampling_standard_error, people, palette.sampling, share=SHARE)
    view = LineView(at=PEOPLE, x_title="people", y_title="standard error, percentage points", here=float(people))
    picture = line_charts.lines(view, (local, central, chance), palette)
    outputs.chart(place, picture, key=f"{KEY}_price_chart")
    noise_alone, with_chance = (
        times_as_many(people, epsilon=epsilon),
        times_as_many(people, epsilon=epsilon, share=SHARE),
    )
    words.markdown(
        f"Both satisfy ε = {amount(epsilon)}. With four times as many people, local noise is half as large, and "
        "central noise a quarter.\n\n"
        f"To err as little as the curator's central noise does with {people:,} people, local noise needs "
        f"**{amount(noise_alone)} times as many people**.\n\n"
        "If only a sample is asked, sampling error comes on top (the dashed line, for a share of 30%). With it on both "
        f"sides, **{amount(with_chance)} times as many** are enough."
    )
    errors = f"standard error {_of_everything(local.here)} locally, {_of_everything(central.here)} centrally"
    if min(local.here, central.here) > EVERYTHING:
        errors = "both local and central standard errors are above 100%"
    return Shown(finding=f"{people:,} people: {errors}", pictures=(picture,), computed=OF_MODELS)


OF_MODELS = (
    formula("The standard error of local noise, for n people, falls like", r"\frac{1}{\sqrt{n}}")
    + formula("That of central noise, added once to the count, like", r"\frac{1}{n}")
    + "Sampling error falls like local noise, with the square root of n."
)


def _of_everything(percent: float) -> str:
    return "over 100%" if percent > EVERYTHING else f"{amount(percent)} points"


def _error_line(label: str, error: ErrorOver, people: int, color: str, **setting: float) -> Line:
    """A standard error as so many of 100."""
    values, here = 100.0 * error(PEOPLE, **setting), 100.0 * float(error(people, **setting))
    dash = "dash" if "share" in setting else "solid"
    return Line(label=label, values=values, here=here, color=color, dash=dash)


YES_OR_NO, HOURS, DAY = "Yes or no", "Hours, from 0 to 24", 24.0


def laplace() -> Shown:
    """Laplace noise of everybody's own, beside randomized response and a curator: for a yes or no, and for a number."""
    epsilon = dial(f"{KEY}_laplace_epsilon", start=1.0, most=20.0)
    kind = choice("What is asked?", (YES_OR_NO, HOURS), key=f"{KEY}_laplace_kind")
    place, words = picture_and_words(f"{KEY}_laplace", picture=1.5)
    people = pickers.stop(place, "People", pickers.PEOPLE, key=f"{KEY}_laplace_people", start=1000)
    drawn = _laplace_lines(kind, people, epsilon)
    unit = "percentage points" if kind == YES_OR_NO else "hours"
    view = LineView(at=PEOPLE, x_title="people", y_title=f"standard error, {unit}", here=float(people))
    picture = line_charts.lines(view, drawn, outputs.palette())
    outputs.chart(place, picture, key=f"{KEY}_laplace_chart")
    if kind == YES_OR_NO:
        times = laplace_over_response(epsilon=epsilon)
        words.markdown(_instead_of_coins(times))
        finding = f"Yes or no: local Laplace errs {amount(times)} times as much as coins"
    else:
        local, rounded, central = (line.here for line in drawn)
        words.markdown(_for_a_number(local, rounded))
        finding = f"{people:,} people: standard error {amount(local)} hours locally, {amount(central)} centrally"
    return Shown(finding=finding, pictures=(picture,), computed=OF_LAPLACE)


def _laplace_lines(kind: str, people: int, epsilon: float) -> list[Line]:
    """Local Laplace, coins, and a curator: of a share in percentage points, of a mean in hours."""
    palette, of_a_share = outputs.palette(), kind == YES_OR_NO
    width, factor = (1.0, 100.0) if of_a_share else (DAY, 1.0)

    def errors(count: npt.ArrayLike) -> tuple[Array, ...]:
        local, central = laplace_standard_errors(count, epsilon=epsilon, width=width)
        if of_a_share:
            return local, local_standard_error(count, epsilon=epsilon), central
        return local, rounded_standard_error(count, epsilon=epsilon, width=width), central

    coins = "randomized response" if of_a_share else "rounded by a coin, at most"
    looks = (("local Laplace", palette.exact), (coins, palette.advanced), ("central Laplace", palette.text))
    return [
        Line(label=label, values=factor * values, here=factor * float(value), color=color)
        for (label, color), values, value in zip(looks, errors(PEOPLE), errors(people), strict=True)
    ]


def _instead_of_coins(times: float) -> str:
    return (
        "Instead of tossing coins, everybody sends a 1 (yes) or a 0 (no) plus Laplace noise (**local Laplace**); the "
        "collector takes the mean.\n\n"
        f"At this ε that errs **{amount(times)} times** as much as randomized response, so it needs "
        f"**{amount(times * times)} times as many people**. At every ε it errs at least 1.41 times as much; the larger "
        "ε, the more."
    )


def _for_a_number(local: float, rounded: float) -> str:
    better = "less, whatever the hours are" if rounded < local else "more, where hours lie in the middle"
    return (
        "“How many hours did you look at a screen yesterday?” is no yes or no. Two ways out:\n\n"
        f"**Local Laplace**: noise 24 times as wide. Standard error {amount(local)} hours.\n\n"
        "**A coin rounds** the hours to 24 or 0; randomized response sends that. "
        f"Standard error at most {at_most(rounded)} hours. At this ε it errs {better}."
    )


OF_LAPLACE = (
    formula("Scale of the noise, for values in a range of width w (1 for a yes or no)", r"b=\frac{w}{\varepsilon}")
    + formula("Variance of the sum over n people, everybody with noise of their own", r"2nb^2")
    + formula("With a curator's noise, added once", r"2b^2")
    + formula("By randomized response, for a count of yes", r"n\,\frac{e^{\varepsilon}}{(e^{\varepsilon}-1)^2}")
    + formula(
        "Local Laplace's error beside randomized response's, never less than the square root of 2",
        r"\frac{2\sqrt{2}\,\sinh(\varepsilon/2)}{\varepsilon}",
    )
    + formula("Rounded by a coin, the variance of the sum is at most", r"\frac{nw^2}{4\tanh^2(\varepsilon/2)}")
    + "A value x becomes w with chance x/w, and else 0, so the mean keeps its place. Any report about a yes or no that "
    "satisfies ε can be computed from randomized response's. The curator's noise is continuous here, and whole numbers "
    "on the step before. Sources: Dwork, McSherry, Nissim and Smith 2006; Warner 1965; Kairouz, Oh and Viswanath "
    "2015; for numbers, Duchi, Jordan and Wainwright 2018."
)


OPTIONS = (2, 3, 4, 5, 6, 8, 10, 12, 15, 20, 30, 50, 100, 200, 500, 1000)
GRID = np.unique(np.geomspace(2, 1000, 120).round())
POLL = 10_000


def options() -> Shown:
    """Many options: one coin-flipped choice against a row of noisy bits, and where they cross."""
    epsilon = dial(f"{KEY}_options_epsilon", start=1.0, most=700.0)
    place, words = picture_and_words(f"{KEY}_options", picture=1.5)
    count = pickers.stop(place, "Options to choose from", OPTIONS, key=f"{KEY}_options_count", start=20)
    crossing = options_where_unary_wins(epsilon=epsilon)
    palette = outputs.palette()
    view = LineView(
        at=GRID,
        x_title="options to choose from",
        y_title="standard error, percentage points",
        here=float(count),
        crossing=crossing,
        crossing_words=f"bits err less<br>from {math.floor(crossing) + 1:,} options on",
    )
    drawn = _option_lines(count, epsilon)
    picture = line_charts.lines(view, drawn, palette)
    outputs.chart(place, picture, key=f"{KEY}_options_chart")
    words.markdown(
        f"“Which of {count:,} illnesses did you have?” {POLL:,} people are asked, about a rare one:\n\n"
        "**One option, at random**: say the true one, or any other. With more options, the true one is said less "
        f"often. Standard error **{amount(drawn[0].here)} points**.\n\n"
        "**A row of bits**: a yes or no for each option. A fair coin decides on the true one; the others rarely say "
        f"yes. Standard error **{amount(drawn[1].here)} points** with any number of options.\n\n"
        "Bits err less where there are many options."
    )
    better = "a row of bits" if drawn[1].here < drawn[0].here else "one option at random"
    return Shown(finding=f"With {count:,} options, {better} errs less", pictures=(picture,), computed=OF_OPTIONS)


OF_OPTIONS = (
    formula("Bits err less where the number k of options is larger than this", r"k>3e^{\varepsilon}+2")
    + "One option at random is k-ary randomized response (Kairouz, Bonawitz and Ramage 2016), a row of bits is "
    "optimized unary encoding (Wang, Blocki, Li and Jha 2017); e is about 2.72."
)


def _option_lines(count: int, epsilon: float) -> list[Line]:
    """The error of both ways as so many of 100."""
    palette = outputs.palette()
    over = errors_of_rare_options(GRID, epsilon=epsilon, people=POLL)
    here = errors_of_rare_options(count, epsilon=epsilon, people=POLL)
    looks = (("one option, at random", palette.text), ("a row of bits", palette.advanced))
    return [
        Line(label=label, values=100.0 * values, here=100.0 * float(value), color=color)
        for (label, color), values, value in zip(looks, over, here, strict=True)
    ]


CHECK = Check(
    question="1,000 people answer a yes or no at ε = 1. Instead of tossing coins, everybody adds Laplace noise to the "
    "own 1 or 0. What becomes of the estimated share?",
    answers=(
        Answer(
            text="It errs as before: the ε is the same.",
            feedback="The promise is the same, the error is not: this noise spreads 1.47 times as far.",
        ),
        Answer(
            text="It errs less: Laplace noise is made for counts.",
            feedback="A curator adds it once to a whole count. For one yes or no it errs more than coins at every ε.",
        ),
        Answer(
            text="It errs more: 2.17 times as many people would be needed to make up for it.",
            feedback="It errs 1.47 times as much at ε = 1, and at least 1.41 times at any ε. To halve an error takes "
            "four times as many people; to make up for this takes 2.17 times as many.",
            right=True,
        ),
        Answer(
            text="It errs as little as with a curator: both add Laplace noise.",
            feedback="A curator adds it once, here 1,000 people each add their own. Together that errs 31.6 times as "
            "much.",
        ),
    ),
)
