"""A privacy label as one page of HTML that stands alone: no script, nothing fetched, every name escaped."""

from __future__ import annotations

import html

from dpengine.formatting import at_most, billionths, lower_of_100, tiny_at_most, unit_after, upper_of_100
from dpengine.ledger import Charge, History
from dpengine.queries.sensitivity.sentences import agreeing, plural
from dpengine.reports import html_page
from dpengine.reports.answers import SAYS_NOTHING, Cell
from dpengine.reports.html_page import NUMBER, column_heads
from dpengine.reports.labels.label import BELIEFS, PRACTICE, PrivacyLabel, draws, label_of, of_answers, shown
from dpengine.reports.labels.label_pictures import INK, at_least_dots, at_most_dots, budget_bar, dots, interval_line
from dpengine.reports.labels.label_style import CSS
from dpengine.reports.noise import PartNoise
from dpengine.reports.quoting import LONGEST_UNIT, as_html, as_text, one_line, one_line_as_html

MOST_CELLS, MOST_WIDE, WIDE, FEW, ROOMY = 16, 6, 30, 4, 6
MOST_TOGETHER, MOST_NOISES = 8, 3
LONG, LONG_AMOUNT, LONGEST_FOOT = 12, 7, 80


def privacy_label(history: History, *request_ids: str) -> str:
    """The label of the answer to a request, or of the answers to several as one.

    Raises InvalidParameterError while one has no answer, and where they are of different questions; RefusedQueryError
    for several choices.
    """
    label = label_of(history, *request_ids)
    parts = (_head(label), _answer(label), _loss(label), html_page.promise(label.facts), _noise(label), _foot(label))
    dense = ' class="dense"' if len(label.cells) > ROOMY or len(label.facts) + len(label.noise) > ROOMY else ""
    return html_page.whole(f"Privacy facts: {as_text(label.asked)}", style=CSS, parts=parts, look=dense)


def _head(label: PrivacyLabel) -> str:
    table = f"<code>{one_line_as_html(label.table_name)}</code>"
    practice = f'<p class="practice"><b>PRACTICE</b> {PRACTICE}</p>' if label.practice else ""
    return (
        '<header><div class="brand">Privacy Facts</div>'
        f'<div class="about">of {_released(label)} about the table {table}</div></header>{practice}'
        f'<h1 class="clamped">{as_html(label.asked)}</h1>'
    )


def _released(label: PrivacyLabel) -> str:
    return "one released answer" if label.answers == 1 else f"{label.answers} released answers, combined,"


def _answer(label: PrivacyLabel) -> str:
    shown_answer = _single(label) if len(label.cells) == 1 else _many(label)
    warned = html.escape(label.interval).replace(SAYS_NOTHING, f"<strong>{SAYS_NOTHING}</strong>")
    return f'{shown_answer}<p class="note">{warned}</p>'


def _single(label: PrivacyLabel) -> str:
    (cell,) = label.cells
    of_what = f"<small>{one_line_as_html(cell.label)}:</small> " if cell.label else ""
    size = " long" if len(cell.shown) > LONG else ""
    unit = f"<small>{unit_after(one_line_as_html(label.unit, LONGEST_UNIT)).strip()}</small>" if label.unit else ""
    value = f'<div class="value{size}">{of_what}{one_line_as_html(cell.shown)} {unit}</div>'
    return f'<div class="answer">{value}{_ends(cell)}</div>'


def _ends(cell: Cell) -> str:
    if not cell.ends:
        return ""
    lower, upper = cell.ends.split(" to ")
    return f'<div class="ends">{interval_line(cell)}<div><span>{lower}</span><span>{upper}</span></div></div>'


def _many(label: PrivacyLabel) -> str:
    """The first numbers, in two columns where they are narrow enough; what is left out is said."""
    wide = max(len(cell.shown) + len(cell.ends) for cell in label.cells) > WIDE
    most = MOST_CELLS if label.answers == 1 else MOST_TOGETHER
    cells = label.cells[: MOST_WIDE if wide else most]
    half = (len(cells) + 1) // 2
    columns = [cells] if wide or len(cells) <= FEW else [cells[:half], cells[half:]]
    missing = len(label.cells) - len(cells)
    more = f'<p class="note">And {missing:,} more, {_elsewhere(label)}.</p>' if missing else ""
    return f'<div class="columns">{"".join(_cell_table(label, column) for column in columns)}</div>{more}'


def _elsewhere(label: PrivacyLabel) -> str:
    """A history holds released numbers, not those that were made of several."""
    return "which are in the history" if label.answers == 1 else "for which this page has no room"


def _cell_table(label: PrivacyLabel, cells: tuple[Cell, ...]) -> str:
    unit = f", {one_line_as_html(label.unit, LONGEST_UNIT)}" if label.unit else ""
    heads = (("cell", ""), (f"released{unit}", NUMBER), ("interval", NUMBER))
    rows = "".join(
        f'<tr><th scope="row"><div>{one_line_as_html(cell.label)}</div></th><td{NUMBER}><b>{cell.shown}</b></td>'
        f"<td{NUMBER}>{cell.ends}</td></tr>"
        for cell in cells
    )
    return f'<table class="cells">{column_heads(heads)}<tbody>{rows}</tbody></table>'


def _loss(label: PrivacyLabel) -> str:
    charged = Charge(rule=label.rule, amounts=label.charged)
    amounts = (
        ("ε, epsilon", billionths(charged.epsilon)),
        ("δ, delta", tiny_at_most(charged.delta, 4)),
        ("ρ, rho", at_most(charged.rho, 4)),
    )
    size = " long" if max(len(value) for _, value in amounts) > LONG_AMOUNT else ""
    big = "".join(f'<div><div class="big{size}">{value}</div><span>{name}</span></div>' for name, value in amounts)
    return (
        f'<section><div class="columns"><div><h2>What it cost</h2><div class="loss">{big}</div>'
        f"{budget_bar(label)}{_legend(label)}</div>{_odds(label)}</div></section>"
    )


def _legend(label: PrivacyLabel) -> str:
    alone = label.answers == 1
    pieces = (
        ("before", "spent before" if alone else "spent on other answers", label.charged.left_of(label.line.spent)),
        ("this", "this answer" if alone else f"these {label.answers} answers", label.charged),
        ("left", "left afterwards", label.line.left),
    )
    items = "".join(f'<li class="{key}">{name} <b>{shown(value, label.rule)}</b></li>' for key, name, value in pieces)
    return f'<ul class="legend">{items}</ul>'


def _odds(label: PrivacyLabel) -> str:
    """The worst case over every attacker, for one answer as dots, for the whole budget in a sentence."""
    odds, whole = label.odds, label.budget_odds
    most, least = upper_of_100(odds.with_data / 100), lower_of_100(odds.without_data / 100)
    there = dots(at_most_dots(odds.with_data), INK.attacker, f"at most {most} of 100")
    absent = dots(at_least_dots(odds.without_data), INK.attacker, f"at least {least} of 100")
    return (
        f'<div><h2>What an attacker may learn</h2><p class="note">Of 100 such {draws(label)}, whatever their noise, so '
        "many make somebody who knows all other rows, and errs as often one way as the other, believe that "
        f"{BELIEFS[label.line.entry.neighbors]}:</p>"
        '<div class="odds">'
        f"<figure>{there}<figcaption>at most<b>{most}</b>if so</figcaption></figure>"
        f"<figure>{absent}<figcaption>at least<b>{least}</b>if not</figcaption></figure></div>"
        f'<p class="note">Over the whole budget, {shown(label.line.granted, "basic")}: at most '
        f"{upper_of_100(whole.with_data / 100)}, at least {lower_of_100(whole.without_data / 100)}.</p></div>"
    )


def _noise(label: PrivacyLabel) -> str:
    heads = (
        *(("part", ""), ("mechanism", ""), ("size of the noise", NUMBER)),
        *(("one person moves it by at most", NUMBER), ("share of ε", NUMBER)),
    )
    rows = "".join(_noise_row(label, one, times) for one, times in label.noise[:MOST_NOISES])
    brackets = "" if label.answers == 1 else "; in brackets: how many of the answers had it"
    missing = len(label.noise) - MOST_NOISES
    more = (
        f'<p class="note">And {plural(missing, "more noise")}, which {agreeing(missing, "are")} in the history.</p>'
        if missing > 0
        else ""
    )
    return (
        '<section><h2>How it was made</h2><table class="noise"><caption>Exact whole numbers, and exact noise from the '
        f"OpenDP library{brackets}</caption>{column_heads(heads)}<tbody>{rows}</tbody></table>{more}</section>"
    )


def _noise_row(label: PrivacyLabel, one: PartNoise, times: int) -> str:
    return (
        f'<tr><th scope="row">{one.part}{of_answers(label, times)}</th><td>{one.mechanism}</td>'
        f"<td{NUMBER}>{one.kind} {one.scale_in_words}</td><td{NUMBER}>{one.moved_in_words}</td>"
        f"<td{NUMBER}>{one.epsilon:f}</td></tr>"
    )


def _foot(label: PrivacyLabel) -> str:
    items = (
        ("Charged", label.released),
        ("Request" if label.answers == 1 else "Requests", label.requests),
        ("Ledger hash", label.head),
        ("Written by", label.software),
    )
    return html_page.foot((name, one_line(text, LONGEST_FOOT)) for name, text in items)
