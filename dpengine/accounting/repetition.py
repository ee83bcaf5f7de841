"""The same answer published many times: what all rules say of it, and where they change places."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property

import numpy as np

from dpengine.accounting.composition import ACCOUNTANTS, epsilon
from dpengine.accounting.drawn import drawn_curve
from dpengine.accounting.validity import Crossover, Validity, crossover, textbook_validity_curve
from dpengine.errors import UnsupportedEventError, named, require_between, require_fields, require_whole
from dpengine.losses.arrays import Array
from dpengine.privacy import DiscreteLaplaceEvent, Event, GaussianEvent, PureEvent, RandomizedResponseEvent

_MORE_PLACES = 120


@named
@dataclass(frozen=True, kw_only=True)
class Repetition:
    """Answers that all reveal the same, up to `most` of them, of which `chosen` are looked at closely."""

    event: Event
    delta: float
    chosen: int
    most: int = 1000

    def __post_init__(self) -> None:
        require_fields(self)
        require_between("delta", self.delta, 0.0, 1.0)
        require_whole("most", self.most)
        require_whole("chosen", self.chosen)
        require_between("chosen", self.chosen, 1, self.most)

    def curve(self, accountant: str) -> Array:
        """Epsilon of 1, 2, ... answers together; never below what the rule says, and the same at the chosen number."""
        rule = "optimal" if accountant == "exact" and self.worst_of_its_epsilon else accountant
        more = np.linspace(1, self.most, _MORE_PLACES).astype(int).tolist() if rule == "exact" else []
        return drawn_curve(
            self.event,
            repetitions=np.arange(1, self.most + 1),
            delta=self.delta,
            accountant=rule,
            exactly=[self.chosen, *more],
        )

    @property
    def worst_of_its_epsilon(self) -> bool:
        """Whether one answer loses plus or minus its epsilon and nothing between: then optimal is exact.

        Source: Kairouz, Oh, Viswanath 2015, Theorem 3.3.
        """
        steps = self.event.sensitivity if isinstance(self.event, DiscreteLaplaceEvent) else 0
        return steps == 1 or isinstance(self.event, RandomizedResponseEvent | PureEvent)

    @property
    def steps_between(self) -> int:
        """At how many numbers of answers, at least, the exact curve is computed; 0 where it is at all of them."""
        everywhere = self.worst_of_its_epsilon or isinstance(self.event, GaussianEvent) or self.most <= _MORE_PLACES
        return 0 if everywhere else _MORE_PLACES

    @cached_property
    def at_chosen(self) -> Mapping[str, float]:
        """What each rule that understands this noise says of the chosen number, the least first, ties by name."""
        said = {name: value for name in ACCOUNTANTS if (value := self._said(name)) is not None}
        return dict(sorted(said.items(), key=lambda item: (float(f"{item[1]:.6g}"), item[0])))

    @cached_property
    def validity(self) -> Sequence[Validity]:
        """What is known of the textbook formula at each number."""
        return textbook_validity_curve(self.event, repetitions=np.arange(1, self.most + 1), delta=self.delta)

    @property
    def first_false(self) -> int | None:
        """The first number of answers at which the textbook formula promises too much; None if it never does here."""
        return self.validity.index(Validity.FALSE) + 1 if Validity.FALSE in self.validity else None

    @property
    def false_from(self) -> int | None:
        """The number of answers from which on it always promises too much here; just after the first it may not yet."""
        not_false = [place for place, verdict in enumerate(self.validity) if verdict is not Validity.FALSE]
        last = not_false[-1] + 1 if not_false else 0
        return last + 1 if last < self.most else None

    @property
    def holds_again(self) -> Sequence[int]:
        """The numbers after the first false one at which the textbook formula is known to be true."""
        true = (Validity.PROVED, Validity.TRUE)
        first = self.first_false
        return [k for k, verdict in enumerate(self.validity, 1) if first is not None and k > first and verdict in true]

    @cached_property
    def crossover(self) -> Crossover:
        """From how many answers on each advanced form asks for less than adding up."""
        return crossover(self.event, delta=self.delta)

    def _said(self, accountant: str) -> float | None:
        try:
            return epsilon({self.event: self.chosen}, delta=self.delta, accountant=accountant)
        except UnsupportedEventError:
            return None
