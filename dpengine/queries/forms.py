"""The forms of answers: each kind of question has one, and what works on answers asks for the form, not the kind."""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Sequence
from dataclasses import dataclass, fields
from typing import Any, Literal, TypeVar, cast

import numpy as np
from numpy.typing import NDArray

from dpengine.data import Condition, IsMissing, Not, PeopleCount, RowCount, Schema, both
from dpengine.errors import named
from dpengine.privacy import Neighbors
from dpengine.queries.conditions_in_words import Quote, holding, in_words, plain
from dpengine.queries.part import AnyPart, Reading
from dpengine.queries.protocol import Query

Range = tuple[float, float]


@dataclass(frozen=True, slots=True, kw_only=True)
class CountedCell:
    """What one count counts: the demands on a row beside the question's own; or the name of a cell that none spells."""

    demands: tuple[Condition, ...] = ()
    unspelled: str = ""


class CountForm(Query):
    """Whole counts, each with noise of its own."""

    __slots__ = ()
    noun = "count"

    def combine(self, noisy: Sequence[Reading]) -> NDArray[np.float64]:
        """The counts, in the order of the cells; below zero is possible and means "very few"."""
        return noisy[0].values

    def unit(self, schema: Schema) -> str:
        """People where every row is one person, rows otherwise."""
        return people_or_rows(schema)

    def counted(self) -> RowCount | PeopleCount:
        """All rows among which is counted."""
        return RowCount(where=self.where)

    def answer_range(self, schema: Schema) -> Range | None:
        """A count has no largest value."""
        return None

    @property
    @abstractmethod
    def overlapping(self) -> bool:
        """Whether a row may count in several cells."""

    @abstractmethod
    def cells(self, schema: Schema, neighbors: Neighbors) -> tuple[CountedCell, ...]:
        """What each number counts, in their order."""


class OfNumbers(Query):
    """Of the values of a number column, cut to its public bounds; missing values do not count."""

    __slots__ = ()
    column: str

    def counted(self) -> RowCount | PeopleCount:
        """The rows with a value."""
        return RowCount(where=self.present)

    @property
    def present(self) -> Condition | None:
        """The rows that have a value, out of those that the question is about."""
        return both(self.where, Not(IsMissing(self.column)))


class SumForm(OfNumbers):
    """Sums, each with noise of its own."""

    __slots__ = ()
    noun = "sum"

    def combine(self, noisy: Sequence[Reading]) -> NDArray[np.float64]:
        """The sums, in the order of the cells."""
        return noisy[0].values

    def unit(self, schema: Schema) -> str:
        """The unit of the column."""
        return schema.number(self.column).unit

    def answer_range(self, schema: Schema) -> Range | None:
        """A sum over any number of rows has no end."""
        return None


class RatioForm(Query):
    """Each a noisy sum counted from a middle, over a noisy count; one part where the number of records is public."""

    __slots__ = ()

    @abstractmethod
    def ends(self, parts: Sequence[AnyPart]) -> tuple[float, float, float]:
        """Least answer, the middle from which the sum counts, and largest answer."""

    @abstractmethod
    def answer_range(self, schema: Schema) -> Range:
        """Between which values every record counts."""


class VarianceForm(OfNumbers):
    """A variance: noisy sums of squares and of distances, and a noisy count; one part where that is public."""

    __slots__ = ()
    noun, cell = "variance", ""


class ChoiceForm(Query):
    """A value or a name that a mechanism chooses: it has no noise of its own, its rank or its count falls short."""

    __slots__ = ()
    cell = ""

    @property
    @abstractmethod
    def falls_short_in(self) -> Literal["rank", "count"]:
        """What the error of the chosen value counts: places in the sorted list, or how many more have another value."""

    def combine(self, noisy: Sequence[Reading]) -> NDArray[np.float64]:
        """The chosen value; of names the place in the public list, from 0."""
        return noisy[0].values

    def answer_range(self, schema: Schema) -> Range | None:
        """Its error is one of ranks or counts, which have no public end."""
        return None


class ByGroup(Query):
    """One number for each group; `by` names one or two columns with public lists of values."""

    __slots__ = ()
    by: tuple[str, ...] | str
    cell = "group"

    def for_each(self, quote: Quote = plain) -> str:
        """The groups in words."""
        return " and ".join(map(quote, self.by))


FORMS = (CountForm, SumForm, RatioForm, VarianceForm, ChoiceForm)
KINDS: dict[str, type[Query]] = {}
"""Every kind of question by its name, which is what files and links call it."""
Kind = TypeVar("Kind", bound=type[Query])


def kind(made: Kind) -> Kind:
    """Enter a kind of question; raises TypeError where it has not one form, or lacks what each of its form owes."""
    if sum(issubclass(made, form) for form in FORMS) != 1:
        raise TypeError(f"{made.__name__} has to be of one form: {', '.join(form.__name__ for form in FORMS)}.")
    lacking = sorted(made.__abstractmethods__)
    if lacking:
        raise TypeError(f"{made.__name__} lacks {', '.join(lacking)}.")
    KINDS[made.__name__] = named(made)
    return made


def by_group(query: Query, by: tuple[str, ...]) -> Query | None:
    """The question that asks the same of each group; None where no kind does, or where it is by group already."""
    asked = {field.name: getattr(query, field.name) for field in fields(cast(Any, query))}
    for one in KINDS.values():
        names = {field.name for field in fields(cast(Any, one))}
        if issubclass(one, ByGroup) and "by" not in asked and names == {*asked, "by"}:
            made: Query = cast(Any, one)(by=by, **asked)
            if made.noun == query.noun:
                return made
    return None


def over_the_same_rows(query: Query) -> bool:
    """Whether it is a ratio, or several, all over one count, as those by group are not."""
    return isinstance(query, RatioForm) and not isinstance(query, ByGroup)


def is_of_people(query: Query) -> bool:
    """Whether it counts people, wherever one may have several rows."""
    return isinstance(query.counted(), PeopleCount)


def people_or_rows(schema: Schema) -> str:
    """People where every row is one person, rows otherwise."""
    return "people" if schema.one_row_each else "rows"


def among(where: Condition | None, quote: Quote) -> str:
    """What a question says at its end of the rows that it is about."""
    if where is None:
        return ""
    words, without = holding(where, quote), f"have {in_words(where, quote)}"
    return f", among those {f'with {in_words(where, quote)}' if words == without else f'who {words}'}"
