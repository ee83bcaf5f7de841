"""How far one person moves the scores of candidates, and answers that have no small sensitivity of their own."""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction

from dpengine.errors import require_between, require_positive, require_whole
from dpengine.privacy import Neighbors, Sensitivity, exact_decimal
from dpengine.queries.sensitivity.sentences import bounds, number_of, rows_of_one_person, shown, under, up


@dataclass(frozen=True, slots=True, kw_only=True)
class ScoreSensitivity:
    """Largest change of any one candidate's score; `monotone` says that all scores move in the same direction."""

    score_sensitivity: float
    monotone: bool
    because: str

    def __post_init__(self) -> None:
        require_positive("score_sensitivity", self.score_sensitivity)


def of_quantile_value(*, lower: float, upper: float, neighbors: Neighbors) -> Sensitivity:
    """The median or another quantile itself: one person may move it from bound to bound, under either relation.

    Exact in the worst case, so noise of this size drowns it: choose a value by its rank instead.
    """
    lowest, highest = bounds(lower, upper)
    because = (
        f"If half the values are {shown(lowest)} and half {shown(highest)}, one person can change the middle one by "
    )
    return number_of(highest - lowest, under(neighbors, f"{because}{shown(highest - lowest)}."))


def of_rank_score(*, quantile: float, rows: int = 1, neighbors: Neighbors) -> ScoreSensitivity:
    """The score -|rows below a candidate - quantile x all rows| of each candidate; never monotone.

    Adding or removing moves it by rows x max(quantile, 1 - quantile), replacing by rows. Source: Smith 2011.
    """
    require_between("quantile", quantile, 0.0, 1.0)
    require_whole("rows", rows)
    share = exact_decimal(quantile)
    per_row = max(share, 1 - share) if neighbors is Neighbors.ADD_REMOVE else Fraction(1)
    because = f"{rows_of_one_person(int(rows))}; {'it' if rows == 1 else 'each'} shifts a candidate's place in the "
    because += f"sorted list by at most {shown(per_row)}"
    because += "." if rows == 1 else f": {shown(int(rows) * per_row)} in total."
    return ScoreSensitivity(
        score_sensitivity=up(int(rows) * per_row), monotone=False, because=under(neighbors, because)
    )


def of_mode(*, rows: int = 1, neighbors: Neighbors) -> ScoreSensitivity:
    """The counts of the categories as scores: all rise or all fall where a person is added or removed, only then."""
    require_whole("rows", rows)
    monotone = neighbors is Neighbors.ADD_REMOVE
    together = "" if rows == 1 else ", which may all be in one category"
    because = f"{rows_of_one_person(int(rows))}{together}: each count changes by at most {int(rows):,}, "
    because += "all in the same direction." if monotone else "and one may rise while another falls."
    return ScoreSensitivity(score_sensitivity=int(rows), monotone=monotone, because=under(neighbors, because))


def of_largest_count_of_people(neighbors: Neighbors) -> Sensitivity:
    """The largest of several counts of people, however many rows and groups each person has."""
    because = "Everybody counts at most once in each group, so one person changes the largest count by at most 1."
    return Sensitivity.of_number(1, under(neighbors, because))
