"""What a room is asked at its end: three questions, and how often each answer was given."""

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
                because="A small epsilon makes larger noise, but what it limits is what one person's data can change.",
            ),
            CheckChoice(
                text="what all answers together can tell about one person",
                because="Whether you are in the table or not: no answer becomes much more likely by it.",
                right=True,
            ),
            CheckChoice(
                text="what we may learn about people in general",
                because="That is what answers are for. It can be learned with you or without you.",
            ),
            CheckChoice(
                text="how many people may read the answers",
                because="Everybody may. The promise holds however many read them, and whatever else they know.",
            ),
        ),
    ),
    CheckQuestion(
        text="The same question, asked again, costs again. Why?",
        choices=(
            CheckChoice(
                text="the computer has to work twice",
                because="Work costs nothing here. What is paid for is what the answers tell.",
            ),
            CheckChoice(
                text="two noisy answers together tell more than one",
                because="Each has noise of its own. Average many, and the noise is gone: the exact number is left.",
                right=True,
            ),
            CheckChoice(
                text="it does not: the answer is known already",
                because="Reading the old answer is free. Asking again draws new noise, and that tells something new.",
            ),
        ),
    ),
    CheckQuestion(
        text="The budget refused a question. What brings it back?",
        choices=(
            CheckChoice(
                text="waiting, or starting the computer anew",
                because="The ledger is written down: it refuses tomorrow as it does today.",
            ),
            CheckChoice(
                text="somebody else's phone, or another name",
                because="The budget belongs to the people in the table, not to those who ask.",
            ),
            CheckChoice(
                text="nothing: no answer can be taken back",
                because="What was told stays told. While something is left, only a question that costs less can fit.",
                right=True,
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
