"""What may be said about an answer's size: the exact value where it may be shown, else a guess that somebody types."""

from __future__ import annotations

from dataclasses import dataclass

from streamlit.delta_generator import DeltaGenerator

from dpengine.accuracy import Guess, guess_without_rows
from dpengine.plan import PlannedQuery
from pages.ui import session


@dataclass(frozen=True, slots=True, kw_only=True)
class Known:
    """A guess of the answer's size, and the exact answer where it may be drawn."""

    guess: Guess
    center: float | None
    typed: bool


def known(planned: PlannedQuery) -> Known:
    """From the rows while exact values are shown (computed once a session), else from what was typed so far."""
    if session.exact_shown():
        guess = session.exact_guess(planned.query)
        return Known(guess=guess, center=guess.answers[0] if len(guess.answers) == 1 else None, typed=True)
    typed = isinstance(session.remembered(_kept_key(), None), tuple)
    return Known(guess=_typed(planned), center=None, typed=typed)


def guess_inputs(place: DeltaGenerator, planned: PlannedQuery) -> None:
    """Two number boxes for the guess, where exact values are hidden."""
    if session.exact_shown():
        return
    guess, plan = _typed(planned), session.scenario()
    unit = planned.query.unit(plan.schema) or "units"
    left, right = place.columns(2)
    records_key, answer_key = _keys()
    session.widget_starts_at(records_key, float(guess.records))
    session.widget_starts_at(answer_key, float(guess.answers[0]))
    left.number_input(
        "Guess: rows it is about", min_value=1.0, key=records_key, step=None, format="%.6g", on_change=_keep
    )
    right.number_input(f"Guess: the answer, {unit}", key=answer_key, step=None, format="%.6g", on_change=_keep)


def _typed(planned: PlannedQuery) -> Guess:
    first = guess_without_rows(planned.query, session.scenario().schema)
    kept = session.remembered(_kept_key(), None)
    if not isinstance(kept, tuple):
        return first
    answers = (kept[1],) * len(first.answers)
    return Guess(records=kept[0], answer=answers, spread=first.spread)


def _keep() -> None:
    records, answer = (session.widget_value(key) for key in _keys())
    session.remember(_kept_key(), (records, answer))


def _kept_key() -> str:
    return f"guess_{session.question_index()}_{session.scenario().table_name}"


def _keys() -> tuple[str, str]:
    index = session.question_index()
    return f"guess_records_{index}", f"guess_answer_{index}"
