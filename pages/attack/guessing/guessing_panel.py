"""The game itself: what was published, two buttons, what came of the last guess, and the score."""

from __future__ import annotations

import html

import streamlit as st
from streamlit.delta_generator import DeltaGenerator

from dpengine.attacks import BEST_ATTACKER, Game, GuessingRules, Round
from dpengine.charts import Chart
from dpengine.charts.attacks import guessing_charts
from dpengine.charts.attacks.guessing_charts import Track
from dpengine.formatting import nearest_of_100
from pages.attack.guessing.guessing_stage import KEY, YOU, GuessingStage, game_of, guess, start_over
from pages.widgets import outputs

_SAID = '<div role="status" aria-live="polite">{}</div>'


def play(place: DeltaGenerator, rules: GuessingRules, stage: GuessingStage, *, key: str) -> Game:
    """The open round and what came of the one before; a click on either button guesses and opens the next."""
    game = game_of(rules)
    open_round = game.round(game.next_number(YOU))
    with place.container(border=True, key=f"card_{KEY}_{key}_game"):
        st.markdown(
            f"## Round {open_round.number + 1}: published {_published(open_round)}\n"
            f"Without {stage.person} it counts **{stage.without:,}**, with {stage.person} "
            f"**{stage.without + stage.step:,}**."
        )
        with st.container(horizontal=True):
            for present, words in ((True, f"{stage.person} is in"), (False, f"{stage.person} is not in")):
                st.button(
                    words,
                    key=f"{KEY}_{key}_{'in' if present else 'out'}",
                    type="primary",
                    width="stretch",
                    on_click=guess,
                    args=(rules, open_round.number),
                    kwargs={"present": present},
                )
        st.html(_SAID.format(_said(game, html.escape(stage.person))))
        _standing(game, key=key)
    return game


def _published(found: Round) -> str:
    return ", ".join(f"{answer:,}" for answer in found.answers)


def _said(game: Game, person: str) -> str:
    """What came of the last guess, for eyes and for screen readers."""
    if not game.guesses:
        return f"Is {person} in the table? A coin decides in every round. Click your guess."
    last = game.guesses[-1]
    found = game.round(last.number)
    won, place = last.present == found.present, "in" if found.present else "not in"
    best = "in" if found.best_guess else "not in"
    best_won = "right" if found.best_guess == found.present else "wrong"
    belief = nearest_of_100(found.beliefs[-1], game.rules.prior)
    return (
        f"<b>{'✓ Right' if won else '✗ Wrong'}</b>: {person} was {place} (published {_published(found)}). "
        f"The best possible attacker said “{best}”, {best_won}. Its belief that {person} is in: {belief} out of 100."
    )


def _standing(game: Game, *, key: str) -> None:
    yours, best = game.score(YOU), game.score(BEST_ATTACKER)
    with st.container(horizontal=True, vertical_alignment="center"):
        st.metric("In a row", f"{yours.streak}", delta=None, help=f"Longest so far: {yours.longest}")
        st.metric("You won", f"{yours.wins} of {yours.rounds}")
        st.metric("Best possible attacker", f"{best.wins} of {best.rounds}")
        st.button("New game", key=f"{KEY}_{key}_again", on_click=start_over, args=(game.rules,))


def track(game: Game) -> Chart:
    """How the score went, beside the chance line and the most that anybody wins."""
    players = (("you", game.wins_of(YOU)), (BEST_ATTACKER, game.wins_of(BEST_ATTACKER)))
    view = Track(players=players, chance=game.rules.baseline, bound=game.rules.bound)
    return guessing_charts.score_track(view, outputs.palette())
