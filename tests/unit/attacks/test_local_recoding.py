"""Rows made alike cell by cell: the published example, every grouping, and who may be which row."""

from __future__ import annotations

from math import comb

import pandas as pd
import pytest

from dpengine.attacks import locally_recoded
from dpengine.attacks.k_anonymity.local_recoding import (
    COARSER,
    FOUR_ROWS,
    MOST_ROWS,
    STARS,
    LocallyRecoded,
    beginning,
    removed,
    tens,
)
from dpengine.errors import InvalidParameterError
from tests.running.cases import each

PUBLISHED = [
    ["*", "Stone", "30–50", "Afr-Am"],
    ["John", "R*", "20–40", "*"],
    ["*", "Stone", "30–50", "Afr-Am"],
    ["John", "R*", "20–40", "*"],
]
"""Meyerson and Williams 2004, section 1."""
EIGHT = pd.DataFrame({"born": ["1950", "1951", "1960", "1975", "1955", "1962", "1971", "1944"]})


def test_the_published_example_is_found() -> None:
    found = locally_recoded(FOUR_ROWS, people=2, coarsen=COARSER)
    assert found.published.to_numpy().tolist() == PUBLISHED
    assert (found.smallest, found.changed, found.ways) == (2, 10, 4)


def test_suppression_alone_leaves_what_the_group_shares() -> None:
    found = locally_recoded(FOUR_ROWS, people=2, coarsen=STARS)
    assert found.published.to_numpy().tolist()[:2] == [["*", "Stone", "*", "Afr-Am"], ["John", "*", "*", "*"]]
    assert found.changed == 10
    assert locally_recoded(FOUR_ROWS, people=1, coarsen=STARS).changed == 0


@each("people", [1, 2, 3, 4, 8])
def test_every_row_looks_like_as_many_as_were_asked_for(people: int) -> None:
    for how in (beginning, tens, removed):
        assert locally_recoded(EIGHT, people=people, coarsen={"born": how}).smallest >= people
    odd = pd.DataFrame([*PUBLISHED[:3], ["Ann", "Lee", "50", "*"]], columns=list(FOUR_ROWS))
    assert LocallyRecoded(published=odd, changed=0, ways=1).smallest == 1, "The control: a row that stands alone."


@each("people", [1, 2, 3, 5])
def test_every_grouping_is_tried_once(people: int) -> None:
    """As many as the recurrence says: the first row's group has some of the others."""
    counts = [1]
    for rows in range(1, MOST_ROWS + 1):
        sizes = range(people, rows + 1)
        counts.append(sum(comb(rows - 1, size - 1) * counts[rows - size] for size in sizes))
    assert locally_recoded(EIGHT, people=people, coarsen={"born": removed}).ways == counts[-1]


@each("person,rows", [(3, [1, 3]), (1, [1, 3]), (0, [0, 2])])
def test_who_may_be_which_row(person: int, rows: list[int]) -> None:
    found = locally_recoded(FOUR_ROWS, people=2, coarsen=COARSER)
    assert found.fitting(FOUR_ROWS.iloc[person].tolist()) == rows
    assert found.fitting(["John", "Ramos", "41", "Hisp"]) == [], "Older than the range: nobody."
    assert locally_recoded(FOUR_ROWS, people=4, coarsen=COARSER).fitting(FOUR_ROWS.iloc[person].tolist()) == [
        0,
        1,
        2,
        3,
    ]


def test_what_cannot_be_grouped_is_refused() -> None:
    for rows, people in ((FOUR_ROWS, 5), (pd.concat([FOUR_ROWS] * 3, ignore_index=True), 2)):
        with pytest.raises(InvalidParameterError, match="rows"):
            locally_recoded(rows, people=people, coarsen=COARSER)
    with pytest.raises(InvalidParameterError, match="one entry for each of first"):
        locally_recoded(FOUR_ROWS, people=2, coarsen={"first": removed})
