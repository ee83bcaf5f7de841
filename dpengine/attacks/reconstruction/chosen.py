"""The attacker who chooses the groups: as many counts as people, put together at once among up to a million."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import scipy

from dpengine.attacks.reconstruction.published import BoundedError
from dpengine.errors import InvalidParameterError, require_between, require_whole
from dpengine.losses.arrays import Array

MOST_CHOSEN = 2**20
_PEOPLE_SEEN = 2**16


def counted(secrets: Array) -> Array:
    """The exact counts of each table (tables x people): as many groups as people, of which the first holds everybody.

    Groups are the ones of Sylvester's matrix of +1 and -1. Raises InvalidParameterError unless the number of people is
    a power of two.
    """
    return np.asarray((_transformed(secrets) + secrets.sum(axis=-1, keepdims=True)) / 2.0)


def put_together(answers: Array) -> Array:
    """One number for each person from one answer for each group: where the counts are exact, the secret bits.

    The count of everybody turns each count into a sum of signed bits, and the matrix is its own inverse but for a
    factor. Source: Dwork and Yekhanin 2008, who choose n groups as we do.
    """
    return np.asarray(_transformed(2.0 * answers - answers[..., :1]) / answers.shape[-1])


def _transformed(rows: Array) -> Array:
    """Each row times Sylvester's matrix, in n log n steps."""
    people = rows.shape[-1]
    _require_power_of_two(people)
    done = 1
    while done < people:
        pairs = rows.reshape(*rows.shape[:-1], -1, 2, done)
        first, second = pairs[..., 0, :], pairs[..., 1, :]
        rows = np.stack([first + second, first - second], axis=-2).reshape(rows.shape)
        done *= 2
    return rows


def _require_power_of_two(people: int) -> None:
    require_whole("people", people, least=2)
    if people > MOST_CHOSEN or people & (people - 1):
        raise InvalidParameterError("people", people, f"a power of two, at most {MOST_CHOSEN:,}")


def _draws(people: int) -> int:
    return max(1, _PEOPLE_SEEN // people)


def share_guessed_wrong(*, people: int, most: int, seed: int) -> float:
    """The Hamming distance to the truth, divided by the people: over draws with 65,536 people in all, or one draw.

    Errors are whole numbers up to `most` at random; half of the people have the secret bit.
    """
    _require_power_of_two(people)
    require_whole("seed", seed, least=0)
    rng = np.random.default_rng(seed)
    secrets = rng.random((_draws(people), people)) < 0.5
    answers = BoundedError(most=most).simulate(counted(secrets.astype(np.float64)), rng)
    return float(((put_together(answers) > 0.5) != secrets).mean())


def wrong_at_most(*, people: int, most: int) -> int:
    """How many people this attacker gets wrong at most, whatever the errors up to `most` are; never below the truth.

    All but the first are off by 2/n times the transformed errors, whose squares sum to at most 4 most^2; who is guessed
    wrong is off by at least 1/2. Source: Dwork and Yekhanin 2008, with this module's constant.
    """
    require_whole("people", people, least=2)
    require_whole("most", most, least=0)
    return min(people, 16 * most**2 + 1) if most else 0


@dataclass(frozen=True, slots=True, kw_only=True)
class StoppedAttack:
    """This attacker once it gets the share `wrong` of people wrong (1/2 is pure chance), through Gaussian noise.

    Each group is counted `each` times, with fresh noise.
    """

    wrong: float = 0.25
    each: int = 1

    def __post_init__(self) -> None:
        require_between("wrong", self.wrong, 0.0, 0.5, open_at="both")
        require_whole("each", self.each)

    def noise(self, people: Array | float) -> Array:
        """The standard deviation of each count, in people, at which that is everybody's chance but the first's.

        What is put together for a person is then off by a Gaussian of standard deviation 2 noise / sqrt(people each).
        """
        return np.asarray(np.sqrt(self.each * np.asarray(people)) / (-4.0 * scipy.special.ndtri(self.wrong)))

    def measured_noise(self, *, people: int, seed: int) -> float:
        """The same as found in draws with 65,536 people in all, or one draw: with so much, that share was wrong."""
        _require_power_of_two(people)
        require_whole("seed", seed, least=0)
        rng = np.random.default_rng(seed)
        size = _draws(people), people
        errors = np.asarray(sum(rng.standard_normal(size) for _ in range(self.each)))
        off = put_together(errors) / self.each
        return float(0.5 / np.quantile(off, 1.0 - self.wrong))
