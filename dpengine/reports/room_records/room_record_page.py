"""What a room's record shows, as HTML that stands alone, no pseudonym unasked; its template says how."""

from __future__ import annotations

from base64 import b64encode
from collections.abc import Sequence

from dpengine.formatting import amount, in_signs, measure_of, unit_after, upper_of_100
from dpengine.ledger import Release
from dpengine.plan.amounts import RULE_NAMES
from dpengine.queries.conditions_in_words import Labeled
from dpengine.queries.sensitivity.sentences import agreeing, plural
from dpengine.reports.answers import OFTEN, cells_of
from dpengine.reports.labels.label import PRACTICE, RELATIONS, RULES, shown
from dpengine.reports.quoting import LONGEST_SENTENCE, cut, one_line, whole
from dpengine.reports.room_records.grouped_questions import grouped
from dpengine.reports.room_records.in_short import in_short
from dpengine.reports.room_records.room_record import (
    AskedInRoom,
    AttackOnRoom,
    CheckOfARoom,
    GuessesOfARoom,
    JudgedInRoom,
    RoomRecord,
    VotesOfARound,
    times_apart,
)
from dpengine.reports.room_records.room_record_pictures import votes_as_dots
from dpengine.reports.room_records.spending_pictures import spending_stairs
from dpengine.reports.templates import document, picture
from dpengine.reports.timestamps import in_utc, moment_to_read
from dpengine.reports.who import software

_INTERVALS = (
    f"In brackets: the {OFTEN} interval, for all numbers of an answer at once. It holds the exact answer (after values "
    f"and rows were limited as declared) in {OFTEN} of such releases, and covers privacy noise only. A choice has none."
)
TOO_LONG_FOR_PAPER = "The address is in this file, too long for paper."
LONGEST_TITLE, LONGEST_REASON, LONGEST_PRINTED_LINK, MOST_CELLS = 120, 400, 600, 12


def room_record(record: RoomRecord, *, names: bool = False) -> str:
    """The record of a room; with `names` also who joined and who asked what, under their pseudonyms."""
    title = one_line(record.title, LONGEST_TITLE)
    return document(
        "room_records/room_record.html",
        title=f"Workshop record: {title}",
        heading=title or "A workshop",
        record=record,
        day=in_utc(record.began).date(),
        practice=PRACTICE,
        short=in_short(record),
        settings=_settings(record),
        people=_people(record.people) if names else "",
        votes=_votes(record.rounds),
        guesses=[_guesses(one) for one in record.guesses],
        intervals=_INTERVALS,
        spending=picture(spending_stairs(record.spending, record.granted.epsilon)) if record.spending else "",
        smaller=one_line(record.smaller, LONGEST_REASON),
        grouped=list(grouped(record)),
        attacks=[_attack(one) for one in record.attacks],
        plan=_plan_file(record.plan),
        asked=[_row(record, one, number, names=names) for number, one in enumerate(record.asked, 1)],
        checks=[_check(check) for check in record.checks],
        judged=None if record.judged is None else _judged(record.judged),
        signature=_signature(record),
        printed_link=record.link if len(record.link) <= LONGEST_PRINTED_LINK else TOO_LONG_FOR_PAPER,
    )


def _settings(record: RoomRecord) -> tuple[tuple[str, str], ...]:
    rule, cap = record.rule, "none" if record.cap is None else f"ε {amount(record.cap, 9)}"
    return (
        ("Budget", f"{shown(record.budget, 'basic')}, shared by everybody."),
        ("Took part", f"{record.active:,} of {plural(len(record.people), 'person')} who joined."),
        ("Spent", f"{shown(record.spent, rule)}, by all charges to this account. Left: {shown(record.left, rule)}."),
        ("Rule", f"{RULE_NAMES[rule]} ({RULES[rule]})."),
        ("Cap for each person", f"{cap}."),
        ("Setting chosen", _chosen(record)),
        ("Who is protected", cut(record.person, LONGEST_SENTENCE)),
        ("Against what", f"{record.neighbors.sentence} Neighbors: {RELATIONS[record.neighbors]}."),
        ("The room is deleted", f"{moment_to_read(record.expires)}. The ledger keeps its charges."),
    )


def _chosen(record: RoomRecord) -> str:
    if record.chosen is None:
        return "none: each question used the epsilon of the plan."
    return f"ε {amount(record.chosen, 9)} for each question, by the room itself."


def _people(people: Sequence[str]) -> str:
    return f"{len(people):,}, by the names they chose: {', '.join(map(one_line, people))}." if people else ""


def _votes(rounds: Sequence[VotesOfARound]) -> dict[str, object] | None:
    return (
        {"picture": picture(votes_as_dots(rounds)), "spreads": [_spread(votes) for votes in rounds]} if rounds else None
    )


def _spread(votes: VotesOfARound) -> str:
    """Median and spread of a round; of one vote there is no spread."""
    if len(votes.epsilons) == 1:
        return f"one vote, ε {amount(votes.median)}."
    return (
        f"{len(votes.epsilons):,} votes, median ε {amount(votes.median)}; the middle half from "
        f"{amount(votes.lower)} to {amount(votes.upper)}; largest and smallest "
        f"{amount(times_apart(votes))} times apart."
    )


def _guesses(guesses: GuessesOfARoom) -> dict[str, str]:
    return {
        "right": (
            f"ε {amount(guesses.epsilon)}: {guesses.wins:,} of {guesses.guesses:,} guesses "
            f"{agreeing(guesses.wins, 'were')} right"
        ),
        "beside": (
            f"{amount(100.0 * guesses.wins / guesses.guesses)}%. Pure chance: "
            f"{amount(100.0 * guesses.chance)}%. In the long run any attacker can be right in at most "
            f"{upper_of_100(guesses.bound)} out of 100 cases."
        ),
    }


def _attack(one: AttackOnRoom) -> dict[str, str]:
    return {name: one_line(getattr(one, name), LONGEST_REASON) for name in ("title", "protected", "bare")}


def _plan_file(plan: str) -> str:
    """The plan as the address of a file that this page carries; empty for none."""
    return f"data:application/json;base64,{b64encode(plan.encode()).decode()}" if plan else ""


def _row(record: RoomRecord, one: AskedInRoom, number: int, *, names: bool) -> dict[str, object]:
    """One question; the cells are None while it has no answer."""
    words = Labeled(record.labels, names=whole, words=one_line)
    asked = cut(one.planned.query.in_words(words), LONGEST_SENTENCE)
    return {
        "number": f"{number:,}",
        "question": f"{asked[:1].upper()}{asked[1:]}?",
        "who": one_line(one.who) if names and one.who else None,
        "charged": _charged(record, one),
        "refused": one_line(in_signs(one.refused), LONGEST_REASON) if one.refused else None,
        **(_numbers(one.release) if one.release is not None else {"cells": None}),
    }


def _charged(record: RoomRecord, one: AskedInRoom) -> str:
    if one.refused:
        return "nothing"
    if one.release is not None:
        return shown(one.release.charge.amounts, record.rule)
    return "see the ledger"


def _numbers(release: Release) -> dict[str, object]:
    """The first numbers of an answer; what is left out is said."""
    measure = measure_of(release.query, release.schema)
    cells = cells_of(release.estimate, measure.times)
    missing = len(cells) - MOST_CELLS
    return {
        "cells": cells[:MOST_CELLS],
        "unit": unit_after(one_line(measure.answers)),
        "more": f"And {missing:,} more, which {agreeing(missing, 'are')} in the history." if missing > 0 else "",
    }


def _check(check: CheckOfARoom) -> dict[str, object]:
    total = sum(check.given)
    rows = [
        {
            "answer": one_line(answer, LONGEST_SENTENCE),
            "share": f"{100.0 * given / total if total else 0.0:.1f}",
            "given": f"{given:,} of {total:,}" if total else "nobody",
            "right": place == check.right,
        }
        for place, (answer, given) in enumerate(zip(check.answers, check.given, strict=True))
    ]
    return {"question": one_line(check.question, LONGEST_SENTENCE), "rows": rows}


def _judged(judged: JudgedInRoom) -> dict[str, object]:
    return {
        "promise": one_line(judged.promise, LONGEST_SENTENCE),
        "by": one_line(judged.by, LONGEST_SENTENCE),
        "stated": judged.stated,
        "finding": judged.finding,
        "why": judged.why,
        "figures": judged.figures,
        "assumed": " ".join(judged.assumed),
        "answers": [_check(one) for one in judged.answers],
    }


def _signature(record: RoomRecord) -> tuple[tuple[str, str], ...]:
    """What the record can be told by."""
    return (
        ("Began", moment_to_read(record.began)),
        ("Ledger hash", one_line(record.head, 80) or "nothing was charged"),
        ("Written by", software()),
    )
