"""How far one person with several rows moves counts and sums by group, under contribution bounds.

One person counts in at most `groups` groups, with at most `rows_per_group` rows in each and `rows` rows in all.
Source: Wilson, Zhang, Lam, Desfontaines, Simmons-Marengo, Gipson 2020 (bounds on contributions).
"""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction

from dpengine.errors import require_whole
from dpengine.privacy import Neighbors, Sensitivity
from dpengine.queries.sensitivity.sentences import bounds, measured, plural, root_up, under, up


@dataclass(frozen=True, slots=True, kw_only=True)
class Contribution:
    """What one person may count with; the groups themselves are public. `rows` None stands for no further limit."""

    groups: int
    rows_per_group: int
    rows: int | None = None

    def __post_init__(self) -> None:
        require_whole("groups", self.groups)
        require_whole("rows_per_group", self.rows_per_group)
        if self.rows is not None:
            require_whole("rows", self.rows)

    @property
    def most_rows(self) -> int:
        """In all groups together: the l1 norm of the counts of one person."""
        everywhere = int(self.groups) * int(self.rows_per_group)
        return everywhere if self.rows is None else min(everywhere, int(self.rows))

    @property
    def most_rows_in_a_group(self) -> int:
        """The largest count of one person in one group."""
        return min(int(self.rows_per_group), self.most_rows)

    @property
    def largest_square(self) -> int:
        """The squared l2 norm of the counts of one person: full groups first, the rest in one more. Exact."""
        full, rest = divmod(self.most_rows, self.most_rows_in_a_group)
        return full * self.most_rows_in_a_group**2 + rest**2

    @property
    def sentence(self) -> str:
        """The bounds in words, each only where it says more than the number of rows; without a full stop."""
        rows, each, groups = self.most_rows, self.most_rows_in_a_group, int(self.groups)
        words = "Each person counts with " + ("one row" if rows == 1 else f"at most {rows:,} rows")
        if groups < rows:
            words += f", in at most {plural(groups, 'group')}"
            return words + (f" with at most {plural(each, 'row')} in each" if each < rows else "")
        return words + (f", at most {each:,} of them in one group" if each < rows else "")


def of_grouped_counts(contribution: Contribution, neighbors: Neighbors) -> Sensitivity:
    """Counts in disjoint public groups. Replacing one person empties some groups and fills others.

    Exact for adding or removing; for replacing too, if there are at least twice as many groups as one person may enter.
    """
    moved = _norms(contribution, Fraction(1), signs_vary=False, neighbors=neighbors)
    return _said(
        contribution, neighbors, moved, f": one person can change the counts by at most {moved[0]:,} in total."
    )


def of_grouped_sums(
    contribution: Contribution, *, lower: float, upper: float, neighbors: Neighbors, unit: str = ""
) -> Sensitivity:
    """Sums of values between public bounds in disjoint public groups; `unit` is that of the values.

    Where values have one sign a replacement multiplies l2 by sqrt(2), otherwise by 2, which may be above the truth.
    """
    lowest, highest = bounds(lower, upper)
    largest = max(abs(lowest), abs(highest))
    signs_vary = lowest < 0 < highest
    l1, l2, linf = _norms(contribution, largest, signs_vary=signs_vary, neighbors=neighbors)
    if neighbors is Neighbors.REPLACE_ONE:
        linf = up(contribution.most_rows_in_a_group * (max(highest, Fraction(0)) - min(lowest, Fraction(0))))
    because = f"; each row adds at most {measured(largest, unit)}: "
    because += f"one person can change the sums by at most {measured(l1, unit)} in total"
    return _said(contribution, neighbors, (l1, l2, linf), f"{because}.")


def _norms(
    contribution: Contribution, largest: Fraction, *, signs_vary: bool, neighbors: Neighbors
) -> tuple[float, float, float]:
    """l1, l2 and linf where every row weighs `largest`."""
    replaced = neighbors is Neighbors.REPLACE_ONE
    l1 = (2 if replaced else 1) * contribution.most_rows * largest
    square = ((4 if signs_vary else 2) if replaced else 1) * contribution.largest_square * largest**2
    return up(l1), root_up(square), up(contribution.most_rows_in_a_group * largest)


def _said(
    contribution: Contribution, neighbors: Neighbors, norms: tuple[float, float, float], because: str
) -> Sensitivity:
    l1, l2, linf = norms
    twice = ", and so may their replacement" if neighbors is Neighbors.REPLACE_ONE else ""
    return Sensitivity(l1=l1, l2=l2, linf=linf, because=under(neighbors, f"{contribution.sentence}{twice}{because}"))
