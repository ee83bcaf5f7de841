"""What a room's own released answers give away: averaged, differenced, reconstructed, and about one person."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

import numpy as np

from dpengine.attacks import on_answers
from dpengine.attacks.on_answers import (
    Answers,
    Averages,
    Belief,
    Differences,
    OneLeftOut,
    OnePerson,
    Reconstructed,
    SecretCounts,
    Told,
    WornDown,
)
from dpengine.data import Condition, Table
from dpengine.errors import RefusedQueryError
from dpengine.ledger import Account, Release
from dpengine.privacy import Guarantee
from dpengine.workshop.burning import delta_for
from dpengine.workshop.hands import MOST_PRESSES
from dpengine.workshop.room import MOST_PEOPLE, Room

MOST_FURTHER = MOST_PEOPLE * MOST_PRESSES
"""Answers that are drawn beyond those that were told."""
INVENTED = 128
"""People who are made up where the room's own rows cannot judge a reconstruction."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Rebuilt:
    """A reconstruction, and whether it is about the people of the table; else it is about invented ones.

    `secret` is what was reconstructed of the table's people.
    """

    result: Reconstructed
    secret: Condition | None

    @property
    def of_the_table(self) -> bool:
        """Whether the room's own answers were attacked."""
        return self.secret is not None


@dataclass(frozen=True, slots=True, kw_only=True)
class Findings:
    """Every act of the attack; nothing here is an exact value, but the shares of a reconstruction on public rows.

    `worn` are the answers to the count that was asked most often, and MOST_FURTHER drawn ones where rows are public;
    None where no count was asked. `left_out` is the pair that one more answer would make, for rooms that asked none.
    `one_answer` is what a single one at the room's price may tell.
    """

    answers: int
    worn: WornDown | None
    averages: Averages
    differences: Differences
    left_out: OneLeftOut | None
    rebuilt: Rebuilt
    person: OnePerson
    one_answer: Belief


def findings(room: Room, account: Account, released: Mapping[str, Release], rows: Table | None) -> Findings | None:
    """What the attacks find in a room's answers, by numbers that are public already; None where there is none.

    `rows` are those of a built-in table, else None: a reconstruction is judged on rows that are public, or on invented
    people.
    """
    if not released:
        return None
    told = tuple(Told(planned=one.planned_query, noisy=one.noisy) for one in released.values())
    answers = Answers(schema=room.setting.plan.schema, neighbors=account.neighbors, told=told)
    budget = account.budget
    averages = on_answers.averaged(answers, budget=budget, rule=account.rule)
    return Findings(
        answers=len(told),
        worn=_worn(room, answers, averages, rows),
        averages=averages,
        differences=on_answers.differenced(answers),
        left_out=on_answers.one_left_out(answers),
        rebuilt=_rebuilt(room, answers, budget, rows, _secret(averages)),
        person=on_answers.one_person(answers, delta=delta_for(budget), budget=budget),
        one_answer=on_answers.believed(0.5, room.planned(room.setting.dialed).guarantee),
    )


def _worn(room: Room, answers: Answers, averages: Averages, rows: Table | None) -> WornDown | None:
    if not averages.counts:
        return None
    return on_answers.worn_down(answers, averages.counts[0], rows, further=MOST_FURTHER, seed=room.id)


def _rebuilt(room: Room, answers: Answers, budget: Guarantee, rows: Table | None, secret: Condition | None) -> Rebuilt:
    counts = None if rows is None or secret is None else _counts_of(answers, rows, secret)
    result = on_answers.reconstructed(counts or _invented(room.id), budget=budget, seed=room.id)
    return Rebuilt(result=result, secret=secret if counts else None)


def _counts_of(answers: Answers, rows: Table, secret: Condition) -> SecretCounts | None:
    """The counts that were told of a secret; None where one person has several rows, or none was told."""
    try:
        return on_answers.secret_counts(answers, rows, secret)
    except RefusedQueryError:
        return None


def _secret(averages: Averages) -> Condition | None:
    """What was asked most often with one demand alone."""
    return next((one.asked.where for one in averages.counts if len(one.asked.terms) == 1), None)


def _invented(seed: int) -> SecretCounts:
    """People of whom about half have a secret; how many have it is all that was told."""
    secret = np.random.default_rng(seed).random(INVENTED) < 0.5
    everybody = np.ones((1, INVENTED), dtype=np.bool_)
    return SecretCounts(
        secret=secret, groups=everybody, told=np.array([float(secret.sum())]), deviations=np.array([0.0])
    )
