"""What is published: counts of a secret bit in random groups of people, each with some error."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Protocol

import numpy as np
import numpy.typing as npt

from dpengine.errors import InvalidParameterError, require_between, require_whole
from dpengine.losses.arrays import Array

Bits = npt.NDArray[np.bool_]
MOST_PEOPLE, MOST_QUESTIONS_EACH = 1024, 16


class Noise(Protocol):
    """An error on every count: BoundedError, or any additive mechanism of dpengine.mechanisms."""

    @property
    def standard_deviation(self) -> float:
        """Of the error of one count, in people."""

    def simulate(self, answer: npt.ArrayLike, rng: np.random.Generator) -> Array:
        """The counts with errors."""


@dataclass(frozen=True, slots=True, kw_only=True)
class BoundedError:
    """Every count is off by a whole number of at most `most` people, all equally likely: no privacy is promised."""

    most: int

    def __post_init__(self) -> None:
        require_whole("most", self.most, least=0)

    @property
    def standard_deviation(self) -> float:
        return math.sqrt(self.most * (self.most + 1.0) / 3.0)

    def simulate(self, answer: npt.ArrayLike, rng: np.random.Generator) -> Array:
        """The counts with errors."""
        exact = np.asarray(answer, dtype=np.float64)
        return exact + rng.integers(-self.most, self.most, size=exact.shape, endpoint=True)


@dataclass(frozen=True, slots=True, kw_only=True)
class GroupCounts:
    """So many counts about so many people; each person is in each group with probability 1/2, and has the secret bit
    with probability `share`, all independently.

    Raises InvalidParameterError where there is nothing to find out (a share of 0 or 1) or too much to compute.
    """

    people: int = 128
    questions: int = 512
    share: float = 0.5
    noise: Noise

    def __post_init__(self) -> None:
        require_whole("people", self.people, least=2)
        require_whole("questions", self.questions)
        if self.people > MOST_PEOPLE:
            raise InvalidParameterError("people", self.people, f"at most {MOST_PEOPLE:,}")
        most = MOST_QUESTIONS_EACH * self.people
        if self.questions > most:
            raise InvalidParameterError(
                "questions", self.questions, f"at most {MOST_QUESTIONS_EACH} a person, {most:,}"
            )
        require_between("share", self.share, 0.0, 1.0, open_at="both")

    @property
    def chance(self) -> float:
        """The share of bits that are right when everybody is given the more frequent one."""
        return max(self.share, 1.0 - self.share)

    @property
    def relative_noise(self) -> float:
        """The noise's standard deviation in units of the square root of the number of people."""
        return self.noise.standard_deviation / math.sqrt(self.people)


@dataclass(frozen=True, slots=True, kw_only=True)
class Published:
    """The secret bits (people), who is in which group (questions x people), and the counts (questions)."""

    secret: Bits
    groups: Bits
    answers: Array

    @property
    def sizes(self) -> npt.NDArray[np.int64]:
        """How many people are in each group."""
        return np.asarray(self.groups.sum(axis=1), dtype=np.int64)


def publish(counts: GroupCounts, *, seed: int) -> Published:
    """Draw the secret, the groups and the errors; the same for the same seed.

    Two kinds of noise with the same seed are added to the same counts of the same people.
    """
    require_whole("seed", seed, least=0)
    rng = np.random.default_rng(seed)
    secret = rng.random(counts.people) < counts.share
    groups = rng.random((counts.questions, counts.people)) < 0.5
    exact = (groups & secret).sum(axis=1)
    return Published(secret=secret, groups=groups, answers=counts.noise.simulate(exact, rng))
