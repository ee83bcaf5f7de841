"""How a promise stands before each hazard, judged from what it states and from nothing else."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from functools import lru_cache

from dpengine.privacy import Neighbors
from dpengine.promises.hazards.asked import ASKED, unsaid
from dpengine.promises.hazards.known import HAZARDS, Hazard
from dpengine.promises.hazards.standing import Judgement, Standing
from dpengine.promises.promise import Promise
from dpengine.promises.unsaid import NOT_LOOKED_UP, NOT_SAID, stated


@dataclass(frozen=True, slots=True, kw_only=True)
class HazardFinding:
    """How one promise stands before one hazard, with the sentence that says why."""

    hazard: Hazard
    standing: Standing
    because: str
    arises: bool = True

    @property
    def words(self) -> str:
        """The standing in words; of a hazard that cannot apply, that it does not arise."""
        return self.standing.words if self.arises else "does not arise"


@lru_cache(maxsize=64)
def hazards_of(promise: Promise) -> tuple[HazardFinding, ...]:
    """How a promise stands before each hazard, in the order of HAZARDS."""
    return tuple(_finding(hazard, promise) for hazard in HAZARDS)


def verdict(promise: Promise) -> str:
    """What is sound, what is weak, and what is silent, named in at most three sentences; no score."""
    by_standing = {
        standing: [found.hazard.topic for found in hazards_of(promise) if found.standing is standing]
        for standing in Standing
    }
    silent, unread = by_standing[Standing.NOT_STATED], by_standing[Standing.NOT_LOOKED_UP]
    if len(silent) == len(HAZARDS):
        return "The promise states nothing by which it could be judged."
    if len(unread) == len(HAZARDS):
        return "Nothing was looked up by which the promise could be judged."
    told = (("What it states is sound on", Standing.SOUND), ("What it states is weak on", Standing.WEAK))
    sentences = [f"{start} {_listed(by_standing[one])}." for start, one in told if by_standing[one]]
    if silent:
        also = f"; not enough was looked up on {_listed(unread)}" if unread else ""
        return " ".join((*sentences, f"It says too little on {_listed(silent)}{also}."))
    return " ".join((*sentences, *([f"Not enough was looked up on {_listed(unread)}."] if unread else [])))


def questions_for_author(promise: Promise) -> tuple[str, ...]:
    """A question for each thing that is not said and matters here, then one for each that is weak.

    What was not looked up is not asked: it may well be said.
    """
    found = hazards_of(promise)
    settled = {field for field in ASKED if _settled(field, found)}
    if stated(promise.noise) in (None, "randomized_response"):
        settled.add("noise_multiplier")
    if isinstance(promise.relation, Neighbors):
        settled.add("neighbors")
    asked = [ASKED[field].question for field in ASKED if unsaid(promise, field) is NOT_SAID and field not in settled]
    return (*asked, *(one.hazard.question for one in found if one.standing is Standing.WEAK))


def _finding(hazard: Hazard, promise: Promise) -> HazardFinding:
    judged = hazard.rule(promise) or _silence(hazard, promise)
    return HazardFinding(hazard=hazard, standing=judged.standing, because=judged.because, arises=judged.arises)


def _silence(hazard: Hazard, promise: Promise) -> Judgement:
    """Not looked up as soon as one of the fields is: what stands there may settle it."""
    empty = {field: unsaid(promise, field) for field in hazard.fields}
    sides = {why: [ASKED[field].words for field in empty if empty[field] is why] for why in (NOT_SAID, NOT_LOOKED_UP)}
    if not sides[NOT_LOOKED_UP]:
        return Judgement(standing=Standing.NOT_STATED, because=f"It does not say {_listed(sides[NOT_SAID])}.")
    because = f"Nobody here has looked up {_listed(sides[NOT_LOOKED_UP])}."
    if sides[NOT_SAID]:
        because += f" The other part was looked up and is not said: {_listed(sides[NOT_SAID])}."
    return Judgement(standing=Standing.NOT_LOOKED_UP, because=because)


def _settled(field: str, found: Iterable[HazardFinding]) -> bool:
    """Whether all hazards that a field decides are sound without it."""
    standings = {one.standing for one in found if field in one.hazard.fields}
    return standings == {Standing.SOUND}


def _listed(words: list[str]) -> str:
    return " and ".join((", ".join(words[:-1]), words[-1])) if len(words) > 1 else words[0]
