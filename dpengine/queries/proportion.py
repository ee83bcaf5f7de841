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
    """Proportions of records that have a property: means of zeros and ones, counted from a half."""

    __slots__ = ()
    having: Condition
    noun = "share"

    def ends(self, parts: Sequence[AnyPart]) -> tuple[float, float, float]:
        """None, a half, all."""
        return 0.0, 0.5, 1.0

    def answer_range(self, schema: Schema) -> tuple[float, float]:
        """None to all."""
        return 0.0, 1.0

    def combine(self, noisy: Sequence[Reading]) -> NDArray[np.float64]:
        """One half plus centered count over count, a count below 1 as 1, from 0 to 1; or the one part itself."""
        if len(noisy) == 1:
            return noisy[0].values
        return np.clip(0.5 + noisy[0].values / np.maximum(noisy[1].values, 1.0), 0.0, 1.0)

    def figure(self, spelled: SqlSpelling) -> str:
        """The mean of zeros and ones in SQL."""
        return f"avg(CASE WHEN {spelled.condition(self.having)} THEN 1.0 ELSE 0.0 END)"

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
        if neighbors is Neighbors.REPLACE_ONE and schema.people and schema.one_row_each and self.where is None:
            share = sensitivities.of_proportion(people=schema.people, everybody_counts=True, neighbors=neighbors)
            counted, moved = RowCount(where=self.having), Sensitivity.of_number(1, share.because)
            return (Part(name="proportion", aggregate=counted, grid_sensitivity=moved, step=1 / schema.people),)
        signed = SignedCount(condition=self.having, where=self.where)
        sensitivity = sensitivities.of_signed_count(schema, neighbors)
        return (
            Part(name="centered count", aggregate=signed, grid_sensitivity=sensitivity, step=0.5, share=SUM_SHARE),
            Part(
                name="count",
                aggregate=RowCount(where=self.where),
                grid_sensitivity=sensitivities.of_row_count(schema, neighbors),
                share=1 - SUM_SHARE,
            ),
        )

    def in_words(self, quote: Quote = plain) -> str:
        """As in "what share has age > 30"."""
        return f"what share {holding(self.having, quote, have='has')}{among(self.where, quote)}"

    def sql(self, schema: Schema, spelled: SqlSpelling) -> SqlFigure:
        """The mean of zeros and ones."""
        return SqlFigure(figure=self.figure(spelled))
