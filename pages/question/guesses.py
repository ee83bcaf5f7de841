"""What may be said about an answer's size: the exact value where it may be shown, else a guess that somebody types."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

from streamlit.delta_generator import DeltaGenerator

from dpengine.accuracy import Guess, all_records, guess_without_rows
from dpengine.errors import DPEngineError
from dpengine.formatting import Measure, amount, measure_of
from dpengine.plan import PlannedQuery
from dpengine.queries import (
    Query,
)
from dpengine.queries.forms import ChoiceForm, VarianceForm, is_of_people
from dpengine.queries.part import Integers
from dpengine.scenario import Scenario
from pages import session
from pages.widgets.escaping import unmarked

Size = Literal["exact", "said", "unsaid"]
_MOST = 1e15
"""Of an answer, either way, and of rows; beyond that a whole number is no longer written exactly."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Known:
    """A guess of the answer's size; the exact answer, or the scores of a choice, where they may be drawn.

    `typed` says whether somebody typed the answer's size, or may see it; `size` who says how many records there are.
    """

    guess: Guess
    center: float | None
    typed: bool
    size: Size
    scores: Integers | None = None


def known(planned: PlannedQuery) -> Known:
    """From the rows while exact values are shown (computed once a session), else from what was typed so far."""
    if session.exact_shown():
        guess = session.exact_guess(planned.query)
        center = guess.answers[0] if len(guess.answers) == 1 else None
        scores = session.exact_scores(planned.query) if isinstance(planned.query, ChoiceForm) else None
        return Known(guess=guess, center=center, typed=True, size="exact", scores=scores)
    return Known(guess=_typed(planned), center=None, typed=was_typed(planned), size=size_of(planned))


def guess_inputs(place: DeltaGenerator, planned: PlannedQuery) -> None:
    """Number boxes for the guess, where exact values are hidden; empty where nobody has said anything."""
    if session.exact_shown():
        return
    guess, boxes, measure = _typed(planned), _boxes(planned), _measure(planned)
    answer = measure.read((guess.answers or (0.0,))[0])
    values = {"records": guess.records, "answer": answer, "mean": guess.mean or 0.0}
    said = _kept().keys() | ({"records"} if size_of(planned) == "said" else set())
    for column, (box, label) in zip(place.columns(max(len(boxes), 2)), boxes.items(), strict=False):
        session.widget_starts_at(_key(box), float(values[box]) if box in said else None)
        column.number_input(
            label,
            value=None,
            key=_key(box),
            min_value=1.0 if box == "records" else -_MOST,
            max_value=_MOST,
            step=None,
            format="%.6g",
            placeholder=f"no guess yet; drawn for {amount(values[box], 6)}",
            on_change=_keep,
            args=(box, measure),
        )


def _boxes(planned: PlannedQuery) -> dict[str, str]:
    """What may be guessed about a question: how many rows, how large the answer, and what its error depends on."""
    query, schema = planned.query, session.scenario().schema
    rows = "Rows the question is about, as declared" if _declared(query) else "Guess: rows the question is about"
    boxes = {"records": rows}
    if isinstance(query, ChoiceForm):
        return boxes
    unit = unmarked(_measure(planned).answers) or "units"
    boxes["answer"] = f"Guess: the answer, {unit}"
    if query.cell:
        boxes["answer"] = f"Guess: the answer of one {query.cell}, {unit}"
    if isinstance(query, VarianceForm):
        boxes["mean"] = f"Guess: the mean, {unmarked(schema.number(query.column).unit) or 'units'}"
    return boxes


def _measure(planned: PlannedQuery) -> Measure:
    return measure_of(planned.query, session.scenario().schema)


def public(planned: PlannedQuery, place: int) -> Guess:
    """What was typed about the question at a place of the plan, else a first guess; never from the rows."""
    return _typed(planned, place)


def was_typed(planned: PlannedQuery, place: int | None = None) -> bool:
    """Whether somebody typed how large the answer to the question at a place may be, and all else but its records."""
    boxes = _boxes(planned).keys() - {"records"}
    return bool(boxes) and boxes <= _kept(place).keys()


def size_of(planned: PlannedQuery, place: int | None = None) -> Size:
    """Whether somebody said how many records a question is about: beside it, or how many the table has in all."""
    return "said" if "records" in _kept(place) or follows_from_table(planned.query) else "unsaid"


def follows_from_table(query: Query) -> bool:
    """Whether a question is about all records of a table of which somebody declared how many it has."""
    rows, people = session.table_size()
    return bool(_declared(query) or (_about_people(query) and people) or rows) and all_records(query)


def _declared(query: Query) -> bool:
    """Whether a question is about everybody of whom somebody declared how many they are, which is no guess."""
    return bool(_about_people(query) and session.scenario().schema.people) and all_records(query)


def _about_people(query: Query) -> bool:
    return session.scenario().schema.one_row_each or is_of_people(query)


def before_typing(query: Query) -> Guess:
    """A first guess from what was declared about the table."""
    rows, people = session.table_size()
    return guess_without_rows(query, session.scenario().schema, rows=rows, people=people)


def fitting(guess: Guess, planned: PlannedQuery, plan: Scenario) -> Guess:
    """The guess, or the first one where nothing can be said with it, such as of a mean outside its bounds."""
    try:
        planned.error(plan.schema, plan.neighbors, guess).quantile(0.5)
    except DPEngineError:
        return guess_without_rows(planned.query, plan.schema)
    return guess


def _typed(planned: PlannedQuery, place: int | None = None) -> Guess:
    first = before_typing(planned.query)
    kept = _kept(place)
    if not kept:
        return first
    answers = (kept["answer"],) * len(first.answers) if "answer" in kept else first.answers
    return Guess(
        records=kept.get("records", first.records),
        answer=answers,
        spread=first.spread,
        mean=kept.get("mean", first.mean),
    )


def _keep(box: str, measure: Measure) -> None:
    """Keep what a box holds, the answer as the engine knows it, whatever people read; an emptied one says nothing."""
    held, others = session.widget_held(_key(box)), {name: value for name, value in _kept().items() if name != box}
    if isinstance(held, int | float):
        others[box] = measure.kept(held) if box == "answer" else held
    session.remember(_kept_key(), others)


def _kept(place: int | None = None) -> dict[str, float]:
    kept = session.remembered(_kept_key(place), None)
    return kept if isinstance(kept, dict) else {}


def _kept_key(place: int | None = None) -> str:
    """Of the question in focus where no place is given."""
    place = session.question_index() if place is None else place
    return f"guess_{session.mark_at(place)}"


def _key(box: str) -> str:
    return f"guess_{box}_{session.question_mark()}"
