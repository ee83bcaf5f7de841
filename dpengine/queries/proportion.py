"""Which share of the rows satisfies a condition."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from dpengine.data import Condition, RowCount, Schema, SignedCount, require_condition_itself
from dpengine.errors import RefusedQueryError
from dpengine.privacy import Neighbors, Sensitivity
from dpengine.queries.conditions_in_words import Quote, holding, plain
from dpengine.queries.forms import RatioForm, among, kind, people_or_rows
from dpengine.queries.part import AnyPart, Part, Reading
from dpengine.queries.protocol import SqlFigure, SqlSpelling
from dpengine.queries.refusals import require_terms, require_where
from dpengine.queries.sensitivity import sensitivities
from dpengine.queries.total import SUM_SHARE


class Proportions(RatioForm):
    """Proportions of records that have a property, or several: means of zeros and ones, counted from a half."""

    __slots__ = ()
    noun = "share"

    def ends(self, parts: Sequence[AnyPart]) -> tuple[float, float, float]:
        """None, a half, all."""
        return 0.0, 0.5, 1.0

    def answer_range(self, schema: Schema) -> tuple[float, float]:
        """None to all."""
        return 0.0, 1.0

    def combine(self, noisy: Sequence[Reading]) -> NDArray[np.float64]:
        """One half plus centered count over count, a count below 1 as 1, from 0 to 1; or the one part itself.

        Where the count is of all rows, all shares are divided by that one.
        """
        if len(noisy) == 1:
            return noisy[0].values
        return np.clip(0.5 + noisy[0].values / np.maximum(noisy[1].values, 1.0), 0.0, 1.0)

    def counted(self) -> RowCount:
        """The rows among which the share is."""
        return RowCount(where=self.where)

    def unit(self, schema: Schema) -> str:
        """A share of 1."""
        return f"share of {people_or_rows(schema)}"


@kind
@dataclass(frozen=True, slots=True)
class ProportionQuery(Proportions):
    """The share of rows that satisfy `having`, among the rows that satisfy `where` (all rows if None).

    Two noisy parts, like a mean of zeros and ones, unless the number of people is public and nobody is left out.
    """

    having: Condition
    where: Condition | None = None
    cell = ""

    def __post_init__(self) -> None:
        if self.having is not None:
            require_condition_itself("having", self.having)
        require_where(self.where)

    def parts(self, schema: Schema, neighbors: Neighbors) -> tuple[Part, ...]:
        """Either the count over the public number of people, or a count from the middle and a count of rows."""
        if self.having is None:
            raise RefusedQueryError("A share needs the condition whose share is asked for.")
        require_terms(schema, neighbors, self.having, self.where)
        if people := public_people(self.where, schema, neighbors):
            share = sensitivities.of_proportion(people=people, everybody_counts=True, neighbors=neighbors)
            counted, moved = RowCount(where=self.having), Sensitivity.of_number(1, share.because)
            return (Part(name="proportion", aggregate=counted, grid_sensitivity=moved, step=1 / people),)
        signed = SignedCount(condition=self.having, where=self.where)
        sensitivity = sensitivities.of_signed_count(schema, neighbors)
        return (
            Part(name="centered count", aggregate=signed, grid_sensitivity=sensitivity, step=0.5, share=SUM_SHARE),
            rows_below(self.where, schema, neighbors),
        )

    def in_words(self, quote: Quote = plain) -> str:
        """As in "what share has age > 30"."""
        return f"what share {holding(self.having, quote, have='has')}{among(self.where, quote)}"

    def sql(self, schema: Schema, spelled: SqlSpelling) -> SqlFigure:
        """The mean of zeros and ones."""
        return SqlFigure(figure=zero_or_one(self.having, spelled))


def public_people(where: Condition | None, schema: Schema, neighbors: Neighbors) -> int | None:
    """Among how many a share is where that is public: replace-one, one row each, no condition; else None."""
    counts_all = neighbors is Neighbors.REPLACE_ONE and schema.one_row_each and where is None
    return schema.people if counts_all else None


def rows_below(where: Condition | None, schema: Schema, neighbors: Neighbors) -> Part:
    """The noisy count that shares are divided by, with its share of epsilon."""
    moved = sensitivities.of_row_count(schema, neighbors)
    return Part(name="count", aggregate=RowCount(where=where), grid_sensitivity=moved, share=1 - SUM_SHARE)


def zero_or_one(condition: Condition, spelled: SqlSpelling) -> str:
    """A share in SQL: the mean of ones, where the condition holds, and zeros."""
    return f"avg(CASE WHEN {spelled.condition(condition)} THEN 1.0 ELSE 0.0 END)"
