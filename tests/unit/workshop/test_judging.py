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


def test_what_is_not_said_is_asked_about_first_then_what_is_weak_then_what_was_not_looked_up() -> None:
    unread = Handling(
        exact_beside=NOT_LOOKED_UP, sampler=NOT_LOOKED_UP, side_channels="guarded", small_groups="as_others"
    )
    promise = replace(DAILY, epsilon=20.0, contribution=1, handling=unread)
    choices = judging.judged(promise).questions[ASK_FIRST].choices
    place = {found.hazard.topic: number for number, found in enumerate(promise.hazards(), start=1)}
    asked = {one.text: one.value for one in choices}
    assert "side channels" in place
    assert "side channels" not in asked, "It is stated and sound."
    assert len(choices) == MOST_ASKED + 1
    texts = list(asked)
    assert texts.index("access to raw data") < texts.index("whom it protects"), "The one is not said, the other weak."
    assert not any("looked up" in text for text in texts), "Eight come before them."
    assert choices[-1].text == "nothing: I know enough"
    assert all(place[text] == value for text, value in asked.items() if value)
    last = judging.judged(RECORDED["iPhone lookup hints"].promise).questions[ASK_FIRST].choices[-2]
    assert last.text.endswith(" (not looked up)")


def test_every_promise_on_record_can_be_judged() -> None:
    for known in RECORDED.values():
        found = judging.judged(known.promise)
        for question in found.questions:
            assert 3 <= len(question.choices) <= MOST_ASKED + 1
            assert question.right is None or question.choice(question.right) is not None


def test_a_promise_without_a_size_is_refused() -> None:
    with pytest.raises(InvalidParameterError, match="nothing to add up"):
        judging.judged(Promise(name="Trust us", unit="person"))
