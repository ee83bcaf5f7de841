"""Noisy numbers with the laws of their noise: one release, or several combined, as they came or tidied up."""

from __future__ import annotations

import math
from dataclasses import dataclass, field, replace

import numpy as np
from numpy.typing import NDArray

from dpengine.data import Schema
from dpengine.errors import UnsupportedEventError, require_between
from dpengine.ledger.answers import answer_post_processing
from dpengine.ledger.answers.intervals import Bound, Noise, half_width_of, of_one_part, of_ratios, of_variance
from dpengine.privacy import Neighbors
from dpengine.queries import AnyPart, Choice, Query, Reading
from dpengine.queries.forms import RatioForm, VarianceForm

USUAL_CONFIDENCE = 0.95


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Estimate:
    """An answer as far as it is known: what was read, part by part, and how each part's noise is spread.

    `rounded` and `clamped` tell what is done to it afterwards, from public facts and released numbers alone, which
    costs nothing. Source: Dwork and Roth 2014, Proposition 2.1 (post-processing).
    """

    query: Query
    schema: Schema = field(repr=False)
    neighbors: Neighbors
    readings: tuple[Reading, ...]
    noises: tuple[Noise, ...]
    rounded: bool = False
    clamped: bool = False

    @property
    def parts(self) -> tuple[AnyPart, ...]:
        return tuple(reading.part for reading in self.readings)

    @property
    def labels(self) -> tuple[str, ...]:
        """Names of the numbers; one empty name for a single number."""
        return self.parts[0].labels

    @property
    def unit(self) -> str:
        """The unit of the answer."""
        return self.query.unit(self.schema)

    @property
    def is_choice(self) -> bool:
        """Whether the answer was chosen among candidates rather than made noisy."""
        return isinstance(self.parts[0], Choice)

    @property
    def answer_is_number(self) -> bool:
        """Whether the answer is one number rather than one for each cell."""
        return len(self.labels) == 1

    @property
    def can_only_count(self) -> bool:
        """Whether the exact answer is made of whole counts, which are never negative; a released one may be."""
        return answer_post_processing.counts_only(self.parts)

    @property
    def limits(self) -> tuple[float, float]:
        """Least and largest exact answer that public facts allow; infinite where they set no limit."""
        return answer_post_processing.public_limits(self.query, self.parts, self.schema, self.neighbors)

    @property
    def values(self) -> NDArray[np.float64]:
        """The answer as an array, with one number a label."""
        found = self.query.combine(self.readings)
        if self.rounded and not self.is_choice:
            found = answer_post_processing.rounded(found, self._rounding_step)
        return np.clip(found, *self.limits) if self.clamped and not self.is_choice else found

    @property
    def answer(self) -> Bound | str:
        """One number, an array with one number a label, or the name of what was chosen."""
        first = self.parts[0]
        if isinstance(first, Choice) and first.names:
            return first.names[first.values.index(float(self.values[0]))]
        return float(self.values[0]) if self.answer_is_number else self.values

    def tidied(self, *, rounded: bool = False, clamped: bool = False) -> Estimate:
        """The same, rounded (counts to whole numbers, others to two digits of their interval) and within its limits."""
        return replace(self, rounded=rounded, clamped=clamped)

    @property
    def has_broken_counts(self) -> bool:
        """Whether whole counts are told in fractions, as the average of several answers is."""
        return self.can_only_count and bool(np.any(self.values != np.rint(self.values)))

    def oversteps(self, confidence: float) -> bool:
        """Whether an interval for all numbers at once reaches beyond what public facts allow."""
        if self.is_choice:
            return False
        (lower, upper), (least, largest) = self.interval(confidence, simultaneous=True), self.limits
        return bool(np.any(np.asarray(lower) < least) or np.any(np.asarray(upper) > largest))

    def interval(self, confidence: float, *, simultaneous: bool = False) -> tuple[Bound, Bound]:
        """Lower and upper end of where the exact answer lies with this confidence; from released numbers alone.

        One number, or one array a side; `simultaneous` covers all numbers at once, at the same confidence. Rounding
        and clamping never lower how often it covers. Raises UnsupportedEventError for a choice, of which nothing but
        its rank is known: `half_width` tells that.
        """
        require_between("confidence", confidence, 0.0, 1.0, open_at="both")
        if self.is_choice:
            raise UnsupportedEventError(
                self.query, "An interval", instead="half_width tells by how many rows its rank may be off."
            )
        ends = self._interval(confidence, simultaneous=simultaneous)
        if self.rounded:
            ends = answer_post_processing.rounded_ends(ends, self._rounding_step, whole=self.can_only_count)
        if self.clamped:
            ends = answer_post_processing.clamped_ends(ends, self.limits)
        return ends

    def half_width(self, confidence: float, *, simultaneous: bool = False) -> float:
        """How far the exact numbers may lie from those that were read, where each has a noise of its own.

        Of a choice: by how many rows its rank or its count may fall short of the best candidate's.
        """
        require_between("confidence", confidence, 0.0, 1.0, open_at="both")
        if len(self.readings) != 1:
            raise UnsupportedEventError(self.query, "A half-width, the same to both sides,")
        return half_width_of(self.parts[0], self.noises[0], confidence=confidence, simultaneous=simultaneous)

    def reach(self, confidence: float, *, cell: int | None = None) -> float:
        """Half of the widest interval, or of that of one cell, all holding at once; before any tidying."""
        if len(self.readings) == 1:
            return self.half_width(confidence, simultaneous=True)
        lower, upper = self._interval(confidence, simultaneous=True, only=cell)
        return float(np.max(np.asarray(upper) - np.asarray(lower))) / 2.0

    def widest_cell(self, confidence: float) -> int:
        """Which of several numbers has the widest interval."""
        lower, upper = self._interval(confidence, simultaneous=True)
        return int(np.argmax(np.asarray(upper) - np.asarray(lower)))

    def _interval(self, confidence: float, *, simultaneous: bool, only: int | None = None) -> tuple[Bound, Bound]:
        if len(self.readings) == 1:
            return of_one_part(self.readings[0], self.half_width(confidence, simultaneous=simultaneous))
        if isinstance(self.query, VarianceForm):
            return of_variance(self.readings, self.noises, confidence=confidence)
        if not isinstance(self.query, RatioForm):
            raise TypeError(self.query)
        ends = self.query.ends(self.parts)
        return of_ratios(
            self.readings, self.noises, ends=ends, confidence=confidence, simultaneous=simultaneous, only=only
        )

    @property
    def _rounding_step(self) -> float:
        """1 for counts; for others the place of the second digit of the widest usual interval's half, 0 for none."""
        if self.can_only_count:
            return 1.0
        half = self.reach(USUAL_CONFIDENCE)
        return 10.0 ** (math.floor(math.log10(half)) - 1) if 0.0 < half < math.inf else 0.0
