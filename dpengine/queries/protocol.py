"""What every kind of question owes: its parts, how to put them together, and how it is said in words and in SQL."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Protocol

import numpy as np
from numpy.typing import NDArray

from dpengine.data import Condition, PeopleCount, RowCount, Schema
from dpengine.data.declared.conditions import Value
from dpengine.privacy import Neighbors
from dpengine.queries.conditions_in_words import Quote, plain
from dpengine.queries.part import AnyPart, Reading


class SqlSpelling(Protocol):
    """How SQL writes names, conditions and values of one table."""

    def name(self, column: str) -> str:
        """A column's name."""

    def condition(self, condition: Condition) -> str:
        """A condition as it stands after WHERE."""

    def value(self, value: Value) -> str:
        """A value as a literal."""


@dataclass(frozen=True, slots=True, kw_only=True)
class SqlFigure:
    """What SELECT asks for, and what it groups by."""

    figure: str
    keys: tuple[str, ...] = ()


class Query(ABC):
    """A question, asked before any row is read; frozen, and equal to any other that asks the same.

    `where` says which rows it is about, None for all. Its kind inherits from one of the forms in `forms`.
    """

    __slots__ = ()
    where: Condition | None

    @abstractmethod
    def parts(self, schema: Schema, neighbors: Neighbors) -> tuple[AnyPart, ...]:
        """The noisy pieces whose shares of epsilon sum to 1; raises RefusedQueryError where it cannot be asked."""

    @abstractmethod
    def combine(self, noisy: Sequence[Reading]) -> NDArray[np.float64]:
        """The answer from one reading per part, in the order of `parts`; no row is needed. Shape (coordinates,)."""

    @abstractmethod
    def unit(self, schema: Schema) -> str:
        """The unit of the answer, such as "people" or "dollars"."""

    @property
    @abstractmethod
    def noun(self) -> str:
        """What one number of the answer is, such as "count" or "mean"."""

    @property
    @abstractmethod
    def cell(self) -> str:
        """What each of several numbers belongs to, such as "group"; empty where there is one number."""

    @abstractmethod
    def in_words(self, quote: Quote = plain) -> str:
        """The question without its question mark, such as "how many people have hospital_stays > 0"."""

    @abstractmethod
    def sql(self, schema: Schema, spelled: SqlSpelling) -> SqlFigure:
        """What a SELECT asks for that is read back as this question; raises RefusedQueryError where none is."""

    @abstractmethod
    def counted(self) -> RowCount | PeopleCount:
        """How many records the answer is made of: what `Guess.records` counts."""

    def touched(self) -> Condition | None:
        """Rows outside this condition never change an answer; None where every row may. A kind may say more closely."""
        return self.where

    @abstractmethod
    def answer_range(self, schema: Schema) -> tuple[float, float] | None:
        """Least and largest answer that the declaration allows; None where there is no such end."""


def question(query: Query, quote: Quote = plain) -> str:
    """The same in words, for the scripts that an earlier version exported: they import it."""
    return query.in_words(quote)
