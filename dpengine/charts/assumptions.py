"""What an error rests on besides the noise: guesses of how many records there are, and of how large the answer is."""

from __future__ import annotations

from dpengine.accuracy import Guess
from dpengine.charts.measured import measure_of
from dpengine.charts.numbers import amount
from dpengine.data import Schema
from dpengine.plan import PlannedQuery
from dpengine.queries import VarianceQuery


def named(planned: PlannedQuery, schema: Schema, guess: Guess) -> str:
    """The guesses in words. The error of an answer that is made of several noisy numbers depends on every one of them.

    A variance depends on the mean too.
    """
    measure, answers = measure_of(planned.query, schema), guess.answers or (0.0,)
    each = "a group's answer" if len(answers) > 1 else "an answer"
    words = f"{guess.records:,.0f} rows and {each} of {measure.answer(sum(answers) / len(answers), 3)}"
    if isinstance(planned.query, VarianceQuery) and guess.mean is not None:
        words += f", around a mean of {amount(guess.mean, 3)}"
    return words


def assumed(planned: PlannedQuery, schema: Schema, guess: Guess, *, said: bool) -> str:
    """The same as the end of a sentence; `said`: whether somebody made every one of the guesses."""
    words = named(planned, schema, guess)
    return f", assuming about {words}" if said else f", if there are {words} (nobody has said so)"
