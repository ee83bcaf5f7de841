"""The frame of an attack's page: at least three acts of few words each, then the question that it answers."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass

import streamlit as st

from dpengine.errors import InvalidParameterError
from pages.lesson.check import Check
from pages.lesson.lesson import Lesson, Shown, Step

PUBLISHED, ATTACK, EPSILON = "What is published", "What the attacker does", "What ε changes"
MOST_WORDS = 60


@dataclass(frozen=True, slots=True, kw_only=True)
class Act:
    """One step of an attack: what is told, in at most MOST_WORDS words, and the function that draws it."""

    words: str
    show: Callable[[], Shown]

    def __post_init__(self) -> None:
        if len(self.words.split()) > MOST_WORDS:
            raise InvalidParameterError("words", self.words, f"at most {MOST_WORDS} words")

    def play(self) -> Shown:
        """Tell it, then draw it."""
        st.markdown(self.words)
        return self.show()


def story(
    key: str,
    *,
    acts: Mapping[str, Act],
    asked: str,
    answered: str,
    checks: Sequence[Check],
) -> Lesson:
    """The page of an attack: its acts by the names of their steps, the three that every attack has first.

    `asked` is what a stakeholder would ask, `answered` what the page has shown.
    """
    return Lesson(
        key=key,
        question=asked,
        steps=tuple(Step(name=name, show=act.play) for name, act in acts.items()),
        checks=checks,
        series="attack",
        closing=f"**“{asked}”**  \n{answered}",
    )
