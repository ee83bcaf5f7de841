"""Reconstructed: the counts of a secret among public groups, put together into a guess about every single person.

On tables whose rows are public, since the attack is judged by the truth. Source: Dinur and Nissim 2003; here with the
attacker who weighs counts by their noise, so that noise leaves the guess of somebody who does not look.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt
from scipy.sparse import csr_array
from scipy.sparse.linalg import lsmr

from dpengine.attacks.on_answers.counts import Alike, Counts, counts_in
from dpengine.attacks.on_answers.released_answers import Answers
from dpengine.attacks.on_answers.terms import Terms, columns_in, condition_of, terms_of
from dpengine.attacks.reconstruction import Reconstruction, noise_for_budget
from dpengine.data import Condition, Not, Table
from dpengine.errors import InvalidParameterError, RefusedQueryError, require_between, require_whole
from dpengine.losses.arrays import Array
from dpengine.privacy import Guarantee

MOST_ATTACKED, MOST_COUNTS, QUESTIONS_EACH = 200, 100, 4


@dataclass(frozen=True, kw_only=True)
class SecretCounts:
    """Who has the secret, (people,), who is in which public group, (groups, people), and the counts told, (groups,).

    `deviations` are the standard deviations of the noise of each count, in people.
    """

    secret: Bits
    groups: Bits
    told: Array
    deviations: Array

    def __post_init__(self) -> None:
        if self.secret.ndim != 1 or self.secret.size < 2:
            raise InvalidParameterError("secret", self.secret.shape, "one yes or no for each of at least 2 people")
        if self.groups.shape != (self.told.size, self.secret.size) or not self.told.size:
            raise InvalidParameterError("groups", self.groups.shape, "one row for each count, one column a person")
        if self.deviations.shape != self.told.shape or np.any(self.deviations < 0.0):
            raise InvalidParameterError("deviations", self.deviations, "0 or more, one for each count")


@dataclass(frozen=True, slots=True, kw_only=True)
class Attacked:
    """The same random questions about the same people, asked without noise, and with the noise of a budget.

    `questions` about random groups of `people`, of whom each is in a group with probability 1/2.
    """

    people: int
    questions: int
    exact: Reconstruction
    noisy: Reconstruction
    chance: float


@dataclass(frozen=True, slots=True, kw_only=True)
class Reconstructed:
    """What the counts that were told give away, and what exact answers to many questions would.

    `found` is about all `people`, `chance` the share that is right without looking, when everybody is given the more
    frequent answer; `counts` is how many groups' counts were used. `attacked` is about a random sample of at most
    MOST_ATTACKED people, so that it takes a moment only: `sampled` says whether some were left out.
    """

    people: int
    counts: int
    found: Reconstruction
    chance: float
    attacked: Attacked

    @property
    def sampled(self) -> bool:
        """Whether the random questions were asked about some of the people only."""
        return self.attacked.people < self.people


def secret_counts(answers: Answers, table: Table, secret: Condition) -> SecretCounts:
    """The counts of a secret that were told, with the public rows behind them: the most often told MOST_COUNTS.

    A count of those in a public group who have the secret, or who do not have it. Raises RefusedQueryError where the
    table is not built in, where one person may have several rows, or where no answer counts the secret.
    """
    if not table.built_in:
        raise RefusedQueryError(
            "Only the rows of a built-in table are public, so only there can this attack be judged."
        )
    if not table.schema.one_row_each:
        raise RefusedQueryError("This attack needs a table in which every row is another person.")
    usable = _usable(counts_in(answers), secret)[:MOST_COUNTS]
    if not usable:
        raise RefusedQueryError("No released answer counts the people who have this secret, so there is no attack yet.")
    groups = [condition_of(group) for group, _, _ in usable]
    held = table.memberships((secret, *(group for group in groups if group is not None)))
    columns = iter(held.T[1:])
    members = np.array([np.ones(len(held), dtype=np.bool_) if one is None else next(columns) for one in groups])
    averages = np.array([alike.average for _, alike, _ in usable])
    without = np.array([reverse for _, _, reverse in usable])
    return SecretCounts(
        secret=held[:, 0],
        groups=members,
        told=np.where(without, members.sum(axis=1) - averages, averages),
        deviations=np.array([alike.noise.standard_deviation for _, alike, _ in usable]),
    )


def reconstructed(counts: SecretCounts, *, budget: Guarantee, seed: int) -> Reconstructed:
    """Guess every person's bit from the counts told; beside it the attack of random questions.

    These are asked with no noise, and with Laplace noise such that all together cost the budget's epsilon. The attacker
    knows who is in which group, and how many have the secret.
    """
    require_whole("seed", seed, least=0)
    secret, rng = counts.secret, np.random.default_rng(seed)
    return Reconstructed(
        people=secret.size,
        counts=counts.told.size,
        found=_solved(secret, counts.groups, counts.told, counts.deviations),
        chance=_chance(secret),
        attacked=_attacked(secret[rng.permutation(secret.size)[:MOST_ATTACKED]], budget, rng),
    )


def _attacked(secret: Bits, budget: Guarantee, rng: np.random.Generator) -> Attacked:
    questions = QUESTIONS_EACH * secret.size
    groups = rng.random((questions, secret.size)) < 0.5
    counted = (groups & secret).sum(axis=1).astype(np.float64)
    noise = noise_for_budget(budget, questions=questions)
    noisy = noise.simulate(counted, rng)
    return Attacked(
        people=secret.size,
        questions=questions,
        exact=_solved(secret, groups, counted, np.zeros(questions)),
        noisy=_solved(secret, groups, noisy, np.full(questions, noise.standard_deviation)),
        chance=_chance(secret),
    )


def _solved(secret: Bits, groups: Bits, told: Array, deviations: Array) -> Reconstruction:
    found = weighed(groups, told, deviations=deviations, share=float(secret.mean()))
    return Reconstruction(secret=secret, guessed=found > 0.5)


def _usable(found: Counts, secret: Condition) -> Sequence[tuple[Terms, Alike, bool]]:
    """Counts that demand the secret or its opposite, and nothing else about its columns: group, count, opposite."""
    wanted, opposite = terms_of(secret), terms_of(Not(secret))
    usable = []
    for alike in found.alike:
        for demanded, reverse in ((wanted, False), (opposite, True)):
            group = alike.asked.terms - demanded
            if demanded <= alike.asked.terms and not alike.asked.cell and not columns_in(group) & columns_in(wanted):
                usable.append((group, alike, reverse))
    return usable


def _chance(secret: Bits) -> float:
    share = float(secret.mean())
    return max(share, 1.0 - share)


Bits = npt.NDArray[np.bool_]
LEAST_DEVIATION = 0.01
"""In people: an exact count is taken as if it had this little noise."""
_NEAR, _STEPS_EACH = 1e-9, 4


def weighed(groups: Bits, told: Array, *, deviations: Array, share: float) -> Array:
    """How likely each person has the secret, as the attacker sees it who knows the overall share, shape (people,).

    Minimizes the sum of ((told - groups x) / deviations)^2 + (x - share)^2 / (share (1 - share)): the best linear guess
    from people drawn independently. It needs no noise to be at all, and never goes far below guessing the more frequent
    answer. Rounded at 1/2 by who uses it. Source: Gauss and Markov, as ridge regression (Hoerl and Kennard 1970).
    """
    require_between("share", share, 0.0, 1.0)
    spread = math.sqrt(share * (1.0 - share))
    if spread == 0.0:
        return np.full(groups.shape[1], share)
    scale = 1.0 / np.maximum(deviations, LEAST_DEVIATION)
    missing = (told - share * groups.sum(axis=1)) * scale
    rows = csr_array(groups * scale[:, None])
    most = _STEPS_EACH * max(groups.shape)
    found = lsmr(rows, missing, damp=1.0 / spread, atol=_NEAR, btol=_NEAR, conlim=0.0, maxiter=most)
    return np.asarray(share + found[0], dtype=np.float64)
