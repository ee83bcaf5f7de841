"""Guess who: a noisy count, one person, in or out; round after round, on every phone its own."""

from __future__ import annotations

from functools import partial

import streamlit as st

from dpengine.attacks import Score
from dpengine.workshop import Participant, Room, Saying, guessing, sayings
from pages.access import roles
from pages.room import in_or_out, saying, state
from pages.room.steps import guess_screen
from pages.room.steps.step import Script, WorkshopStep
from pages.widgets import outputs

_SAID = '<div role="status" aria-live="polite" style="font-size: 1.15rem; line-height: 1.4">{}</div>'


def _phone(room: Room, whom: Participant) -> None:
    """The open round, in a part of its own: a guess does not draw the rest of the page."""
    _round(room, whom)


@roles.part
def _round(room: Room, whom: Participant) -> None:
    with saying.sentences():
        own = sayings.said_by(state.rooms(), whom, "guess")
        if len(own) < guessing.MOST_GUESSES:
            _open_round(room, whom, own)
        else:
            outputs.finding("Thank you", f"You have played all {guessing.MOST_GUESSES} rounds. Look at the projector.")
        saying.refusal("guess")
        _result(room, whom, own)


def _open_round(room: Room, whom: Participant, own: tuple[Saying, ...]) -> None:
    """What was published, the two counts that are possible, and two buttons."""
    game = guessing.game(room, whom, own)
    rules, now = game.rules, guessing.next_round(game)
    st.title(f"The noisy count is {now.answers[0]:,}", anchor=False)
    st.markdown(
        f"Without this person it is **{rules.without:,}**, with them **{rules.without + rules.step:,}**. "
        f"Is the person in?  \n:gray[Round {now.number + 1}. A coin decided; the noise hides what.]"
    )
    in_or_out.buttons(now.number, partial(_guess, room, whom), key="guess_buttons")


def _guess(room: Room, whom: Participant, number: int, word: str) -> None:
    """Say it of the round that was on the screen; a second tap on the same round changes nothing."""
    own = sayings.said_by(state.rooms(), whom, "guess")
    game = guessing.game(room, whom, own)
    if number != guessing.next_round(game).number or number >= guessing.MOST_GUESSES:
        return
    value = guessing.said_of(game.rules, present=word == in_or_out.IN)
    saying.say(room, whom, "guess", number=number, value=value)


def _result(room: Room, whom: Participant, own: tuple[Saying, ...]) -> None:
    """What came of the last guess, and how this person stands."""
    if not own:
        st.html(_SAID.format("You know everybody else, so only two counts are possible. Guess!"))
        return
    game = guessing.game(room, whom, own)
    last, score = game.round(own[-1].number), guessing.own_score(game)
    right = (own[-1].value > 0.0) == last.present
    where = "in" if last.present else "out"
    st.html(_SAID.format(f"<b>{'✓ Right' if right else '✗ Wrong'}</b>: the last one was <b>{where}</b>."))
    st.markdown(_standing(score))


def _standing(score: Score) -> str:
    return (
        f"You were right in **{score.wins} of {score.rounds}** rounds · **{score.streak}** in a row now, "
        f"longest **{score.longest}**"
    )


STEP = WorkshopStep(
    name="guess",
    title="Guess who",
    script=Script(
        goal="People feel that noise takes certainty away from guessers, and that epsilon says how much.",
        minutes=8,
        say=(
            (
                "Imagine that you know everybody in a table but one person. A count is published. If it were exact, "
                "you would know at once whether this person is in."
            ),
            (
                "Now noise is added to the count. Your phone shows the noisy number. Press In or Out. You see at once "
                "whether you were right. Play twenty rounds, quickly."
            ),
            (
                "Look at the projector. The line is all of us together. The dashed line is the upper limit for any "
                "attacker in the long run, with any plan and any computer."
            ),
        ),
        mistaken=(
            (
                "“We had nine in a row, so the protection is broken.” Coins give streaks too; the projector says how "
                "often. The bound is about the long run."
            ),
            (
                "“There is a trick.” There is one, and it is simple: say In when the count is nearer to the larger "
                "number. It reaches the dashed line, and nothing goes above it."
            ),
            (
                "“Then the answer is useless.” The count itself is off by a few people only. It hides one person, "
                "and still shows the group."
            ),
        ),
        ending="Would you give your record to this table if a guesser is right this often? What if it were your "
        "diagnosis?",
    ),
    phone=_phone,
    screen=guess_screen.show,
)
