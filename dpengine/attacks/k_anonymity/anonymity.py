"""k-anonymity by telling columns less exactly and leaving rows out, searched for in the lattice of levels."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from itertools import product

from dpengine.attacks.k_anonymity.hierarchies import Hierarchy
from dpengine.attacks.k_anonymity.recoding import Recoding
from dpengine.attacks.watch import UNWATCHED, Watch
from dpengine.data import Crowds
from dpengine.errors import InvalidParameterError, require_between, require_whole

MOST_CHECKED = 400
MOST_WAYS = 50_000
Levels = tuple[int, ...]
Ask = Callable[..., Crowds]
"""Counts crowds: `Table.crowds` or `RowsAtHand.crowds`, called with columns and `sensitive`."""


@dataclass(frozen=True, slots=True, kw_only=True)
class AnonymityTarget:
    """Every published crowd has at least `people` people and `values` different sensitive values (k and l).

    At most the share `left_out` of all people may be left out to get there.
    """

    people: int
    values: int = 1
    left_out: float = 0.05

    def __post_init__(self) -> None:
        require_whole("k", self.people)
        require_whole("l", self.values)
        require_between("left_out", self.left_out, 0.0, 1.0, open_at="upper")


@dataclass(frozen=True, slots=True, kw_only=True)
class Anonymized:
    """A way to publish that was found: the level of each column, and the crowds of everybody at these levels.

    `checked` is how many of the `ways` were counted; `settled` says that all the others are ruled out, so that no way
    among these levels loses less.
    """

    hierarchies: tuple[Hierarchy, ...]
    wanted: AnonymityTarget
    levels: Levels
    crowds: Crowds = field(repr=False)
    checked: int
    ways: int
    settled: bool

    @property
    def columns(self) -> tuple[Recoding, ...]:
        """How each column is told."""
        return tuple(one.levels[level] for one, level in zip(self.hierarchies, self.levels, strict=True))

    @property
    def published(self) -> Crowds:
        """The crowds that are published: large enough, and with enough different values."""
        return self.crowds.passing(people=self.wanted.people, values=self.wanted.values)

    @property
    def left_out(self) -> int:
        """How many people are left out."""
        return self.crowds.people - self.published.people

    @property
    def loss(self) -> float:
        """The share of the information that is lost: 1 minus Sweeney's precision; whoever is left out counts as 1.

        The mean of level / height over all people and columns. Source: Sweeney 2002, "Achieving k-anonymity privacy
        protection using generalization and suppression", section 5.
        """
        return _loss(self.hierarchies, self.levels, self.left_out / self.crowds.people)

    @property
    def discernibility(self) -> int:
        """The sum over all people of how many they cannot be told from; whoever is left out, from everybody.

        Source: Bayardo and Agrawal 2005, equation 1.
        """
        among = sum(people**2 * many for people, many in self.published.sizes.items())
        return among + self.left_out * self.crowds.people


def anonymized(
    ask: Ask,
    hierarchies: Sequence[Hierarchy],
    *,
    wanted: AnonymityTarget,
    sensitive: str,
    most_checked: int = MOST_CHECKED,
    watch: Watch = UNWATCHED,
) -> Anonymized:
    """The least loss among the ways that were checked; each of them is k-anonymous as counted, or it is not taken.

    First down from the top, one level at a time, by the step that gains most; then through the ways that could still
    be better, those that lose most first: where one fails, every finer one fails too. The best way of all tables is
    NP-hard to find (Meyerson and Williams 2004), so the search may stop at `most_checked`. Raises
    InvalidParameterError where even a single crowd of everybody is not enough, and StoppedError.
    """
    search = _Search(ask, tuple(hierarchies), wanted, sensitive, most_checked, watch)
    top = tuple(one.height for one in hierarchies)
    if not search.fits(top):
        raise InvalidParameterError(*_too_much(search.seen[top], wanted))
    search.descend(top)
    settled = search.improve()
    return search.result(settled=settled)


class _Search:
    """What one search has counted so far, and the best of it."""

    def __init__(
        self,
        ask: Ask,
        hierarchies: tuple[Hierarchy, ...],
        wanted: AnonymityTarget,
        sensitive: str,
        most: int,
        watch: Watch,
    ) -> None:
        self.ask, self.hierarchies, self.wanted, self.sensitive = ask, hierarchies, wanted, sensitive
        self.most, self.watch = most, watch
        self.seen: dict[Levels, Crowds] = {}
        self.failed: list[Levels] = []
        self.best: Levels = ()
        self.least = math.inf
        self.ways = math.prod(one.height + 1 for one in hierarchies)
        if not hierarchies or self.ways > MOST_WAYS:
            raise InvalidParameterError("columns", len(hierarchies), f"at least one, of at most {MOST_WAYS:,} ways")

    def fits(self, levels: Levels) -> bool:
        """Whether this way is good enough, as counted; the best is kept."""
        if levels not in self.seen:
            self.watch.tell(len(self.seen) / self.most)
            self.seen[levels] = self._counted(levels)
        crowds = self.seen[levels]
        failing = crowds.failing(people=self.wanted.people, values=self.wanted.values)
        if not crowds.people or failing > self.wanted.left_out * crowds.people or failing == crowds.people:
            self.failed.append(levels)
            return False
        loss = _loss(self.hierarchies, levels, failing / crowds.people)
        if loss < self.least:
            self.least, self.best = loss, levels
        return True

    def _counted(self, levels: Levels) -> Crowds:
        columns = [one.levels[level] for one, level in zip(self.hierarchies, levels, strict=True)]
        return self.ask(columns, sensitive=self.sensitive)

    def descend(self, levels: Levels) -> None:
        """From a way that is good enough down to one below which none is."""
        while True:
            finer = [step for step in _finer(levels) if len(self.seen) < self.most and self.fits(step)]
            if not finer:
                return
            levels = min(finer, key=self._loss_of)

    def improve(self) -> bool:
        """Check what could still lose less; says whether all of it was checked or ruled out."""
        every = product(*(range(one.height + 1) for one in self.hierarchies))
        for levels in sorted(every, key=lambda one: -_loss(self.hierarchies, one, 0.0)):
            if levels in self.seen or self._ruled_out(levels):
                continue
            if len(self.seen) >= self.most:
                return False
            self.fits(levels)
        return True

    def _ruled_out(self, levels: Levels) -> bool:
        worse = _loss(self.hierarchies, levels, 0.0) >= self.least
        return worse or any(all(a <= b for a, b in zip(levels, failed, strict=True)) for failed in self.failed)

    def _loss_of(self, levels: Levels) -> float:
        crowds = self.seen[levels]
        failing = crowds.failing(people=self.wanted.people, values=self.wanted.values)
        return _loss(self.hierarchies, levels, failing / crowds.people)

    def result(self, *, settled: bool) -> Anonymized:
        """The best way so far."""
        return Anonymized(
            hierarchies=self.hierarchies,
            wanted=self.wanted,
            levels=self.best,
            crowds=self.seen[self.best],
            checked=len(self.seen),
            ways=self.ways,
            settled=settled,
        )


def _finer(levels: Levels) -> Iterator[Levels]:
    for place, level in enumerate(levels):
        if level:
            yield (*levels[:place], level - 1, *levels[place + 1 :])


def _loss(hierarchies: Sequence[Hierarchy], levels: Levels, left_out: float) -> float:
    told = sum(level / max(one.height, 1) for one, level in zip(hierarchies, levels, strict=True)) / len(hierarchies)
    return told * (1.0 - left_out) + left_out


def _too_much(everybody: Crowds, wanted: AnonymityTarget) -> tuple[str, int, str]:
    """What is wrong where one crowd of everybody does not do."""
    if everybody.people < wanted.people:
        return "k", wanted.people, f"at most the number of people, {everybody.people:,}"
    values = max((found for _, found in everybody.combinations), default=0)
    return "l", wanted.values, f"at most the number of different sensitive values, {values:,}"
