"""The attacker with all the time in the world: every possible table is held against every published count."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from dpengine.attacks.reconstruction.published import Bits, BoundedError
from dpengine.attacks.reconstruction.runs import Reconstruction
from dpengine.errors import InvalidParameterError, require_between, require_one_of, require_whole
from dpengine.losses.arrays import Array

MOST_PEOPLE = 20
RANDOM, MISLEADING = "at random", "to mislead"
Numbers = npt.NDArray[np.int64]


@dataclass(frozen=True, slots=True, kw_only=True)
class Exhausted:
    """What is left when every table that contradicts a count is crossed out.

    `wrong` holds, for each table that is left, in how many people it differs from the secret (sorted); `found` is one
    of them, drawn at random; `misled` the one that differs most. `guarantee` is what no table that is left can exceed,
    4 times the largest error; None where not all groups were asked about, because then nothing is proved.
    """

    found: Reconstruction
    misled: Reconstruction
    wrong: Numbers
    tables: int
    guarantee: int | None

    @property
    def kept_guarantee(self) -> bool:
        """Whether every table that is left is as near to the secret as was proved."""
        return self.guarantee is None or int(self.wrong[-1]) <= self.guarantee


def try_everything(
    *, people: int, most: int, share: float = 0.5, questions: int | None = None, errors: str = RANDOM, seed: int
) -> Exhausted:
    """All 2^people tables against the counts of all 2^people groups, or of so many random ones.

    Every count is off by at most `most`: at random, or so that a second table fits as well as the true one. Raises
    InvalidParameterError, also for more people than can be tried. Source: Dinur and Nissim 2003, the exponential
    attacker; Dwork and Roth 2014, Theorem 8.1: at most 4 most wrong.
    """
    require_whole("people", people, least=2)
    if people > MOST_PEOPLE:
        raise InvalidParameterError("people", people, f"at most {MOST_PEOPLE}: every further one doubles the work")
    require_whole("most", most, least=0)
    require_between("share", share, 0.0, 1.0, open_at="both")
    require_one_of("errors", errors, (RANDOM, MISLEADING))
    require_whole("seed", seed, least=0)
    rng = np.random.default_rng(seed)
    secret = rng.random(people) < share
    asked = _groups_asked(people, questions, rng)
    answers = ANSWERING[errors](secret, asked, most, rng)
    left = tables_left(asked, answers, people=people, most=most)
    return _outcome(secret, left, guarantee=4 * most if questions is None else None, rng=rng)


def worst_found(*, people: int, most: int, errors: str, draws: int, seed: int) -> int:
    """The most people that a table which is left gets wrong, over so many draws of secrets and errors."""
    require_whole("draws", draws)
    tried = (try_everything(people=people, most=most, errors=errors, seed=seed + draw) for draw in range(draws))
    return max(int(found.wrong[-1]) for found in tried)


def tables_left(asked: Numbers, answers: Array, *, people: int, most: int) -> Numbers:
    """Every table (a whole number, one bit for each person) that misses no count by more than `most`.

    For each table at once: the largest of answer - count over all groups is found person by person, because a person
    in the table and in the group adds one; 2^people numbers are passed `people` times, not 4^people once.
    """
    highest = np.full(2**people, -np.inf)
    np.maximum.at(highest, asked, answers)
    above = _largest(highest, people, -1.0)
    lowest = np.full(2**people, -np.inf)
    np.maximum.at(lowest, asked, -answers)
    below = _largest(lowest, people, 1.0)
    return np.flatnonzero((above <= most) & (below <= most))


def _largest(values: Array, people: int, each: float) -> Array:
    """For every table the largest, over all groups, of values[group] + each * (people in both)."""
    for person in range(people):
        split = values.reshape(-1, 2, 2**person)
        outside, inside = split[:, 0], split[:, 1]
        values = np.stack([np.maximum(outside, inside), np.maximum(outside, inside + each)], axis=1)
    return values.reshape(-1)


def _groups_asked(people: int, questions: int | None, rng: np.random.Generator) -> Numbers:
    if questions is None:
        return np.arange(2**people, dtype=np.int64)
    require_whole("questions", questions)
    return rng.integers(0, 2**people, size=questions)


def _at_random(secret: Bits, asked: Numbers, most: int, rng: np.random.Generator) -> Array:
    return BoundedError(most=most).simulate(_counts(asked, _as_number(secret)), rng)


def _to_mislead(secret: Bits, asked: Numbers, most: int, rng: np.random.Generator) -> Array:
    """Halfway to another table, which differs in up to 2 most ones and 2 most zeros: neither is ever missed by more."""
    other = secret.copy()
    for bit in (True, False):
        same = np.flatnonzero(secret == bit)
        other[rng.permutation(same)[: 2 * most]] = not bit
    middle = (_counts(asked, _as_number(secret)) + _counts(asked, _as_number(other))) // 2
    return middle.astype(np.float64)


ANSWERING = {RANDOM: _at_random, MISLEADING: _to_mislead}


def _counts(asked: Numbers, table: int) -> Numbers:
    return np.asarray(np.bitwise_count(asked & table), dtype=np.int64)


def _as_number(bits: Bits) -> int:
    return sum(1 << person for person in np.flatnonzero(bits).tolist())


def _as_bits(table: int, people: int) -> Bits:
    return np.array([bool(table >> person & 1) for person in range(people)])


def _outcome(secret: Bits, left: Numbers, *, guarantee: int | None, rng: np.random.Generator) -> Exhausted:
    people = len(secret)
    wrong = _counts(left ^ _as_number(secret), 2**people - 1)
    found, misled = int(rng.choice(left)), int(left[np.argmax(wrong)])
    return Exhausted(
        found=Reconstruction(secret=secret, guessed=_as_bits(found, people)),
        misled=Reconstruction(secret=secret, guessed=_as_bits(misled, people)),
        wrong=np.sort(wrong),
        tables=2**people,
        guarantee=guarantee,
    )
