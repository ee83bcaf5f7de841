"""Guess who, on the projector: all guesses together, beside what nobody beats in the long run."""

from __future__ import annotations

import math
from collections.abc import Sequence

import numpy as np
import streamlit as st

from dpengine.attacks import GuessingRules, Outcome
from dpengine.charts.rooms import workshop_charts
from dpengine.charts.rooms.workshop_charts import MOST_POINTS, RoomTrack
from dpengine.formatting import amount, interval, out_of_100, upper_of_100
from dpengine.workshop import Room, guessing
from dpengine.workshop.guessing import Wins
from pages.room import state, wall
from pages.widgets import outputs

CHART_HEIGHT, _LINE = 600, 45
"""In pixels of 1,080; less a line for each epsilon that was played before."""


def show(room: Room) -> None:
    """The share of right guesses as it settles, below the limits that were played so far; and what of it is luck."""
    played = state.won(room)[: room.phase + 1]
    st.title(finding(played[-1]), anchor=False)
    picture = workshop_charts.room_track(_track(played), outputs.palette())
    wall.picture(st.container(), picture, height=CHART_HEIGHT - _LINE * room.phase, key=f"guess_track_{room.phase}")
    st.markdown(said(played[-1]))
    if room.phase:
        st.markdown("  \n".join(_settled(one) for one in played[:-1]))


_NOISE = dict(zip(guessing.EPSILONS, ("Much noise", "Some noise", "Hardly any noise"), strict=True))
FEW = 20
"""Guesses of which nobody says a share."""


def finding(wins: Wins) -> str:
    """The headline: what the room achieved, and what nobody does."""
    bound = f"upper limit for any attacker: {upper_of_100(wins.rules.bound)} out of 100"
    if wins.outcome is None:
        return f"Is the person in? Guess on your phone ({bound})"
    if wins.score.rounds < FEW:
        return f"Right so far: {wins.score.wins} of {wins.score.rounds}; {bound}"
    return f"We are right in {out_of_100(wins.outcome.rate)} out of 100 guesses; {bound}"


def said(wins: Wins) -> str:
    """How many guesses, where the true share may lie, and whether the longest row is luck."""
    if wins.outcome is None:
        return f"**{noise(wins.rules)}**. A coin decides who is in."
    return f"{_counted(wins)} {_luck(wins.outcome)}\n\n{_row(wins)}"


def noise(rules: GuessingRules) -> str:
    """How much noise there is, and the epsilon of each answer."""
    return f"{_NOISE.get(epsilon(rules), 'Noise')}: ε {amount(epsilon(rules))}"


def epsilon(rules: GuessingRules) -> float:
    """Of each answer."""
    return rules.guarantee.epsilon if rules.guarantee else math.inf


def _settled(wins: Wins) -> str:
    """What came of an epsilon that was played before."""
    limit = f"limit {upper_of_100(wins.rules.bound)} out of 100"
    return f"Before, at ε {amount(epsilon(wins.rules))}: **{wins.score.wins} of {wins.score.rounds}** right; {limit}."


def _counted(wins: Wins) -> str:
    guesses, people = wins.score.rounds, wins.players
    return (
        f"**{guesses:,}** {'guess' if guesses == 1 else 'guesses'} by **{people}** "
        f"{'person' if people == 1 else 'people'} at **ε {amount(epsilon(wins.rules))}**, which sets the dashed limit."
    )


def _luck(outcome: Outcome) -> str:
    """What so few guesses say of the long run."""
    low, high = interval(*(100.0 * end for end in outcome.interval()))
    lies = f"From these guesses alone, our long-run rate may lie anywhere from {low}% to {high}%."
    if outcome.rate <= outcome.bound:
        return lies
    if outcome.keeps_bound():
        return f"**Above the line for now: that is luck, and it does not last.** {lies}"
    return "**Far above the line: rare luck.** Play on, and it goes down. If it never does, the noise is broken."


def _row(wins: Wins) -> str:
    longest, rounds = wins.score.longest, wins.score.rounds
    coin, best = (_rooms(wins.chance_of_longest(share)) for share in (wins.rules.baseline, wins.rules.bound))
    if longest < 2:
        return ""
    return (
        f"Longest streak of right guesses by one of us: **{longest}**. With {rounds:,} guesses, coins give somebody a "
        f"streak this long in {coin}% of rooms, the best possible attacker in {best}%."
    )


def _rooms(share: float) -> str:
    return "less than 1" if share < 0.01 else out_of_100(share)


def _track(played: Sequence[Wins]) -> RoomTrack:
    """Shares and intervals of the last, at as many guesses as a picture shows; the limits of those before."""
    *before, wins = played
    rights = np.cumsum(np.asarray(wins.won, dtype=np.int64))
    guesses = np.unique(np.linspace(1, max(len(rights), 1), MOST_POINTS).astype(int))[: len(rights)]
    ends = [Outcome(successes=int(rights[one - 1]), trials=int(one), baseline=0.0).interval() for one in guesses]
    lower, upper = np.array(ends).reshape(-1, 2).T
    return RoomTrack(
        guesses=guesses,
        shares=rights[guesses - 1] / guesses,
        lower=lower,
        upper=upper,
        chance=wins.rules.baseline,
        bound=wins.rules.bound,
        before=[(f"ε {amount(epsilon(one.rules))}", one.rules.bound) for one in before],
    )
