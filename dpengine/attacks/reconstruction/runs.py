"""The attack carried out: once, with every bit it got right, and on many other days."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import scipy

from dpengine.attacks.outcome import Outcome
from dpengine.attacks.reconstruction.cost import success_bound
from dpengine.attacks.reconstruction.decoding import LINEAR_PROGRAM, decoder_of
from dpengine.attacks.reconstruction.published import Bits, GroupCounts, publish
from dpengine.attacks.watch import UNWATCHED, Watch
from dpengine.errors import InvalidParameterError, require_between, require_whole
from dpengine.losses.arrays import Array


@dataclass(frozen=True, slots=True, kw_only=True)
class Reconstruction:
    """The secret bits and what the attacker made of the counts, person by person.

    The people of one run are no independent trials: one unlucky draw of noise harms all of them.
    """

    secret: Bits
    guessed: Bits

    @property
    def right(self) -> Bits:
        """Whose bit was recovered."""
        return np.asarray(self.secret == self.guessed)

    @property
    def fraction(self) -> float:
        """The share of people whose bit was recovered."""
        return float(self.right.mean())


@dataclass(frozen=True, slots=True, kw_only=True)
class Runs:
    """The recovered share of each of many independent runs: other people, other groups, other noise.

    `outcome` counts the runs in which one person, chosen before, was recovered: these trials are independent and of
    equal kind, so its interval is exact, and it is about the very chance of which `average` is the estimate.
    """

    fractions: Array
    outcome: Outcome

    @property
    def average(self) -> float:
        """The mean recovered share."""
        return float(self.fractions.mean())

    def interval(self, confidence: float = 0.95) -> tuple[float, float]:
        """Where the middle of all possible runs lies, of which half recover more; covers it at least so often.

        Two of the runs' own shares; nothing is supposed about their law. Raises InvalidParameterError for fewer runs
        than that confidence needs. Source: Thompson 1936.
        """
        require_between("confidence", confidence, 0.0, 1.0, open_at="both")
        count = len(self.fractions)
        cut = int(np.sum(2.0 * scipy.stats.binom.cdf(np.arange(count), count, 0.5) <= 1.0 - confidence)) - 1
        if cut < 0:
            raise InvalidParameterError("runs", count, f"enough for a confidence of {confidence:g}")
        ordered = np.sort(self.fractions)
        return float(ordered[cut]), float(ordered[count - 1 - cut])


def reconstruct(
    counts: GroupCounts, *, seed: int, decoder: str = LINEAR_PROGRAM, watch: Watch = UNWATCHED
) -> Reconstruction:
    """Publish the counts once and put them together again; each bit is rounded at 1/2.

    Raises InvalidParameterError for an unknown decoder, StoppedError when the watch says so.
    """
    attacker = decoder_of(decoder)
    published = publish(counts, seed=seed)
    return Reconstruction(secret=published.secret, guessed=attacker(published, watch) > 0.5)


def repeated(
    counts: GroupCounts, *, runs: int, seed: int, decoder: str = LINEAR_PROGRAM, watch: Watch = UNWATCHED
) -> Runs:
    """The same attack on so many independent draws; the first person of each is the one chosen before."""
    require_whole("runs", runs)
    fractions, hits = np.empty(runs), 0
    for run, own in enumerate(_seeds(seed, runs)):
        found = reconstruct(counts, seed=own, decoder=decoder, watch=watch.part(run / runs, (run + 1) / runs))
        fractions[run] = found.fraction
        hits += int(found.right[0])
        watch.tell((run + 1) / runs)
    bound = success_bound(counts)
    return Runs(fractions=fractions, outcome=Outcome(successes=hits, trials=runs, baseline=counts.chance, bound=bound))


def _seeds(seed: int, count: int) -> list[int]:
    """Independent seeds, the same for the same first one."""
    require_whole("seed", seed, least=0)
    return [int(one) for one in np.random.SeedSequence(seed).generate_state(count)]
