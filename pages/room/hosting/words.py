"""What is on in a room and what comes next, in the words of its buttons."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import datetime

from dpengine.workshop import (
    ATTACK,
    CHECK,
    CHOOSE,
    GUESS,
    JUDGE,
    LOBBY,
    SMALLER,
    SPEND,
    Burning,
    Room,
    Saying,
    guessing,
)
from pages.room import spending_words, state, steps
from pages.widgets.escaping import unmarked

NOW: Mapping[str, tuple[str, ...]] = {
    GUESS: (
        "Everybody plays on their phone, with much noise; all wins count together.",
        "The same game with less noise.",
        "The same game with hardly any noise.",
    ),
    CHOOSE: (
        "First round: everybody turns a dial of their own.",
        "The choices are on the projector. Let people talk.",
        "Second round: everybody turns the dial once more.",
        "Both rounds are on the projector. Set what the room chose.",
    ),
    SPEND: ("People ask from their phones; each answer is charged to the one budget.",),
    SMALLER: ("Everybody votes: how many smaller questions fit?", "The staircases are on the projector."),
    ATTACK: (
        "The room's answers to the same question are averaged.",
        "One count is subtracted from another.",
        "Counts are put together into a guess about everybody.",
        "What all answers together tell about one person.",
    ),
    CHECK: ("Everybody answers four questions.", "The answers are on the projector."),
    JUDGE: ("Everybody judges the promise: three questions.", "The answers are on the projector, beside the figures."),
}
"""What happens in each phase."""
AHEAD: Mapping[tuple[str, int], str] = {
    (GUESS, 1): "Some noise: ε 1",
    (GUESS, 2): "Hardly any noise: ε 5",
    (CHOOSE, 1): "Show the choices",
    (CHOOSE, 2): "Second round",
    (CHOOSE, 3): "Show both rounds",
    (SMALLER, 1): "Show the staircases",
    (ATTACK, 1): "Subtract counts",
    (ATTACK, 2): "Reconstruct",
    (ATTACK, 3): "One person",
    (CHECK, 1): "Show the answers",
    (JUDGE, 1): "Show the answers",
}
"""What leads to a phase that is not the first of its step."""
LOBBY_NOW = "People join with the code. Begin when enough are in; others may join later."
_DONE: Mapping[str, str] = {
    GUESS: "have guessed",
    CHOOSE: "have chosen",
    SPEND: "have asked",
    SMALLER: "have voted",
    CHECK: "have answered",
    JUDGE: "have answered",
}
_SAID: Mapping[str, str] = {GUESS: "guess", CHOOSE: "choice", SMALLER: "vote", CHECK: "check", JUDGE: "judgment"}


def now(room: Room) -> str:
    """What people do at this moment."""
    return NOW[room.step][room.phase] if room.step else LOBBY_NOW


def ahead(room: Room) -> str:
    """The name of the button that leads on; empty at the end."""
    after = room.after()
    if after is None:
        return ""
    if after.place == room.place:
        return AHEAD[after.step, after.phase]
    return f"{'Begin' if room.place == LOBBY else 'Next step'}: {steps.STEPS[after.step].title}"


def place(room: Room) -> str:
    """Which step of how many, in which room."""
    title = unmarked(room.setting.title)
    return f"{title} · step {room.place + 1} of {len(room.setting.steps)}" if room.step else title


def how_many(room: Room) -> str:
    """How many people are in."""
    count = len(state.everybody(room))
    return "Nobody is in yet." if not count else f"**{count}** {'person is' if count == 1 else 'people are'} in."


def were_in(room: Room) -> str:
    """How many people had joined."""
    count = len(state.everybody(room))
    return "Nobody joined." if not count else f"**{count}** {'person' if count == 1 else 'people'} joined."


def done(room: Room) -> str:
    """How many of them have done what the step asks for; empty where it asks for nothing."""
    if room.step not in _DONE:
        return ""
    burnt = _burnt(state.burnt(room)) if room.step == SPEND else ""
    return f"**{len(_active(room))} of {len(state.everybody(room))}** {_DONE[room.step]}.{burnt}"


def _burnt(burnt: Burning) -> str:
    """What is left, and once the budget has refused, what to do about it."""
    said_no = "" if burnt.beyond is None else " **It said no: have the sentence read aloud, then go on.**"
    return f" {spending_words.left_for_all(burnt)}.{said_no}"


def _active(room: Room) -> set[int]:
    if room.step == SPEND:
        return {one.participant for one in state.asked(room)}
    return {one.participant for one in state.said(room, _SAID[room.step]) if _counts(room, one)}


def _counts(room: Room, said: Saying) -> bool:
    """Whether it was said in the phase that is on; a choice of the first round counts in a second that is shown."""
    if room.step == GUESS:
        return guessing.place_of(said.number) == room.phase
    if room.step != CHOOSE:
        return True
    is_shown = room.round is None
    return said.number == room.phase // 2 or (is_shown and said.number < room.phase // 2)


def day(room: Room) -> str:
    """When a room is deleted: "Sunday, November 29"."""
    return written(room.expires)


def written(moment: datetime) -> str:
    """A day as people say it."""
    return f"{moment:%A, %B} {moment.day}"


def listed(room: Room) -> str:
    """A room among others."""
    return f"{unmarked(room.setting.title)} · {room.spaced_code} · {room.state}"
