"""Hazards: how the promise stands before each, why, and where the hazard was read; a verdict in words, no score."""

from __future__ import annotations

import streamlit as st

from dpengine.promises.hazards import HazardFinding, Standing, hazards_of, questions_for_author, verdict
from pages.judge.promise.hand import Hand
from pages.widgets.escaping import unmarked

MEND_FIRST = "Nothing can be judged before the promise makes sense."
_ORDER = (Standing.WEAK, Standing.NOT_STATED, Standing.NOT_LOOKED_UP, Standing.SOUND)
_MARKS = {Standing.WEAK: "▼", Standing.NOT_STATED: "?", Standing.NOT_LOOKED_UP: "…", Standing.SOUND: "✓"}


def show(held: Hand) -> None:
    """The verdict, a row for each hazard from weak to sound, and what to ask its author."""
    if held.promise is None:
        st.info(MEND_FIRST)
        return
    st.markdown(unmarked(verdict(held.promise)))
    found = sorted(hazards_of(held.promise), key=lambda one: _ORDER.index(one.standing))
    st.markdown("\n".join(["| Hazard, and why it matters | This promise |", "|---|---|", *map(_row, found)]))
    if questions := questions_for_author(held.promise):
        asked = "\n".join(f"- {unmarked(question)}" for question in questions)
        st.markdown(f"## Questions for its author\n{asked}", anchors=False)


def _row(found: HazardFinding) -> str:
    hazard, source = found.hazard, found.hazard.sources[0]
    standing = f"**{_MARKS[found.standing]} {found.words}.** {unmarked(found.because)}"
    return (
        f"| **{hazard.title}.** {unmarked(hazard.why)} [{unmarked(source.cited)}]({source.page.address}) | {standing} |"
    )
