"""A policy brief as two pages of HTML that stand alone: no script, nothing fetched, every name escaped."""

from __future__ import annotations

import html

from dpengine.formatting.near_neutral import between_of_100
from dpengine.plan import odds_after
from dpengine.privacy import Neighbors
from dpengine.queries import ModeQuery, QuantileQuery
from dpengine.queries.sensitivity.sentences import agreeing
from dpengine.reports import html_page
from dpengine.reports.briefs import brief
from dpengine.reports.briefs.brief import BriefQuestion, Otherwise
from dpengine.reports.briefs.brief_input import Explored
from dpengine.reports.briefs.brief_method import method
from dpengine.reports.briefs.brief_pictures import INK, before_and_after, likely_answers
from dpengine.reports.briefs.brief_style import CSS
from dpengine.reports.exact_answer import done_first
from dpengine.reports.html_page import NUMBER, column_heads
from dpengine.reports.labels.label import shown
from dpengine.reports.labels.label_pictures import at_least_dots, at_most_dots, dots
from dpengine.reports.quoting import as_html, as_text
from dpengine.reports.who import software

ROOMY_QUESTIONS, ROOMY_PARTS, ROOMY_LETTERS = 5, 2, 90


def policy_brief(explored: Explored) -> str:
    """The brief of one question and the plan around it; prints on two pages of A4 or Letter."""
    asked = brief.asked_in_words(explored.planned)
    dense = " dense" if _is_full(explored, asked) else ""
    first = (
        _head(explored, asked),
        _answer(explored),
        _pictures(explored),
        _means(explored),
        html_page.promise(brief.promise(explored)),
    )
    second = (_questions(explored), _otherwise(explored), _method(explored), _foot(explored))
    sheets = (f'<div class="sheet{dense}">{"".join(parts)}</div>' for parts in (first, second))
    return html_page.whole(f"Policy brief: {as_text(asked)}", style=CSS, parts=sheets)


def _is_full(explored: Explored, asked: str) -> bool:
    """Whether much has to be said: many questions, many noisy parts, long names."""
    many = len(brief.questions(explored)) > ROOMY_QUESTIONS or len(brief.noises(explored)) > ROOMY_PARTS
    return many or len(asked) > ROOMY_LETTERS or len(brief.finding(explored)) > ROOMY_LETTERS


def _head(explored: Explored, asked: str) -> str:
    public = f" {brief.PUBLIC}" if explored.public else ""
    return (
        f"{html_page.header('Policy brief', explored.plan.table_name, explored.day)}"
        f'<p class="plan"><b>PLAN</b> {brief.NOTHING_RELEASED}{public}</p>'
        f'<h1 class="clamped">{as_html(asked)}</h1>'
    )


def _answer(explored: Explored) -> str:
    planned = explored.planned
    settings = (
        ("epsilon (ε)", f"{planned.guarantee.epsilon:.9g}"),
        ("noise", "chosen at random" if _chosen(explored) else planned.mechanism.capitalize()),
        ("answers in the band", f"{explored.confidence * 100:g} of 100"),
        ("belief before", f"{explored.prior * 100:g} of 100"),
    )
    items = "".join(f"<div><dt>{name}</dt><dd>{value}</dd></div>" for name, value in settings)
    return f'<p class="finding clamped">{html.escape(brief.finding(explored))}.</p><dl class="settings">{items}</dl>'


def _chosen(explored: Explored) -> bool:
    return isinstance(explored.planned.query, QuantileQuery | ModeQuery)


def _pictures(explored: Explored) -> str:
    return (
        '<section class="columns">'
        f'<figure class="wide"><figcaption><b>What people would see</b> {as_html(_around(explored)[1])}</figcaption>'
        f"{_dots(explored)}</figure>"
        "<figure><figcaption><b>What an attacker may believe</b> about one person, of 100</figcaption>"
        f"{_belief(explored)}{_odds(explored)}</figure></section>"
    )


def _around(explored: Explored) -> tuple[float, str]:
    """Where the picture stands: on a public number, else on 0; and the words that say so."""
    each = "Each dot is 1 of 100 likely answers,"
    if _chosen(explored):
        return 0.0, "Each dot is 1 of 100 likely answers; how far its rank falls short, in the worst case."
    answers = explored.guesses[explored.place].answers
    if explored.coordinates(explored.planned) > 1:
        done = done_first(explored.planned.query, explored.plan.schema, explored.plan.neighbors)
        own = f"its value once {done}" if done else "its exact value"
        return 0.0, f"{each} to any one of the numbers, around {own}."
    if len(answers) == 1 and explored.public:
        return answers[0], f"{each} around {brief.exactly(explored)}; this table is public."
    if len(answers) == 1 and explored.guessed:
        return answers[0], f"{each} around the answer that somebody guessed; the exact one is not in this brief."
    return 0.0, f"{each} around {brief.exactly(explored)}, which is not in this brief."


def _dots(explored: Explored) -> str:
    law = explored.law(explored.planned, explored.place)
    return likely_answers(
        law,
        around=_around(explored)[0],
        half_width=law.quantile(explored.confidence),
        confidence=explored.confidence,
        measure=brief.measure_in_focus(explored),
        one_sided=_chosen(explored),
    )


def _belief(explored: Explored) -> str:
    after = brief.belief(explored)
    return before_and_after(explored.prior, after, between_of_100(after, before=explored.prior))


def _odds(explored: Explored) -> str:
    odds = odds_after(explored.planned, explored.plan.schema, explored.plan.neighbors)
    most, least = brief.of_100(odds)
    there = dots(at_most_dots(odds.with_data), INK.attacker, f"at most {most} of 100 if so")
    absent = dots(at_least_dots(odds.without_data), INK.attacker, f"at least {least} of 100 if not")
    believed = "this person is in" if explored.plan.neighbors is Neighbors.ADD_REMOVE else "their values are these"
    return (
        f'<p class="note">Of 100 such answers, so many would make somebody believe “{believed}”:</p>'
        f'<div class="odds"><div>{there}<p>at most<b>{most}</b>if it is so</p></div>'
        f"<div>{absent}<p>at least<b>{least}</b>if it is not</p></div></div>"
    )


def _means(explored: Explored) -> str:
    sentences = (
        brief.how_useful(explored),
        brief.beside_sampling(explored),
        brief.odds_in_words(explored),
        brief.belief_in_words(explored),
        brief.whole_plan(explored),
    )
    items = "".join(f"<li>{html.escape(sentence)}</li>" for sentence in sentences if sentence)
    return f"<section><h2>What it means</h2><ul>{items}</ul></section>"


def _questions(explored: Explored) -> str:
    total, rows = len(explored.plan.queries), brief.questions(explored)
    heads = (
        *(("", ""), ("question", ""), ("cost", NUMBER)),
        *((f"error, {explored.confidence * 100:g} of 100", NUMBER), ("left after", NUMBER)),
    )
    missing = total - len(rows)
    which = f"which {agreeing(missing, 'are')} in the script and in the numbers"
    more = f'<p class="note">And {missing:,} more, {which}.</p>' if missing else ""
    before = shown(explored.spent.left_of(explored.budget), explored.plan.rule)
    return (
        f'<section class="thin"><h2>The plan around it</h2><table class="questions"><caption>Left before the plan: '
        f"{before}. The marked question is the one of this brief.</caption>"
        f"{column_heads(heads)}<tbody>{''.join(map(_question, rows))}</tbody></table>{more}</section>"
    )


def _question(asked: BriefQuestion) -> str:
    marked = ' class="marked"' if asked.in_focus else ""
    return (
        f'<tr{marked}><th scope="row">{asked.number:,}</th>'
        f'<td><div class="clamped">{as_html(asked.question)}</div></td><td{NUMBER}>{asked.cost}</td>'
        f'<td{NUMBER}><div class="line">{html.escape(asked.error)}</div></td><td{NUMBER}>{asked.left}</td></tr>'
    )


def _otherwise(explored: Explored) -> str:
    names = (
        "ε",
        f"error, {html.escape(brief.measure_in_focus(explored).errors)}",
        f"a belief of {explored.prior * 100:g} of 100 becomes",
        "believed if so, of 100: at most",
        "if not: at least",
    )
    body = "".join(map(_other, brief.otherwise(explored)))
    return (
        "<section><h2>What another ε would mean for this question"
        f'{explored.assumed(explored.place)}</h2><table class="otherwise">'
        f"{column_heads(tuple((name, NUMBER) for name in names))}<tbody>{body}</tbody></table></section>"
    )


def _other(row: Otherwise) -> str:
    marked = ' class="marked"' if row.chosen else ""
    cells = "".join(
        f"<td{NUMBER}>{html.escape(value)}</td>" for value in (row.error, row.belief, row.at_most, row.at_least)
    )
    return f'<tr{marked}><th scope="row"{NUMBER}>{row.epsilon}</th>{cells}</tr>'


def _method(explored: Explored) -> str:
    paragraphs = "".join(f"<p>{html.escape(text)}</p>" for text in method(explored))
    return f"<section><h2>Method</h2>{paragraphs}</section>"


def _foot(explored: Explored) -> str:
    return html_page.foot((("Written by", software()), ("On", explored.day.isoformat())))
