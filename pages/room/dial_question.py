"""The question of a room's dial, from what was said when the room was opened, and from rows that are public."""

from __future__ import annotations

from dataclasses import replace

from dpengine.accuracy import Guess, guess_from_rows, guess_without_rows
from dpengine.accuracy.answers import resized
from dpengine.beliefs import best_success
from dpengine.formatting import upper_of_100
from dpengine.queries import Query
from dpengine.spending import Balance
from dpengine.workshop import Room
from dpengine.workshop.burning import delta_for
from pages.question.question_view import QuestionView
from pages.room import tables


def at(room: Room, epsilon: float) -> QuestionView:
    """The question at an epsilon, about an answer of a public size, with the whole budget before it.

    The same for everybody in the room, whatever their own sessions hold.
    """
    plan = room.setting.plan
    planned = plan.queries[room.setting.dialed]
    return QuestionView(
        planned=planned.at(epsilon),
        plan=plan,
        guess=_guess(room, planned.query),
        center=None,
        confidence=0.95,
        prior=0.5,
        delta=delta_for(plan.budget),
        balance=Balance.untouched(plan.budget, plan.rule),
        funds="example",
        size="said",
    )


def _guess(room: Room, query: Query) -> Guess:
    """About how large the answer is: of public rows as they are, to two digits; else from what the host has said."""
    plan, rows = room.setting.plan, tables.public(room)
    if rows is None:
        return resized(query, guess_without_rows(query, plan.schema), room.setting.people)
    found = guess_from_rows(query, plan.schema, plan.neighbors, rows)
    return replace(found, answer=tuple(float(f"{answer:.2g}") for answer in found.answers))


def guessed(question: QuestionView) -> str:
    """The risk for one person in the words of the guessing game: the best anybody does in the long run."""
    right = upper_of_100(float(best_success(question.planned.guarantee, prior=0.5)))
    return f"Somebody who guesses about one person can be right in at most **{right} out of 100** cases (50 is chance)."


def own_epsilon(room: Room) -> float:
    """What the plan gives to the question: where everybody's dial stands at first."""
    return room.setting.plan.queries[room.setting.dialed].guarantee.epsilon
