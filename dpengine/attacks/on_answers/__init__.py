"""Attacks on answers that were released: averaged, differenced, reconstructed, and what is learned about one person.

Nothing here reads a row, but for reconstruction, which is judged on tables whose rows are public.
"""

from dpengine.attacks.on_answers.averaged import Averaged, Averages, averaged
from dpengine.attacks.on_answers.belief import Belief, believed
from dpengine.attacks.on_answers.counts import HALF_A_PERSON, CountAsked
from dpengine.attacks.on_answers.differenced import (
    MOST_COMPARED,
    Difference,
    Differences,
    OneLeftOut,
    differenced,
    one_left_out,
)
from dpengine.attacks.on_answers.one_person import OnePerson, one_person
from dpengine.attacks.on_answers.reconstructed import (
    MOST_ATTACKED,
    Reconstructed,
    SecretCounts,
    reconstructed,
    secret_counts,
)
from dpengine.attacks.on_answers.released_answers import Answers, Told
from dpengine.attacks.on_answers.worn_down import WornDown, worn_down

__all__ = [
    "HALF_A_PERSON",
    "MOST_ATTACKED",
    "MOST_COMPARED",
    "Answers",
    "Averaged",
    "Averages",
    "Belief",
    "CountAsked",
    "Difference",
    "Differences",
    "OneLeftOut",
    "OnePerson",
    "Reconstructed",
    "SecretCounts",
    "Told",
    "WornDown",
    "averaged",
    "believed",
    "differenced",
    "one_left_out",
    "one_person",
    "reconstructed",
    "secret_counts",
    "worn_down",
]
