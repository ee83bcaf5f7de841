"""The question of a room's dial, from what was said when the room was opened: no row, no exact value."""

from __future__ import annotations

from dpengine.accuracy import guess_without_rows
from dpengine.accuracy.answers import resized
from dpengine.beliefs import best_success
from dpengine.formatting import upper_of_100
from dpengine.spending import Balance
from dpengine.workshop import Room
from dpengine.workshop.burning import delta_for
from pages.question.question_view import QuestionView


def at(room: Room, epsilon: float) -> QuestionView:
    """The question at an epsilon, about as many people as the host has said, with the whole budget before it.

    The same for everybody in the room, whatever their own sessions hold.
    """
    plan = room.setting.plan
    planned = plan.queries[room.setting.dialed]
    first = guess_without_rows(planned.query, plan.schema)
    return QuestionView(
        planned=planned.at(epsilon),
        plan=plan,
        guess=resized(planned.query, first, room.setting.people),
        center=None,
        confidence=0.95,
        prior=0.5,
        delta=delta_for(plan.budget),
        balance=Balance.untouched(plan.budget, plan.rule),
        funds="example",
        size="said",
    )


def guessed(question: QuestionView) -> str:
    """The risk for one person in the words of the guessing game: the best anybody does in the long run."""
    right = upper_of_100(float(best_success(question.planned.guarantee, prior=0.5)))
    return f"Somebody who guesses about one person can be right in at most **{right} out of 100** cases (50 is chance)."


def own_epsilon(room: Room) -> float:
    """What the plan gives to the question: where everybody's dial stands at first."""
    return room.setting.plan.queries[room.setting.dialed].guarantee.epsilon
