"""Films that were made already: a dial that is let go asks for the same frames again."""

from __future__ import annotations

import hashlib
from dataclasses import dataclass, replace

import numpy as np
import streamlit as st

from dpengine.charts import Palette
from pages import session
from pages.question.consequences import Detail
from pages.question.dial import frames, payload
from pages.question.dial.frames import Film
from pages.question.question_view import QuestionView

MOST_SHARED = 48


@dataclass(frozen=True, kw_only=True)
class Made:
    """A film as its bytes, and without its steps, which are in them; `name` says what it is a film of."""

    name: str
    film: Film
    packed: bytes


@dataclass(frozen=True, kw_only=True)
class FrameRequest:
    """Everything that a film depends on but the epsilon at which its dial stands; `key` tells dials apart.

    `public` says whether all that it shows is public, so that one film serves all sessions.
    """

    question: QuestionView
    key: str
    detail: Detail
    palette: Palette
    public: bool

    @property
    def name(self) -> str:
        """Equal for equal films."""
        one = self.question.at(1.0)
        scores = b"" if one.scores is None else np.asarray(one.scores).tobytes()
        assumed = (one.confidence, one.prior, one.delta, one.balance, one.charged_as, one.center, one.guess)
        known = (one.guessed, one.funds, one.size)
        about = (one.planned, one.plan.schema, one.plan.neighbors, self.public)
        said = repr((*assumed, *known, *about, self.key, self.detail, self.palette))
        return hashlib.sha256(said.encode() + scores).hexdigest()


def of(wanted: FrameRequest) -> Made:
    """The film of a question: of public tables one for all sessions, of any other the last one of this session."""
    name = wanted.name
    if wanted.public:
        return _shared(name, wanted)
    kept = session.remembered(f"{wanted.key}_film_own", None)
    if not isinstance(kept, Made) or kept.name != name:
        kept = _made(name, wanted)
        session.remember(f"{wanted.key}_film_own", kept)
    return kept


@st.cache_resource(max_entries=MOST_SHARED, show_spinner=False)
def _shared(name: str, _wanted: FrameRequest) -> Made:
    return _made(name, _wanted)


def _made(name: str, wanted: FrameRequest) -> Made:
    film = frames.film(wanted.question)
    packed = payload.packed(film, wanted.question, key=wanted.key, detail=wanted.detail, palette=wanted.palette)
    return Made(name=name, film=replace(film, steps=()), packed=packed)
