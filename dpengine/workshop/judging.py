"""A promise that a room judges: what it comes to, and three open questions with answers to choose from."""

from __future__ import annotations

import math
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, replace
from functools import lru_cache
from types import MappingProxyType

from dpengine.errors import InvalidParameterError
from dpengine.formatting import at_most
from dpengine.privacy import ApproximateEvent, PureEvent
from dpengine.promises import MONTH, YEAR, Assumption, Promise, Standing, Total, stated

COST, ASK_FIRST, ACCEPT = range(3)
"""The questions, as numbers of what is said."""
A_RELEASE, THIRTY_DAYS, A_YEAR, BY_ITS_RULE, IF_DAILY, IF_MONTHLY, NO_LIMIT = range(7)
"""What an answer to the first question is the epsilon of: its value, whichever of them are offered."""
MOST_ASKED, _FIGURES = 8, 3
"""How many hazards a phone offers to ask about; how many figures the first question has at the least."""
DAYS, DIGITS = 30.0, 4
"""The shorter stretch of time; the digits of an epsilon, which people state in up to four."""
_OPEN = (Assumption.DELTA_IS_ZERO, Assumption.UNIT_UNKNOWN, Assumption.RELEASES_UNKNOWN, Assumption.BOUND_UNKNOWN)
"""What keeps an epsilon from being named."""
_ASKED_ABOUT: Mapping[Standing, str] = {
    Standing.NOT_STATED: "",
    Standing.WEAK: "",
    Standing.NOT_LOOKED_UP: " (not looked up)",
}
"""In this order, each marked by its words; a verdict would answer for the room."""


@dataclass(frozen=True, slots=True, kw_only=True)
class JudgeChoice:
    """An answer to choose: its value among what is said, its words, and what it would be the answer to."""

    value: int
    text: str
    because: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class JudgeQuestion:
    """A question with answers to choose from; `right` is the value of the one that the engine gives, None for none."""

    text: str
    choices: tuple[JudgeChoice, ...]
    right: int | None = None

    def choice(self, value: float | None) -> JudgeChoice | None:
        """The answer with this value; None where it is not offered."""
        return next((one for one in self.choices if one.value == value), None)

    def given(self, values: Iterable[float]) -> tuple[int, ...]:
        """How often each answer was given, in their order."""
        said = list(values)
        return tuple(said.count(one.value) for one in self.choices)


@dataclass(frozen=True, slots=True, kw_only=True)
class JudgedPromise:
    """A promise with what it comes to for one person by stretches of time, the last a year, and its questions."""

    promise: Promise
    stretches: Mapping[str, Total]
    questions: tuple[JudgeQuestion, JudgeQuestion, JudgeQuestion]

    @property
    def year(self) -> Total:
        """What a year of it comes to."""
        return self.stretches["one year"]

    def offers(self, number: int, value: float) -> bool:
        """Whether a phone offers this answer: a browser may send anything."""
        return 0 <= number < len(self.questions) and self.questions[number].choice(value) is not None


@lru_cache(maxsize=256)
def judged(promise: Promise) -> JudgedPromise:
    """What a room is asked about a promise; raises InvalidParameterError for one without a size to add up."""
    require_size(promise)
    delta = _delta_of_the_totals(promise)
    told = {"one release": promise.release(delta=delta)}
    told |= {words: promise.over(days=days, delta=delta) for words, days in (("30 days", DAYS), ("one year", YEAR))}
    stretches = MappingProxyType({words: total for words, total in told.items() if total is not None})
    questions = _cost(promise, stretches), _ask_first(promise), _ACCEPT
    return JudgedPromise(promise=promise, stretches=stretches, questions=questions)


def require_size(promise: Promise) -> None:
    """Raise InvalidParameterError for a promise of which nothing can be added up."""
    if promise.event is None:
        raise InvalidParameterError(
            "promise", promise.name, "one that states epsilon, rho or its noise: here is nothing to add up"
        )


def _delta_of_the_totals(promise: Promise) -> float | None:
    """The stated delta for a rho or known noise, which have none of their own; else each total has its releases'."""
    return None if isinstance(promise.event, PureEvent | ApproximateEvent) else stated(promise.delta) or None


def figure(epsilon: float) -> str:
    """An epsilon as it is shown, never below the truth."""
    return at_most(epsilon, DIGITS)


def _cost(promise: Promise, stretches: Mapping[str, Total]) -> JudgeQuestion:
    """Figures of the engine alone, each once, from the smallest; what the promise would cost more often fills up."""
    release, month, year = stretches.values()
    found: dict[str, tuple[float, JudgeChoice]] = {}
    for value, epsilon, because in _figures(promise, release, month, year):
        if value in (IF_DAILY, IF_MONTHLY) and len(found) >= _FIGURES:
            break
        if math.isfinite(epsilon):
            written = figure(epsilon)
            found.setdefault(written, (epsilon, JudgeChoice(value=value, text=f"ε {written}", because=because)))
    own = found.get(figure(year.most))
    none = JudgeChoice(value=NO_LIMIT, text="no ε can be named", because=_why_none(year))
    choices = (*(choice for _, choice in sorted(found.values(), key=lambda one: one[0])), none)
    text = "After one year, what is ε at most for one person?"
    return JudgeQuestion(text=text, choices=choices, right=NO_LIMIT if own is None else own[1].value)


def _figures(promise: Promise, release: Total, month: Total, year: Total) -> Iterator[tuple[int, float, str]]:
    from_rho = ", from its ρ or its noise" if stated(promise.epsilon) not in (None, release.rules["basic"]) else ""
    yield A_RELEASE, release.rules["basic"], f"That is one release alone{from_rho}."
    yield THIRTY_DAYS, month.rules["basic"], "That is 30 days of it, just added up."
    yield A_YEAR, year.rules["basic"], "That is a year of it, naive: just added up."
    yield BY_ITS_RULE, year.most, "That is a year of it, added up as its own rule or its noise allows."
    for value, days, often in ((IF_DAILY, 1.0, "daily"), (IF_MONTHLY, MONTH, "monthly")):
        other = replace(promise, every_days=days, for_days=math.inf).over(
            days=YEAR, delta=_delta_of_the_totals(promise)
        )
        if other is not None:
            yield value, other.rules["basic"], f"That would be a year if it were {often}, just added up."


def _why_none(year: Total) -> str:
    """Why no epsilon can be named, or that one can."""
    if math.isfinite(year.most):
        return "What it says is enough to name one."
    if math.isinf(year.rules["basic"]):
        return "Just added up, the δ of a year comes to 1 or more, and that promises nothing."
    return " ".join(one.sentence for one in year.assumed if one in _OPEN)


def _ask_first(promise: Promise) -> JudgeQuestion:
    """What may be wrong with it: first what it does not say, then what it says badly, then what nobody looked up."""
    findings = promise.hazards()
    open_ones = [
        JudgeChoice(value=place, text=f"{found.hazard.topic}{marked}", because=found.because)
        for standing, marked in _ASKED_ABOUT.items()
        for place, found in enumerate(findings, start=1)
        if found.standing is standing
    ]
    nothing = JudgeChoice(value=0, text="nothing: I know enough")
    return JudgeQuestion(text="What would you ask its author about first?", choices=(*open_ones[:MOST_ASKED], nothing))


_ACCEPT = JudgeQuestion(
    text="Would you accept it for your own data?",
    choices=(
        JudgeChoice(value=0, text="yes"),
        JudgeChoice(value=1, text="only if my question is answered well"),
        JudgeChoice(value=2, text="no"),
    ),
)
