"""The bar at the foot of a page: where one is on a path, what to try or to say, what to notice, and the ways on."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from html import escape

import streamlit as st
from streamlit.delta_generator import DeltaGenerator

from pages import session
from pages.access import roles
from pages.tour import progress, staging
from pages.tour.paths import SHOW, is_on
from pages.tour.progress import Progress
from pages.tour.steps import STEPS

START, PRESENT = "Take the tour (3 minutes)", "Ten minutes for a minister"
_PRESENTING = "For a podium: six stops, one sentence to read aloud at each. Arrow keys and a presenter’s remote go on."
SECONDS = 3.0
"""How often a live page is looked at."""


@contextmanager
def around(page: str) -> Iterator[None]:
    """Show the bar before a page is drawn, and look at what the page shows afterwards; `page` is its address."""
    now = progress.under_way()
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
    done = now.number in progress.tried(now.path)
    mark = '<b class="tour-done">✓ Done.</b> ' if done else ""
    said, label, more = map(escape, now.step.lines(built_in=session.is_built_in()))
    both = (
        f"{said} {mark}" + (f'<br><span class="tour-more"><i>{label}</i> {more}</span>' if more else "")
        if here
        else now.path.beside
    )
    where = f"<b>{now.number} of {len(now.path.stops)} · {now.step.name}.</b>"
    look = f"tour-words on-{now.path.parameter}"
    place.html(f'<div class="{look}">{_dots(now)}<div role="status">{where} {both}</div></div>')


def _dots(now: Progress) -> str:
    """A dot a step: those before, this one, those after; said in words to whoever does not see them."""
    tried, last = sorted(progress.tried(now.path)), len(now.path.stops)
    words = f"Step {now.number} of {last}" + (f"; done: {', '.join(map(str, tried))}" if tried else "")
    dots = "".join(f'<i class="{_dot(number, now)}"></i>' for number in range(1, last + 1))
    return f'<span class="tour-dots" role="img" aria-label="{words}">{dots}</span>'


def _dot(number: int, now: Progress) -> str:
    here = "here " if number == now.number else ""
    return here + ("tried" if number in progress.tried(now.path) else "")


def _ways(now: Progress, *, here: bool) -> None:
    """Back and next, or the way back to the step; and the way out."""
    if not here:
        _way("tour_here", f"To step {now.number} →", now.number, now, primary=True)
    else:
        if now.number > 1:
            _way("tour_back", "← Back", now.number - 1, now)
        if not now.is_last:
            _way("tour_next", "Next →", now.number + 1, now, primary=True)
    last = here and now.is_last
    if st.button(now.path.finish if last else now.path.leave, key="tour_leave", type="primary" if last else "tertiary"):
        _out(now, last=last)


def _out(now: Progress, *, last: bool) -> None:
    """Leave the tour or finish it, or end the presenter's path."""
    if now.path is SHOW:
        staging.end()
    (progress.finish if last else progress.leave)()
    st.rerun()


def _way(key: str, label: str, number: int, now: Progress, *, primary: bool = False) -> None:
    if st.button(label, key=key, type="primary" if primary else "secondary"):
        progress.open_stop(number, now.path)


def start_button(*, key: str = "tour_start") -> None:
    """Start the tour, or resume it where it was left; nothing while somebody is on it."""
    now = progress.current()
    if now is not None and not now.left:
        return
    label = START if now is None else f"Resume the tour (step {now.number} of {len(STEPS)})"
    if st.button(label, key=key, type="primary"):
        progress.open_stop(1 if now is None else now.number)


def ways_in(page: str, *, key: str) -> None:
    """The tour and the presenter's path, side by side; the latter ends on this page."""
    with st.container(horizontal=True, gap="small"):
        start_button(key=f"{key}_start")
        if progress.current(SHOW) is None and st.button(PRESENT, key=f"{key}_show", help=_PRESENTING):
            staging.begin(page)


CSS = """
<style>
[data-testid="stBottom"] > div { border-top: 1px solid rgba(128, 140, 160, .45); }
[data-testid="stBottomBlockContainer"] { padding: .35rem 2rem .45rem; max-width: 1560px; }
.st-key-tour_bar { flex-wrap: nowrap; }
.st-key-tour_bar button { min-height: 2rem; padding: .1rem .6rem; }
.tour-words { display: flex; gap: .8rem; align-items: center; font-size: .875rem; line-height: 1.3; }
.tour-words > div { flex: 1; }
.tour-more > i { font-style: normal; opacity: .8; }
.tour-dots { display: inline-flex; gap: 4px; flex: none; }
.tour-dots i { width: 8px; height: 8px; border-radius: 50%; border: 1.5px solid currentColor; opacity: .6; }
.tour-dots i.tried { background: currentColor; }
.tour-dots i.here { width: 18px; border-radius: 4px; background: currentColor; opacity: 1; }
.tour-done { white-space: nowrap; }
.on-show { font-size: 1.2rem; }
.on-show .tour-more { font-size: 1rem; }
@media (min-width: 1600px) { .on-show { font-size: 1.5rem; } }
@media (max-width: 640px) {
  [data-testid="stBottomBlockContainer"] { padding: .35rem .9rem .45rem; }
  .st-key-tour_bar { flex-direction: column; align-items: stretch; gap: .35rem; }
  .st-key-tour_bar > * { width: 100%; flex: none !important; }
  .st-key-tour_ways { justify-content: space-between; }
  .tour-words { display: block; }
  .on-show { font-size: 1rem; }
  .tour-words > div { display: inline; }
  .tour-dots { margin-right: .5rem; }
}
</style>
"""
