"""What asking the same question once more would bring, and what asking only once would have cost."""

from __future__ import annotations

from dataclasses import dataclass, replace
from functools import lru_cache

from dpengine import calibration
from dpengine.errors import InvalidParameterError, RefusedQueryError
from dpengine.ledger.answers.combining import LESS, Combined
from dpengine.ledger.answers.estimate import USUAL_CONFIDENCE, Estimate
from dpengine.mechanisms.released import PURE_NOISE
from dpengine.plan import PlannedQuery
from dpengine.plan.amounts import COUNTED, Amounts, cost_of
from dpengine.privacy import Guarantee

_HAIR = 1.0 + 1e-12
_LARGEST_DELTA = 0.5


@dataclass(frozen=True, slots=True, kw_only=True)
class Outlook:
    """How far off the answers so far and one more will be together, what they will have cost, and what once costs.

    `half_width` is known beforehand where the answer has one noisy part; else it is that at the released size. `once`
    is None where not even epsilon 1000 would do. `narrows` says whether the interval becomes narrower than it is now.
    """

    half_width: float
    narrows: bool
    total: Amounts
    once: PlannedQuery | None


@lru_cache(maxsize=256)
def once_instead(known: Combined, *, confidence: float = USUAL_CONFIDENCE) -> PlannedQuery | None:
    """The cheapest single question whose interval is as narrow as the combined one; None where there is none.

    Its epsilon has four digits, its noise is Laplace or what one of the releases had, whichever the account's rule
    charges less for. Under the basic rule it may use up all the delta that the releases did together.
    """
    last = known.releases[-1].planned_query
    earlier = known.releases[:-1] if known.charge.rule == "basic" else ()
    delta = last.used_delta + sum(release.planned_query.used_delta for release in earlier)
    return _once(known.estimate, _asked_so_far(known, last), delta, confidence=confidence, rule=known.charge.rule)


@lru_cache(maxsize=256)
def outlook(known: Combined, more: PlannedQuery, *, confidence: float = USUAL_CONFIDENCE) -> Outlook:
    """What is known before any draw about asking once more; costs nothing, and looks at no row.

    Raises RefusedQueryError for a choice, InvalidParameterError where `more` asks something else.
    """
    last = known.releases[-1]
    if last.is_choice:
        raise RefusedQueryError("Choices cannot be combined, so asking again cannot improve this answer.")
    if more.query != last.query:
        raise InvalidParameterError("more", more.query, "the same question again")
    together = replace(known.estimate, noises=known.noises_with(more.mechanisms(last.schema, last.neighbors)))
    earlier = known.releases if known.charge.rule == "basic" else ()
    delta = more.used_delta + sum(release.planned_query.used_delta for release in earlier)
    half_width = together.reach(confidence)
    return Outlook(
        half_width=half_width,
        narrows=half_width < known.estimate.reach(confidence) * LESS,
        total=known.charge.amounts + cost_of(more, last.schema, last.neighbors),
        once=_once(together, _asked_so_far(known, more), delta, confidence=confidence, rule=known.charge.rule),
    )


def _asked_so_far(known: Combined, last: PlannedQuery) -> tuple[PlannedQuery, ...]:
    """The question with every noise that answered it, and with one that needs no delta."""
    earlier = (release.planned_query for release in known.releases)
    pure = last.with_mechanism(PURE_NOISE.name, delta=0.0)
    return tuple({one.mechanism: one for one in (pure, *earlier, last)}.values())


def _once(
    wanted: Estimate, asked: tuple[PlannedQuery, ...], delta: float, *, confidence: float, rule: str
) -> PlannedQuery | None:
    """The one that costs least of those that are as narrow."""
    found = [one for planned in asked if (one := _as_narrow(wanted, planned, delta, confidence)) is not None]
    counted = COUNTED[rule][0]
    prices = {one: getattr(cost_of(one, wanted.schema, wanted.neighbors), counted) for one in found}
    return min(found, key=prices.__getitem__, default=None)


def _as_narrow(wanted: Estimate, asked: PlannedQuery, delta: float, confidence: float) -> PlannedQuery | None:
    """Cells are compared in the one that the wanted answer knows least about."""
    cell = wanted.widest_cell(confidence)
    widest = wanted.reach(confidence, cell=cell) * _HAIR
    allowed = min(delta, _LARGEST_DELTA) if asked.noise.needs_delta else 0.0

    def planned(epsilon: float) -> PlannedQuery:
        return replace(asked, guarantee=Guarantee(epsilon=epsilon, delta=allowed))

    def enough(epsilon: float) -> bool:
        noises = planned(epsilon).mechanisms(wanted.schema, wanted.neighbors)
        return replace(wanted, noises=noises).reach(confidence, cell=cell) <= widest

    found = calibration.least_epsilon(enough)
    return None if found is None else planned(found)
