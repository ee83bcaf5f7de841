"""Parallel composition: separate answers about separate parts of a table, under both neighbor relations."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction

from dpengine.errors import InvalidParameterError, named, require_fields, require_kind, require_whole
from dpengine.privacy import Guarantee, Neighbors
from dpengine.privacy.rounding import rounded_up


@named
@dataclass(frozen=True, slots=True, kw_only=True)
class ParallelPart:
    """What is answered about the people of one part, with noise of its own.

    `add_remove` is its guarantee when one person enters or leaves the part; `replace_one` when one person in it gets
    other values. Left out, it is that of leaving and entering, which always holds; never more than twice that epsilon.
    """

    add_remove: Guarantee
    replace_one: Guarantee | None = None

    def __post_init__(self) -> None:
        require_fields(self)
        if self.replace_one is not None and self.replace_one.epsilon > self.add_remove.for_group(2).epsilon:
            rule = "at most twice the epsilon of adding or removing one person"
            raise InvalidParameterError("replace_one", self.replace_one, rule)

    @property
    def replaced(self) -> Guarantee:
        """What holds when one person in the part gets other values."""
        return self.replace_one or self.add_remove.for_group(2)


def parallel_guarantee(parts: Sequence[ParallelPart], *, neighbors: Neighbors) -> Guarantee:
    """What all answers promise together when each person is in at most one part, by a rule that no data changes.

    ADD_REMOVE: one person touches one part, so the largest epsilon and the largest delta hold. REPLACE_ONE: the new
    values may belong to another part, so either one part sees a replacement, or one loses a person and another,
    with independent noise, gains one, and their guarantees add up: the largest over all parts and all pairs, which the
    two largest summands give. Never below the truth. It does not hold for a person with rows in several parts, nor
    for parts whose guarantees need the number of people in each part to be public.
    Source: McSherry 2009, Theorem 4, for ADD_REMOVE; Dwork and Roth 2014, Theorem 3.16, for the pairs.
    """
    require_whole("number of parts", len(parts))
    for part in parts:
        require_kind("part", part, ParallelPart)
    require_kind("neighbors", neighbors, Neighbors)
    held = [part.add_remove for part in parts]
    together = [_of_both([one.epsilon for one in held], neighbors), _of_both([one.delta for one in held], neighbors)]
    inside = [part.replaced for part in parts] if neighbors is Neighbors.REPLACE_ONE else []
    return Guarantee(
        epsilon=max([together[0], *(one.epsilon for one in inside)]),
        delta=min(max([together[1], *(one.delta for one in inside)]), 1.0),
    )


def _of_both(amounts: list[float], neighbors: Neighbors) -> float:
    """The largest, or the sum of the two largest where two parts can be touched; rounded up."""
    touched = 2 if neighbors is Neighbors.REPLACE_ONE else 1
    return rounded_up(sum(map(Fraction, sorted(amounts)[-touched:]), Fraction()))
