"""Whom the noise hurts: the error of each group beside its size, and what a coarser grouping would change."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass

from dpengine.accuracy.answers import answer_error
from dpengine.accuracy.guess import Guess
from dpengine.errors import InvalidParameterError, require_finite, require_non_negative, require_whole
from dpengine.mechanisms import ReleasedMechanism
from dpengine.queries import AnyPart, CountQuery, GroupedCountQuery, Query
from dpengine.queries.forms import ByGroup, CountForm, RatioForm, SumForm, over_the_same_rows

Regrouping = tuple[tuple[int, ...], ...]
"""For each new group the places of the old ones that it is made of; a place that is nowhere is left out."""
PAYS_ABOVE = 0.1
"""From this share of the answer on we say that a group pays; for orientation, a purpose may need more or less."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Group:
    """A group, how many rows it has, and its exact or guessed answer, which for counts is the same number."""

    label: str
    size: float
    answer: float

    def __post_init__(self) -> None:
        require_non_negative("size", self.size)
        require_finite("answer", self.answer)


@dataclass(frozen=True, slots=True, kw_only=True)
class GroupError:
    """A group, and the error that its answer stays within at a confidence, in the unit of the answer."""

    group: Group
    half_width: float

    @property
    def relative(self) -> float:
        """The error as a share of the answer; without limit where the answer is 0 and the error is not."""
        if self.half_width == 0.0:
            return 0.0
        return self.half_width / abs(self.group.answer) if self.group.answer else math.inf

    @property
    def pays(self) -> bool:
        """Whether the noise may be larger than a tenth of the answer."""
        return self.relative > PAYS_ABOVE

    @property
    def large_enough(self) -> float:
        """From which answer on this error would be no more than a tenth of it."""
        return self.half_width / PAYS_ABOVE


def group_errors(
    query: Query,
    parts: Sequence[AnyPart],
    mechanisms: Sequence[ReleasedMechanism],
    groups: Sequence[Group],
    *,
    confidence: float,
) -> tuple[GroupError, ...]:
    """The error of each group by itself, in the order given, from the law that is released.

    Of counts and sums it is the same for all; of a mean it is that of a group of this size, and of shares of the same
    rows that of a share as large.
    """
    cells = parts[0].coordinates
    if len(groups) != cells:
        raise InvalidParameterError("groups", len(groups), f"one for each of the {cells} answers")
    if len(parts) == 1:
        same = answer_error(query, parts, mechanisms).quantile(confidence)
        return tuple(GroupError(group=group, half_width=same) for group in groups)

    def of_mean(group: Group) -> float:
        guess = Guess(records=group.size * parts[1].coordinates, answer=group.answer)
        return answer_error(query, parts, mechanisms, guess).quantile(confidence)

    known = {(group.size, group.answer): group for group in groups}
    half_widths = {key: of_mean(group) for key, group in known.items()}
    return tuple(GroupError(group=group, half_width=half_widths[group.size, group.answer]) for group in groups)


def guessed_groups(
    query: Query, labels: Sequence[str], guess: Guess, *, sizes: Sequence[float] | None = None
) -> tuple[Group, ...]:
    """Groups of the guessed sizes, of equal ones where none are given; sums in proportion, ratios as guessed."""
    if sizes is not None and len(sizes) != len(labels):
        raise InvalidParameterError("sizes", len(sizes), f"one for each of the {len(labels)} groups")
    counts = tuple(float(size) for size in sizes) if sizes is not None else _equal_sizes(query, guess, len(labels))
    answers = counts
    if isinstance(query, RatioForm):
        answers = guess.answers
    elif isinstance(query, SumForm):
        each = math.fsum(guess.answers) / max(math.fsum(counts), 1.0)
        answers = tuple(each * count for count in counts)
    return tuple(
        Group(label=label, size=size, answer=answer)
        for label, size, answer in zip(labels, counts, answers, strict=True)
    )


def sizes_question(query: Query) -> Query:
    """What to ask for how many rows each group has: of sums and ratios their own rows, else the question.

    Of shares of the same rows there is one size for all.
    """
    if over_the_same_rows(query):
        return CountQuery(query.counted().where)
    if not isinstance(query, ByGroup) or isinstance(query, CountForm):
        return query
    return GroupedCountQuery(query.by, where=query.counted().where)


def exact_groups(labels: Sequence[str], *, sizes: Guess, answers: Guess) -> tuple[Group, ...]:
    """Groups as the rows have them: `sizes` is the guess from the rows of `sizes_question`; for the curator's eyes."""
    each = sizes.answers * (len(labels) if len(sizes.answers) == 1 else 1)
    return tuple(
        Group(label=label, size=max(size, 0.0), answer=answer)
        for label, size, answer in zip(labels, each, answers.answers, strict=True)
    )


def _equal_sizes(query: Query, guess: Guess, cells: int) -> tuple[float, ...]:
    """For counts what was guessed of each, which may overlap; an equal share of all rows, or all of them for each."""
    if isinstance(query, CountForm):
        return guess.answers
    return (guess.records if over_the_same_rows(query) else guess.records / cells,) * cells


def smallest_first(groups: Sequence[Group]) -> tuple[int, ...]:
    """The places of the groups, the smallest first; equal ones by their answers, then in their order."""
    return tuple(sorted(range(len(groups)), key=lambda place: (groups[place].size, groups[place].answer, place)))


def together(groups: Sequence[Group], places: Sequence[int]) -> Regrouping:
    """The named groups as one, where the first of them stood; all others by themselves."""
    merged = tuple(sorted(set(places)))
    if not merged:
        return tuple((place,) for place in range(len(groups)))
    alone = ((place,) for place in range(len(groups)) if place not in merged)
    return tuple(sorted([*alone, merged]))


def smallest_together(groups: Sequence[Group], many: int) -> Regrouping:
    """So many of the smallest groups as one."""
    require_whole("many", many)
    return together(groups, smallest_first(groups)[:many])


def neighbors_together(groups: Sequence[Group]) -> Regrouping:
    """Every two neighbors as one: bins of twice the width, the last one by itself where their number is odd."""
    return tuple(tuple(range(place, min(place + 2, len(groups)))) for place in range(0, len(groups), 2))


def without_smallest(groups: Sequence[Group], many: int) -> Regrouping:
    """All but so many of the smallest, each by itself; at least one is kept."""
    require_whole("many", many)
    kept = sorted(smallest_first(groups)[min(many, len(groups) - 1) :])
    return tuple((place,) for place in kept)


def regrouped(query: Query, groups: Sequence[Group], regrouping: Regrouping) -> tuple[Group, ...]:
    """The new groups: sizes, counts and sums add up, means are weighted by size."""
    return tuple(_merged(query, [groups[place] for place in places]) for places in regrouping)


def _merged(query: Query, members: Sequence[Group]) -> Group:
    if len(members) == 1:
        return members[0]
    size = math.fsum(group.size for group in members)
    answer = math.fsum(group.answer for group in members)
    if isinstance(query, RatioForm):
        weighted = math.fsum(group.answer * group.size for group in members)
        answer = weighted / size if size else answer / len(members)
    return Group(label=" + ".join(group.label for group in members), size=size, answer=answer)
