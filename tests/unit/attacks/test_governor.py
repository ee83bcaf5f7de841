"""The invented town of the governor: the published counts hold, in plain loops too, and the join finds his record."""

from __future__ import annotations

import numpy as np

from dpengine.attacks import GOVERNOR, insurance_records, linked, narrowed, town_voters
from dpengine.attacks.k_anonymity.governor import TOWN_VOTERS, ZIPS
from dpengine.data import AsItIs

BIRTH, SEX, ZIP = (AsItIs(column=name) for name in ("date_of_birth", "sex", "zip"))
ROW = int(np.flatnonzero(town_voters()["name"] == GOVERNOR)[0])
PUBLISHED = (6, 3, 1)
"""Sweeney 2002, section 1."""


def test_the_published_counts_hold_in_a_plain_loop() -> None:
    voters = town_voters().to_dict("records")
    he = voters[ROW]
    alike = [one for one in voters if one["date_of_birth"] == he["date_of_birth"]]
    men = [one for one in alike if one["sex"] == "male"]
    near = [one for one in men if one["zip"] == he["zip"]]
    assert (len(voters), len(alike), len(men), len(near)) == (TOWN_VOTERS, *PUBLISHED)
    assert near == [he]
    assert narrowed(town_voters(), ROW, (BIRTH, SEX, ZIP)) == (TOWN_VOTERS, *PUBLISHED)


def test_no_column_can_be_spared() -> None:
    left = [narrowed(town_voters(), ROW, columns)[-1] for columns in ((BIRTH, SEX), (BIRTH, ZIP), (SEX, ZIP), (ZIP,))]
    assert min(left) > 1
    assert set(town_voters()["zip"]) == set(ZIPS)


def test_the_record_without_a_name_is_his() -> None:
    joined = linked(insurance_records(), town_voters(), (BIRTH, SEX, ZIP))
    (record,) = np.flatnonzero(joined.named == ROW)
    assert record == town_voters()["patient"][ROW]
    assert joined.right[record]
    blunt = linked(insurance_records(), town_voters(), (BIRTH, ZIP))
    assert blunt.fitting[record] == 2
    assert blunt.named[record] == -1, "The control: without the column of sex his record gets no name."
    assert list(insurance_records()) == ["zip", "date_of_birth", "sex", "diagnosis"]
