"""The invented clinic: its published count, its one patient of 22, and counts with noise of their own."""

from __future__ import annotations

import math

import pytest

from dpengine.attacks import TwoCounts, noisy_counts
from dpengine.attacks.clinic import GROWN_UP, HIS_AGE, NAMED, PATIENTS, clinic_table, mumps_cases, trait_counts

ROWS = clinic_table().to_dict("records")


def test_the_published_count_holds_in_a_plain_loop() -> None:
    assert (len(ROWS), GROWN_UP) == (PATIENTS, 24)
    assert sum(row["age"] > 24 and row["disease"] == "mumps" for row in ROWS) == 22
    assert [mumps_cases(older_than=age) for age in (21, 22, 24)] == [23, 22, 22]


def test_one_patient_alone_has_his_age_and_his_name() -> None:
    (row,) = [row for row in ROWS if row["age"] == HIS_AGE]
    assert (row["name"], row["disease"], row["sickle_cell_trait"]) == (NAMED, "mumps", True)
    assert sum(row["name"] == NAMED for row in ROWS) == 1
    with_trait = [row["name"] for row in ROWS if row["sickle_cell_trait"]]
    assert trait_counts() == TwoCounts(everybody=len(with_trait), others=len(with_trait) - 1)


def test_both_counts_get_noise_of_their_own() -> None:
    epsilon, kept = 0.5, math.exp(-0.5)
    exact = TwoCounts(everybody=17, others=16)
    off = [
        (one - 17, other - 16) for one, other in (noisy_counts(exact, epsilon=epsilon, seed=n) for n in range(2_000))
    ]
    variance = 2 * kept / (1 - kept) ** 2
    for column in zip(*off, strict=True):
        assert sum(column) / len(off) == pytest.approx(0, abs=5 * math.sqrt(variance / len(off)))
        assert sum(one * one for one in column) / len(off) == pytest.approx(variance, rel=0.25)
    joint = sum(one * other for one, other in off) / len(off)
    assert joint == pytest.approx(0, abs=5 * variance / math.sqrt(len(off)))
    assert noisy_counts(exact, epsilon=700.0, seed=1) == (17, 16)
