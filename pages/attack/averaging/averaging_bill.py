"""The error that falls and the bill that rises, over the same number of questions, under three ways to answer."""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np
import streamlit as st
from numpy.typing import NDArray

from dpengine.attacks import AveragingBill, AveragingRules, error_until_refused
from dpengine.charts.attacks import averaging_charts
from dpengine.charts.attacks.averaging_charts import Both
from dpengine.formatting import amount, at_most, tiny, upper_of_100
from dpengine.losses.arrays import Array
from dpengine.mechanisms import DiscreteLaplaceMechanism
from pages.attack.averaging.averaging_stage import (
    AVERAGED,
    FIRST_EPSILON,
    KEY,
    MOST,
    MOST_EPSILON,
    most_of_100,
    times_asked,
)
from pages.lesson import pickers
from pages.lesson.lesson import Shown, choice, dial, picture_and_words
from pages.widgets import outputs

FRESH, KEPT, LEDGER = "Fresh noise each time", "The same answer again", "A ledger with a budget"
WAYS = (LEDGER, KEPT, FRESH)
HEADINGS = {LEDGER: "ledger", KEPT: "same answer", FRESH: "fresh noise"}
DELTA, DRAWN = 1e-6, 150
BUDGETS = (0.5, 1.0, 2.0, 3.0, 5.0, 10.0)
NAMES = {"basic": "naive", "advanced": "advanced", "exact": "exact"}


def shown() -> Shown:
    """The dial, the way to answer, the picture, and what it comes to."""
    epsilon = dial(f"{KEY}_epsilon", start=FIRST_EPSILON, most=MOST_EPSILON)
    place, words = picture_and_words(f"{KEY}_bill", picture=1.45)
    with place:
        way = choice("What happens when the question comes again?", WAYS, key=f"{KEY}_way")
    times, charged = words.columns(2)
    asked = times_asked(times)
    budget = pickers.stop(charged, "Budget ε of the ledger", BUDGETS, key=f"{KEY}_budget", start=1.0)
    bill = AveragingBill(epsilon=epsilon, delta=DELTA, most=MOST, budget=budget)
    answered = _answered(way, bill, asked)
    picture = averaging_charts.error_and_bill(_both(way, bill, asked), outputs.palette())
    outputs.chart(place, picture, key=f"{KEY}_bill_chart")
    words.markdown(_table(way, bill, asked))
    st.markdown(_meaning(way, bill, asked))
    return Shown(finding=_finding(way, epsilon, answered, asked), pictures=(picture,), computed=AVERAGED)


def _answered(way: str, bill: AveragingBill, asked: int) -> int:
    """How many fresh answers the attacker holds."""
    return {FRESH: asked, KEPT: 1, LEDGER: min(asked, bill.granted)}[way]


def _both(way: str, bill: AveragingBill, asked: int) -> Both:
    last = {FRESH: MOST, KEPT: 1, LEDGER: min(bill.granted, MOST)}[way]
    mechanism = DiscreteLaplaceMechanism.from_epsilon(bill.epsilon, l1_sensitivity=1)
    law = mechanism.standard_deviation / np.sqrt(np.arange(1.0, MOST + 1.0))
    shown_at = _places(asked, last)
    return Both(
        asked=shown_at.astype(np.float64),
        law=error_until_refused(law, granted=last)[shown_at - 1],
        bills={name: _stopped(bill.curve(rule), last)[shown_at - 1] for rule, name in _compared(way).items()},
        here=asked,
        budget=bill.budget if way == LEDGER else None,
        refused=bill.granted + 1 if way == LEDGER else None,
    )


def _compared(way: str) -> dict[str, str]:
    """The rules whose bills can be told apart: a ledger adds up, and for a few answers the others charge the same."""
    return NAMES if way == FRESH else {"basic": NAMES["basic"]}


def _places(asked: int, last: int) -> NDArray[np.intp]:
    """Numbers of questions to draw at: about as far apart on the screen, and where something changes."""
    near = np.geomspace(1, MOST, DRAWN).astype(np.intp)
    return np.unique(np.concatenate([near, np.clip([asked, last, last + 1], 1, MOST)])).astype(np.intp)


def _stopped(curve: Array, last: int) -> Array:
    """A bill that does not grow once no fresh answer is given."""
    return np.zeros_like(curve) if last == 0 else curve[np.minimum(np.arange(curve.size), last - 1)]


def _table(way: str, bill: AveragingBill, asked: int) -> str:
    """The three ways side by side, the chosen one in bold."""
    rules = _compared(way)
    columns = [[HEADINGS[one], *_column(bill, _answered(one, bill, asked), rules)] for one in WAYS]
    place = WAYS.index(way)
    columns[place][1:] = [f"**{cell}**" for cell in columns[place][1:]]
    lines = [" | ".join(cells) for cells in zip(_names(asked, rules), *columns, strict=True)]
    return "\n".join(f"| {line} |" for line in (lines[0], "---|---|---|---", *lines[1:])) + "\n\n"


def _names(asked: int, rules: Mapping[str, str]) -> list[str]:
    """What stands in each line."""
    costs = (f"ε, {name}" for name in rules.values())
    return [
        f"after {asked:,} questions",
        "fresh answers",
        "standard deviation of the average",
        "best possible attacker against this noise",
        "upper limit for any attacker, whatever the noise",
        *costs,
    ]


def _column(bill: AveragingBill, answered: int, compared: Mapping[str, str]) -> list[str]:
    """What an attacker with so many fresh answers has, and what they cost."""
    if answered == 0:
        return ["0", "–", "50", "50", *("0" for _ in compared)]
    rules, said = AveragingRules(answers=answered, epsilon=bill.epsilon), bill.at(answered)
    costs = (at_most(said[rule]) for rule in compared)
    best = upper_of_100(rules.optimum)
    return [f"{answered:,}", f"±{amount(rules.error)}", best, most_of_100(rules.bound), *costs]


def _meaning(way: str, bill: AveragingBill, asked: int) -> str:
    if way == KEPT:
        return "Reading an answer again is free: it reveals nothing new, and nothing is charged."
    if way == LEDGER:
        left = (
            "has refused none of these questions yet"
            if asked <= bill.granted
            else f"refuses question {bill.granted + 1:,} and all later ones, so the error stops falling"
        )
        return (
            f"A budget of ε = {amount(bill.budget)} pays for **{bill.granted:,}** fresh answers (naive: just added "
            f"up). The ledger {left}. “{FRESH}” compares this with advanced composition."
        )
    return (
        "Naive (just added up) charges ε for every answer. Advanced and exact need the number of answers beforehand "
        f"and a δ of {tiny(DELTA)} in total. After many answers they charge less, but they still rise."
    )


def _finding(way: str, epsilon: float, answered: int, asked: int) -> str:
    if answered == 0:
        return "The budget is smaller than one answer’s ε: no question is answered"
    right = upper_of_100(AveragingRules(answers=answered, epsilon=epsilon).optimum)
    if way == KEPT:
        return f"Asked {asked:,} times, answered once: attackers are right in {right} out of 100"
    if way == LEDGER and answered < asked:
        return f"Refused after {answered:,} answers: attackers are right in {right} out of 100"
    return f"{answered:,} fresh answers: attackers are right in {right} out of 100"
