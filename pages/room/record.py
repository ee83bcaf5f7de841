"""What a workshop takes home: its record as one HTML file, with pseudonyms only where they are asked for."""

from __future__ import annotations

from functools import partial
from typing import Any
from urllib.parse import urlsplit

import streamlit as st

from dpengine.ledger import Release
from dpengine.reports import (
    AskedInRoom,
    AttackOnRoom,
    CheckOfARoom,
    GuessesOfARoom,
    RoomRecord,
    SpentInRoom,
    VotesOfARound,
    room_record,
)
from dpengine.reports.who import person
from dpengine.scenario import LONGEST_LINK
from dpengine.workshop import ATTACK, Ask, Room, checks, guessing, sayings, votes
from dpengine.workshop.checks import QUESTIONS
from dpengine.workshop.voting import said_aloud
from pages.access import roles
from pages.room import state
from pages.room.attack_words import ACTS
from pages.room.steps import judge_words, smaller
from pages.room.steps.attack import attack_on
from pages.widgets.escaping import plain

HELP = "Settings, votes, answers with their intervals, the checks and the ledger's hash (HTML); no row, no exact value."

LEFT = "somebody who is no longer in the room"


def download(room: Room) -> None:
    """The button that writes the record; for the host alone."""
    names = st.checkbox("With the names that people chose", key=f"host_record_names_{room.id}")
    st.download_button(
        "Download the record",
        roles.until_signed_out(partial(_written, room, _link(room), names=names)),
        file_name=f"workshop-{room.opened:%Y%m%d-%H%M}{'-with-names' if names else ''}.html",
        mime="text/html",
        key=f"host_record_{room.id}",
        on_click="ignore",
        help=HELP,
    )


def _written(room: Room, link: str, *, names: bool) -> str:
    return room_record(filled(state.now(room.id), link), names=names)


def filled(room: Room, link: str = "") -> RoomRecord:
    """The record of a room as it stands now; everything in it was released, said or set."""
    plan, account = room.setting.plan, state.rooms().ledger.account(room.account)
    return RoomRecord(
        title=room.setting.title,
        began=room.opened,
        expires=room.expires,
        table_name=plan.table_name,
        labels=plan.spoken,
        practice=account.practice,
        person=person(account.terms, room.setting.plan.spoken),
        neighbors=account.neighbors,
        granted=account.budget,
        rule=account.rule,
        spent=account.exact_spent(),
        cap=room.setting.cap,
        chosen=room.epsilon,
        **_of_the_steps(room),
        active=sum(one.id in _who_did_something(room) for one in state.everybody(room)),
        plan=plan.to_json(),
        continues=account.predecessor is not None,
        head=state.rooms().ledger.head,
        link=link,
        people=tuple(one.name for one in state.everybody(room)),
    )


def _of_the_steps(room: Room) -> dict[str, Any]:
    """What was done in each step; nothing of those that the room leaves out."""
    return {
        "rounds": _rounds(room),
        "asked": _all_asked(room),
        "guesses": _guesses(room),
        "checks": _checks(room),
        "spending": _spending(room),
        "smaller": _unmarked(smaller.in_short(room)),
        "attacks": _attacks(room),
        "judged": judge_words.in_record(room),
    }


def _spending(room: Room) -> tuple[SpentInRoom, ...]:
    return tuple(
        SpentInRoom(naive=one.naive, advanced=one.advanced, refused=one.refused)
        for one in state.burnt(room).questions
        if not one.waits
    )


def _attacks(room: Room) -> tuple[AttackOnRoom, ...]:
    found = attack_on(room) if ATTACK in room.setting.steps else None
    acts = [] if found is None else [act(found) for act in ACTS]
    return tuple(
        AttackOnRoom(
            title=_unmarked(one.title),
            protected=_unmarked(f"{one.protected} {one.tried}".strip()),
            bare=_unmarked(one.bare),
        )
        for one in acts
    )


def _unmarked(sentence: str) -> str:
    return plain(sentence.replace("**", ""))


def _who_did_something(room: Room) -> set[int]:
    said = {one.participant for kind in sayings.KINDS for one in state.said(room, kind)}
    return said | {one.participant for one in state.asked(room)}


def _link(room: Room) -> str:
    """The plan at the address by which the host came, which stays when the room's Wi-Fi is gone; empty for too long a
    one.
    """
    packed, own = room.setting.plan.to_link(), urlsplit(st.context.url or "")
    return f"{own.scheme}://{own.netloc}/budget?plan={packed}" if own.netloc and len(packed) <= LONGEST_LINK else ""


def _all_asked(room: Room) -> tuple[AskedInRoom, ...]:
    answers, everybody = state.answers(room), {one.id: one.name for one in state.everybody(room)}
    return tuple(_asked(one, answers, everybody.get(one.participant, LEFT)) for one in state.asked(room))


def _asked(one: Ask, answers: dict[str, Release], who: str) -> AskedInRoom:
    refused = "" if one.state == "answered" else one.sentence
    return AskedInRoom(planned=one.planned, release=answers.get(one.request_id), refused=refused, who=who)


def _rounds(room: Room) -> tuple[VotesOfARound, ...]:
    said = state.said(room, "choice")
    found = (votes(said, number=number) for number in (0, 1))
    return tuple(
        VotesOfARound(
            epsilons=one.epsilons,
            median=said_aloud(one.median),
            lower=said_aloud(one.lower),
            upper=said_aloud(one.upper),
        )
        for one in found
        if one is not None
    )


def _guesses(room: Room) -> tuple[GuessesOfARoom, ...]:
    return tuple(
        GuessesOfARoom(
            epsilon=epsilon,
            guesses=won.score.rounds,
            wins=won.score.wins,
            chance=won.rules.baseline,
            bound=won.rules.bound,
        )
        for epsilon, won in zip(guessing.EPSILONS, state.won(room), strict=False)
        if won.outcome is not None
    )


def _checks(room: Room) -> tuple[CheckOfARoom, ...]:
    said = state.said(room, "check")
    if not said:
        return ()
    return tuple(
        CheckOfARoom(
            question=one.text,
            answers=tuple(choice.text for choice in one.choices),
            given=checks.given(said, number),
            right=one.right,
        )
        for number, one in enumerate(QUESTIONS)
    )
