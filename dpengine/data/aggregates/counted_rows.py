"""Which of one person's rows count under the declared bounds, row by row: for pictures of an invented person."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass

from dpengine.data.declared.schema import PrivacyUnit


@dataclass(frozen=True, slots=True, kw_only=True)
class CountedRows:
    """For each row whether it counts in answers about all rows, and whether it counts in answers by group."""

    overall: tuple[bool, ...]
    by_group: tuple[bool, ...]


def counted_rows(groups: Sequence[str], unit: PrivacyUnit) -> CountedRows:
    """What the bounds keep of a person whose rows, in their own random order, lie in these groups.

    The same choice that every engine makes: the first rows, of these the first in each group, and of the groups those
    that come first. Without an identifier every row is another person and counts.
    """
    if unit.identifier is None:
        everything = (True,) * len(groups)
        return CountedRows(overall=everything, by_group=everything)
    overall = tuple(i < unit.rows for i in range(len(groups)))
    seen: Counter[str] = Counter()
    by_group = []
    for group, counts in zip(groups, overall, strict=True):
        seen[group] += counts
        within = unit.rows_per_group is None or seen[group] <= unit.rows_per_group
        place = list(seen).index(group)
        by_group.append(counts and within and (unit.groups is None or place < unit.groups))
    return CountedRows(overall=overall, by_group=tuple(by_group))
