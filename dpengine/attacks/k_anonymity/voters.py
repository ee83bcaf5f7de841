"""An invented voter list: the grown-up patients of the invented hospital, and many people who never were there."""

from __future__ import annotations

from functools import cache

import numpy as np
import pandas as pd

from dpengine.data import sample_frame

OTHERS = 20_000
REGISTERED = 0.9
"""The share of grown-up patients who are on the list."""
YOUNGEST = "2006-01-01"
"""Born on this day or later: too young to vote on the last day that the hospital's table covers."""
LAST_DAY = "2005-12-31"
_SEED = 1997
_DAYS = 730


@cache
def hospital_table() -> pd.DataFrame:
    """What the invented hospital holds, one patient a row, with the name that it takes off before publishing."""
    return sample_frame("patients")


@cache
def voter_list() -> pd.DataFrame:
    """Columns name, zip, date_of_birth, sex and patient (the row in the hospital's table, -1 for everybody else).

    The same at every start. `patient` is the truth by which an attack is judged; no attacker sees it. Rows are in the
    order of the names, so that a row's place says nothing.
    """
    rng = np.random.default_rng(_SEED)
    patients = hospital_table()
    may_vote = np.flatnonzero((patients["date_of_birth"] < YOUNGEST).to_numpy())
    registered = np.sort(rng.permutation(may_vote)[: round(REGISTERED * len(may_vote))])
    known = patients.iloc[registered][["name", "zip", "date_of_birth", "sex"]].assign(patient=registered)
    both = pd.concat([known, _others(patients.iloc[may_vote], rng)], ignore_index=True)
    return both.iloc[rng.permutation(len(both))].sort_values("name", kind="stable", ignore_index=True)


def _others(like: pd.DataFrame, rng: np.random.Generator) -> pd.DataFrame:
    """People who live where patients live and are about as old, under names of the same kind."""
    drawn = like.iloc[rng.integers(0, len(like), OTHERS)]
    births = pd.to_datetime(drawn["date_of_birth"]) + pd.to_timedelta(rng.integers(-_DAYS, _DAYS, OTHERS), unit="D")
    names = renamed(drawn, like, rng)
    spelled = births.dt.strftime("%Y-%m-%d").to_numpy()
    return pd.DataFrame(
        {
            "name": names,
            "zip": like["zip"].to_numpy()[rng.integers(0, len(like), OTHERS)],
            "date_of_birth": np.where(spelled < YOUNGEST, spelled, LAST_DAY),
            "sex": drawn["sex"].to_numpy(),
            "patient": -1,
        }
    )


def renamed(drawn: pd.DataFrame, like: pd.DataFrame, rng: np.random.Generator) -> list[str]:
    """The first names of those drawn, each before a family name drawn anew."""
    first = drawn["name"].str.split().str[0]
    families = like["name"].str.split().str[1].to_numpy()[rng.integers(0, len(like), len(drawn))]
    return [f"{one} {other}" for one, other in zip(first, families, strict=True)]
