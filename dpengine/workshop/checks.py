"""What a room is asked at its end: four questions, and how often each answer was given."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from dpengine.errors import InvalidParameterError
from dpengine.workshop.room import Saying


@dataclass(frozen=True, slots=True, kw_only=True)
class CheckChoice:
    """A possible answer, and what it gets back: why it is right, or what it mixed up."""

    text: str
    because: str
    right: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class CheckQuestion:
    """A question with several answers of which one is right; their order stays."""

    text: str
    choices: tuple[CheckChoice, ...]

    def __post_init__(self) -> None:
        if len(self.choices) < 2 or sum(choice.right for choice in self.choices) != 1:
            raise InvalidParameterError("choices", self.choices, "at least two, of which exactly one is right")

    @property
    def right(self) -> int:
        """The place of the right answer."""
        return next(place for place, choice in enumerate(self.choices) if choice.right)

    @property
    def because(self) -> str:
        """Why the right answer is right."""
        return self.choices[self.right].because


QUESTIONS = (
    CheckQuestion(
        text="What does epsilon limit?",
        choices=(
            CheckChoice(
                text="how wrong the answers may be",
                because="A small epsilon needs larger noise, but it limits what one person's data can change.",
            ),
            CheckChoice(
                text="what all answers together can tell about one person",
                because="That was the dashed limit in Guess who. The error follows from it: less privacy, less error.",
                right=True,
            ),
            CheckChoice(
                text="what we may learn about people in general",
                because="Answers are meant to tell this. It can be learned with you or without you.",
            ),
            CheckChoice(
                text="how many people may read the answers",
                because="The promise holds however many people read them, and whatever else they know.",
            ),
        ),
    ),
    CheckQuestion(
        text="The same question, asked again, costs again. Why?",
        choices=(
            CheckChoice(
                text="the computer has to work twice",
                because="Work costs nothing here. You pay for what the answers reveal.",
            ),
            CheckChoice(
                text="two noisy answers together reveal more than one",
                because="Each answer has new noise. Average many, and the noise cancels: the exact number is left.",
                right=True,
            ),
            CheckChoice(
                text="it does not: the answer is known already",
                because="Reading an answer again is free. Asking for a new one draws new noise, and is charged.",
            ),
        ),
    ),
    CheckQuestion(
        text="The budget refused a question. What brings it back?",
        choices=(
            CheckChoice(
                text="waiting, or restarting the computer",
                because="The ledger is stored: it refuses tomorrow as it does today.",
            ),
            CheckChoice(
                text="somebody else's phone, or another name",
                because="The budget protects the people in the table, no matter who asks.",
            ),
            CheckChoice(
                text="nothing: no answer can be taken back",
                because="What was published stays published. Only what costs no more than is left still fits.",
                right=True,
            ),
        ),
    ),
    CheckQuestion(
        text="Of many small questions, advanced composition allows more than naive adding up. Why?",
        choices=(
            CheckChoice(
                text="it makes the noise smaller",
                because="The noise stays as it is. Both only add up what all answers together can reveal.",
            ),
            CheckChoice(
                text="naive adds up worst cases, which hardly ever come together",
                because="What answers betray mostly cancels. Advanced counts on it, but for a tiny chance.",
                right=True,
            ),
            CheckChoice(
                text="it leaves some of the answers out of the sum",
                because="It adds up all of them, and promises the same, but for a tiny chance: it is the finer sum.",
            ),
        ),
    ),
)


def given(sayings: Sequence[Saying], number: int) -> tuple[int, ...]:
    """How often each answer to a question was given."""
    counts = [0] * len(QUESTIONS[number].choices)
    for one in sayings:
        if one.number == number and one.value in range(len(counts)):
            counts[int(one.value)] += 1
    return tuple(counts)
