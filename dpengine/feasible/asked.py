"""A planned question with all that its error depends on, so that any of it can be changed and the error asked again."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np

from dpengine.accuracy import ErrorLaw, Guess, resized
from dpengine.accuracy.by_group import Group, GroupError, group_errors
from dpengine.accuracy.laws.noise import in_steps
from dpengine.data import Schema
from dpengine.mechanisms.released import PURE_NOISE
from dpengine.plan import PlannedQuery
from dpengine.privacy import Guarantee, Neighbors
from dpengine.queries import Part
from dpengine.queries.coarser import with_groups
from dpengine.queries.forms import RatioForm, VarianceForm

_SHRINKING = RatioForm | VarianceForm


@dataclass(frozen=True, slots=True, kw_only=True)
class Asked:
    """A planned question, what is public about its table, and a guess of its size."""

    planned: PlannedQuery
    schema: Schema
    neighbors: Neighbors
    guess: Guess

    def at(self, epsilon: float) -> Asked:
        """The same at an epsilon."""
        return replace(self, planned=self.planned.at(epsilon))

    def law(self, epsilon: float) -> ErrorLaw:
        """The law of the error of each number of the answer at an epsilon."""
        return self.at(epsilon).planned_law

    @property
    def planned_law(self) -> ErrorLaw:
        """The law of the error of each number of the answer as it is planned."""
        return self.planned.error(self.schema, self.neighbors, self.guess)

    @property
    def coordinates(self) -> int:
        """How many numbers the answer has."""
        return self.planned.parts(self.schema, self.neighbors)[0].coordinates

    def first_beyond(self, error: float) -> float:
        """The least possible error above this one, where that is noise on a grid; else the error itself."""
        part, *others = self.planned.parts(self.schema, self.neighbors)
        if others or not isinstance(part, Part):
            return error
        return (math.floor(in_steps(np.array(error), part.step)) + 1.0) * part.step

    @property
    def records(self) -> float:
        """How many rows it is about: the public number of people where the noise is divided by that one."""
        return float(self.schema.people or 0) if self.divides_by_people else self.guess.records

    @property
    def shrinks_with_records(self) -> bool:
        """Whether more rows mean a smaller error: yes for means and shares, no for counts, sums and choices."""
        return isinstance(self.planned.query, _SHRINKING)

    @property
    def divides_by_people(self) -> bool:
        """Whether one noisy number is divided by the public number of people, so that its error rests on that one."""
        return self.shrinks_with_records and len(self.planned.parts(self.schema, self.neighbors)) == 1

    @property
    def has_sum_and_count(self) -> bool:
        """Whether it is a mean or a share whose sum and count share its epsilon."""
        return self.planned.has_sum_and_count(self.schema, self.neighbors)

    def group_errors(self, groups: Sequence[Group], *, confidence: float) -> tuple[GroupError, ...]:
        """The error of each group by itself at the planned epsilon."""
        parts = self.planned.parts(self.schema, self.neighbors)
        mechanisms = self.planned.mechanisms(self.schema, self.neighbors)
        return group_errors(self.planned.query, parts, mechanisms, groups, confidence=confidence)

    def with_records(self, records: int) -> Asked:
        """About so many rows: shares, means and spreads stay, counts and sums grow."""
        schema = replace(self.schema, people=records) if self.divides_by_people else self.schema
        return replace(self, guess=resized(self.planned.query, self.guess, records), schema=schema)

    def with_groups(self, groups: int) -> Asked:
        """With so many groups of equal size; each keeps the answer that is hardest to protect."""
        query, schema = with_groups(self.planned.query, self.schema, groups)
        guess = replace(self.guess, answer=(self._hardest,) * groups if self.guess.answers else None)
        return replace(self, planned=self.planned.asking(query), schema=schema, guess=guess)

    def with_delta(self, delta: float) -> Asked:
        """At another delta."""
        guarantee = Guarantee(epsilon=self.planned.guarantee.epsilon, delta=delta)
        return replace(self, planned=replace(self.planned, guarantee=guarantee))

    def without_delta(self) -> Asked:
        """With noise that needs no delta."""
        return replace(self, planned=self.planned.with_mechanism(PURE_NOISE.name, delta=0.0))

    @property
    def _hardest(self) -> float:
        """Of a mean by group the answer farthest from the middle, which needs most noise; of any other the first."""
        query = self.planned.query
        if not isinstance(query, RatioForm) or len(self.guess.answers) == 1:
            return self.guess.answers[0]
        center = query.ends(self.planned.parts(self.schema, self.neighbors))[1]
        return max(self.guess.answers, key=lambda answer: abs(answer - center))
