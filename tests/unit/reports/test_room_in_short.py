"""A room in five sentences: each number the engine's, none below the truth, and true of an empty room as well."""

from __future__ import annotations

import math
import re

import numpy as np
import pytest

from dpengine.losses import concentrated_epsilon
from dpengine.plan import PlannedQuery
from dpengine.plan.amounts import Amounts
from dpengine.privacy import Guarantee, Neighbors
from dpengine.queries import CountQuery
from dpengine.reports import AskedInRoom, CheckOfARoom, room_record
from dpengine.reports.room_records.in_short import in_short
from tests.examples.kept import HOSTILE
from tests.examples.rooms_kept import hostile, longest, record
from tests.examples.told import ILL
from tests.unit.reports.test_label import Seen


def most(sentence: str) -> float:
    """What an attacker can be right in at most, as it is said."""
    return float(re.findall(r"in at most ([\d.]+) out of 100", sentence)[0])


def right(epsilon: float, delta: float = 0.0) -> float:
    """By the definition."""
    return 100.0 * (math.exp(epsilon) + delta) / (1.0 + math.exp(epsilon))


def test_five_sentences_stand_on_top_of_the_record() -> None:
    said = in_short(record())
    assert len(said) == 5
    text = Seen(room_record(record())).text
    places = [text.index(sentence.split("(")[0].strip()) for sentence in said]
    assert places == sorted(places)
    assert places[-1] < text.index("What was set")


def test_what_was_chosen_asked_refused_and_what_an_attacker_could() -> None:
    chosen, asked, refused, attacker, mixed = in_short(record())
    assert "We chose ε 0.5" in chosen
    assert right(0.5) <= most(chosen) <= right(0.5) + 0.1
    assert "4 questions were answered" in asked
    assert "spent ε 1.9 of ε 2" in asked
    assert "1 question was refused, and ε 0.1 is left" in refused
    assert right(1.9) <= most(attacker) <= right(1.9) + 0.1
    assert "2 of 12 said “More accuracy”; right is “More privacy”" in mixed


def test_by_rho_an_attackers_limit_is_the_smaller_of_two_that_hold() -> None:
    granted = Guarantee(epsilon=3.0, delta=1e-6)
    small, large = (
        most(in_short(record(rule="concentrated", granted=granted, spent=Amounts(epsilon=2_000_000_000, rho=rho)))[3])
        for rho in (60_000_000, 2_000_000_000)
    )
    worth = float(concentrated_epsilon(np.array([0.06]), 1e-6)[0])
    assert right(worth, 1e-6) <= small <= right(worth, 1e-6) + 0.1
    assert right(2.0) <= large <= right(2.0) + 0.1
    assert small < large


def test_a_delta_of_its_questions_counts_in_what_one_answer_says() -> None:
    gaussian = PlannedQuery(query=CountQuery(ILL), guarantee=Guarantee(epsilon=0.5, delta=0.1), mechanism="gaussian")
    said = in_short(record(asked=(AskedInRoom(planned=gaussian),)))[0]
    assert right(0.5, 0.1) <= most(said) <= right(0.5, 0.1) + 0.1
    assert most(said) > right(0.5) + 1.0


def test_a_room_in_which_nothing_happened() -> None:
    said = in_short(record(asked=(), checks=(), spent=Amounts(), chosen=None))
    assert said[1:] == (
        "No question was answered; the budget was ε 2.",
        "Nothing was refused: ε 2 is left, and will be charged like all before.",
        "Nothing was published, so nobody has learned anything about a person.",
        "Nobody answered the questions at the end.",
    )
    check = CheckOfARoom(question="?", answers=("a", "b"), given=(3, 0), right=0)
    assert in_short(record(checks=(check,)))[4] == "Every answer to the questions at the end was right."
    assert "which of two records is a person's" in in_short(record(neighbors=Neighbors.REPLACE_ONE))[3]


@pytest.mark.parametrize("of", [longest(), hostile(HOSTILE)])
def test_long_and_hostile_words_stay_words(of: object) -> None:
    seen = Seen(room_record(of))  # type: ignore[arg-type]
    assert seen.open == []
    assert all(len(sentence) < 900 for sentence in in_short(of))  # type: ignore[arg-type]
