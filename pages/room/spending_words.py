"""What is said about a question that a room has asked: its price, its answer, why it was refused."""

from __future__ import annotations

from dataclasses import replace

from dpengine.formatting import at_most, beside, billionths, in_signs, measure_of, tiny
from dpengine.ledger import Release
from dpengine.plan import PlannedQuery
from dpengine.plan.amounts import cost_of
from dpengine.workshop import Ask, Burning, Room, asking
from dpengine.workshop.burning import Beyond
from pages.phrasing import charge_words, released_words, wording
from pages.phrasing.released_words import CONFIDENCE
from pages.widgets.escaping import code, unmarked

MOST_CELLS = 30
"""Numbers of one answer on a phone."""
FOR_EVER = (
    "It stays refused, since no answer can be taken back: no other phone, no waiting and no restart brings budget back."
)
PRACTICE = "These are practice data, which a host may start over; a real budget never comes back."
_FOR_NOW = "It stays refused, since no answer can be taken back: no other phone and no waiting brings budget back."
NOTHING_LEFT, NOTHING_MORE = "Nothing is left for anybody", "Nothing more can be asked"


def price(room: Room, planned: PlannedQuery) -> str:
    """What a question costs, as the room's account counts it."""
    plan = room.setting.plan
    return charge_words.counted(cost_of(planned, plan.schema, plan.neighbors), plan.rule)


def paid(room: Room, one: Ask) -> str:
    """What a question was charged."""
    return charge_words.counted(one.amounts, room.setting.plan.rule)


def fits(room: Room, planned: PlannedQuery, burnt: Burning) -> bool:
    """Whether what is left of the room's budget holds a question."""
    plan = room.setting.plan
    return burnt.balance.admits(cost_of(planned, plan.schema, plan.neighbors))


def does_not_fit(burnt: Burning) -> str:
    """What stands on a button whose question costs more than is left, once the budget has refused."""
    return f"Costs more than the {in_signs(burnt.left)} that is left"


def left_for_all(burnt: Burning) -> str:
    """What is left of the room's budget."""
    return f"**{in_signs(burnt.left)}** is left for everybody"


def left_for_one(room: Room, own: tuple[Ask, ...]) -> str:
    """What is left of a person's own cap; nothing where there is none."""
    left = asking.left_after(room, own)
    if left is None:
        return ""
    told = left if any(one.amounts.delta for one in own) else replace(left, delta=0)
    return f"**{charge_words.remaining(told, room.setting.plan.rule)}** for you"


def answer(released: Release) -> str:
    """The answer in one line, with its interval."""
    return unmarked(released_words.headline(released, CONFIDENCE))


def cells(released: Release, most: int = MOST_CELLS) -> list[str]:
    """The numbers of an answer that has several, each with its name and as exact as its interval deserves."""
    if released.answer_is_number:
        return []
    measure = measure_of(released.query, released.schema)
    lower, upper = released_words.bounds(released.estimate, CONFIDENCE)
    rows = zip(released.labels, measure.times * released.values, measure.times * (upper - lower) / 2, strict=True)
    read = [(label, beside(float(value), float(half))) for label, value, half in rows]
    told = [f"{code(label)} **{unmarked(number)}{measure.sign}**" for label, number in read]
    return told if len(told) <= most else [*told[: most - 1], f"and {len(told) - most + 1} more"]


def meaning(released: Release) -> str:
    """What the interval of one number means."""
    if not released.answer_is_number:
        return unmarked(released_words.all_at_once(released))
    return unmarked(released_words.meaning(released, CONFIDENCE))


def refused(room: Room, one: Ask) -> str:
    """What a refusal means, for a phone."""
    if one.state == "capped":
        return "**Refused: more than is left of your own part.** The shared budget is untouched."
    return f"**Refused, for everybody.** {for_ever(room)}"


def why(one: Ask) -> str:
    """Why a question was refused, in numbers."""
    if one.state == "capped":
        return unmarked(in_signs(one.sentence))
    return f"It asks for ε {billionths(one.planned.guarantee.epsilon)}, more than is left. Nothing was charged."


def for_ever(room: Room) -> str:
    """That a budget does not come back; where it can be started over, that too."""
    return f"{_FOR_NOW} {PRACTICE}" if room.setting.plan.built_in else FOR_EVER


def beyond(room: Room, burnt: Burning, found: Beyond) -> tuple[str, str]:
    """The first refusal: one sentence to be read aloud, then what both sums make of it and which one decides."""
    asked = wording.asked(found.question.planned, room.setting.plan.spoken)
    return f"{asked} It asks for more than is left. {for_ever(room)}", _by_advanced(burnt, found)


def _by_advanced(burnt: Burning, found: Beyond) -> str:
    naive, advanced = f"ε {at_most(found.naive)}", f"ε {at_most(found.advanced)} plus {chance(burnt.delta)}"
    if not found.more and found.advanced >= _ALIKE * found.naive:
        compared = f"With this question all add up to {naive}: more than there is."
    elif not found.more:
        compared = f"With this question naive adds up to {naive}, advanced to {advanced}: more than there is."
    else:
        questions = f"**{found.more:,}** such question{'s' if found.more > 1 else ''}"
        compared = (
            f"With this question naive adds up to {naive}. Advanced adds up to {advanced}, and would have room for "
            f"{questions}."
        )
    return f"{compared} {_DECIDES[burnt.rule]}"


def chance(delta: float) -> str:
    """What advanced adding takes besides, as one says it aloud."""
    return f"one in {_ONE_IN[delta]}" if delta in _ONE_IN else f"a δ of {tiny(delta)}"


_ONE_IN = {1e-3: "a thousand", 1e-6: "a million", 1e-9: "a billion"}
_ALIKE = 0.99
"""Sums as near as this are one."""
_DECIDES = {
    "basic": "The naive rule decides here: it holds even when people choose each question after seeing answers.",
    "concentrated": "The concentrated rule decides here: it adds up ρ, and holds for whatever people choose to ask.",
}
