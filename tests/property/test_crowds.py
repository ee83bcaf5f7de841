"""Laws of crowds: coarser never makes smaller, a search keeps what it promises, a join names nobody twice over."""

from __future__ import annotations

from collections import Counter, defaultdict

import pandas as pd
from hypothesis import given
from hypothesis import strategies as st

from dpengine.attacks import AnonymityTarget, Hierarchy, RowsAtHand, anonymized, exposed, linked, uniqueness
from dpengine.data import AsItIs, Bands, Coarsening, Dropped, Prefix
from dpengine.errors import InvalidParameterError

LEVELS = (
    Hierarchy(column="zip", levels=(AsItIs(column="zip"), Prefix(column="zip", letters=1), Dropped(column="zip"))),
    Hierarchy(
        column="age",
        levels=(AsItIs(column="age"), *(Bands(column="age", width=w) for w in (5, 10)), Dropped(column="age")),
    ),
)
ROWS = st.lists(
    st.tuples(
        st.sampled_from(["11", "12", "21", "22", ""]),
        st.sampled_from(["3", "7", "9", "12", "18", ""]),
        st.sampled_from("xyz"),
    ),
    min_size=1,
    max_size=40,
)


def at_hand(rows: list[tuple[str, str, str]]) -> RowsAtHand:
    return RowsAtHand(frame=pd.DataFrame(rows, columns=["zip", "age", "ill"]))


@given(rows=ROWS, zip_level=st.integers(0, 2), age_level=st.integers(0, 3))
def test_a_step_up_puts_nobody_into_a_smaller_or_more_uniform_crowd(rows, zip_level, age_level):
    table = at_hand(rows)
    fine = [LEVELS[0].levels[zip_level], LEVELS[1].levels[age_level]]
    for place, level in ((0, zip_level), (1, age_level)):
        if level < LEVELS[place].height:
            coarse = list(fine)
            coarse[place] = LEVELS[place].levels[level + 1]
            below, above = (table.crowds(columns, sensitive="ill") for columns in (fine, coarse))
            for people in (1, 2, 3, 5):
                for values in (1, 2, 3):
                    asked = {"people": people, "values": values}
                    assert above.failing(**asked) <= below.failing(**asked)


@given(rows=ROWS, people=st.integers(1, 6), values=st.integers(1, 3), left_out=st.sampled_from([0.0, 0.1, 0.3]))
def test_what_the_search_publishes_is_as_anonymous_as_wanted(rows, people, values, left_out):
    table = at_hand(rows)
    wanted = AnonymityTarget(people=people, values=values, left_out=left_out)
    try:
        found = anonymized(table.crowds, LEVELS, wanted=wanted, sensitive="ill")
    except InvalidParameterError:
        assert len(rows) < people or len({ill for *_, ill in rows}) < values
        return
    groups = defaultdict(list)
    for place, (*_, ill) in zip(table.places(found.columns).tolist(), rows, strict=True):
        groups[place].append(ill)
    kept = [group for group in groups.values() if len(group) >= people and len(set(group)) >= values]
    assert Counter((len(group), len(set(group))) for group in kept) == found.published.combinations
    assert len(rows) - sum(map(len, kept)) == found.left_out <= left_out * len(rows)
    told = exposed(found.published)
    assert told.certain.successes == sum(len(group) for group in kept if len(set(group)) == 1)
    assert told.one_fact.successes >= told.certain.successes


@given(rows=ROWS)
def test_one_more_column_makes_nobody_less_unique(rows):
    columns: list[Coarsening] = [AsItIs(column=name) for name in ("zip", "age", "ill")]
    found = uniqueness(at_hand(rows).crowds, columns)
    for some, crowds in found.crowds.items():
        assert crowds.people == len(rows)
        for more, finer in found.crowds.items():
            assert not some <= more or finer.below(2) >= crowds.below(2)
    assert [one.below(2) for one in found.curve] == sorted(one.below(2) for one in found.curve)


@given(records=ROWS, names=ROWS)
def test_a_join_names_only_who_alone_fits(records, names):
    columns = ["zip", "age", "ill"]
    left = pd.DataFrame(records, columns=columns)
    right = pd.DataFrame(names, columns=columns).assign(patient=-1)
    found = linked(left, right, [AsItIs(column=name) for name in columns])
    fits = Counter(names)
    assert found.fitting.tolist() == [fits[record] for record in records]
    assert found.outcome.successes == 0
    own = Counter(records)
    assert found.wrong == sum(fits[record] == own[record] == 1 for record in records)
