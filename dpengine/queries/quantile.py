"""A median or another quantile: a value chosen by its rank, never a noisy value."""

from __future__ import annotations

import itertools
import math
from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction

from dpengine.data import BinCounts, Condition, NumberColumn, Schema, StepCounts
from dpengine.errors import InvalidParameterError, RefusedQueryError, items_of, require_between, require_finite
from dpengine.privacy import Neighbors, exact_decimal
from dpengine.queries.conditions_in_words import Quote, plain
from dpengine.queries.forms import ChoiceForm, OfNumbers, among, kind
from dpengine.queries.part import Choice
from dpengine.queries.protocol import SqlFigure, SqlSpelling
from dpengine.queries.refusals import answerable, require_terms, require_where
from dpengine.queries.sensitivity import sensitivities
from dpengine.queries.sensitivity.sensitivities import ScoreSensitivity
from dpengine.queries.statistics import RankScores
from dpengine.queries.variance import COARSER_BITS

_HALF = 0.5
LARGEST_DENOMINATOR = 1000
MOST_CANDIDATES = 1000


@kind
@dataclass(frozen=True, slots=True)
class QuantileQuery(OfNumbers, ChoiceForm):
    """The value below which a share `quantile` of a column's values lies, chosen by the exponential mechanism.

    Among public `candidates`, or, without them, among all steps of a public grid of 2**15 to 2**16 steps between the
    bounds, which stands for every value in the range. Values beyond the bounds count as that bound; missing ones do
    not count. To 0 and to 1 every value beyond all rows is a right answer: ask for 0.01 or 0.99 to learn where values
    end. Source: Smith 2011.
    """

    column: str
    quantile: float = 0.5
    candidates: tuple[float, ...] | None = None
    where: Condition | None = None
    falls_short_in = "rank"

    def __post_init__(self) -> None:
        require_where(self.where)
        require_between("quantile", self.quantile, 0.0, 1.0)
        if exact_decimal(self.quantile).denominator > LARGEST_DENOMINATOR:
            raise InvalidParameterError("quantile", self.quantile, "a share with at most three digits, such as 0.25")
        object.__setattr__(self, "quantile", float(self.quantile))
        if self.candidates is not None:
            listed = items_of("candidates", self.candidates)
            for candidate in listed:
                require_finite("candidate", candidate)
            object.__setattr__(self, "candidates", tuple(sorted(float(candidate) for candidate in listed)))

    def parts(self, schema: Schema, neighbors: Neighbors) -> tuple[Choice, ...]:
        """One choice; its score is minus the distance of a candidate's rank from the wanted one."""
        require_terms(schema, neighbors, self.where)
        column = schema.number(self.column)
        asked = self._of_grid(column) if self.candidates is None else self._of_list(column, self.candidates)
        aggregate, values, below, at_most = asked
        share = exact_decimal(self.quantile)
        scores = RankScores(numerator=share.numerator, denominator=share.denominator, below=below, at_most=at_most)
        choice = Choice(
            name="quantile",
            aggregate=aggregate,
            statistic=scores,
            score_sensitivity=_score_sensitivity(share, schema.unit.rows, neighbors),
            values=values,
            step=1.0 / share.denominator,
        )
        return answerable(schema, choice)

    @property
    def noun(self) -> str:
        """The median, or a quantile."""
        return "median" if self.quantile == _HALF else f"{self.quantile:g} quantile"

    def in_words(self, quote: Quote = plain) -> str:
        """As in "what is the median of age"."""
        candidates = f" among {len(self.candidates):,} candidates" if self.candidates else ""
        return f"what is the {self.noun} of {quote(self.column)}{candidates}{among(self.where, quote)}"

    def sql(self, schema: Schema, spelled: SqlSpelling) -> SqlFigure:
        """median(column), or percentile_cont; none where candidates are listed."""
        if self.candidates is not None:
            raise RefusedQueryError(
                "SQL has no place for candidates, so a quantile among listed ones has no form in it."
            )
        name = spelled.name(self.column)
        if self.quantile == _HALF:
            return SqlFigure(figure=f"median({name})")
        share = spelled.value(self.quantile)
        return SqlFigure(figure=f"percentile_cont({share}) WITHIN GROUP (ORDER BY {name})")

    def unit(self, schema: Schema) -> str:
        """The unit of the column."""
        return schema.number(self.column).unit

    def _of_grid(self, column: NumberColumn) -> _Asked:
        bits = column.fraction_bits - COARSER_BITS
        lower, upper = (math.floor(math.ldexp(bound, bits) + 0.5) for bound in (column.lower, column.upper))
        counted = StepCounts(column=column.name, fraction_bits=bits, lower=lower, upper=upper, where=self.where)
        steps = upper - lower + 1
        values = GridValues(lower=lower, steps=steps, fraction_bits=bits, least=column.lower, most=column.upper)
        return counted, values, range(steps), range(1, steps + 1)

    def _of_list(self, column: NumberColumn, candidates: tuple[float, ...]) -> _Asked:
        _require_candidates(column, candidates)
        lower, upper = column.on_grid(column.lower), column.on_grid(column.upper)
        places = [column.on_grid(candidate) for candidate in candidates]
        if any(left >= right for left, right in itertools.pairwise(places)):
            raise RefusedQueryError(f"Two candidates of {column.name!r} are the same, or closer than {column.step:g}.")
        edges = sorted({lower, *places, *(place + 1 for place in places), upper + 1})
        counted = BinCounts(
            column=column.name, fraction_bits=column.fraction_bits, edges=tuple(edges), clamp=True, where=self.where
        )
        number = {edge: i for i, edge in enumerate(edges)}
        below, at_most = (tuple(number[place + further] for place in places) for further in (0, 1))
        return counted, candidates, below, at_most


_Asked = tuple[BinCounts | StepCounts, Sequence[float], Sequence[int], Sequence[int]]


@dataclass(frozen=True, slots=True, kw_only=True)
class GridValues(Sequence[float]):
    """All steps of a grid as numbers, without keeping them; the outermost ones end at the public bounds."""

    lower: int
    steps: int
    fraction_bits: int
    least: float
    most: float

    def __len__(self) -> int:
        return self.steps

    def __getitem__(self, index: int) -> float:  # type: ignore[override]
        if not 0 <= index < self.steps:
            raise IndexError(index)
        value = math.ldexp(float(self.lower + index), -self.fraction_bits)
        return min(max(value, self.least), self.most)


def _score_sensitivity(share: Fraction, rows: int, neighbors: Neighbors) -> ScoreSensitivity:
    """That of ranks, times the denominator, which makes every score a whole number."""
    said = sensitivities.of_rank_score(quantile=float(share), rows=rows, neighbors=neighbors)
    added = neighbors is Neighbors.ADD_REMOVE
    per_row = max(share.numerator, share.denominator - share.numerator) if added else share.denominator
    return ScoreSensitivity(score_sensitivity=rows * per_row, monotone=False, because=said.because)


def _require_candidates(column: NumberColumn, candidates: tuple[float, ...]) -> None:
    if not 1 <= len(candidates) <= MOST_CANDIDATES:
        raise RefusedQueryError(
            f"A quantile of {column.name!r} chooses among 1 to {MOST_CANDIDATES:,} public candidates, not among "
            f"{len(candidates):,}."
        )
    for candidate in candidates:
        if not column.lower <= candidate <= column.upper:
            raise RefusedQueryError(
                f"The candidate {candidate:g} lies outside the bounds of {column.name!r}, {column.lower:g} to "
                f"{column.upper:g}."
            )
