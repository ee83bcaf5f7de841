"""The question that closes a lesson: one right answer, and a sentence about each."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import streamlit as st

from dpengine.errors import InvalidParameterError
from pages import session
from pages.widgets.options import apart


@dataclass(frozen=True, slots=True, kw_only=True)
class Answer:
    """A possible answer, and what it gets back: why it is right, or what it mixed up."""

    text: str
    feedback: str
    right: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class Check:
    """A question with at least two answers of which one is right; the order stays."""

    question: str
    answers: Sequence[Answer]

    def __post_init__(self) -> None:
        if len(self.answers) < 2 or sum(answer.right for answer in self.answers) != 1:
            raise InvalidParameterError("answers", self.answers, "at least two, of which exactly one is right")


def ask(check: Check, *, key: str) -> bool:
    """Show the question; what was answered is remembered while the session lasts. Says whether it was right."""
    with st.container(border=True, key=f"card_{key}"):
        chosen = st.radio(
            f"**{check.question}**",
            range(len(check.answers)),
            index=None,
            format_func=apart(range(len(check.answers)), lambda index: check.answers[index].text),
            key=key,
            persist_state="session",
        )
        if st.button("Check my answer", key=f"{key}_button", disabled=chosen is None):
            session.remember(key, chosen)
        answered = session.remembered(key, None)
        if not isinstance(answered, int) or answered != chosen:
            return False
        answer = check.answers[answered]
        if answer.right:
            st.success(f"**✓ Right.** {answer.feedback}")
        else:
            st.info(f"**✗ Not quite.** {answer.feedback}")
        return answer.right
