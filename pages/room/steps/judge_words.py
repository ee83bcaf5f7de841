"""A promise that a room judges, in words: what it states, what it comes to, and what the room answered."""

from __future__ import annotations

import math
from collections.abc import Sequence

from dpengine.formatting import at_least, tiny_at_most, upper_of_100
from dpengine.promises import Promise, Total, stated
from dpengine.reports import CheckOfARoom, JudgedInRoom
from dpengine.reports.evaluations.promise_fields import FIELDS
from dpengine.reports.quoting import LONGEST_SENTENCE, one_line
from dpengine.workshop import Room, Saying, judging
from dpengine.workshop.judging import COST, DIGITS, JudgedPromise, JudgeQuestion
from pages.room import state
from pages.widgets.escaping import unmarked


def of(room: Room) -> JudgedPromise:
    """What a room judges; only in a room that has this step."""
    if room.setting.promise is None:
        raise LookupError("A room without a promise has no step that judges one.")
    return judging.judged(room.setting.promise)


def title(promise: Promise) -> str:
    """Which promise it is, and whose; harmless in markdown."""
    by = one_line(promise.by, LONGEST_SENTENCE)
    return unmarked(f"{one_line(promise.name, LONGEST_SENTENCE)}{f' ({by})' if by else ''}")


def rows(promise: Promise) -> tuple[tuple[str, str], ...]:
    """What it states, and what it leaves open, by quantity."""
    once = stated(promise.every_days) == math.inf
    fields = {"For whom": "unit", "How often": "every_days", "For how long": "for_days", "Added up": "rule"}
    said = [(words, _said(promise, name)) for words, name in fields.items() if not (once and name == "for_days")]
    kind = f"{_said(promise, 'noise')}, " if stated(promise.noise) not in (None, "another") else ""
    return ("How large", _large(promise)), *said, ("Noise", f"{kind}{_said(promise, 'model')}")


def _large(promise: Promise) -> str:
    """Epsilon, rho or the noise, and delta in every case."""
    sizes = [name for name in ("epsilon", "rho") if stated(getattr(promise, name)) is not None]
    delta = "0" if promise.delta == 0.0 else _said(promise, "delta")
    written = [f"{FIELDS[name].short}\u00a0{_said(promise, name)}" for name in sizes or ("noise_multiplier",)]
    return ", ".join([*written, f"δ\u00a0{delta}"])


def _said(promise: Promise, name: str) -> str:
    return FIELDS[name].in_words(getattr(promise, name))


def listed(promise: Promise) -> str:
    """The same as a list in markdown."""
    return "\n".join(f"- {name}: **{words}**" for name, words in rows(promise))


def finding(found: JudgedPromise) -> str:
    """What a year of it comes to for one person."""
    if math.isinf(found.year.most):
        return "After one year, no ε can be named for one person"
    return f"After one year, ε is at most {judging.figure(found.year.most)} for one person"


def why(found: JudgedPromise) -> str:
    """Between what it lies, with which delta, or why no epsilon can be named."""
    year = found.year
    if math.isinf(year.most):
        none = found.questions[COST].choice(judging.NO_LIMIT)
        return none.because if none else ""
    delta = f"with δ\u00a0{tiny_at_most(year.delta, 3)}"
    least, most = at_least(year.least, DIGITS), judging.figure(year.most)
    if least != most and year.least != year.most:
        return f"By the rule that adds up, it is from ε\u00a0{least} to {most}, {delta}."
    naive_and_pure = stated(found.promise.delta) == 0.0 and year.most == year.rules.get("basic")
    return "" if naive_and_pure else f"It comes {delta}."


def assumed(found: JudgedPromise) -> tuple[str, ...]:
    """What the figures rest on, as sentences; each that keeps an epsilon from being named is told before."""
    told = why(found)
    return tuple(one.sentence for one in found.year.assumed if one.sentence not in told)


def figures(found: JudgedPromise) -> tuple[tuple[str, str, str], ...]:
    """After how long, epsilon at most, and the upper limit for any attacker out of a hundred."""
    return tuple((name, size(total), right(total)) for name, total in found.stretches.items())


def size(total: Total) -> str:
    """Epsilon at most; where nothing bounds it, the least that it can be."""
    if total.promises_nothing:
        return "no limit"
    return (
        f"no limit ({at_least(total.least, DIGITS)} or more)" if math.isinf(total.most) else judging.figure(total.most)
    )


def right(total: Total) -> str:
    """In how many out of 100 cases any attacker is right, at most."""
    return upper_of_100(total.odds.with_data / 100)


def given(question: JudgeQuestion, said: Sequence[Saying], number: int) -> tuple[int, ...]:
    """How often each answer to a question was given."""
    return question.given(one.value for one in said if one.number == number)


def in_record(room: Room) -> JudgedInRoom | None:
    """For the record: the promise, what it comes to, and the answers; None for a room that judges none."""
    if room.setting.promise is None:
        return None
    found, said = of(room), state.said(room, "judgment")
    return JudgedInRoom(
        promise=found.promise.name,
        by=found.promise.by,
        stated=rows(found.promise),
        finding=finding(found),
        why=why(found),
        figures=figures(found),
        assumed=assumed(found),
        answers=tuple(_answers(question, said, number) for number, question in enumerate(found.questions)),
    )


def _answers(question: JudgeQuestion, said: Sequence[Saying], number: int) -> CheckOfARoom:
    places = [choice.value for choice in question.choices]
    return CheckOfARoom(
        question=question.text,
        answers=tuple(choice.text for choice in question.choices),
        given=given(question, said, number),
        right=None if question.right is None else places.index(question.right),
    )
