"""Which two tables must be hard to tell apart: the two neighbor relations."""

from __future__ import annotations

from enum import Enum


class Neighbors(Enum):
    """The relation that a promise is about; two relations are never mixed.

    ADD_REMOVE: one person's rows are there or not; the number of people is private (also called unbounded).
    REPLACE_ONE: one person's rows are exchanged for another's; the number of people is public (also called bounded).
    Source: Kifer and Machanavajjhala 2011, section 2.
    """

    ADD_REMOVE = "add_remove"
    REPLACE_ONE = "replace_one"

    @property
    def sentence(self) -> str:
        """The relation as a promise in plain words."""
        return _SENTENCES[self]


_SENTENCES = {
    Neighbors.ADD_REMOVE: (
        "Answers hide whether any one person is in the table, to the degree set by epsilon; "
        "the number of people is private."
    ),
    Neighbors.REPLACE_ONE: (
        "Answers hide any one person's values, to the degree set by epsilon; the number of people is public."
    ),
}
