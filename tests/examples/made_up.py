"""A kind of question that the product does not have: what part of the rows has a property, counted from nothing."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction

import numpy as np
from numpy.typing import NDArray
from sqlglot import exp

from dpengine.data import Condition, RowCount, Schema, both
from dpengine.privacy import Neighbors
from dpengine.queries import AnyPart, Part, Reading
from dpengine.queries.conditions_in_words import Quote, in_words, plain
from dpengine.queries.forms import KINDS, RatioForm, among, kind
from dpengine.queries.protocol import SqlFigure, SqlSpelling
from dpengine.queries.refusals import require_terms
from dpengine.queries.sensitivity import sensitivities
from dpengine.queries.sql.conditions import condition
from dpengine.queries.sql.names import Names


@kind
@dataclass(frozen=True, slots=True)
class PartOfQuery(RatioForm):
    """What part of the rows has a property."""

    having: Condition
    where: Condition | None = None
    noun, cell = "part", ""

    def parts(self, schema: Schema, neighbors: Neighbors) -> tuple[Part, ...]:
        """Two counts."""
        require_terms(schema, neighbors, self.having, self.where)
        moved, half = sensitivities.of_row_count(schema, neighbors), Fraction(1, 2)
        wanted = RowCount(where=both(self.having, self.where))
        return (
            Part(name="count of those", aggregate=wanted, grid_sensitivity=moved, share=half),
            Part(name="count", aggregate=RowCount(where=self.where), grid_sensitivity=moved, share=half),
        )

    def combine(self, noisy: Sequence[Reading]) -> NDArray[np.float64]:
        """Count over count."""
        return np.clip(noisy[0].values / np.maximum(noisy[1].values, 1.0), 0.0, 1.0)

    def unit(self, schema: Schema) -> str:
        """Made up."""
        return "wholes"

    def counted(self) -> RowCount:
        """The rows it is a part of."""
        return RowCount(where=self.where)

    def ends(self, parts: Sequence[AnyPart]) -> tuple[float, float, float]:
        """Counted from nothing."""
        return 0.0, 0.0, 1.0

    def answer_range(self, schema: Schema) -> tuple[float, float]:
        """None to all."""
        return 0.0, 1.0

    def in_words(self, quote: Quote = plain) -> str:
        """In words."""
        return f"what part has {in_words(self.having, quote)}{among(self.where, quote)}"

    def sql(self, schema: Schema, spelled: SqlSpelling) -> SqlFigure:
        """In SQL."""
        return SqlFigure(figure=f"count_if({spelled.condition(self.having)})")


KINDS.pop(PartOfQuery.__name__)
"""Nobody else in this process knows it, until a test enters it."""


def read_from_sql(node: exp.Expr, names: Names, where: Condition | None) -> PartOfQuery:
    """count_if(condition)."""
    return PartOfQuery(condition(node.this, names), where)
