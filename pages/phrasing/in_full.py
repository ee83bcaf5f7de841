"""What the sentence of a question leaves out, for wherever it is charged: names behind words, and long lists."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import fields

from dpengine.data import Labels
from dpengine.plan import PlannedQuery
from dpengine.queries.conditions_in_words import Labeled, in_words, unrounded
from dpengine.scenario import Scenario
from pages.phrasing import wording
from pages.phrasing.wording import asked

_LISTS = {"edges": "Bins between", "candidates": "Candidates", "conditions": "Counted each"}


def beside(planned: PlannedQuery, plan: Scenario) -> str:
    """All that decides the answer and does not stand in the question's own words; empty where that is nothing."""
    ours = plan.spoken if plan.built_in else Labels()
    told = " ".join((*_by_names(planned, plan), *_lists(planned, wording.said_of(ours))))
    return f" :gray[{told}]" if told else ""


def _by_names(planned: PlannedQuery, plan: Scenario) -> Iterator[str]:
    """The question in the table's names, unless only this program chose the words."""
    named = asked(planned, Labels())
    if not plan.built_in and named != asked(planned, plan.spoken):
        yield f"In the table's names: {named}"


def _lists(planned: PlannedQuery, said: Labeled) -> Iterator[str]:
    """The numbers or conditions that somebody typed for a question, all of them."""
    for field in fields(planned.query):  # type: ignore[arg-type]
        values = getattr(planned.query, field.name)
        if field.name in _LISTS and values:
            each = (unrounded(one) if isinstance(one, int | float) else in_words(one, said) for one in values)
            yield f"{_LISTS[field.name]}: {'; '.join(each)}."
