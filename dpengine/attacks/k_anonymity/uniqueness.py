"""By which columns people can be told apart: crowds of every subset, and the order that singles out fastest."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import combinations

from dpengine.attacks.watch import UNWATCHED, Watch
from dpengine.data import Coarsening, Crowds
from dpengine.errors import InvalidParameterError

MOST_CHOSEN = 6
FEW = 5
Ask = Callable[[Sequence[Coarsening]], Crowds]


@dataclass(frozen=True, slots=True, kw_only=True)
class Uniqueness:
    """The crowds of every subset of the chosen columns, by the set of their names."""

    columns: tuple[str, ...]
    crowds: Mapping[frozenset[str], Crowds] = field(repr=False)

    @property
    def order(self) -> tuple[str, ...]:
        """Columns one by one, each time the one that makes most people unique (then: puts most in small crowds)."""
        chosen: tuple[str, ...] = ()
        while len(chosen) < len(self.columns):
            longer = [(*chosen, name) for name in self.columns if name not in chosen]
            chosen = max(longer, key=self._telling)
        return chosen

    @property
    def curve(self) -> tuple[Crowds, ...]:
        """The crowds after the first column of `order`, after the first two, and so on."""
        order = self.order
        return tuple(self.of(order[:many]) for many in range(1, len(order) + 1))

    def of(self, names: Sequence[str]) -> Crowds:
        """The crowds of these columns together; raises InvalidParameterError for any that was not asked about."""
        if frozenset(names) not in self.crowds:
            raise InvalidParameterError("columns", tuple(names), f"some of {', '.join(self.columns)}")
        return self.crowds[frozenset(names)]

    def _telling(self, names: Sequence[str]) -> tuple[float, float, int]:
        crowds = self.of(names)
        return crowds.share_below(2), crowds.share_below(FEW), sum(crowds.sizes.values())


def uniqueness(ask: Ask, columns: Sequence[Coarsening], *, watch: Watch = UNWATCHED) -> Uniqueness:
    """Ask for the crowds of every subset of at most MOST_CHOSEN columns, each at its coarseness.

    `ask` is `Table.crowds` or `RowsAtHand.crowds`. Raises InvalidParameterError where no column is chosen, or too many,
    and StoppedError. Source: Sweeney 2000, "Simple demographics often identify people uniquely", for the count.
    """
    names = tuple(one.column for one in columns)
    if not 1 <= len(names) <= MOST_CHOSEN or len(set(names)) != len(names):
        raise InvalidParameterError("columns", names, f"1 to {MOST_CHOSEN} different ones")
    subsets = [some for many in range(1, len(names) + 1) for some in combinations(columns, many)]
    found: dict[frozenset[str], Crowds] = {}
    for place, some in enumerate(subsets):
        watch.tell(place / len(subsets))
        found[frozenset(one.column for one in some)] = ask(some)
    return Uniqueness(columns=names, crowds=found)
