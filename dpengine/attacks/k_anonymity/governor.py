"""A governor's record found by zip, birth date and sex: an invented town in which the published counts hold."""

from __future__ import annotations

from functools import cache

import numpy as np
import pandas as pd

from dpengine.attacks.k_anonymity.voters import hospital_table, renamed

BORN_ALIKE, MEN_AMONG_THEM, IN_HIS_ZIP = 6, 3, 1
"""Voters with the governor's birth date, the men among them, and of these those in his zip code.

The only figures here that are not invented. Source: Sweeney 2002, "k-anonymity: a model for protecting privacy",
section 1.
"""
GOVERNOR = "the governor"
TOWN_VOTERS = 50_000
ZIPS = ("00031", "00032", "00033", "00034", "00035", "00036", "00037")
"""Codes that no place has; the governor lives in the first."""
_BIRTHDAY = "1944-02-11"
_YOUNGEST, _DAYS = np.datetime64("1978-12-31"), 25_000
_INSURED, _SEED = 8_000, 1997


@cache
def town_voters() -> pd.DataFrame:
    """Columns name, zip, date_of_birth, sex and patient (the row in `insurance_records`, -1 for everybody else).

    The same at every start, in the order of the names. `patient` is the truth by which an attack is judged.
    """
    rng = np.random.default_rng(_SEED)
    like = hospital_table()
    drawn = like.iloc[rng.integers(0, len(like), TOWN_VOTERS)]
    births = (_YOUNGEST - rng.integers(0, _DAYS, TOWN_VOTERS)).astype(str)
    town = pd.DataFrame(
        {
            "name": renamed(drawn, like, rng),
            "zip": rng.choice(ZIPS, TOWN_VOTERS),
            "date_of_birth": np.where(births == _BIRTHDAY, "1944-02-12", births),
            "sex": drawn["sex"].to_numpy(),
        }
    )
    _place_those_born_alike(town)
    patient = np.full(TOWN_VOTERS, -1)
    patient[:_INSURED] = rng.permutation(_INSURED)
    return town.assign(patient=patient).sort_values("name", kind="stable", ignore_index=True)


def _place_those_born_alike(town: pd.DataFrame) -> None:
    """Into the first rows, the governor's first: men beyond IN_HIS_ZIP live elsewhere, one of the women near him."""
    alike = np.arange(BORN_ALIKE)
    male = alike < MEN_AMONG_THEM
    near = (alike < IN_HIS_ZIP) | (alike == MEN_AMONG_THEM)
    town.loc[alike, "date_of_birth"] = _BIRTHDAY
    town.loc[alike, "sex"] = np.where(male, "male", "female")
    town.loc[alike, "zip"] = np.where(near, ZIPS[0], np.array(ZIPS)[1 + alike % (len(ZIPS) - 1)])
    town.loc[0, "name"] = GOVERNOR


@cache
def insurance_records() -> pd.DataFrame:
    """Columns zip, date_of_birth, sex and diagnosis, without names; each diagnosis is invented, the governor's too."""
    rng = np.random.default_rng(_SEED)
    listed = town_voters()
    owners = listed[listed["patient"] >= 0].set_index("patient").sort_index()
    ill = hospital_table()["disease"].to_numpy()
    records = owners[["zip", "date_of_birth", "sex"]].reset_index(drop=True)
    diagnoses = ill[rng.integers(0, len(ill), len(records))]
    return records.assign(diagnosis=np.where(owners["name"] == GOVERNOR, "flu", diagnoses))
