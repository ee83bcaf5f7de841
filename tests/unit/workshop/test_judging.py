"""What a room is asked about a promise: figures of the engine alone, each once, and the gaps that it leaves."""

from __future__ import annotations

import math
from dataclasses import replace
from typing import Any

import pytest

from dpengine.errors import InvalidParameterError
from dpengine.promises import MONTH, NOT_LOOKED_UP, NOT_SAID, Assumption, Handling, Promise
from dpengine.promises.recorded import RECORDED
from dpengine.workshop import judging
from dpengine.workshop.judging import ASK_FIRST, COST, MOST_ASKED

DAILY = Promise(epsilon=2.0, delta=0.0, unit="person-day", every_days=1.0, for_days=math.inf)


def cost(promise: Promise) -> tuple[list[str], str]:
    """The answers that are offered, and the one that is right."""
    question = judging.judged(promise).questions[COST]
    right = question.choice(question.right)
    assert right is not None
    return [one.text for one in question.choices], right.text


@pytest.mark.parametrize(
    ("change", "offered", "right"),
    [
        ({}, ["ε 2", "ε 60", "ε 730"], "ε 730"),
        ({"every_days": MONTH, "unit": "person-month"}, ["ε 2", "ε 24", "ε 730"], "ε 24"),
        ({"every_days": math.inf, "unit": "person"}, ["ε 2", "ε 24", "ε 730"], "ε 2"),
        ({"for_days": 30.0}, ["ε 2", "ε 60", "ε 730"], "ε 60"),
        ({"every_days": NOT_SAID}, ["ε 2", "ε 60", "ε 730"], "no ε can be named"),
        ({"delta": NOT_LOOKED_UP}, ["ε 2", "ε 60", "ε 730"], "no ε can be named"),
        ({"delta": 0.01}, ["ε 2", "ε 60"], "no ε can be named"),
        (
            {"rho": 0.07, "delta": 1e-10, "every_days": math.inf, "unit": "person"},
            ["ε 2.388", "ε 30.36", "ε 990.4"],
            "ε 2.388",
        ),
        ({"unit": "person", "rule": "concentrated"}, ["ε 2", "ε 60", "ε 730", "ε 927.8"], "ε 927.8"),
    ],
)
def test_the_right_answer_is_the_engines_and_no_other_is_a_guess(
    change: dict[str, Any], offered: list[str], right: str
) -> None:
    assert cost(replace(DAILY, **change)) == ([*offered, "no ε can be named"], right)


def test_why_no_epsilon_can_be_named_is_what_keeps_it_from_being_named() -> None:
    for change, because in (
        ({"delta": NOT_SAID}, Assumption.DELTA_IS_ZERO.sentence),
        ({"unit": NOT_SAID}, Assumption.UNIT_UNKNOWN.sentence),
        ({"delta": 0.01}, "the δ of a year comes to 1 or more"),
        ({}, "What it says is enough"),
    ):
        question = judging.judged(replace(DAILY, **change)).questions[COST]
        none = question.choice(judging.NO_LIMIT)
        assert none is not None
        assert because in none.because


def test_what_is_stated_is_not_asked_about_and_what_was_not_looked_up_comes_last() -> None:
    unread = Handling(exact_beside=NOT_LOOKED_UP, audit=NOT_LOOKED_UP, code="open")
    choices = judging.judged(replace(DAILY, people=NOT_LOOKED_UP, handling=unread)).questions[ASK_FIRST].choices
    texts = [one.text for one in choices]
    assert len(texts) == MOST_ASKED + 1
    assert texts[-1] == "Nothing: I know enough"
    assert not {"How large is δ?", "How often is it spent anew?", "Can others read the code?"} & set(texts)
    assert not {"How many people are in the data?", "What is published exactly beside it?"} & set(texts), "Said first."
    assert len({one.value for one in choices}) == len(choices)


def test_every_promise_on_record_can_be_judged() -> None:
    for known in RECORDED.values():
        found = judging.judged(known.promise)
        for question in found.questions:
            assert 3 <= len(question.choices) <= MOST_ASKED + 1
            assert question.right is None or question.choice(question.right) is not None


def test_a_promise_without_a_size_is_refused() -> None:
    with pytest.raises(InvalidParameterError, match="nothing to add up"):
        judging.judged(Promise(name="Trust us", unit="person"))
