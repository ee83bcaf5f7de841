"""What may be said in public about an answer before it is known: how many records, how large, how spread."""

from __future__ import annotations

from dataclasses import dataclass

from dpengine.errors import InvalidParameterError, named, require_finite, require_non_negative


@named
@dataclass(frozen=True, slots=True, kw_only=True)
class Guess:
    """A public guess; whoever looks at the exact values first and then calls them a guess has no promise left.

    `records` counts the rows (or people) that the question is about, those that do not satisfy its condition included;
    for a sum, a mean or a share it counts the values themselves. `answer` is the expected answer, a number for each
    coordinate or one for all, in the answer's unit; `spread` is the standard deviation of the values, and `mean` their
    mean, which the error of a variance depends on.
    """

    records: float
    answer: float | tuple[float, ...] | None = None
    spread: float | None = None
    mean: float | None = None

    def __post_init__(self) -> None:
        require_non_negative("records", self.records)
        if self.spread is not None:
            require_non_negative("spread", self.spread)
        if self.mean is not None:
            require_finite("mean", self.mean)
        if isinstance(self.answer, tuple | list):
            object.__setattr__(self, "answer", tuple(self.answer))
        for answer in self.answers:
            require_finite("answer", answer)

    @property
    def answers(self) -> tuple[float, ...]:
        """The expected answer of each coordinate; empty where nothing was guessed."""
        if self.answer is None:
            return ()
        return self.answer if isinstance(self.answer, tuple) else (self.answer,)

    def single_answer(self) -> float:
        """The expected answer of a question with one; raises InvalidParameterError where there is none or several."""
        if len(self.answers) != 1:
            raise InvalidParameterError("answer", self.answer, "a single guessed number for this question")
        return self.answers[0]


def require_guess(guess: object) -> None:
    """Refuse what is no guess, such as a bare number of records; None stands for nothing guessed."""
    if not isinstance(guess, Guess | None):
        raise InvalidParameterError("guess", guess, "a Guess, such as Guess(records=1000, answer=40)")
