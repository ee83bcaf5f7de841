"""What may be said about an answer's size: the exact value where it may be shown, else a guess that somebody types."""

from __future__ import annotations

from dataclasses import dataclass

from streamlit.delta_generator import DeltaGenerator

from dpengine.accuracy import Guess, guess_without_rows
from dpengine.errors import DPEngineError
from dpengine.plan import PlannedQuery
from dpengine.queries import (
    GroupedCountQuery,
    GroupedMeanQuery,
    GroupedSumQuery,
    HistogramQuery,
    ModeQuery,
    QuantileQuery,
    VarianceQuery,
)
from dpengine.queries.part import Integers
from dpengine.scenario import Scenario
from pages.ui import number_box, session
from pages.ui.names import unmarked

CHOSEN = QuantileQuery | ModeQuery
GROUPED = GroupedCountQuery | GroupedSumQuery | GroupedMeanQuery | HistogramQuery


@dataclass(frozen=True, slots=True, kw_only=True)
class Known:
    """A guess of the answer's size; the exact answer, or the scores of a choice, where they may be drawn."""

    guess: Guess
    center: float | None
    typed: bool
    scores: Integers | None = None


def known(planned: PlannedQuery) -> Known:
    """From the rows while exact values are shown (computed once a session), else from what was typed so far."""
    if session.exact_shown():
        guess = session.exact_guess(planned.query)
        center = guess.answers[0] if len(guess.answers) == 1 else None
        scores = session.exact_scores(planned.query) if isinstance(planned.query, CHOSEN) else None
        return Known(guess=guess, center=center, typed=True, scores=scores)
    return Known(guess=_typed(planned), center=None, typed=bool(_kept()))


def guess_inputs(place: DeltaGenerator, planned: PlannedQuery) -> None:
    """Number boxes for the guess, where exact values are hidden."""
    if session.exact_shown():
        return
    guess, boxes = _typed(planned), _boxes(planned)
    values = {"records": guess.records, "answer": (guess.answers or (0.0,))[0], "mean": guess.mean}
    for column, (box, label) in zip(place.columns(max(len(boxes), 2)), boxes.items(), strict=False):
        number_box.kept(
            column,
            label,
            key=_key(box),
            start=float(values[box] or 0.0),
            min_value=1.0 if box == "records" else None,
            step=None,
            format="%.6g",
            on_change=_keep,
            args=(tuple(boxes),),
        )


def _boxes(planned: PlannedQuery) -> dict[str, str]:
    """What may be guessed about a question: how many rows, how large the answer, and what its error depends on."""
    query, schema = planned.query, session.scenario().schema
    boxes = {"records": "Guess: rows it is about"}
    if isinstance(query, CHOSEN):
        return boxes
    unit = unmarked(query.unit(schema)) or "units"
    boxes["answer"] = f"Guess: the answer, {unit}"
    if isinstance(query, GROUPED):
        boxes["answer"] = f"Guess: the answer of one group, {unit}"
    if isinstance(query, VarianceQuery):
        boxes["mean"] = f"Guess: the mean, {unmarked(schema.number(query.column).unit) or 'units'}"
    return boxes


def public(planned: PlannedQuery, place: int) -> Guess:
    """What was typed about the question at a place of the plan, else a first guess; never from the rows."""
    return _typed(planned, place)


def was_typed(place: int) -> bool:
    """Whether somebody typed a guess about the question at a place."""
    return bool(_kept(place))


def fitting(guess: Guess, planned: PlannedQuery, plan: Scenario) -> Guess:
    """The guess, or the first one where nothing can be said with it, such as of a mean outside its bounds."""
    try:
        planned.error(plan.schema, plan.neighbors, guess).quantile(0.5)
    except DPEngineError:
        return guess_without_rows(planned.query, plan.schema)
    return guess


def _typed(planned: PlannedQuery, place: int | None = None) -> Guess:
    first, kept = guess_without_rows(planned.query, session.scenario().schema), _kept(place)
    if not kept:
        return first
    answers = (kept["answer"],) * len(first.answers) if "answer" in kept else first.answers
    return Guess(
        records=kept.get("records", first.records),
        answer=answers,
        spread=first.spread,
        mean=kept.get("mean", first.mean),
    )


def _keep(boxes: tuple[str, ...]) -> None:
    held = {box: session.widget_held(_key(box)) for box in boxes}
    session.remember(_kept_key(), _kept() | {box: value for box, value in held.items() if value is not None})


def _kept(place: int | None = None) -> dict[str, float]:
    kept = session.remembered(_kept_key(place), None)
    return kept if isinstance(kept, dict) else {}


def _kept_key(place: int | None = None) -> str:
    """Of the question in focus where no place is given."""
    place = session.question_index() if place is None else place
    return f"guess_{place}_{session.scenario().table_name}"


def _key(box: str) -> str:
    return f"guess_{box}_{session.question_index()}"
