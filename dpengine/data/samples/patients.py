"""A hospital that never was: 2,000 invented patients, the same at every start."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import date, timedelta

import numpy as np

PATIENTS = 2000
ZIPS = ("02138", "02139", "02140", "02141", "02142", "02143", "02144", "02145", "02149", "02155", "02163", "02169")
SEXES = ("female", "male")
RACES = ("asian", "black", "hispanic", "white", "other")
DISEASES = ("none", "asthma", "diabetes", "flu", "heart disease", "hypertension", "mumps")
_SEED = 20_240_229
_FIRST_DAY = date(2024, 1, 1)
_FIRST_NAMES = {
    "female": [
        "Ada",
        "Bea",
        "Cleo",
        "Dora",
        "Elsa",
        "Fay",
        "Greta",
        "Hana",
        "Ines",
        "Juno",
        "Kira",
        "Lola",
        "Mina",
        "Nora",
        "Opal",
        "Pia",
        "Rosa",
        "Suki",
        "Tess",
        "Vera",
    ],
    "male": [
        "Abel",
        "Boris",
        "Caleb",
        "Dante",
        "Emil",
        "Felix",
        "Gus",
        "Hugo",
        "Ivo",
        "Jonas",
        "Kofi",
        "Luca",
        "Milo",
        "Nico",
        "Otto",
        "Pablo",
        "Remy",
        "Silas",
        "Tomas",
        "Zeno",
    ],
}
_FAMILY_STARTS = [
    "Fern",
    "Apple",
    "Brook",
    "Moss",
    "Thistle",
    "Maple",
    "Copper",
    "Hazel",
    "Willow",
    "Ember",
    "Frost",
    "Meadow",
]
_FAMILY_ENDS = ["wick", "glow", "worth", "feather", "tree", "stone", "lark", "ridge", "bell", "drift"]
_AGE_BANDS = ((0, 18, 0.22), (18, 40, 0.26), (40, 65, 0.30), (65, 80, 0.16), (80, 99, 0.06))
_CHANCES = {  # of DISEASES, up to an age
    18: (0.46, 0.17, 0.02, 0.20, 0.00, 0.00, 0.15),
    40: (0.48, 0.12, 0.05, 0.20, 0.02, 0.08, 0.05),
    65: (0.28, 0.09, 0.16, 0.15, 0.09, 0.21, 0.02),
    121: (0.14, 0.06, 0.20, 0.13, 0.20, 0.26, 0.01),
}


def patient_columns() -> dict[str, list[str]]:
    """The invented cells by column name, one patient a row; ages are at admission and agree with the birth dates."""
    rng = np.random.default_rng(_SEED)
    sexes = _drawn(rng, SEXES, (0.52, 0.48))
    admissions = [_FIRST_DAY + timedelta(days=int(day)) for day in rng.integers(0, 366, PATIENTS)]
    births = [_birth(admission, age, rng) for admission, age in zip(admissions, _ages(rng), strict=True)]
    ages = [_age(birth, admission) for birth, admission in zip(births, admissions, strict=True)]
    return {
        "name": _names(sexes, rng),
        "zip": _drawn(rng, ZIPS, tuple(range(12, 0, -1))),
        "date_of_birth": [birth.isoformat() for birth in births],
        "sex": sexes,
        "age": [str(age) for age in ages],
        "race": _drawn(rng, RACES, (0.12, 0.16, 0.14, 0.53, 0.05)),
        "disease": [_disease(age, rng) for age in ages],
        "admission": [admission.isoformat() for admission in admissions],
    }


def _drawn(rng: np.random.Generator, values: Sequence[str], weights: Sequence[float]) -> list[str]:
    chances = np.array(weights, dtype=float)
    return [values[i] for i in rng.choice(len(values), size=PATIENTS, p=chances / chances.sum())]


def _ages(rng: np.random.Generator) -> list[int]:
    bands = rng.choice(len(_AGE_BANDS), size=PATIENTS, p=[chance for _, _, chance in _AGE_BANDS])
    return [int(rng.integers(_AGE_BANDS[band][0], _AGE_BANDS[band][1])) for band in bands]


def _birth(admission: date, age: int, rng: np.random.Generator) -> date:
    """A birth date of somebody who has this age, or is within days of it, on the day of admission."""
    return admission - timedelta(days=int(age * 365.25) + int(rng.integers(1, 365)))


def _age(birth: date, day: date) -> int:
    return day.year - birth.year - ((day.month, day.day) < (birth.month, birth.day))


def _disease(age: int, rng: np.random.Generator) -> str:
    chances = next(chances for limit, chances in _CHANCES.items() if age < limit)
    return DISEASES[rng.choice(len(DISEASES), p=chances)]


def _names(sexes: Sequence[str], rng: np.random.Generator) -> list[str]:
    """A different name for each patient, as long as there are enough of them."""
    families = [start + end for start in _FAMILY_STARTS for end in _FAMILY_ENDS]
    left = {
        sex: list(rng.permutation([f"{first} {family}" for first in firsts for family in families]))
        for sex, firsts in _FIRST_NAMES.items()
    }
    return [str(left[sex].pop()) for sex in sexes]
