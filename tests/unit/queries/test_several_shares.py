"""Several shares at once: what one person moves, how they are put together, and what they are asked as otherwise."""

from dataclasses import replace

import numpy as np
import pytest

from dpengine.accuracy import Guess, guess_without_rows, sampling_error
from dpengine.accuracy.by_group import exact_groups, group_errors, guessed_groups, sizes_question, smallest_first
from dpengine.data import (
    BooleanColumn,
    Comparison,
    ConditionCounts,
    IsMissing,
    NumberColumn,
    PrivacyUnit,
    Schema,
    TextColumn,
)
from dpengine.errors import RefusedQueryError
from dpengine.ledger import Estimate
from dpengine.plan import PlannedQuery
from dpengine.privacy import Guarantee, Neighbors
from dpengine.queries import (
    CountQuery,
    ProportionQuery,
    Reading,
    SeveralProportionsQuery,
    StatisticalQueries,
    to_sql,
)
from dpengine.queries.coarser import with_groups
from tests.running.cases import each

AR, RP = Neighbors.ADD_REMOVE, Neighbors.REPLACE_ONE
COLUMNS = (TextColumn(name="who"), NumberColumn(name="age", lower=0, upper=100), BooleanColumn(name="ill"))
PEOPLE = Schema(name="people", columns=COLUMNS, people=944)
OLD, ILL, YOUNG = Comparison("age", ">=", 65), Comparison("ill", "=", True), Comparison("age", "<", 18)
THREE = SeveralProportionsQuery((OLD, ILL, YOUNG))


def planned(query: SeveralProportionsQuery | ProportionQuery, epsilon: float = 0.5) -> PlannedQuery:
    return PlannedQuery(query=query, guarantee=Guarantee(epsilon=epsilon))


def test_of_a_public_number_of_people_it_is_one_noisy_list_and_says_so() -> None:
    (part,) = THREE.parts(PEOPLE, RP)
    assert part.aggregate == ConditionCounts(conditions=THREE.conditions)
    assert (part.step, part.grid_sensitivity.l1, part.grid_sensitivity.linf) == (1 / 944, 3, 1)
    words = "One of 944 people can change a share by at most 1 / 944, and all 3 shares at once by 3 / 944."
    assert part.sensitivity.because == f"{words} (One person replaced.)"


PRIVATE = {
    "one may be added": (THREE, PEOPLE, AR),
    "nobody said how many": (THREE, replace(PEOPLE, people=None), RP),
    "of some rows": (replace(THREE, where=IsMissing("age")), PEOPLE, RP),
    "several rows each": (THREE, replace(PEOPLE, unit=PrivacyUnit(identifier="who", rows=3)), RP),
}


@each("case", PRIVATE)
def test_of_a_private_number_each_is_divided_by_one_noisy_count(case: str) -> None:
    query, schema, neighbors = PRIVATE[case]
    rows = schema.unit.rows
    signed, count = query.parts(schema, neighbors)
    turned = rows if neighbors is RP else rows / 2
    assert signed.sensitivity.l1 == pytest.approx(3 * turned)
    assert signed.sensitivity.l2 == pytest.approx(3**0.5 * turned)
    assert (count.sensitivity.l1, count.coordinates) == (rows, 1)
    assert (signed.share, count.share) == (
        planned(ProportionQuery(ILL)).parts(PEOPLE, AR)[0].share,
        1 - signed.share,
    )
    assert f"all 3 answers at once, each by at most {turned:g}: {3 * turned:g} in total." in signed.sensitivity.because


def test_several_at_once_cost_less_than_one_by_one_for_the_same_noise() -> None:
    """The count is paid for once; the sums cost as if each were asked at a third of epsilon."""
    together, alone = (planned(one, epsilon) for one, epsilon in ((THREE, 0.9), (ProportionQuery(ILL), 0.3)))
    sums, counts = zip(*(one.mechanisms(PEOPLE, AR) for one in (together, alone)), strict=True)
    assert sums[0].scale == pytest.approx(sums[1].scale)
    assert counts[0].scale == pytest.approx(counts[1].scale / 3)


def readings(query: SeveralProportionsQuery | ProportionQuery, totals: list[int], count: int) -> tuple[Reading, ...]:
    parts = query.parts(PEOPLE, AR)
    return tuple(part.reading(integers) for part, integers in zip(parts, (totals, [count]), strict=True))


def test_all_are_divided_by_the_same_count_and_stay_between_none_and_all() -> None:
    assert THREE.combine(readings(THREE, [2, -2, 40], 4)).tolist() == [0.75, 0.25, 1.0]
    assert THREE.combine(readings(THREE, [0, 1, -9], -7)).tolist() == [0.5, 1.0, 0.0], "A count below 1 counts as 1."


def estimate(query: SeveralProportionsQuery | ProportionQuery, totals: list[int]) -> Estimate:
    noises = planned(query, 1.5).mechanisms(PEOPLE, AR)
    return Estimate(query=query, schema=PEOPLE, neighbors=AR, readings=readings(query, totals, 900), noises=noises)


def test_intervals_that_hold_at_once_share_what_may_fail_since_they_share_a_count() -> None:
    known = estimate(THREE, [300, -500, 0])
    lower, upper = map(np.asarray, known.interval(0.94, simultaneous=True))
    for cell, total in enumerate((300, -500, 0)):
        alone = replace(known, query=SeveralProportionsQuery((ILL,)), readings=readings(THREE, [total], 900))
        assert alone.interval(0.98) == pytest.approx((lower[cell], upper[cell]))
    least, most = map(np.asarray, known.interval(0.94))
    assert np.all(upper - lower > most - least)


def test_a_list_of_one_says_and_errs_as_a_single_share() -> None:
    one, single = SeveralProportionsQuery((ILL,), OLD), ProportionQuery(ILL, OLD)
    guess = Guess(records=500, answer=0.2)
    for neighbors in Neighbors:
        laws = [planned(query).error(PEOPLE, neighbors, guess) for query in (one, single)]
        assert laws[0] == laws[1]
    assert one.in_words() == f"{single.in_words().split(',')[0]}, each taken separately, among those with age ≥ 65"
    with pytest.raises(RefusedQueryError, match="ask for the share by itself"):
        to_sql(one, PEOPLE)


def test_its_words() -> None:
    assert THREE.in_words() == "what share has age ≥ 65 and 2 more conditions, each taken separately"
    two = SeveralProportionsQuery((OLD, ILL))
    assert two.in_words() == "what share has age ≥ 65 and 1 more condition, each taken separately"
    assert two.unit(PEOPLE) == "share of people"


def test_fewer_conditions_are_of_the_same_rows() -> None:
    some = replace(THREE, where=ILL)
    fewer, schema = with_groups(some, PEOPLE, 2)
    assert fewer == SeveralProportionsQuery((OLD, ILL), where=ILL)
    assert len(fewer.parts(schema, RP)) == len(some.parts(PEOPLE, RP)) == 2


def test_each_is_guessed_among_all_rows_and_the_widest_sampling_error_counts() -> None:
    guess = guess_without_rows(THREE, PEOPLE)
    assert (guess.records, guess.answers) == (944, (0.5, 0.5, 0.5))
    drawn = sampling_error(THREE, Guess(records=100, answer=(0.1, 0.5, 0.9)))
    assert drawn is not None
    assert drawn.standard_deviation == pytest.approx(0.05)


def test_the_smallest_share_pays_most_and_all_are_of_all_rows() -> None:
    guess = Guess(records=900, answer=(0.5, 0.1, 0.3))
    groups = guessed_groups(THREE, "abc", guess)
    assert [group.size for group in groups] == [900, 900, 900]
    assert smallest_first(groups) == (1, 2, 0)
    assert sizes_question(replace(THREE, where=ILL)) == CountQuery(ILL)
    assert exact_groups("abc", sizes=Guess(records=900, answer=900), answers=guess) == groups
    asked = planned(THREE)
    errors = group_errors(THREE, asked.parts(PEOPLE, AR), asked.mechanisms(PEOPLE, AR), groups, confidence=0.95)
    for error, answer in zip(errors, guess.answers, strict=True):
        law = asked.error(PEOPLE, AR, Guess(records=900, answer=(answer,) * 3))
        assert error.half_width == law.quantile(0.95)
    assert max(errors, key=lambda error: error.relative).group.label == "b"


def test_a_share_of_the_same_people_moves_as_far_as_its_count_divided() -> None:
    """The public case is the counts' own noise, divided."""
    counts = PlannedQuery(query=StatisticalQueries(THREE.conditions), guarantee=Guarantee(epsilon=0.5))
    shares = planned(THREE)
    assert shares.mechanisms(PEOPLE, RP) == counts.mechanisms(PEOPLE, RP)
    error, of_count = (one.error(PEOPLE, RP).quantile(0.95, 3) for one in (shares, counts))
    assert error == pytest.approx(of_count / 944)
