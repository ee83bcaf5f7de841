"""Coarser cells as people read them, and the same crowds as an engine of rows counts."""

from __future__ import annotations

import numpy as np
import pytest

from dpengine.attacks import Cuts, RowsAtHand, coarsened, values_in
from dpengine.data import AsItIs, Bands, Dropped, Period, Prefix, sample_frame
from dpengine.errors import InvalidParameterError
from tests.examples.tables import shared_sample
from tests.running.cases import each


@each(
    "how,cells,told",
    [
        (AsItIs(column="x"), ["a", ""], ["a", ""]),
        (Dropped(column="x"), ["a", ""], ["any", "any"]),
        (Prefix(column="x", letters=3), ["02138", ""], ["021**", ""]),
        (Prefix(column="x", letters=9), ["02138"], ["02138"]),
        (Period(column="x", period="month"), ["1951-10-05"], ["1951-10"]),
        (Period(column="x", period="year"), ["1951-10-05", ""], ["1951", ""]),
        (Period(column="x", period="decade"), ["1951-10-05"], ["1950s"]),
        (Bands(column="x", width=10), ["39", "40", ""], ["30–39", "40–49", ""]),
        (Bands(column="x", width=10), ["39.5", "40"], ["30 to 40", "40 to 50"]),
        (Bands(column="x", width=1), ["39", "40"], ["39", "40"]),
        (Bands(column="x", width=5), ["10000001", "10000006"], ["10000000–10000004", "10000005–10000009"]),
        (Bands(column="x", width=0.1), ["0.35", "1234567.25"], ["0.3 to 0.4", "1234567.2 to 1234567.3"]),
        (
            Cuts(column="x", cuts=(30, 40)),
            ["29", "30", "39", "40", ""],
            ["below 30", "30–39", "30–39", "40 or more", ""],
        ),
        (Cuts(column="x", cuts=(41,)), ["40", "41"], ["below 41", "41 or more"]),
    ],
)
def test_cells_are_told_less_exactly(how, cells, told):
    assert coarsened(how, np.array(cells)).tolist() == told


@each("cuts", [(), (3, 2), (2, 2)])
def test_cuts_must_increase(cuts):
    with pytest.raises(InvalidParameterError):
        Cuts(column="x", cuts=cuts)


@each(
    "name,identifier,columns,sensitive",
    [
        ("patients", None, [Prefix(column="zip", letters=4), Bands(column="age", width=5)], "disease"),
        ("patients", None, [Period(column="admission", period="month"), AsItIs(column="race")], "zip"),
        ("rand_hie", "person", [AsItIs(column="year"), Bands(column="age", width=10)], "self_rated_health"),
        ("rand_hie", "person", [AsItIs(column="education_years"), Dropped(column="age")], "year"),
        ("anes_1996", None, [Bands(column="age", width=20), AsItIs(column="party")], "expected_vote"),
    ],
)
def test_an_engine_counts_the_same_crowds(name, identifier, columns, sensitive):
    table, _ = shared_sample(name)
    by_engine = table.crowds(columns, sensitive=sensitive)
    rows = RowsAtHand(frame=sample_frame(name), identifier=identifier)
    assert rows.crowds(columns, sensitive=sensitive).combinations == by_engine.combinations


def test_values_are_counted_in_each_combination():
    rows = RowsAtHand(frame=sample_frame("patients").head(200))
    places = rows.places([AsItIs(column="sex")])
    found = values_in(rows, places, "disease")
    for sex, counts in zip(("female", "male"), found, strict=True):
        frame = rows.frame[rows.frame["sex"] == sex]
        assert dict(counts) == frame["disease"].value_counts().to_dict()
