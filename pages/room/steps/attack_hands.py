"""What each act of the attack gives a phone to do: average one more, choose what to subtract, open a secret, guess."""

from __future__ import annotations

from collections.abc import Callable, Sequence

import streamlit as st

from dpengine.formatting import out_of_100
from dpengine.queries.sensitivity.sentences import agreeing
from dpengine.workshop import Hands, Participant, Room, guessing, hands, sayings
from dpengine.workshop.attacked import Findings
from dpengine.workshop.hands import AVERAGE, MOST_PRESSES, REBUILD, SUBTRACT
from pages.phrasing import wording
from pages.room import attack_words, room_style, saying, state
from pages.room.attack_words import Attack
from pages.room.steps import guess

_KIND = "hand"
QUIZ = "Which second count, subtracted from ours, gives one person away?"
_SECOND_COUNTS = (
    ("The same count again", "That leaves nothing but noise: nobody stands out."),
    ("The count of half of them", "That leaves the other half: a group, and no single person."),
    ("The count of all but one person", "Yes: what is left is that person alone."),
)
"""What may be subtracted where the room asked for no pair, and what it leaves; the last one is right."""


def average(room: Room, whom: Participant, found: Findings) -> None:
    """One more answer of those that the budget refuses: on tables whose rows are public."""
    if not is_played(found):
        st.markdown("Nobody may look into this table: only our own answers are averaged.")
        return
    own = round(_own(whom, AVERAGE) or 0.0)
    st.markdown("**What if no budget ended it?** Every press adds one answer, as a server without a budget gives them.")
    st.button(
        "Average one more answer",
        key="hand_average",
        type="primary",
        width="stretch",
        disabled=own >= MOST_PRESSES,
        on_click=_one_more,
        args=(room, whom),
    )
    st.markdown(f"You added **{own}**. Look at the projector.")


def is_played(found: Findings) -> bool:
    """Whether phones may add answers to the average: the projector then draws it, and no phone repeats it."""
    return found.worn is not None and found.worn.exact is not None


def subtract(room: Room, whom: Participant, found: Findings) -> None:
    """Which pair the wall shows; where the room asked for none, which second count would make one."""
    offered, own = attack_words.pairs(found), _own(whom, SUBTRACT)
    st.markdown(
        "**Which group do we subtract?** The projector shows what most of us choose." if offered else f"**{QUIZ}**"
    )
    for place, label in enumerate(_counts(room, found)):
        st.button(
            f"● {label}" if place == own else label,
            key=f"hand_subtract_{place}",
            width="stretch",
            on_click=_send,
            args=(room, whom, SUBTRACT, place),
        )
    if own is not None and not offered:
        st.markdown(f"**{_SECOND_COUNTS[min(round(own), len(_SECOND_COUNTS) - 1)][1]}**")


def _counts(room: Room, found: Findings) -> Sequence[str]:
    """What may be subtracted."""
    quote = wording.said_of(room.setting.plan.spoken)
    offered = [attack_words.pair(one, quote) for one in attack_words.pairs(found)]
    return offered or [label for label, _ in _SECOND_COUNTS]


def tally(room: Room, found: Findings, done: Hands) -> str:
    """How many people chose each."""
    return " · ".join(f"{label}: **{done.chosen[place]}**" for place, label in enumerate(_counts(room, found)))


def asking(room: Room, attack: Attack) -> str:
    """What may be subtracted, and how many have said it, for the wall."""
    said, people = attack.done.chosen.total(), len(attack.everybody)
    listed = "\n".join(f"- {label}" for label in _counts(room, attack.found))
    said_by = f"{room_style.dots(said, people)} {said} of {people} {agreeing(said, 'have')} said it"
    return f"Say it on your phone.\n\n{listed}\n\n# {said_by}"


def is_asked(attack: Attack) -> bool:
    """Whether the wall still asks, since the room has no pair and most people have not chosen: it would tell them."""
    return not attack_words.pairs(attack.found) and 2 * attack.done.chosen.total() < max(len(attack.everybody), 1)


def has_chosen(whom: Participant) -> bool:
    """Whether somebody has said what to subtract."""
    return _own(whom, SUBTRACT) is not None


def open_secret(room: Room, whom: Participant, found: Findings) -> None:
    """Somebody's own invented person, and what the attacker made of their secret."""
    attacked = found.rebuilt.result.attacked
    everybody = [one.id for one in state.everybody(room)]
    if whom.id not in everybody:
        return
    place = hands.invented_person(whom.id, everybody, people=attacked.people)
    secret = bool(attacked.exact.secret[place])
    whose = "of this table" if found.rebuilt.of_the_table else "invented"
    st.markdown(f"You are person **{place + 1}** of {attacked.people} {whose}. Your secret is **{_word(secret)}**.")
    if _own(whom, REBUILD) is None:
        st.button(
            "What does the attacker say?",
            key="hand_rebuild",
            type="primary",
            width="stretch",
            on_click=_send,
            args=(room, whom, REBUILD, 1),
        )
        return
    exact, noisy = (bool(one.guessed[place]) for one in (attacked.exact, attacked.noisy))
    st.markdown(f"**Without noise** they say **{_word(exact)}**: {_out(exact == secret)}")
    came = "right by luck, as a coin often is." if noisy == secret else "✓ you stay hidden."
    st.markdown(
        f"**With the whole budget’s noise** they say **{_word(noisy)}**: {came} They are right for "
        f"{out_of_100(attacked.noisy.fraction)} out of 100 people; blind guesses are for "
        f"{out_of_100(attacked.chance)}."
    )


def guess_on(room: Room, whom: Participant, found: Findings) -> None:
    """The game once more, with one answer that costs the whole budget."""
    st.markdown("**Guess on: what if one answer cost our whole budget?**")
    guess.rounds(room, whom, (guessing.WHOLE_BUDGET,), heading=st.header)


def _own(whom: Participant, act: int) -> float | None:
    """What somebody said in an act."""
    return next((one.value for one in sayings.said_by(state.rooms(), whom, _KIND) if one.number == act), None)


def _one_more(room: Room, whom: Participant) -> None:
    _send(room, whom, AVERAGE, min(round(_own(whom, AVERAGE) or 0.0) + 1, MOST_PRESSES))


def _send(room: Room, whom: Participant, act: int, value: float) -> None:
    saying.say(room, whom, _KIND, number=act, value=value)


def _word(secret: bool) -> str:  # noqa: FBT001  (a yes or a no in words)
    return "yes" if secret else "no"


def _out(right: bool) -> str:  # noqa: FBT001  (likewise)
    return "✗ your secret is out." if right else "✓ you stay hidden."


HANDS: Sequence[Callable[[Room, Participant, Findings], None]] = (average, subtract, open_secret, guess_on)
"""In the order of the room's phases."""
