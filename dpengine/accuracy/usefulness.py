"""Whether an answer is worth its noise, and how much of its error privacy is to blame for."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from enum import Enum

import numpy as np
from numpy.typing import ArrayLike, NDArray

from dpengine.accuracy.laws.combined import combined_error
from dpengine.accuracy.laws.law import ErrorLaw
from dpengine.accuracy.numerical.whole_numbers import MOST, least_whole_below
from dpengine.errors import DPEngineError, require_finite, require_positive

USEFUL_BELOW, ROUGH_BELOW = 0.1, 0.5
MOST_RECORDS = MOST
NEARLY_ALL = 0.99
NEGLIGIBLE = 0.05
"""Privacy noise is called negligible where it widens the interval of the sampling error by no more than this share."""


class Verdict(Enum):
    """How the typical noise compares with the answer."""

    USEFUL = "useful"
    ROUGH = "rough"
    DROWNED = "drowned"


@dataclass(frozen=True, slots=True, kw_only=True)
class Usefulness:
    """The typical noise as a share of the answer, and what that means."""

    relative_error: float
    verdict: Verdict

    @property
    def sentence(self) -> str:
        """The verdict in plain words."""
        percent = 100.0 * self.relative_error
        share = f"{percent:.2g}%" if percent < 10 else f"{percent:.0f}%"
        share = share if percent >= 0.01 else "less than 0.01%"
        return _SENTENCES[self.verdict].format(share=share if percent < 1000 else "more than ten times the size")


def usefulness(law: ErrorLaw, answer: float | Sequence[float]) -> Usefulness:
    """Mean |error| over mean |answer|: useful under 10 %, rough under 50 %, drowned from there on or where it is 0.

    The limits are ours, for orientation: a purpose may need more or less.
    """
    answers = tuple(answer) if isinstance(answer, Sequence) else (answer,)
    for one in answers:
        require_finite("answer", one)
    size = math.fsum(abs(one) / len(answers) for one in answers)
    noise = law.expected_absolute_error
    relative = 0.0 if noise == 0.0 else math.inf if size == 0.0 else noise / size
    return Usefulness(relative_error=relative, verdict=_verdict(relative))


def widening(noise: ErrorLaw, sampling: ErrorLaw, confidence: float) -> float:
    """By what share privacy widens the interval that sampling error alone would need: 0.12 for 12 %."""
    return combined_error(noise, sampling).quantile(confidence) / sampling.quantile(confidence) - 1.0


def records_for_negligible_noise(
    errors_at: Callable[[int], tuple[ErrorLaw, ErrorLaw]],
    *,
    widening_allowed: float = NEGLIGIBLE,
    confidence: float = 0.95,
    near: float = 1.0,
) -> int:
    """Least number of records at which privacy widens the interval by no more than this share.

    `errors_at` tells noise and sampling error at a number of records; their ratio must fall as records grow. `near` is
    where the search begins; (1 + widening)^2 - 1 is about as 1 / records, which keeps it short. Raises DPEngineError
    where a million million records are not enough.
    """
    require_positive("widening_allowed", widening_allowed)

    def excess(records: int) -> float:
        return (1.0 + widening(*errors_at(records), confidence)) ** 2 - 1.0

    found = least_whole_below(excess, (1.0 + widening_allowed) ** 2 - 1.0, near=near)
    if found is None:
        raise DPEngineError(f"Even {MOST_RECORDS:,} records would not make the privacy noise negligible.")
    return found


def _verdict(relative_error: float) -> Verdict:
    if relative_error < USEFUL_BELOW:
        return Verdict.USEFUL
    return Verdict.ROUGH if relative_error < ROUGH_BELOW else Verdict.DROWNED


_SENTENCES = {
    Verdict.USEFUL: "Useful: the noise is on average {share} of the answer.",
    Verdict.ROUGH: "Rough: the noise is on average {share} of the answer, so only its order of magnitude is reliable.",
    Verdict.DROWNED: "Drowned: the noise is on average {share} of the answer, so the answer says almost nothing.",
}


def nearly_all(widths: ArrayLike, possible: tuple[float, float]) -> NDArray[np.bool_]:
    """Which intervals of these widths hold nearly everything, or all, that lies in a range; shape of `widths`.

    An interval as wide as all that the declarations allow says nothing.
    """
    return np.asarray(widths, dtype=np.float64) >= NEARLY_ALL * (possible[1] - possible[0])
