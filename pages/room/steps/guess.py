"""Guess who: a noisy count, one person, in or out; round after round, on every phone its own."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import partial

import streamlit as st

from dpengine.attacks import Game, GuessingRules, Round
from dpengine.formatting import amount
from dpengine.workshop import Participant, Room, guessing, sayings
from pages.access import roles
from pages.room import in_or_out, saying, state
from pages.room.steps import guess_screen
from pages.room.steps.step import Script, WorkshopStep

_SAID = '<div role="status" aria-live="polite" style="font-size: 1.15rem; line-height: 1.4">{}</div>'


def _phone(room: Room, whom: Participant) -> None:
    """The open round, in a part of its own: a guess does not draw the rest of the page."""
    _round(room, whom)


@roles.part
def _round(room: Room, whom: Participant) -> None:
    with saying.sentences():
        rounds(room, whom, range(room.phase + 1))


def rounds(room: Room, whom: Participant, places: Sequence[int], *, heading: Callable[..., object] = st.title) -> None:
    """The open round at the last of these epsilons, what came of the last guess, and how this person stands at each."""
    own = sayings.said_by(state.rooms(), whom, "guess")
    games = [guessing.game(room, whom, own, place) for place in places]
    if (now := guessing.next_round(games[-1], places[-1])) is not None:
        _open_round(room, whom, games[-1].rules, now, heading)
    else:
        heading("Thank you", anchor=False)
        st.markdown(f"You have played all {guessing.MOST_GUESSES} rounds. Look at the projector.")
    saying.refusal("guess")
    _result(games[-1])
    st.markdown("\n".join(f"- {_standing(game)}" for game in reversed(games) if game.guesses))
    st.markdown(":gray[Epsilon sets the limit on the projector: what anybody can learn about one person.]")


def _open_round(
    room: Room, whom: Participant, rules: GuessingRules, now: Round, heading: Callable[..., object]
) -> None:
    """What was published, the two counts that are possible, and two buttons."""
    heading(f"The noisy count is {now.answers[0]:,}", anchor=False)
    st.markdown(
        f"Without this person it is **{rules.without:,}**, with them **{rules.without + rules.step:,}**. "
        f"Is the person in?  \n:gray[{guess_screen.noise(rules)}. Round {now.number % guessing.MOST_GUESSES + 1}. "
        "A coin decided; the noise hides what.]"
    )
    in_or_out.buttons(now.number, partial(_guess, room, whom), key="guess_buttons")


def _guess(room: Room, whom: Participant, number: int, word: str) -> None:
    """Say it of the round that was on the screen; a second tap on the same round changes nothing."""
    own = sayings.said_by(state.rooms(), whom, "guess")
    place = guessing.place_of(number)
    if not 0 <= place <= guessing.WHOLE_BUDGET:
        return
    now = guessing.next_round(guessing.game(room, whom, own, place), place)
    if now is not None and now.number == number:
        saying.say(room, whom, "guess", number=number, value=1.0 if word == in_or_out.IN else -1.0)


def _result(game: Game) -> None:
    """What came of the last guess."""
    if not game.guesses:
        st.html(_SAID.format("You know everybody else, so only two counts are possible. Guess!"))
        return
    last = game.guesses[-1]
    present = game.round(last.number).present
    verdict = "✓ Right" if last.present == present else "✗ Wrong"
    st.html(_SAID.format(f"<b>{verdict}</b>: the last one was <b>{'in' if present else 'out'}</b>."))


def _standing(game: Game) -> str:
    """How this person stands at one epsilon."""
    score = guessing.own_score(game)
    return (
        f"ε {amount(guess_screen.epsilon(game.rules))}: right in **{score.wins} of {score.rounds}** rounds · "
        f"**{score.streak}** in a row now, longest **{score.longest}**"
    )


STEP = WorkshopStep(
    name="guess",
    title="Guess who",
    script=Script(
        goal="People feel that noise takes certainty away from guessers, and that epsilon says how much.",
        minutes=10,
        say=(
            (
                "Imagine that you know everybody in a table but one person. A count is published. If it were exact, "
                "you would know at once whether this person is in."
            ),
            (
                "Now much noise is added: epsilon 0.1. Your phone shows the noisy number. Press In or Out. You see at "
                "once whether you were right. Play ten rounds, quickly."
            ),
            (
                "Look at the projector. The line is all of us together. The dashed line is the upper limit for any "
                "attacker in the long run, with any plan and any computer."
            ),
            "Press “Some noise: ε 1”, and play again. Then “Hardly any noise: ε 5”. See how the limit climbs.",
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
                "“Then the answer is useless.” At ε 1 a count is off by a few people, at ε 0.1 by a few dozen: it "
                "hides one person, and still shows a group of thousands."
            ),
        ),
        ending="Under which of the three would you give your record to this table? What if it were your diagnosis?",
    ),
    phone=_phone,
    screen=guess_screen.show,
)
