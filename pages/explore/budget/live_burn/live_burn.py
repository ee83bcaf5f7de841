"""The live picture on its page: what it says once, its present setting, and its frames, handed over bit by bit."""

from __future__ import annotations

import hashlib
import time
from collections.abc import Iterator, Mapping
from dataclasses import asdict
from pathlib import Path
from typing import Any

import streamlit as st

from dpengine.errors import DPEngineError
from dpengine.formatting import amount, tiny
from dpengine.spending import Spending
from dpengine.spending.onward import TIMES
from pages import session
from pages.access import roles
from pages.explore.budget import share_panels
from pages.explore.budget.live_burn.frames import DELTAS, EPSILONS, AskedList, Frame, frame
from pages.phrasing import rules
from pages.widgets import outputs
from pages.widgets.moving_dial import moving_dial

KEY, _MORE_KEY = "budget_live", "budget_live_more"
SECONDS = 0.3
"""How long frames are computed before those that are there are handed over, and the page hears of other wishes."""
HEADROOM = 1.6
_TICKS = (0.03, 0.1, 0.3, 1.0, 3.0, 10.0)
_HERE = Path(__file__).parent


def _read(name: str) -> str:
    return (_HERE / name).read_text(encoding="utf-8")


_BURN = st.components.v2.component(
    "live_burn",
    html=_read("live_burn.html"),
    css=moving_dial.TRACK + _read("live_burn.css"),
    js=moving_dial.DRAWING + _read("burn_panel.js") + _read("live_burn.js"),
    isolate_styles=False,
)
_MORE = st.components.v2.component("live_burn_more", html="<span hidden></span>", js=_read("more.js"))


def show(spending: Spending, wanted: tuple[str, ...], *, alike: bool, detail: str) -> Frame:
    """Draw it as it stands now; the frames for every other setting of its dials follow. What is drawn now."""
    asked = AskedList(spending=spending, rules=wanted, alike=alike)
    made = _made_for(asked)
    now = _frame_now(asked, made)
    _BURN(
        key=KEY,
        data=_once(asked, made.name, detail) | {"now": _now(asked, made, now)},
        on_turned_change=lambda: _turned(asked),
    )
    with st.container(key=f"more_{KEY}"):
        _handed_over(asked, made)
    return now


def _frame_now(asked: AskedList, made: _Made) -> Frame:
    """Of where the dials stand: one that was made already, where they stand at their steps."""
    total, delta = share_panels.total_of(asked.spending.scenario), made.deltas.index(asked.spending.budget.delta)
    known = made.frames.get(made.key(_nearest(total), delta)) if total in EPSILONS else None
    return known or frame(asked.spending, asked.rules, alike=asked.alike)


class _Made:
    """The frames of one picture so far, by the places of their delta and epsilon, and those not handed over yet."""

    def __init__(self, asked: AskedList, name: str) -> None:
        self.name, self.deltas, self.told = name, _deltas(asked.spending), set[str]()
        self.frames: dict[str, Frame | None] = {}

    def key(self, epsilon: int, delta: int) -> str:
        return f"{delta} {epsilon}"

    def missing(self, epsilon: int, delta: int) -> Iterator[tuple[str, float, float]]:
        """What is still to be made, first what is near to these places of the dials."""
        near = sorted(range(len(EPSILONS)), key=lambda place: abs(place - epsilon))
        for at in sorted(range(len(self.deltas)), key=lambda place: abs(place - delta)):
            for place in near:
                if self.key(place, at) not in self.frames:
                    yield self.key(place, at), EPSILONS[place], self.deltas[at]


def _made_for(asked: AskedList) -> _Made:
    """The frames that this session has of this list already, whatever it costs in total."""
    name = _name(asked)
    kept = session.remembered(f"{KEY}_made", None)
    if not isinstance(kept, _Made) or kept.name != name:
        kept = _Made(asked, name)
        session.remember(f"{KEY}_made", kept)
    return kept


def _name(asked: AskedList) -> str:
    """Equal for lists that differ in their total and in how often they are asked alone."""
    spending, plan = asked.spending, asked.spending.scenario
    total = share_panels.total_of(plan)
    proportions = [f"{planned.guarantee.epsilon / total:.6f}" for planned in plan.queries]
    same = [planned.at(1.0) for planned in plan.queries]
    told = (plan.rule, plan.schema, plan.neighbors, same, proportions, asked.rules, asked.alike)
    budget = (spending.budget.epsilon, _deltas(spending), [step.amounts for step in spending.earlier])
    return hashlib.sha256(repr((told, budget)).encode()).hexdigest()


def _deltas(spending: Spending) -> tuple[float, ...]:
    """Round ones, and the budget's own."""
    return tuple(sorted({*DELTAS, spending.budget.delta}))


@roles.curators_part
def _handed_over(asked: AskedList, made: _Made) -> None:
    """A part of its own, run again by the browser, once a hand is near, until it has all frames.

    What a browser has not got, as where one run overtook another, it is told again.
    """
    said = session.widget_held(_MORE_KEY)
    wanted = said.get("more") if isinstance(said, Mapping) else None
    if wanted and wanted["have"] != len(made.told):
        made.told.clear()
    until = time.monotonic() + SECONDS
    for key, epsilon, delta in made.missing(*map(int, wanted["near"])) if wanted else ():
        made.frames[key] = _possible(asked, epsilon, delta)
        if time.monotonic() > until:
            break
    new = {key: one for key, one in made.frames.items() if key not in made.told}
    made.told |= new.keys()
    _MORE(
        key=_MORE_KEY,
        data={"name": made.name, "frames": new, "total": len(EPSILONS) * len(made.deltas)},
        on_more_change=lambda: None,
    )


def _possible(asked: AskedList, epsilon: float, delta: float) -> Frame | None:
    """None where a share would be too small, or noise too wide, for any answer."""
    try:
        return frame(asked.at(epsilon, delta), asked.rules, alike=asked.alike)
    except DPEngineError:
        return None


def _once(asked: AskedList, name: str, detail: str) -> dict[str, Any]:
    """What is said whatever the dials say."""
    spending, palette = asked.spending, outputs.palette()
    budget, listed = spending.budget.epsilon, len(spending.scenario.queries)
    return {
        "name": name,
        "colors": asdict(palette),
        "rules": [_look(rule) for rule in asked.rules],
        "budget": {"at": budget, "text": f"budget {amount(budget)}"},
        "top": HEADROOM * budget,
        "rises": [{"at": share / HEADROOM, "text": amount(share * budget)} for share in (0.0, 0.5, 1.0, 1.5)],
        "earlier": len(spending.earlier),
        "listed": listed,
        "alike": asked.alike,
        "epsilons": [f"{epsilon:g}" for epsilon in EPSILONS],
        "ticks": [[EPSILONS.index(tick), f"{tick:g}"] for tick in _TICKS],
        "deltas": [tiny(delta) if delta else "0" for delta in _deltas(spending)],
        "times": [times for times in TIMES if times == 1 or times * (1 if asked.alike else listed) <= TIMES[-1]],
        "detail": detail,
    }


def _look(rule: str) -> dict[str, Any]:
    known = rules.RULES[rule]
    return {"name": known.label, "color": getattr(outputs.palette(), known.color), "width": known.width}


def _now(asked: AskedList, made: _Made, drawn: Frame) -> dict[str, Any]:
    """Where the dials stand; a total between their steps has a frame of its own."""
    total = share_panels.total_of(asked.spending.scenario)
    return {
        "label": f"{total:g}",
        "epsilon": _nearest(total),
        "delta": made.deltas.index(asked.spending.budget.delta),
        "times": asked.spending.rounds,
        "frame": drawn,
    }


def _nearest(total: float) -> int:
    return min(range(len(EPSILONS)), key=lambda place: abs(EPSILONS[place] / total - 1.0))


def _turned(asked: AskedList) -> None:
    """The hand has let go of a dial."""
    said = session.widget_held(KEY)
    if not isinstance(said, Mapping) or not said.get("turned"):
        return
    what, place = str(said["turned"]["what"]), int(said["turned"]["place"])
    if what == "epsilon":
        share_panels.turn(EPSILONS[place])
    elif what == "delta":
        session.move("budget_delta_box", _deltas(asked.spending)[place])
    elif what == "times":
        session.set_widget("budget_rounds", TIMES[place])
