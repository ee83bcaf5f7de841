"""What an error rests on besides the noise: guesses of how many records there are, and of how large the answer is."""

from __future__ import annotations

from dpengine.accuracy import Guess
from dpengine.data import Schema
from dpengine.formatting.measured import measure_of
from dpengine.formatting.numbers import amount
from dpengine.plan import PlannedQuery
from dpengine.queries.forms import VarianceForm


def named(planned: PlannedQuery, schema: Schema, guess: Guess) -> str:
    """The guesses in words. The error of an answer made of several noisy numbers depends on every one of them."""
    return f"{_rows(guess)} and {_answer(planned, schema, guess)}"


def assumed(planned: PlannedQuery, schema: Schema, guess: Guess, *, rows: bool, answer: bool) -> str:
    """The same as the end of a sentence; `rows` and `answer` say of which somebody has made the guess."""
    if rows == answer:
        words = named(planned, schema, guess)
        return f", assuming about {words}" if rows else f", if there are {words} (nobody has said so)"
    told = _answer(planned, schema, guess)
    if rows:
        return f", assuming about {_rows(guess)}, with {told} (which nobody has said)"
    return f", assuming {told}, with {_rows(guess)} (which nobody has said)"


def _rows(guess: Guess) -> str:
    return f"{guess.records:,.0f} rows"


def _answer(planned: PlannedQuery, schema: Schema, guess: Guess) -> str:
    """The answer, a typical one where there are several; a variance's error depends on the mean too."""
    measure, answers = measure_of(planned.query, schema), guess.answers or (0.0,)
    each = f"a {planned.query.cell}'s answer" if len(answers) > 1 else "an answer"
    words = f"{each} of {measure.answer(sum(answers) / len(answers), 3)}"
    if isinstance(planned.query, VarianceForm) and guess.mean is not None:
        words += f", around a mean of {amount(guess.mean, 3)}"
    return words
