"""What was typed on the trade-off page, so that it travels with the plan; never what the page itself proposed.

What a page proposes may follow from exact values while they are shown, and a link must not carry them.
"""

from __future__ import annotations

from collections.abc import Hashable, Mapping

import streamlit as st

from dpengine.data import Schema
from dpengine.formatting import Measure
from dpengine.scenario import PlanTargets
from pages.session.kept import remember, remembered, set_widget, widget_held

CONFIDENCE, PRIOR, BELIEF = "confidence", "prior", "target_belief"
_ERROR = "target_error_"
_LEAST, _MOST = 0.1, 99.9
_MOST_SIZES = 20
_MOST_BELIEFS = 20


def error_key(mark: int) -> str:
    """The box for the accepted error of a question."""
    return f"{_ERROR}{mark}"


def together_key(mark: int) -> str:
    """The box that says whether the accepted error of a question holds for all numbers of its answer at once."""
    return f"target_together_{mark}"


def of_100_key(key: str) -> str:
    """The box for a share that is typed as so many of 100."""
    return f"{key}_of_100"


def note_typed(key: str) -> None:
    """Keep that a person typed what a target's box holds; an emptied one is off."""
    held, others = widget_held(key), {name: value for name, value in _typed().items() if name != key}
    remember("typed_targets", others if held is None else {**others, key: held})


def keep_size(schema: Schema, *, rows: int | None, people: int | None) -> None:
    """Keep roughly how many rows and people somebody says a table has; of many tables, those said last."""
    others = {one: size for one, size in _sizes().items() if one != schema}
    remember("table_sizes", dict([*others.items(), (schema, (rows, people))][-_MOST_SIZES:]))


def size_of(schema: Schema) -> tuple[int | None, int | None]:
    """Roughly how many rows and people this table has, as somebody said; None where nobody did."""
    return _sizes().get(schema, (None, None))


def _sizes() -> dict[Schema, tuple[int | None, int | None]]:
    kept = remembered("table_sizes", None)
    return kept if isinstance(kept, dict) else {}


def change_table(before: Hashable, now: Hashable) -> None:
    """Put away the belief that is accepted for a table, and take out the one for another: none until it is said."""
    if before == now:
        return
    kept = remembered("beliefs", None)
    others = {one: belief for one, belief in kept.items() if one != before} if isinstance(kept, dict) else {}
    held, typed = others.pop(now, (None, None))
    left = (before, (widget_held(BELIEF), _typed().get(BELIEF)))
    remember("beliefs", dict([*others.items(), left][-_MOST_BELIEFS:]))
    set_widget(BELIEF, held)
    errors = {key: value for key, value in _typed().items() if key != BELIEF}
    remember("typed_targets", errors if typed is None else {**errors, BELIEF: typed})


def gathered(questions: Mapping[int, Measure], schema: Schema) -> PlanTargets:
    """What travels beside these questions about a table; an error of a share as a part of 1."""
    usual = PlanTargets()
    typed = ((_still_typed(error_key(mark)), measure) for mark, measure in questions.items())
    errors = [None if error is None else measure.kept(error) for error, measure in typed]
    while errors and errors[-1] is None:
        errors.pop()
    belief = _still_typed(BELIEF)
    rows, people = size_of(schema)
    return PlanTargets(
        confidence=_share(remembered(CONFIDENCE, 100 * usual.confidence)) or usual.confidence,
        prior=_share(remembered(PRIOR, 100 * usual.prior)) or usual.prior,
        belief=_share(belief),
        errors=tuple(errors),
        one_by_one=tuple(place for place, mark in enumerate(questions) if widget_held(together_key(mark)) is False),
        question=min(int(st.session_state.get("question", 0)), max(len(questions) - 1, 0)),
        rows=rows,
        people=people,
    )


def spread(targets: PlanTargets, questions: Mapping[int, Measure], schema: Schema) -> None:
    """Put what has travelled back where it was typed, each error to its question."""
    keep_size(schema, rows=targets.rows, people=targets.people)
    for key, share in ((CONFIDENCE, targets.confidence), (PRIOR, targets.prior)):
        remember(key, _of_100(share))
        set_widget(of_100_key(key), _of_100(share))
    errors = zip(questions.items(), targets.errors, strict=False)
    typed = {error_key(mark): measure.read(error) for (mark, measure), error in errors if error is not None}
    st.session_state.pop(BELIEF, None)
    if targets.belief is not None:
        typed[BELIEF] = _of_100(targets.belief)
    for key, value in typed.items():
        set_widget(key, value)
    remember("typed_targets", {key: value for key, value in _typed().items() if key != BELIEF} | typed)
    for place, mark in enumerate(questions):
        set_widget(together_key(mark), place not in targets.one_by_one)
    st.session_state.question = targets.question


def _typed() -> dict[str, float]:
    kept = remembered("typed_targets", None)
    return kept if isinstance(kept, dict) else {}


def accepted_belief() -> tuple[float | None, float]:
    """The belief that somebody typed as tolerated, None where nobody did, and the one before it; shares of 1."""
    usual = PlanTargets()
    return _share(_still_typed(BELIEF)), _share(remembered(PRIOR, 100 * usual.prior)) or usual.prior


def _still_typed(key: str) -> float | None:
    """What a person typed into a box, unless the page has put something else there since."""
    typed = _typed().get(key)
    return typed if widget_held(key) in (None, typed) else None


def _share(of_100: object) -> float | None:
    return round(of_100 / 100, 12) if isinstance(of_100, int | float) else None


def _of_100(share: float) -> float:
    """Within what the boxes take."""
    return min(max(round(100 * share, 10), _LEAST), _MOST)
