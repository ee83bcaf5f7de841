"""A room's record as HTML that stands alone: no script, nothing fetched, every name escaped, no pseudonym unasked."""

from __future__ import annotations

import html

from dpengine.formatting import amount, in_signs, measure_of, upper_of_100
from dpengine.plan.amounts import RULE_NAMES
from dpengine.queries import question
from dpengine.queries.sensitivity.sentences import agreeing
from dpengine.reports import html_page
from dpengine.reports.answers import OFTEN, Cell, cells_of
from dpengine.reports.html_page import NUMBER, column_heads
from dpengine.reports.labels.label import PRACTICE, RELATIONS, RULES, shown
from dpengine.reports.quoting import LONGEST_SENTENCE, as_html, cut, one_line, one_line_as_html, quoted
from dpengine.reports.room_records.room_record import (
    AskedInRoom,
    CheckOfARoom,
    GuessesOfARoom,
    RoomRecord,
    VotesOfARound,
    times_apart,
)
from dpengine.reports.room_records.room_record_pictures import votes_as_dots
from dpengine.reports.room_records.room_record_style import CSS
from dpengine.reports.timestamps import in_utc, moment_to_read
from dpengine.reports.who import software

_INTERVALS = (
    "In brackets: the interval in which the exact answer (that of the rows as they were cut and capped by the "
    f"declaration) lies in {OFTEN} such releases, all numbers of an answer at once. "
    "It covers the privacy noise only; a choice has none."
)
LONGEST_TITLE, LONGEST_REASON, LONGEST_PRINTED_LINK, MOST_CELLS = 120, 400, 600, 12


def room_record(record: RoomRecord, *, names: bool = False) -> str:
    """The record of a room; with `names` also who joined and who asked what, under their pseudonyms."""
    parts = (
        _head(record),
        _settings(record),
        _people(record) if names else "",
        _votes(record),
        _guesses(record.guesses),
        _asked(record, names=names),
        _checks(record),
        _foot(record),
    )
    title = f"Workshop record: {one_line(record.title, LONGEST_TITLE)}"
    return html_page.whole(title, style=CSS, parts=parts)


def _head(record: RoomRecord) -> str:
    header = html_page.header("Workshop record", record.table_name, in_utc(record.began).date())
    practice = f'<p class="plan"><b>PRACTICE</b> {PRACTICE}</p>' if record.practice else ""
    return f"{header}{practice}<h1>{one_line_as_html(record.title, LONGEST_TITLE) or 'A workshop'}</h1>"


def _settings(record: RoomRecord) -> str:
    rule, cap = record.rule, "none" if record.cap is None else f"ε {amount(record.cap, 9)}"
    facts = (
        ("Budget", f"{shown(record.budget, 'basic')}, shared by everybody."),
        ("Took part", f"{len(record.people):,} {'person' if len(record.people) == 1 else 'people'}."),
        ("Spent", f"{shown(record.spent, rule)}, by all charges to this account. Left: {shown(record.left, rule)}."),
        ("Rule", f"{RULE_NAMES[rule]} ({RULES[rule]})."),
        ("Cap for each person", f"{cap}."),
        ("Setting chosen", _chosen(record)),
        ("Who is protected", cut(record.person, LONGEST_SENTENCE)),
        ("Against what", f"{record.neighbors.sentence} Neighbors: {RELATIONS[record.neighbors]}."),
        ("The room is deleted", f"{moment_to_read(record.expires)}. The ledger keeps its charges."),
    )
    rows = "".join(f'<tr><th scope="row">{name}</th><td>{as_html(text)}</td></tr>' for name, text in facts)
    return f'<section><h2>What was set</h2><table class="facts"><tbody>{rows}</tbody></table></section>'


def _chosen(record: RoomRecord) -> str:
    if record.chosen is None:
        return "none: each question kept the epsilon of the plan."
    return f"ε {amount(record.chosen, 9)} for each question, by the room itself."


def _people(record: RoomRecord) -> str:
    if not record.people:
        return ""
    listed = ", ".join(one_line_as_html(name) for name in record.people)
    return f"<section><h2>Who was there</h2><p>{len(record.people):,}, by the names they chose: {listed}.</p></section>"


def _votes(record: RoomRecord) -> str:
    if not record.rounds:
        return ""
    spreads = "".join(f"<li>Round {number}: {_spread(votes)}</li>" for number, votes in enumerate(record.rounds, 1))
    return (
        "<section><h2>Which epsilon people would choose</h2>"
        f"<figure>{votes_as_dots(record.rounds)}<figcaption>Each dot is one vote. Band: the middle half. Dashed line: "
        f"the median.</figcaption></figure><ul>{spreads}</ul></section>"
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


def _guesses(guesses: GuessesOfARoom | None) -> str:
    if guesses is None:
        return ""
    return (
        f"<section><h2>Guess who</h2><p><b>{guesses.wins:,} of {guesses.guesses:,} guesses "
        f"{agreeing(guesses.wins, 'were')} right</b>, "
        f"{amount(100.0 * guesses.wins / guesses.guesses)} of 100. Without looking at an answer: "
        f"{amount(100.0 * guesses.chance)} of 100. In the long run nobody can be right more often than "
        f"{upper_of_100(guesses.bound)} of 100; a short run may lie above it by luck.</p></section>"
    )


def _asked(record: RoomRecord, *, names: bool) -> str:
    if not record.asked:
        return "<section><h2>What was asked</h2><p>Nothing was asked of the shared account.</p></section>"
    heads = (("", ""), ("question", ' class="what"'), ("charged", ' class="cost"'), ("answer", ""))
    rows = "".join(_row(record, one, number, names=names) for number, one in enumerate(record.asked, 1))
    return (
        f'<section><h2>What was asked</h2><table class="asked"><caption>{_INTERVALS}</caption>'
        f"{column_heads(heads)}<tbody>{rows}</tbody></table></section>"
    )


def _row(record: RoomRecord, one: AskedInRoom, number: int, *, names: bool) -> str:
    asked = cut(question(one.planned.query, quoted), LONGEST_SENTENCE)
    who = f'<div class="who">asked by {one_line_as_html(one.who)}</div>' if names and one.who else ""
    return (
        f'<tr><th scope="row">{number:,}</th><td>{as_html(asked[:1].upper() + asked[1:])}?{who}</td>'
        f"<td>{_charged(record, one)}</td><td>{_answer(one)}</td></tr>"
    )


def _charged(record: RoomRecord, one: AskedInRoom) -> str:
    if one.refused:
        return "nothing"
    if one.release is not None:
        return html.escape(shown(one.release.charge.amounts, record.rule))
    return "see the ledger"


def _answer(one: AskedInRoom) -> str:
    if one.refused:
        sentence = one_line_as_html(in_signs(one.refused), LONGEST_REASON)
        return f'<span class="refused">Refused.</span> {sentence}'
    if one.release is None:
        return "No answer yet."
    measure = measure_of(one.release.query, one.release.schema)
    cells, unit = cells_of(one.release.estimate, measure.times), one_line_as_html(measure.answers)
    listed = "".join(f"<li>{_cell(cell, unit)}</li>" for cell in cells[:MOST_CELLS])
    missing = len(cells) - MOST_CELLS
    more = f"<li>And {missing:,} more, which {agreeing(missing, 'are')} in the history.</li>" if missing > 0 else ""
    return f"<ul>{listed}{more}</ul>"


def _cell(cell: Cell, unit: str) -> str:
    label = f"{one_line_as_html(cell.label)}: " if cell.label else ""
    ends = f' <span class="ends">({cell.ends})</span>' if cell.ends else ""
    after = f" {unit}" if unit and not cell.label else ""
    return f"{label}<b>{one_line_as_html(cell.shown)}</b>{after}{ends}"


def _checks(record: RoomRecord) -> str:
    if not record.checks:
        return ""
    return f"<section><h2>What people understood</h2>{''.join(map(_check, record.checks))}</section>"


def _check(check: CheckOfARoom) -> str:
    total = sum(check.given)
    rows = "".join(
        _given(answer, given, total, right=place == check.right)
        for place, (answer, given) in enumerate(zip(check.answers, check.given, strict=True))
    )
    caption = one_line_as_html(check.question, LONGEST_SENTENCE)
    return f'<div class="check"><table><caption>{caption}</caption><tbody>{rows}</tbody></table></div>'


def _given(answer: str, given: int, total: int, *, right: bool) -> str:
    share = 100.0 * given / total if total else 0.0
    said = one_line_as_html(answer, LONGEST_SENTENCE) + (" (right)" if right else "")
    bar = f'<span class="share" aria-hidden="true"><i style="width:{share:.1f}%"></i></span>'
    look = ' class="right"' if right else ""
    told = f"{given:,} of {total:,}" if total else "nobody"
    return f'<tr{look}><th scope="row">{said}</th><td>{bar}</td><td{NUMBER}>{told}</td></tr>'


def _foot(record: RoomRecord) -> str:
    items = (
        ("Began", moment_to_read(record.began)),
        ("Ledger hash", one_line(record.head, 80) or "nothing was charged"),
        ("Written by", software()),
    )
    return html_page.foot(items, before=_link(record.link))


def _link(link: str) -> str:
    """The plan to open again; an address too long for paper stands behind its words only."""
    if not link:
        return ""
    address = html.escape(link)
    printed = address if len(link) <= LONGEST_PRINTED_LINK else "The address is in this file, too long for paper."
    opens = f'<a href="{address}" rel="noreferrer">Open this plan again</a>, where the dashboard runs'
    return f'<p class="link">{opens}<span>{printed}</span></p>'
