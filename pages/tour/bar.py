"""The tour's bar at the foot of a page: where one is, what to try, what to notice, and the ways on."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from html import escape

import streamlit as st
from streamlit.delta_generator import DeltaGenerator

from pages import session
from pages.access import roles
from pages.tour import progress
from pages.tour.progress import Progress
from pages.tour.steps import STEPS, TourStop

START = "Take the tour (3 minutes)"
SECONDS = 3.0
"""How often a live page is looked at."""


@contextmanager
def around(page: str) -> Iterator[None]:
    """Show the bar before a page is drawn, and look at what the page shows afterwards; `page` is its address."""
    now = progress.on_tour()
    if now is None:
        yield
        return
    here, before = is_on(now.step, page), progress.tried()
    words = _show(now, here=here)
    yield
    if here:
        progress.look()
        if not now.step.live and progress.tried() != before:
            _words(words, now, here=True)


def is_on(step: TourStop, page: str) -> bool:
    """Whether a step happens on the page of this address; the first page lies at the root."""
    return page in ("", "start", "welcome") if step is STEPS[0] else step.page.endswith(f"/{page}/page.py")


def _show(now: Progress, *, here: bool) -> DeltaGenerator:
    """Draw the bar; returns the place of its words."""
    st.html(CSS)
    with st.bottom, st.container(horizontal=True, vertical_alignment="center", gap="small", key="tour_bar"):
        words = st.empty()
        if here and now.step.live and now.number not in progress.tried():
            with words:
                roles.curators_part(_watching, every=SECONDS)(now)
        else:
            _words(words, now, here=here)
        with st.container(horizontal=True, width="content", gap="small", key="tour_ways"):
            _ways(now, here=here)
    return words


def _watching(now: Progress) -> None:
    """The words, with a mark as soon as the page can tell that the step was tried."""
    progress.look()
    _words(st.container(), now, here=True)


def _words(place: DeltaGenerator, now: Progress, *, here: bool) -> None:
    step = now.step
    done = now.number in progress.tried()
    mark = '<b class="tour-done">✓ Done.</b> ' if done else ""
    said = f"{escape(step.words(built_in=session.is_built_in()))} {mark}<br><i>Notice:</i> {escape(step.notice)}"
    if not here:
        said = "This page is not on the tour. Look around as long as you like; your place is kept."
    where = f"<b>{now.number} of {len(STEPS)} · {step.name}.</b>"
    place.html(f'<div class="tour-words">{_dots(now)}<div role="status">{where} {said}</div></div>')


def _dots(now: Progress) -> str:
    """A dot a step: those before, this one, those after; said in words to whoever does not see them."""
    tried = sorted(progress.tried())
    words = f"Step {now.number} of {len(STEPS)}" + (f"; done: {', '.join(map(str, tried))}" if tried else "")
    dots = "".join(f'<i class="{_dot(number, now)}"></i>' for number in range(1, len(STEPS) + 1))
    return f'<span class="tour-dots" role="img" aria-label="{words}">{dots}</span>'


def _dot(number: int, now: Progress) -> str:
    here = "here " if number == now.number else ""
    return here + ("tried" if number in progress.tried() else "")


def _ways(now: Progress, *, here: bool) -> None:
    """Back and next, or the way back to the step; and the way out."""
    if not here:
        _way("tour_here", f"To step {now.number} →", now.number, primary=True)
    else:
        if now.number > 1:
            _way("tour_back", "← Back", now.number - 1)
        if now.number < len(STEPS):
            _way("tour_next", "Next →", now.number + 1, primary=True)
    last = here and now.number == len(STEPS)
    if st.button("Finish" if last else "Leave", key="tour_leave", type="primary" if last else "tertiary"):
        (progress.finish if last else progress.leave)()
        st.rerun()


def _way(key: str, label: str, number: int, *, primary: bool = False) -> None:
    if st.button(label, key=key, type="primary" if primary else "secondary"):
        to_step(number)


def to_step(number: int) -> None:
    """Open the page of a step and go on with it there."""
    progress.go(number)
    st.switch_page(STEPS[number - 1].page)


def start_button(*, key: str = "tour_start") -> None:
    """Start the tour, or resume it where it was left; nothing while somebody is on it."""
    now = progress.current()
    if now is not None and not now.left:
        return
    label = START if now is None else f"Resume the tour (step {now.number} of {len(STEPS)})"
    if st.button(label, key=key, type="primary"):
        to_step(1 if now is None else now.number)


CSS = """
<style>
[data-testid="stBottom"] > div { border-top: 1px solid rgba(128, 140, 160, .45); }
[data-testid="stBottomBlockContainer"] { padding: .35rem 2rem .45rem; max-width: 1560px; }
.st-key-tour_bar { flex-wrap: nowrap; }
.st-key-tour_bar button { min-height: 2rem; padding: .1rem .6rem; }
.tour-words { display: flex; gap: .8rem; align-items: center; font-size: .875rem; line-height: 1.3; }
.tour-words > div { flex: 1; }
.tour-words > div > i { font-style: normal; opacity: .8; }
.tour-dots { display: inline-flex; gap: 4px; flex: none; }
.tour-dots i { width: 8px; height: 8px; border-radius: 50%; border: 1.5px solid currentColor; opacity: .6; }
.tour-dots i.tried { background: currentColor; }
.tour-dots i.here { width: 18px; border-radius: 4px; background: currentColor; opacity: 1; }
.tour-done { white-space: nowrap; }
@media (max-width: 640px) {
  [data-testid="stBottomBlockContainer"] { padding: .35rem .9rem .45rem; }
  .st-key-tour_bar { flex-direction: column; align-items: stretch; gap: .35rem; }
  .st-key-tour_bar > * { width: 100%; flex: none !important; }
  .st-key-tour_ways { justify-content: space-between; }
  .tour-words { display: block; }
  .tour-words > div { display: inline; }
  .tour-dots { margin-right: .5rem; }
}
</style>
"""
