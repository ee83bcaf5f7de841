"""Questions of one table, each with the error that is accepted, as a list that one account pays for."""

from __future__ import annotations

import math
from collections.abc import Iterable
from dataclasses import dataclass, replace

from dpengine.errors import InvalidParameterError, items_of, named, require_fields
from dpengine.feasible.asked import Asked
from dpengine.feasible.targets import Targets
from dpengine.mechanisms.released import NOISES, PURE_NOISE
from dpengine.plan import PlannedQuery
from dpengine.privacy.amounts import ATTO, attos_down
from dpengine.queries import Choice

LEAST_DELTA = 10
"""Units of 1e-18: no noise is planned, and no part of a question answered, at a smaller delta."""


@named
@dataclass(frozen=True, slots=True, kw_only=True)
class Wish:
    """A question, and the error of it that is accepted, in the answer's unit; its planned share is then not looked at.

    Without an accepted error it keeps its share and its noise as planned: plan it at the least share for "any error
    will do". A belief that is tolerated is no part of a wish: it raises InvalidParameterError.
    """

    asked: Asked
    targets: Targets = Targets()  # noqa: RUF009  # a frozen value

    def __post_init__(self) -> None:
        require_fields(self)
        if self.targets.belief is not None:
            raise InvalidParameterError("belief", self.targets.belief, "left out: a wish is about an error alone")

    @property
    def is_kept(self) -> bool:
        """Whether the question stays as planned."""
        return self.targets.error is None

    @property
    def is_chosen(self) -> bool:
        """Whether the answer is selected at random by a mechanism of its own, and gets no noise."""
        return any(
            isinstance(part, Choice) for part in self.asked.planned.parts(self.asked.schema, self.asked.neighbors)
        )

    @property
    def least_delta(self) -> int:
        """The least delta with which every part gets one, in units of 1e-18."""
        parts = self._own_split.parts(self.asked.schema, self.asked.neighbors)
        return math.ceil(LEAST_DELTA / min(part.share for part in parts))

    def with_noise(self, noise: str, delta: float) -> Asked:
        """The question answered with other noise, and with its own split between sum and count."""
        return replace(self.asked, planned=self._own_split.with_mechanism(noise, delta=delta))

    @property
    def _own_split(self) -> PlannedQuery:
        planned = self.asked.planned
        return planned if planned.percent_for_sum is None else replace(planned, percent_for_sum=None)

    def times(self, number: float) -> Wish:
        """With so many times the error."""
        if self.targets.error is None:
            return self
        return replace(self, targets=replace(self.targets, error=self.targets.error * number))


def noises(wish: Wish, *, needing_delta: bool) -> tuple[str, ...]:
    """The kinds of noise that can answer it and need a delta, or that need none."""
    if wish.is_chosen:
        return () if needing_delta else (PURE_NOISE.name,)
    return tuple(name for name, noise in NOISES.items() if noise.needs_delta == needing_delta)


def require_wishes(wishes: Iterable[Wish]) -> tuple[Wish, ...]:
    """The list, refused unless one account can be charged for all of it."""
    listed = items_of("wishes", wishes)
    if not listed:
        raise InvalidParameterError("wishes", wishes, "at least one question")
    for number, wish in enumerate(listed, start=1):
        if not isinstance(wish, Wish):
            raise InvalidParameterError(f"wish {number}", wish, "a Wish, as in Wish(asked=..., targets=...)")
        own, first = wish.asked, listed[0].asked
        if own.schema != first.schema:
            rule = f"{first.schema.name!r} as declared in question 1: one account pays for a single table"
            raise InvalidParameterError(f"the table of question {number}", own.schema.name, rule)
        if own.neighbors != first.neighbors:
            rule = f"{first.neighbors.value!r} as in question 1: one account keeps a single promise"
            raise InvalidParameterError(f"the neighbors of question {number}", own.neighbors.value, rule)
    return listed


def delta_left(wishes: Iterable[Wish], delta: float) -> float:
    """What questions that are kept as planned leave of a delta; raises InvalidParameterError where they need more."""
    kept = sum(attos_down(wish.asked.planned.used_delta) for wish in wishes if wish.is_kept)
    if kept > attos_down(delta):
        rule = f"at least {kept / ATTO:g}, which the questions that stay as planned are charged"
        raise InvalidParameterError("delta", delta, rule)
    return (attos_down(delta) - kept) / ATTO if kept else delta
