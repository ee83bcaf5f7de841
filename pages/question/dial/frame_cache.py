"""Frames that were made already: a dial that is let go asks for the same ones again."""

from __future__ import annotations

import hashlib
from dataclasses import dataclass

import numpy as np
import streamlit as st

from dpengine.charts import Palette
from dpengine.frames import EPSILONS
from pages import session
from pages.question.consequences import Detail
from pages.question.dial.dial_header import header
from pages.question.dial.dial_numbers import numbers_of
from pages.question.dial.drawn_frame import DialScales, drawn
from pages.question.dial.packing import packed
from pages.question.question_view import QuestionView

MOST_SHARED = 48


@dataclass(frozen=True, kw_only=True)
class MadeFrames:
    """All frames of a dial as bytes, and the scales that they are drawn on; `name` says what they are frames of."""

    name: str
    scales: DialScales
    packed: bytes


@dataclass(frozen=True, kw_only=True)
class FrameRequest:
    """Everything that frames depend on but the epsilon at which their dial stands; `key` tells dials apart.

    `public` says whether all that they show is public, so that they serve all sessions.
    """

    question: QuestionView
    key: str
    detail: Detail
    palette: Palette
    public: bool

    @property
    def name(self) -> str:
        """Equal for equal frames."""
        one = self.question.at(1.0)
        scores = b"" if one.scores is None else np.asarray(one.scores).tobytes()
        assumed = (one.confidence, one.prior, one.delta, one.balance, one.charged_as, one.center, one.guess)
        known = (one.guessed, one.funds, one.size)
        about = (one.planned, one.plan.schema, one.plan.neighbors, self.public)
        said = repr((*assumed, *known, *about, self.key, self.detail, self.palette))
        return hashlib.sha256(said.encode() + scores).hexdigest()


def of(request: FrameRequest) -> MadeFrames:
    """The frames of a question: of public tables for all sessions, of any other the last ones of this session."""
    name = request.name
    if request.public:
        return _shared(name, request)
    kept = session.remembered(f"{request.key}_frames_own", None)
    if not isinstance(kept, MadeFrames) or kept.name != name:
        kept = _made(name, request)
        session.remember(f"{request.key}_frames_own", kept)
    return kept


@st.cache_resource(max_entries=MOST_SHARED, show_spinner=False)
def _shared(name: str, _request: FrameRequest) -> MadeFrames:
    return _made(name, _request)


def _made(name: str, request: FrameRequest) -> MadeFrames:
    """From the question to its numbers at each step of the dial, to frames, to bytes."""
    question = request.question
    steps = [numbers_of(question.at(epsilon)) for epsilon in EPSILONS]
    scales = DialScales.of(steps, question.prior)
    said = header(question, scales, key=request.key, detail=request.detail, palette=request.palette)
    return MadeFrames(name=name, scales=scales, packed=packed([drawn(step, scales) for step in steps], scales, said))
