"""Who may see what: the curator, who answers for the table, and analysts, who see what was released."""

from __future__ import annotations

import math
import time
from collections.abc import Callable
from enum import Enum
from functools import wraps
from typing import ParamSpec, TypeVar

import streamlit as st
from streamlit.runtime.scriptrunner import get_script_run_ctx

from pages import session
from pages.access import sign_on, visit
from pages.serving import curator_token
from pages.serving.layers import proof, sign_ins, uploads

Given = ParamSpec("Given")
Written = TypeVar("Written")


class Role(Enum):
    """One person at this machine is curator; where others are served, whoever proves it."""

    CURATOR = "curator"
    ANALYST = "analyst"


def current() -> Role:
    """The role of this session's browser; whoever is not proved to be curator is an analyst."""
    if visit.by_a_test():
        return Role.CURATOR
    if visit.is_here() or entered() or sign_on.is_curator():
        return Role.CURATOR
    return Role.ANALYST


def entered() -> bool:
    """Whether the token was typed in this session, by the browser that is here now, and nobody has left there since."""
    by = session.remembered("entered", None)
    return isinstance(by, tuple) and by == _in_this_browser(visit.proof() or by[0])


HERE = "here"
"""Whoever opened this machine's own address with the token."""


def whose() -> str:
    """Whose session this is as a curator's, another text for each person and way in; empty for an analyst's."""
    if current() is not Role.CURATOR:
        return ""
    if visit.by_a_test() or visit.is_here():
        return HERE
    return "token" if entered() else sign_on.who()


def part(draw: Callable[Given, None], *, every: float | None = None) -> Callable[Given, None]:
    """A part of a page that runs alone: it asks each time who is there, and draws for nobody but whom the page was for.

    Where the role has ended in between, the whole page is drawn anew, which asks as well.
    """
    return _alone(draw, current, every)


def curators_part(draw: Callable[Given, None], *, every: float | None = None) -> Callable[Given, None]:
    """The same on a curator's page, whoever asks for it."""
    return _alone(draw, lambda: Role.CURATOR, every)


def _alone(draw: Callable[Given, None], drawn_for: Callable[[], Role], every: float | None) -> Callable[Given, None]:
    @wraps(draw)
    def guarded(role: Role, *given: Given.args, **named: Given.kwargs) -> None:
        if current() is not role:
            st.rerun()
        draw(*given, **named)

    running = st.fragment(guarded, run_every=every)

    @wraps(draw)
    def shown(*given: Given.args, **named: Given.kwargs) -> None:
        running(drawn_for(), *given, **named)

    return shown


def until_signed_out(write: Callable[[], Written]) -> Callable[[], Written]:
    """A writer of a curator's file, which is asked for without any run.

    It refuses once the sign-in has ended or somebody has left, and whoever asks from another browser.
    """
    browser, until = visit.proof(), _until()
    drawn_for = _who_sits_at(browser)

    def guarded() -> Written:
        if proof.asking() != browser or _who_sits_at(browser) != drawn_for or time.time() > until:
            raise PermissionError("The sign-in for which this file was offered has ended, or another browser asks.")
        return write()

    return guarded


def _who_sits_at(browser: str) -> tuple[str, int]:
    return sign_ins.of(browser), sign_ins.times_left(browser)


def _until() -> float:
    """When the role ends though nobody signs out, in seconds of Unix time; only a sign-in's does."""
    return math.inf if visit.by_a_test() or visit.is_here() or entered() else sign_on.ends()


def settle_uploads() -> None:
    """Let this session send files where it is a curator's, and no other."""
    context = get_script_run_ctx()
    if context is None or visit.by_a_test():
        return
    before = sign_ins.times_left(visit.proof())
    if current() is Role.CURATOR and visit.proof():
        uploads.allow(context.session_id, visit.proof(), _until())
        if sign_ins.times_left(visit.proof()) != before:  # somebody has left between the two
            uploads.forbid(context.session_id)
    elif current() is not Role.CURATOR:
        uploads.forbid(context.session_id)


def let_go_of_files() -> None:
    """Free what was sent to this session, also what no run has looked at."""
    context = get_script_run_ctx()
    if context is not None:
        uploads.let_go(context.session_id)


def enter(typed: str) -> str:
    """Become curator with a token until the session ends; the sentence that says why not, empty where it worked."""
    refused = curator_token.of_this_server().opens(typed, visit.address())
    session.remember("entered", None if refused else _in_this_browser(visit.proof()))
    return refused


def _in_this_browser(proof: str) -> tuple[str, int]:
    return proof, sign_ins.times_left(proof)
