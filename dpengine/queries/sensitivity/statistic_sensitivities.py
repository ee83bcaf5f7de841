"""How far one person moves means, shares and variances, and many statistics of the same rows.

Bounds are public numbers, such as ages from 0 to 120, never the largest value of the rows: that would itself be an
answer about a person. Results are in the unit of the answer, exact for whole numbers and rounded up otherwise.
Source: Dwork and Roth 2014, section 3.3.
"""

from __future__ import annotations

from fractions import Fraction

from dpengine.errors import InvalidParameterError, require_between, require_positive, require_whole
from dpengine.privacy import Neighbors, Sensitivity
from dpengine.queries.sensitivity.sentences import (
    bounds,
    measured,
    number_of,
    root_up,
    rows_of_one_person,
    shown,
    under,
    up,
)


def of_mean(*, lower: float, upper: float, people: int, everybody_counts: bool, neighbors: Neighbors) -> Sensitivity:
    """(upper - lower) / people, where the number of people is public and everybody counts with one value.

    `everybody_counts` says that every person has one row, there is no condition and nothing is missing. Raises
    InvalidParameterError otherwise, and for adding or removing a person, where the mean has no such bound.
    """
    lowest, highest = bounds(lower, upper)
    _require_public_people(people, everybody_counts=everybody_counts, neighbors=neighbors, answer="mean")
    because = f"Each of {people:,} people counts with one value, so one person can change the mean by at most "
    moved = (highest - lowest) / int(people)
    return number_of(moved, under(neighbors, f"{because}{shown(highest - lowest)} / {people:,} = {shown(moved)}."))


def of_proportion(*, people: int, everybody_counts: bool, neighbors: Neighbors) -> Sensitivity:
    """1 / people, on the conditions of `of_mean`."""
    return of_proportions(proportions=1, people=people, everybody_counts=everybody_counts, neighbors=neighbors)


def of_proportions(*, proportions: int, people: int, everybody_counts: bool, neighbors: Neighbors) -> Sensitivity:
    """So many shares of the same people at once, l1 proportions / people, on the conditions of `of_mean`."""
    require_whole("proportions", proportions)
    _require_public_people(people, everybody_counts=everybody_counts, neighbors=neighbors, answer="share")
    count = int(proportions)
    because = f"One of {people:,} people can change a share by at most 1 / {people:,}"
    because += "." if count == 1 else f", and all {count} shares at once by {count} / {people:,}."
    return _of_many(Fraction(1, int(people)), count, under(neighbors, because))


def of_statistics(*, each: float, statistics: int, neighbors: Neighbors) -> Sensitivity:
    """So many numbers about the same rows, each moved by at most `each`: l1 grows with them, l2 with their root.

    A person may move all of them at once, which the cells of a histogram exclude.
    """
    require_positive("each", each)
    require_whole("statistics", statistics)
    count = int(statistics)
    because = f"One person can change the answer by at most {shown(each)}."
    if count > 1:
        because = f"One person can change all {count:,} answers at once, each by at most {shown(each)}: "
        because += f"{shown(count * each)} in total."
    return _of_many(Fraction(each), count, under(neighbors, because))


def of_variance(
    *, lower: float, upper: float, people: int, everybody_counts: bool, neighbors: Neighbors, unit: str = ""
) -> Sensitivity:
    """(upper - lower)^2 / people, on the conditions of `of_mean`; at least 2 people; `unit` is that of the values.

    Exact for the sum of squared distances over people - 1; over people it is (people - 1) / people of it, so the
    bound is above the truth by that factor. The worst case has all values but one at one bound.
    """
    lowest, highest = bounds(lower, upper)
    _require_public_people(people, everybody_counts=everybody_counts, neighbors=neighbors, answer="variance")
    require_whole("people", people, least=2)
    spread = (highest - lowest) ** 2
    because = f"Each of {people:,} people counts with one value, so one person can change the variance by at most "
    because += f"{shown(highest - lowest)}² / {people:,} = {measured(spread / int(people), _squared(unit))}."
    return number_of(spread / int(people), under(neighbors, because))


def of_variance_parts(
    *, lower: float, upper: float, neighbors: Neighbors, center: float | None = None, rows: int = 1, unit: str = ""
) -> tuple[Sensitivity, Sensitivity, Sensitivity]:
    """The sum of squared distances from `center`, the sum of distances, and the count: for a variance in three parts.

    `center` is public and the middle of the bounds unless given; every person has at most `rows` rows; `unit` is that
    of the values. Whole bounds and a whole center, as on a grid, give whole numbers. Conditions and missing values are
    allowed.
    """
    lowest, highest = bounds(lower, upper)
    if center is not None:
        require_between("center", center, lower, upper)
    require_whole("rows", rows)
    middle = (lowest + highest) / 2 if center is None else Fraction(center)
    furthest = max(highest - middle, middle - lowest)
    spread = furthest if neighbors is Neighbors.ADD_REMOVE else highest - lowest
    from_middle = f"distances from {measured(middle, unit)}"
    moves = (
        (furthest**2, f"the sum of squared {from_middle}", _squared(unit)),
        (spread, f"the sum of {from_middle}", unit),
        (Fraction(1), "the count", ""),
    )
    squares, distances, count = (
        number_of(int(rows) * each, under(neighbors, _each_row_moves(int(rows), each, what, its_unit)))
        for each, what, its_unit in moves
    )
    return squares, distances, count


def _each_row_moves(rows: int, each: Fraction, what: str, unit: str) -> str:
    if rows == 1:
        return f"{rows_of_one_person(rows)}, which can change {what} by at most {measured(each, unit)}."
    start = f"{rows_of_one_person(rows)}; each can change {what} by at most {measured(each, unit)}"
    return f"{start}: {measured(rows * each, unit)} in total."


def _squared(unit: str) -> str:
    return f"{unit} squared" if unit else ""


def _of_many(each: Fraction, count: int, because: str) -> Sensitivity:
    return Sensitivity(l1=up(count * each), l2=root_up(count * each**2), linf=up(each), because=because)


def _require_public_people(people: int, *, everybody_counts: bool, neighbors: Neighbors, answer: str) -> None:
    require_whole("people", people)
    if neighbors is not Neighbors.REPLACE_ONE:
        rule = f"REPLACE_ONE for a {answer} over a public number of people: adding or removing a person changes it"
        raise InvalidParameterError("neighbors", neighbors, rule)
    if everybody_counts is not True:
        rule = (
            f"True for a {answer} over a public number of people: with a condition, missing values or several rows a "
            "person, nobody knows publicly how many values count"
        )
        raise InvalidParameterError("everybody_counts", everybody_counts, rule)
