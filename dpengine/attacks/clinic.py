"""An invented clinic that answers counts and refuses rows, and one patient whom a question may leave out by name."""

from __future__ import annotations

from functools import cache

import numpy as np
import pandas as pd

from dpengine.attacks.differencing import TwoCounts
from dpengine.attacks.k_anonymity.voters import hospital_table, renamed

PATIENTS, NAMED, HIS_AGE = 300, "John Ramos", 22
MUMPS_CASES = 22
"""Patients older than GROWN_UP with mumps."""
GROWN_UP = 24
_OLDEST, _TRAITS, _SEED = 90, 17, 22


@cache
def clinic_table() -> pd.DataFrame:
    """Columns name, age, disease, sickle_cell_trait; the first row is that of NAMED, who alone is HIS_AGE.

    The same at every start.
    """
    rng = np.random.default_rng(_SEED)
    like = hospital_table()
    drawn = like.iloc[rng.integers(0, len(like), PATIENTS)]
    others = like["disease"][like["disease"] != "mumps"].to_numpy()
    place = np.arange(PATIENTS)
    return pd.DataFrame(
        {
            "name": np.where(place == 0, NAMED, renamed(drawn, like, rng)),
            "age": np.where(place == 0, HIS_AGE, rng.integers(GROWN_UP + 1, _OLDEST, PATIENTS)),
            "disease": np.where(place <= MUMPS_CASES, "mumps", rng.choice(others, PATIENTS)),
            "sickle_cell_trait": (place == 0) | np.isin(place, rng.permutation(place[1:])[: _TRAITS - 1]),
        }
    )


def mumps_cases(*, older_than: int) -> int:
    """The exact count of patients of more than this age with mumps."""
    table = clinic_table()
    return int(((table["age"] > older_than) & (table["disease"] == "mumps")).sum())


def trait_counts() -> TwoCounts:
    """How many have the sickle cell trait, and how many of those whose name is not NAMED."""
    table = clinic_table()
    trait = table["sickle_cell_trait"]
    return TwoCounts(everybody=int(trait.sum()), others=int((trait & (table["name"] != NAMED)).sum()))
