"""What a promise comes to: the rows of its picture, the title, and the sentences beside them."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator, Mapping
from functools import lru_cache, partial

from dpengine.charts.privacy.promise_charts import DIGITS, NO_LIMIT, LossRow, between
from dpengine.formatting import amount, at_least, at_most, tiny_at_most, upper_of_100
from dpengine.privacy import GaussianEvent, LaplaceEvent
from dpengine.promises import (
    FAMILY_OF_FOUR,
    MONTH,
    ONE_PERSON,
    TEN_TIMES_THE_EVENTS,
    YEAR,
    Assumption,
    Promise,
    Subject,
    Total,
    Unsaid,
    stated,
)
from dpengine.reports.evaluations.promise_fields import FIELDS

SUBJECTS: Mapping[str, Subject] = {
    "one person": ONE_PERSON,
    "a family of four": FAMILY_OF_FOUR,
    "10 × the events": TEN_TIMES_THE_EVENTS,
}
TEN_TIMES = (
    "10 × the events: somebody with ten events where others have one. "
    "Where no bound on events is known, each may count."
)
Told = Callable[..., Total | None]
_STRETCHES = {"a day": 1.0, "a month": MONTH, "a year": YEAR}
WHOLE, _MOST_NAMED = "the whole time", 3
_EACH = {0.25: "each six hours", **{days: stretch for stretch, days in _STRETCHES.items()}, math.inf: "once"}
_SUSPECTED = {
    "person": "you are in the data",
    "household": "your household is in the data",
    "device": "your device is in the data",
    "event": "one event of yours is in the data",
    "person-day": "one day of yours is in the data",
    "person-week": "one week of yours is in the data",
    "person-month": "one month of yours is in the data",
    "device-six-hours": "six hours of your device are in the data",
    "device-day": "one day of your device is in the data",
}
_OPEN = {
    Assumption.DELTA_IS_ZERO: "δ",
    Assumption.UNIT_UNKNOWN: "its unit",
    Assumption.RELEASES_UNKNOWN: "how often",
}
"""What leaves the largest loss of one person without a limit, where it is not known."""


@lru_cache(maxsize=128)
def rows(promise: Promise) -> tuple[LossRow, ...]:
    """One row for each stretch of time in which something adds up; stretches of equal totals share one."""
    if promise.event is None:
        return ()
    told: dict[str, Told] = {"one release": promise.release}
    told |= {words: partial(promise.over, days=days) for words, days in _STRETCHES.items()}
    found = {words: _for_each(over) for words, over in told.items()}
    if whole := _for_each(promise.whole):
        found[_whole_words(promise)] = whole
    apart: list[tuple[list[str], dict[str, Total]]] = []
    for words, totals in found.items():
        if apart and _figures(apart[-1][1]) == _figures(totals):
            apart[-1][0].append(words)
        else:
            apart.append(([words], totals))
    told_rows = [LossRow(heading=_heading(words), totals=totals) for words, totals in apart]
    return (*told_rows, *([] if whole else [LossRow(heading=WHOLE, untold=_endless(promise))]))


def _heading(stretches: list[str]) -> str:
    """The stretches that one row is about; of many the first and the last."""
    return ", ".join(stretches) if len(stretches) <= _MOST_NAMED else f"{stretches[0]} or {stretches[-1]}"


def _for_each(told: Told) -> dict[str, Total]:
    found = {words: told(subject=subject) for words, subject in SUBJECTS.items()}
    return {words: total for words, total in found.items() if total is not None}


def _figures(totals: Mapping[str, Total]) -> list[tuple[float, ...]]:
    return [(one.least, one.most, one.delta) for one in totals.values()]


def _whole_words(promise: Promise) -> str:
    days = stated(promise.for_days)
    return WHOLE if days is None else f"{WHOLE} ({FIELDS['for_days'].in_words(days)})"


def _endless(promise: Promise) -> str:
    return promise.for_days.value if isinstance(promise.for_days, Unsaid) else f"without an end, so {NO_LIMIT}"


def size(promise: Promise) -> str:
    """How large the promise is for one release, in the terms by which it is judged."""
    event, rho, epsilon = promise.event, stated(promise.rho), stated(promise.epsilon)
    if isinstance(event, LaplaceEvent | GaussianEvent):
        return f"{str(promise.noise).capitalize()} noise {amount(event.noise_multiplier, DIGITS)}"
    if rho is not None:
        return f"ρ {amount(rho, DIGITS)}"
    return "No size" if epsilon is None else f"ε {amount(epsilon, DIGITS)}"


def title(promise: Promise) -> str:
    """What was found for one person in a year, or after the one release that there is."""
    year = promise.over(days=YEAR)
    if year is None:
        return "No size is stated, so no figure can be told"
    every = stated(promise.every_days)
    each = "" if every is None else f" {_EACH.get(every, f'every {amount(every)} days')}"
    if year.promises_nothing:
        return f"{size(promise)}{each} promises nothing after a year"
    if math.isinf(year.most):
        missing = next((words for one, words in _OPEN.items() if one in year.assumed), "a bound")
        return f"{size(promise)}{each}: no upper limit, since {missing} is unknown"
    if year.runs.most > 1 or year.units.most > 1:
        sign = "" if size(promise).startswith("ε") else "ε "
        return f"{size(promise)}{each} may add up to {sign}{at_most(year.most, DIGITS)} in a year"
    return f"{size(promise)}{each}: attackers right in at most {right_at_most(year)} out of 100"


def odds(promise: Promise) -> Iterator[str]:
    """The limits for any attacker after one release and after a year, and the delta of both."""
    release, year = promise.release(), promise.over(days=YEAR)
    if release is None or year is None:
        return
    suspected = _SUSPECTED.get(stated(promise.unit) or "", "you are in the data")
    yield (
        f"**After one release**, an attacker who thinks it 50:50 whether {suspected}, even knowing everybody else, can "
        f"be right in at most **{right_at_most(release)} out of 100** cases (50 is pure chance)."
    )
    if _figures({"": year}) != _figures({"": release}):
        least = right_at_best(year)
        better = f"; in {least}, if the losses add up as favorably as can be" if least != right_at_most(year) else ""
        yield f"**After a year**, in at most **{right_at_most(year)} out of 100**{better}."
    if year.delta and not year.promises_nothing:
        in_a_year = f" In a year it comes to {tiny_at_most(year.delta, 3)}." if year.delta > release.delta > 0.0 else ""
        yield (
            f"**δ {tiny_at_most(release.delta or year.delta)}** comes on top: any event may be more likely than ε "
            f"allows by up to this much.{in_a_year}"
        )


def family(promise: Promise) -> str:
    """What a year comes to for a family of four, with its delta; empty where that is the same as for one person."""
    one, four = promise.over(days=YEAR), promise.over(days=YEAR, subject=FAMILY_OF_FOUR)
    if one is None or four is None or _figures({"": one}) == _figures({"": four}):
        return ""
    start = "**A family of four**, after a year,"
    if four.promises_nothing:
        return f"{start} is promised nothing."
    loss = f"ε {at_least(four.least, DIGITS)} or more" if math.isinf(four.most) else f"ε {between(four)}"
    at = f" at a δ of {tiny_at_most(four.delta, 3)}" if four.delta else ""
    if right_at_best(four) == "100":
        return f"{start} has {loss}{at}: that promises almost nothing."
    return f"{start} has {loss}{at}: attackers right in at most {right_at_most(four)} out of 100."


def right_at_most(total: Total) -> str:
    """How often any attacker can be right, out of 100, by the largest loss that can be told."""
    return upper_of_100(total.odds.with_data / 100.0)


def right_at_best(total: Total) -> str:
    """The same by the smallest loss."""
    return upper_of_100(total.least_odds.with_data / 100.0)


def assumed(promise: Promise) -> list[str]:
    """What the figures of the picture rest on and the promise does not say."""
    met = {one for row in rows(promise) for total in row.totals.values() for one in total.assumed}
    return [one.sentence for one in Assumption if one in met]
