"""The most frequent value of a category column: which one it is, and not how frequent."""

from __future__ import annotations

from dataclasses import dataclass

from dpengine.data import BooleanColumn, CategoryColumn, CategoryCounts, Condition, RowCount, Schema
from dpengine.errors import RefusedQueryError
from dpengine.privacy import Neighbors
from dpengine.queries.conditions_in_words import Quote, plain
from dpengine.queries.forms import ChoiceForm, among, kind
from dpengine.queries.part import Choice
from dpengine.queries.protocol import SqlFigure, SqlSpelling
from dpengine.queries.refusals import answerable, require_terms, require_where
from dpengine.queries.sensitivity import sensitivities


@kind
@dataclass(frozen=True, slots=True)
class ModeQuery(ChoiceForm):
    """Which value of a column most rows have, by report noisy max over the public list of values."""

    column: str
    where: Condition | None = None
    noun, falls_short_in = "value", "count"

    def __post_init__(self) -> None:
        require_where(self.where)

    def parts(self, schema: Schema, neighbors: Neighbors) -> tuple[Choice, ...]:
        """One choice, whose scores are the counts."""
        require_terms(schema, neighbors, self.where)
        values, names = self._listed(schema)
        choice = Choice(
            name="most frequent value",
            aggregate=CategoryCounts(column=self.column, values=values, where=self.where),
            score_sensitivity=sensitivities.of_mode(rows=schema.unit.rows, neighbors=neighbors),
            values=tuple(map(float, range(len(names)))),
            names=names,
            chosen_by="noisy max",
        )
        return answerable(schema, choice)

    def counted(self) -> RowCount:
        """The rows among which the values are counted."""
        return RowCount(where=self.where)

    def in_words(self, quote: Quote = plain) -> str:
        """As in "which value of ward is most frequent"."""
        return f"which value of {quote(self.column)} is most frequent{among(self.where, quote)}"

    def sql(self, schema: Schema, spelled: SqlSpelling) -> SqlFigure:
        """mode(column)."""
        return SqlFigure(figure=f"mode({spelled.name(self.column)})")

    def unit(self, schema: Schema) -> str:
        """A value has no unit."""
        return ""

    def _listed(self, schema: Schema) -> tuple[tuple[str | bool, ...], tuple[str, ...]]:
        column = schema.column(self.column)
        if isinstance(column, CategoryColumn):
            return column.categories, column.categories
        if isinstance(column, BooleanColumn):
            return (False, True), ("no", "yes")
        raise RefusedQueryError(
            f"{self.column!r} has no public list of values to choose from; declare it as a category, or ask for the "
            "median of a number."
        )
