"""The frame of a lesson: numbered steps of which one is open, a finding above it, a closing question at the end."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path

import streamlit as st
from streamlit.delta_generator import DeltaGenerator

from dpengine.charts import Chart
from pages import session
from pages.access import roles
from pages.access.roles import Role
from pages.lesson import step_menu
from pages.lesson.check import Check, ask
from pages.widgets import computed, inputs, outputs
from pages.widgets.typed_numbers import LARGEST_EPSILON

_TO_THE_TOP = st.components.v2.component(
    "to_the_top",
    html="<span hidden></span>",
    js=(Path(__file__).parent / "to_the_top.js").read_text(encoding="utf-8"),
)
PAGES = {
    "definition": "Definition",
    "mechanisms": "Mechanisms",
    "randomized_response": "Randomized response",
    "truncation": "Truncation",
    "properties": "Properties",
    "contributions": "Contributions",
    "composition": "Composition",
}
"""The lessons in the order of the menu: the page's name, and its title."""
LOOKED_UP = {"deployments": "What others chose", "glossary": "Glossary"}
"""The pages beside the lessons where things are looked up."""
ATTACKS: dict[str, str] = {
    "linkage": "Linkage",
    "homogeneity": "Homogeneity",
    "differencing": "Differencing",
    "averaging": "Averaging",
    "reconstruction": "Reconstruction",
    "guessing": "Guessing",
}
"""The same for the attacks."""
SERIES = {"learn": PAGES, "attack": ATTACKS}
AFTER_THE_LAST = {
    Role.CURATOR: ("pages/explore/tradeoff/page.py", "Try it on a table: Trade-off →"),
    Role.ANALYST: ("pages/explore/released/page.py", "See what was released →"),
}
NEXT = {"learn": "Next lesson", "attack": "Next attack"}
ROUND_EPSILONS = (0.1, 0.2, 0.3, 0.5, 0.8, 1.0, 1.5, 2.0)


@dataclass(frozen=True, slots=True, kw_only=True)
class Shown:
    """What a step leaves behind: the finding for the title, and the charts whose numbers may be asked for.

    `computed` is what stands behind "How is this computed?": formulas with their symbols explained, methods, sources.
    """

    finding: str
    pictures: tuple[Chart, ...] = ()
    computed: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class Step:
    """One idea: two or three words for the menu of steps, and the function that draws it and says what it shows."""

    name: str
    show: Callable[[], Shown]


@dataclass(frozen=True, slots=True, kw_only=True)
class Lesson:
    """The question that a page answers, its steps in order, and the questions that close it, at least one.

    `key` is the page's name; all keys of the page begin with it. `series` says which pages it stands among, `closing`
    is what the page leaves behind, above its closing questions.
    """

    key: str
    question: str
    steps: Sequence[Step]
    checks: Sequence[Check]
    series: str = "learn"
    closing: str = ""


@roles.part
def show(lesson: Lesson) -> None:
    """The whole page: title, menu of steps, the open step, the way on, the numbers behind its pictures."""
    heading = st.container()
    steps = (*lesson.steps, Step(name="Check", show=lambda: _closing(lesson)))
    index = step_menu.open_step(lesson.key, [step.name for step in steps])
    shown = Shown(finding=lesson.question)
    with outputs.sentences_for_errors():
        shown = steps[index].show()
    with heading:
        outputs.finding(shown.finding, lesson.question)
    computed.how(shown.computed, key=f"{lesson.key}_{index}_computed")
    _ways_on(lesson, steps, index)
    if shown.pictures:
        outputs.numbers_behind(shown.pictures, key=f"{lesson.key}_{index}_numbers")
    _to_the_top_of_a_new_step(lesson, index)


def _ways_on(lesson: Lesson, steps: Sequence[Step], index: int) -> None:
    """A button to the step before and one to the step after, each with its name; after the last, the next lesson."""
    with st.container(horizontal=True):
        step_menu.to_the_steps_beside(lesson.key, [step.name for step in steps], index)
        if index == len(steps) - 1:
            path, words = _onward(lesson)
            if st.button(words, key=f"{lesson.key}_onward", type="primary"):
                st.switch_page(path)


def _onward(lesson: Lesson) -> tuple[str, str]:
    """Where the closing question leads: the page, and the words on the button."""
    titles = SERIES[lesson.series]
    names = list(titles)
    following = names[names.index(lesson.key) + 1 :]
    if not following:
        return AFTER_THE_LAST[roles.current()]
    return f"pages/{lesson.series}/{following[0]}/page.py", f"{NEXT[lesson.series]}: {titles[following[0]]} →"


def _to_the_top_of_a_new_step(lesson: Lesson, index: int) -> None:
    """Let the browser begin a new step at its beginning."""
    key = f"{lesson.key}_shown"
    if session.remembered(key, index) != index:
        with st.container(key="no_room_for_a_step"):
            _TO_THE_TOP(key=f"{key}_{index}")
    session.remember(key, index)


def _closing(lesson: Lesson) -> Shown:
    if lesson.closing:
        st.markdown(lesson.closing)
    for number, check in enumerate(lesson.checks):
        ask(check, key=check_key(lesson, number))
    return Shown(finding=to_check_yourself(lesson))


def check_key(lesson: Lesson, number: int) -> str:
    """By which a closing question is known on its page."""
    return f"{lesson.key}_check_{number}" if number else f"{lesson.key}_check"


def to_check_yourself(lesson: Lesson) -> str:
    """The title of a lesson's last step."""
    count = len(lesson.checks)
    return "One question to check yourself" if count == 1 else f"{count} questions to check yourself"


def dial(key: str, *, start: float, most: float = LARGEST_EPSILON) -> float:
    """The epsilon dial of one step in its white card; it stands where the person left it in any step of the page.

    `most` is the largest epsilon that the step can show: above it the dial says so, and the picture stays.
    """
    with st.container(border=True, key=f"card_dial_{key}"):
        return dial_of_page(key, start=start, most=most)


@dataclass(frozen=True, slots=True, kw_only=True)
class Left:
    """Where the dial of a page was left, in which step, and how often the step with a dial has changed."""

    key: str
    epsilon: float
    changes: int = 0


def dial_of_page(key: str, *, start: float, most: float = LARGEST_EPSILON, named: str = "ε") -> float:
    """The same without its card. The step that is opened first sets where all of them start."""
    name = f"{_page_of(key)}_dial"
    left = session.remembered(name, None)
    if not isinstance(left, Left):
        left = Left(key=key, epsilon=start)
    changes = left.changes + (left.key != key)
    kept = min(left.epsilon, most)
    epsilon = inputs.dial(key=key, kept=kept, owner=changes, most=most, named=named)
    session.remember(name, Left(key=key, epsilon=left.epsilon if epsilon == kept else epsilon, changes=changes))
    return epsilon


def _page_of(key: str) -> str:
    return next(name for titles in SERIES.values() for name in titles if key.startswith(f"{name}_"))


def picture_and_words(key: str, *, picture: float = 1.6, words: float = 1.0) -> tuple[DeltaGenerator, DeltaGenerator]:
    """Two places side by side, one above the other on a phone: a white card for the one picture, and one for words."""
    left, right = st.columns([picture, words], gap="medium", vertical_alignment="top")
    return left.container(border=True, key=f"card_{key}"), right.container()


def choice(label: str, options: Sequence[str], *, key: str) -> str:
    """One of a few words, in a row of pills; it stays chosen while the session lasts."""
    session.widget_starts_at(key, options[0])
    chosen = st.pills(
        label, list(options), key=key, required=True, wrap=True, label_visibility="collapsed", persist_state="session"
    )
    return str(chosen or options[0])


def whole_number(place: DeltaGenerator, label: str, *, key: str, span: tuple[int, int], start: int) -> int:
    """A slider over whole numbers; it stays where it was while the session lasts."""
    session.widget_starts_at(key, start)
    return int(place.slider(label, *span, key=key, persist_state="session"))


def epsilon_slider(place: DeltaGenerator, label: str, *, key: str, start: float) -> float:
    """A small slider over round epsilons, where a step has several; it stays while the session lasts."""
    session.widget_starts_at(key, start)
    chosen = place.select_slider(label, ROUND_EPSILONS, key=key, persist_state="session")
    return float(str(chosen))
