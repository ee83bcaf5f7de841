"""What was typed into a number box: a number that can be shown, or one sentence on why the last one stays."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator
from dataclasses import dataclass

from dpengine.formatting import amount, tiny

SMALLEST_EPSILON, LARGEST_EPSILON = 1e-6, 1e4


def plain(value: float) -> str:
    """A number as people type it: no exponent where avoidable, no comma.

    >>> plain(1000.0), plain(1e-6), plain(0.25)
    ('1000', '0.000001', '0.25')
    """
    return amount(value, 6).replace(",", "")


@dataclass(frozen=True, slots=True, kw_only=True)
class Limits:
    """Which numbers a box takes, how they are written in a sentence, and one to begin with.

    Outside the range of the quantity itself `senseless` says what it must be; between that and [least, most] lie the
    numbers that make sense but are not drawn.
    """

    sign: str
    least: float
    most: float
    example: str
    senseless: Callable[[float], str]
    written: Callable[[float], str] = plain

    def problem(self, typed: float | None, *, last: float) -> str:
        """Why `last` stays, in one sentence for a person; empty where nothing is wrong."""
        return next((sentence for sentence in self._problems(typed, self.written(last)) if sentence), "")

    def _problems(self, typed: float | None, last: str) -> Iterator[str]:
        if typed is None or not math.isfinite(typed):
            yield f"Type a number, such as {self.example}. The pictures still show {last}."
            return
        senseless = self.senseless(typed)
        yield senseless and f"{senseless} The pictures still show {last}."
        here = f"{self.sign} = {plain(typed)} is"
        if typed > self.most:
            yield f"{here} more than this picture can show (at most {plain(self.most)}); it still shows {last}."
        if typed < self.least:
            yield f"{here} less than this picture can show (at least {plain(self.least)}); it still shows {last}."


def epsilon(*, most: float = LARGEST_EPSILON) -> Limits:
    """An epsilon up to the largest that a picture can show."""
    return Limits(sign="ε", least=SMALLEST_EPSILON, most=most, example="0.5", senseless=_no_epsilon)


def _no_epsilon(value: float) -> str:
    return "" if value > 0.0 else f"ε must be more than 0; {plain(value)} is not."


def _no_delta(value: float) -> str:
    if value < 0.0:
        return f"δ must be at least 0; {plain(value)} is not."
    return "" if value < 1.0 else f"δ must be less than 1; {plain(value)} would allow anything."


DELTA = Limits(sign="δ", least=0.0, most=1.0, example="0.000001", senseless=_no_delta, written=tiny)
