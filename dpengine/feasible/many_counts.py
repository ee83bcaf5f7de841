"""Many counts at once, or shares: what each way to spend the same budget errs by, and what no way can."""

from __future__ import annotations

import math
from collections.abc import Iterator
from dataclasses import dataclass, replace
from itertools import combinations

from dpengine import calibration
from dpengine.accuracy import NoiseError, SummedNoise, least_possible_error
from dpengine.data import Condition, Not, Schema, columns_of
from dpengine.errors import InvalidParameterError, RefusedQueryError
from dpengine.feasible.asked import Asked
from dpengine.mechanisms import DiscreteGaussianMechanism, DiscreteLaplaceMechanism
from dpengine.mechanisms.released import NOISES
from dpengine.plan import PlannedQuery
from dpengine.plan.amounts import cost_of
from dpengine.privacy import Neighbors
from dpengine.queries import HistogramQuery, SeveralProportionsQuery, StatisticalQueries
from dpengine.queries.disjoint import disjoint
from dpengine.queries.forms import ByGroup, CountForm
from dpengine.queries.part import Part

Span = tuple[int, int]
"""The first and the last bin of a range, from 0."""
WIDTHS = range(2, 17)
"""How many bins are one of the next coarser histogram. Source: Qardaji, Yang, Li 2013 (8 to 16 for large ones)."""
_OF_CONDITIONS = StatisticalQueries | SeveralProportionsQuery


@dataclass(frozen=True, slots=True, kw_only=True)
class WayToCount:
    """One question for all counts, or `levels` of them, with bins `width` times as wide as those of the one before.

    Each is asked as `planned`, with bins of its own. `each` and `together` are what one count, and the largest of all,
    are off by at most at the confidence, in the answer's unit; `in_range` the same of the sum over a range, from the
    fewest bins of all levels: None where no range was given.
    """

    planned: PlannedQuery
    levels: int
    width: int
    each: float
    together: float
    in_range: float | None


def ways_to_count(
    asked: Asked, *, delta: float, confidence: float, rule: str = "basic", span: Span | None = None
) -> tuple[WayToCount, ...]:
    """Each noise for these counts alone, and for a range the best of several histograms with each noise.

    None costs more than the question as it is planned, and `delta` for noise that needs one: under "basic" several
    histograms share epsilon and delta equally, under "concentrated" rho, which is that of the plan for every noise.

    Raises RefusedQueryError for a question that is no list of counts, or of shares of a public number of people, and
    InvalidParameterError for a range that is not of these bins.

    Source: Hay, Rastogi, Miklau, Suciu 2010 (several levels), without making them consistent afterwards.
    """
    counts = _counts(asked)
    if span is not None and not 0 <= span[0] <= span[1] < counts:
        raise InvalidParameterError("span", span, f"the first and last of {counts} bins, from 0 to {counts - 1}")
    kinds = [name for name, noise in NOISES.items() if delta or not noise.needs_delta]
    found = list[WayToCount]()
    for kind in kinds:
        planned = asked.planned.with_mechanism(kind, delta=delta)
        for alone in _shared(asked, planned, 1, rule):
            found.append(_way(asked, alone, confidence, span, levels=1, width=counts))
        if span is not None and (several := _best_levels(asked, planned, confidence, span, rule)):
            found.append(several)
    return tuple(found)


def least_of_any_way(asked: Asked, *, delta: float, confidence: float) -> float:
    """No mechanism keeps all of these within less than this on every table; 0 where nothing is known.

    At the planned epsilon and this delta. Something is known of bins within the declared bounds, of groups, and of
    conditions on different columns, where the question's own condition is about none of these columns: else some
    counts may be the same on every table. Source: `least_possible_error`.
    """
    counts, query = _counts(asked), asked.planned.query
    if not _may_be_anything(asked):
        return 0.0
    replaced, log_worlds = asked.neighbors is Neighbors.REPLACE_ONE, math.log(counts)
    if isinstance(query, _OF_CONDITIONS):
        log_worlds = counts * math.log(2.0) + math.log1p(-(0.5**counts))
    elif replaced:
        log_worlds = math.log(counts - 1)
    part = _part(asked)
    return part.step * least_possible_error(
        log_worlds=log_worlds,
        guarantee=replace(asked.planned.guarantee, delta=delta),
        confidence=confidence,
        rows=int(part.grid_sensitivity.linf),
        people=(asked.schema.people or 0) if replaced else math.inf,
    )


def _may_be_anything(asked: Asked) -> bool:
    """Whether each count, and each set of counts that may overlap, can be 0 or large whatever the others are."""
    query, schema = asked.planned.query, asked.schema
    within = set() if query.where is None else set(columns_of(query.where))
    if isinstance(query, _OF_CONDITIONS):
        named = [set(columns_of(condition)) for condition in query.conditions]
        apart = not any(one & other for one, other in combinations([*named, within], 2))
        return apart and not any(_is_settled(condition, schema) for condition in query.conditions)
    if isinstance(query, HistogramQuery):
        if query.edges is not None:
            column = schema.number(query.column)
            if query.edges[0] < column.lower or query.edges[-1] > column.upper:
                return False
        return query.column not in within
    return isinstance(query, ByGroup) and not within & set(query.by)


def _is_settled(condition: Condition, schema: Schema) -> bool:
    """Whether no row, or every row, satisfies it, as far as the declaration tells."""
    return any(disjoint(one, one, schema) for one in (condition, Not(condition)))


def has_ranges(asked: Asked) -> bool:
    """Whether its bins are in an order, so that several beside one another are a range."""
    query = asked.planned.query
    return isinstance(query, HistogramQuery) and (query.edges is not None or query.period is not None)


def fewest_bins(span: Span, *, bins: int, width: int) -> int:
    """How many bins of all levels make up a range, where `width` bins are one of the next coarser level."""
    first, last, found = *span, 0
    while bins > width:
        while first <= last and first % width:
            first, found = first + 1, found + 1
        while first <= last and (last + 1) % width and last != bins - 1:
            last, found = last - 1, found + 1
        if first > last:
            return found
        first, last, bins = first // width, last // width, -(-bins // width)
    return found + last - first + 1


def _way(
    asked: Asked, planned: PlannedQuery, confidence: float, span: Span | None, *, levels: int, width: int
) -> WayToCount:
    law = NoiseError(mechanism=_mechanism(asked, planned), step=_part(asked).step)
    summed = None if span is None else _summed(asked, planned, span, width)
    return WayToCount(
        planned=planned,
        levels=levels,
        width=width,
        each=law.quantile(confidence),
        together=law.quantile(confidence, _counts(asked)),
        in_range=None if summed is None else summed.quantile(confidence),
    )


def _best_levels(asked: Asked, planned: PlannedQuery, confidence: float, span: Span, rule: str) -> WayToCount | None:
    """The number of levels whose noise in the range has the least deviation; None where the bins are too few."""
    tried = [
        (_summed(asked, share, span, width).standard_deviation, width, levels, share)
        for width, levels in _levels(_counts(asked))
        for share in _shared(asked, planned, levels, rule)
    ]
    if not tried:
        return None
    _, width, levels, share = min(tried, key=lambda one: one[:2])
    return _way(asked, share, confidence, span, levels=levels, width=width)


def _levels(bins: int) -> Iterator[tuple[int, int]]:
    """Widths and the number of histograms, up to the last with more bins than one and no more than the width."""
    for width in WIDTHS:
        levels, left = 1, bins
        while left > width:
            levels, left = levels + 1, -(-left // width)
        if levels > 1:
            yield width, levels


def _shared(asked: Asked, planned: PlannedQuery, levels: int, rule: str) -> Iterator[PlannedQuery]:
    """What each of so many histograms is planned at, so that all cost no more than one at all of it; or none."""
    if levels == 1 and (rule == "basic" or planned.mechanism == asked.planned.mechanism):
        yield planned
        return
    if rule == "basic":
        part = asked.planned.guarantee.epsilon / levels
        if part >= calibration.LOWEST_EPSILON:
            yield planned.with_mechanism(planned.mechanism, delta=planned.used_delta / levels).at(part)
        return
    whole = cost_of(asked.planned, asked.schema, asked.neighbors).rho

    def costs_more(epsilon: float) -> bool:
        return levels * cost_of(planned.at(epsilon), asked.schema, asked.neighbors).rho > whole

    most = calibration.least_epsilon(costs_more, near=planned.guarantee.epsilon / math.sqrt(levels))
    if most is not None and most > calibration.LOWEST_EPSILON:
        yield planned.at(most - 10.0 ** (math.floor(math.log10(most)) - 3))


def _summed(asked: Asked, planned: PlannedQuery, span: Span, width: int) -> SummedNoise:
    terms = fewest_bins(span, bins=_counts(asked), width=width)
    return SummedNoise(mechanism=_mechanism(asked, planned), terms=terms)


def _mechanism(asked: Asked, planned: PlannedQuery) -> DiscreteLaplaceMechanism | DiscreteGaussianMechanism:
    (mechanism,) = planned.mechanisms(asked.schema, asked.neighbors)
    if not isinstance(mechanism, DiscreteLaplaceMechanism | DiscreteGaussianMechanism):
        raise TypeError(mechanism)
    return mechanism


def _part(asked: Asked) -> Part:
    """The one noisy part of all counts."""
    (part,) = asked.planned.parts(asked.schema, asked.neighbors)
    if not isinstance(part, Part):
        raise TypeError(part)
    return part


def are_many_counts(asked: Asked) -> bool:
    """Whether it asks for many counts, or for many shares of a public number of people, which are counts over it."""
    divided = isinstance(asked.planned.query, SeveralProportionsQuery) and asked.divides_by_people
    return asked.coordinates > 1 and (divided or isinstance(asked.planned.query, CountForm))


def _counts(asked: Asked) -> int:
    if not are_many_counts(asked):
        raise RefusedQueryError("Only many counts that are asked for at once can be compared so.")
    return asked.coordinates
