"""What the guessing game is about: whose record, in which count, and the game as it stands in this session."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Protocol

import streamlit as st

from dpengine.attacks import Game, GuessingRules
from dpengine.data import sample_frame
from dpengine.plan import PlannedQuery
from dpengine.queries import Query
from dpengine.queries.forms import CountForm, is_of_people
from pages import session
from pages.lesson import pickers, row_access
from pages.lesson.lesson import choice
from pages.phrasing import wording
from pages.widgets.escaping import plain

KEY, YOU, FIRST_SEED, MOST_GAMES = "guessing", "you", 2026, 30
TRAITS = ("mumps", "heart disease", "diabetes", "flu")
HOSPITAL = "the invented hospital"


class Draw(Protocol):
    """A menu of one name among several."""

    def __call__(self, label: str, options: Sequence[str], /, *, key: str) -> str:
        """Draw it and say what is chosen."""


@dataclass(frozen=True, slots=True, kw_only=True)
class GuessingStage:
    """A count that one person moves from `without` by `step`; `counted` says who is counted, `person` whose it is."""

    without: int
    counted: str
    person: str
    step: int = 1
    unit: str = "patients"


def stage(*, choosing: bool = False) -> GuessingStage:
    """The curator's own planned count where that may be drawn and is wanted, else a disease of the invented hospital.

    Choices are drawn where `choosing` is true, and stay in force elsewhere.
    """
    if row_access.own_or_invented(HOSPITAL, key=f"{KEY}_ground") is not None:
        own = _own(choosing=choosing)
        if own is not None:
            return own
        st.caption("Your plan has no question that counts people or rows, so the invented hospital is used instead.")
    return _invented(choosing=choosing)


def _is_one_count(query: Query) -> bool:
    return isinstance(query, CountForm) and not query.cell


def _own(*, choosing: bool) -> GuessingStage | None:
    plan = session.scenario()
    counts = [index for index, one in enumerate(plan.queries) if _is_one_count(one.query)]
    if not counts:
        return None
    names = [plain(wording.numbered(plan, index)) for index in counts]
    key = f"{KEY}_question"
    session.widget_stays_within(key, names)
    name = _chosen("Question of your plan", names, key=key, drawn=_list if choosing else None)
    return _counted(plan.queries[counts[names.index(name)]])


def _counted(planned: PlannedQuery) -> GuessingStage | None:
    plan, exact = session.scenario(), row_access.exact_answer(planned.query)
    if exact is None:
        return None
    step = round(planned.parts(plan.schema, plan.neighbors)[0].sensitivity.l1)
    unit = "people" if is_of_people(planned.query) else planned.query.unit(plan.schema)
    return GuessingStage(
        without=max(round(exact) - step, 0), counted=f"{unit} counted", person="this person", step=step, unit=unit
    )


def _invented(*, choosing: bool) -> GuessingStage:
    patients = _patients()
    trait = _chosen("Disease", TRAITS, key=f"{KEY}_trait", drawn=choice if choosing else None)
    people = patients[trait]
    key = f"{KEY}_person"
    session.widget_stays_within(key, people)
    name = _chosen("Whose record?", people, key=key, drawn=_list if choosing else None)
    return GuessingStage(without=len(people) - 1, counted=f"patients with {trait}", person=name.split()[0])


def _list(label: str, names: Sequence[str], *, key: str) -> str:
    return pickers.listed(st.container(), label, names, key=key, start=names[0])


def _chosen(label: str, names: Sequence[str], *, key: str, drawn: Draw | None) -> str:
    """What is chosen now, or was chosen where the menu is not drawn; the first at first."""
    held = session.remembered(f"{key}_chosen", names[0])
    name = drawn(label, names, key=key) if drawn else str(held) if held in names else names[0]
    session.remember(f"{key}_chosen", name)
    return name


@st.cache_data(max_entries=1)
def _patients() -> dict[str, list[str]]:
    """The names of the invented patients with each disease."""
    frame = sample_frame("patients")
    return {trait: frame.loc[frame["disease"] == trait, "name"].tolist() for trait in TRAITS}


def game_of(rules: GuessingRules) -> Game:
    """The game under these rules as it stands; a new one has rounds that no other game of this session had."""
    games = _games()
    return next((game for game in games if game.rules == rules), Game(rules=rules, seed=_next_seed(games)))


def guess(rules: GuessingRules, number: int, *, present: bool) -> None:
    """Guess the open round, which opens the next one; a second click on a button that is being redrawn is not heard."""
    game = game_of(rules)
    if number == game.next_number(YOU):
        _keep(game.guessed(YOU, number, present=present))


def start_over(rules: GuessingRules) -> None:
    """A new game under the same rules."""
    _keep(Game(rules=rules, seed=_next_seed(_games())))


def _keep(game: Game) -> None:
    others = tuple(one for one in _games() if one.rules != game.rules)
    session.remember(f"{KEY}_games", (*others, game)[-MOST_GAMES:])


def _games() -> tuple[Game, ...]:
    held = session.remembered(f"{KEY}_games", ())
    return held if isinstance(held, tuple) else ()


def _next_seed(games: tuple[Game, ...]) -> int:
    return max((game.seed + 1 for game in games), default=FIRST_SEED)
