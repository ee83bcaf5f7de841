"""What an evaluation of a promise shows on its two pages of HTML that stand alone; its template says how."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import fields
from datetime import date

from dpengine.charts.privacy.promise_charts import between
from dpengine.deployments import SourcePage
from dpengine.promises import NOT_LOOKED_UP, NOT_SAID, Handling, Promise, Total, Unsaid, questions_for_author, verdict
from dpengine.reports.evaluations import figures
from dpengine.reports.evaluations.evaluation_method import method
from dpengine.reports.evaluations.evaluation_pictures import rising_odds
from dpengine.reports.evaluations.promise_fields import FIELDS
from dpengine.reports.quoting import one_line
from dpengine.reports.templates import document, picture
from dpengine.reports.who import software

LONGEST_PRINTED, ROOMY_LINES, ROOMY_PAGES = 120, 14, 2
ROWS_WITH_ROOM = 4
"""So many bars leave room below them."""
MOST_CITED, FEWER_CITED, FEW_QUESTIONS = 6, 3, 6
WHERE = "Judge a promise"
_KEPT = tuple(field.name for field in fields(Handling))


def evaluation_html(promise: Promise, *, day: date, pages: Mapping[str, SourcePage] | None = None) -> str:
    """The evaluation of a promise; prints on two pages of A4 or Letter.

    `pages` are those on which fields were read, by the names of the fields.
    """
    read = dict(pages or {})
    cited = list(dict.fromkeys(read[name] for name in FIELDS if name in read))
    return document(
        "evaluations/evaluation.html",
        title=f"Evaluation: {one_line(promise.name, LONGEST_PRINTED)}",
        dense=_is_full(promise, cited),
        name=one_line(promise.name, LONGEST_PRINTED) or "A promise",
        by=one_line(promise.by, LONGEST_PRINTED),
        found=figures.title(promise),
        odds=[one.replace("**", "") for one in (*figures.odds(promise), figures.family(promise)) if one],
        ten_times=figures.TEN_TIMES,
        rising=picture(rising_odds(figures.rows(promise))) if figures.rows(promise) else "",
        whom=list(figures.SUBJECTS),
        worth=_worth(promise),
        promise=[_said(promise, name, read, cited) for name in FIELDS if not isinstance(_value(promise, name), Unsaid)],
        assumed=figures.assumed(promise),
        unsaid=_unsaid(promise, read, cited),
        **_hazards(promise),
        method=list(method(promise)),
        **_cited(cited, MOST_CITED if len(questions_for_author(promise)) <= FEW_QUESTIONS else FEWER_CITED),
        beside=len(figures.rows(promise)) <= ROWS_WITH_ROOM,
        typed=_typed(promise, read, day),
        where=WHERE,
        link=promise.to_link(),
        signature=(("Written by", software()), ("On", day.isoformat())),
    )


def _is_full(promise: Promise, cited: Sequence[SourcePage]) -> bool:
    """Whether much has to be said: many fields are stated, time counts in many ways, or it was read in many places."""
    said = sum(not isinstance(_value(promise, name), Unsaid) for name in FIELDS)
    return said + len(figures.rows(promise)) > ROOMY_LINES or len(cited) > ROOMY_PAGES


def _typed(promise: Promise, read: Mapping[str, SourcePage], day: date) -> str:
    """Which of the answers were typed rather than read; empty where none was."""
    stated = [name for name in FIELDS if not isinstance(_value(promise, name), Unsaid)]
    names = [FIELDS[name].short for name in stated if name not in read]
    if not names:
        return ""
    return f"{', '.join(names) if read else 'all answers'}, on {day.isoformat()}."


def _worth(promise: Promise) -> list[dict[str, object]]:
    return [
        {"words": row.heading, "untold": row.untold, "cells": [_cell(total) for total in row.totals.values()]}
        for row in figures.rows(promise)
    ]


def _cell(total: Total) -> dict[str, str]:
    best, most = figures.right_at_best(total), figures.right_at_most(total)
    return {
        "right": most if best == most else f"{best} to {most}",
        "epsilons": between(total) if total.promises_nothing else f"ε {between(total)}",
    }


def _value(promise: Promise, name: str) -> object:
    return getattr(promise.handling if name in _KEPT else promise, name)


def _said(promise: Promise, name: str, read: Mapping[str, SourcePage], cited: Sequence[SourcePage]) -> tuple[str, str]:
    return FIELDS[name].short, f"{FIELDS[name].in_words(_value(promise, name))}{_mark(name, read, cited)}"


def _unsaid(promise: Promise, read: Mapping[str, SourcePage], cited: Sequence[SourcePage]) -> list[tuple[str, str]]:
    """What is empty, by the reason; the two are never mixed."""
    found = []
    for why, words in ((NOT_SAID, "Not said"), (NOT_LOOKED_UP, "Not looked up here")):
        names = [
            f"{one.short}{_mark(name, read, cited)}" for name, one in FIELDS.items() if _value(promise, name) is why
        ]
        if names:
            found.append((words, f"{', '.join(names)}."))
    return found


def _mark(name: str, read: Mapping[str, SourcePage], cited: Sequence[SourcePage]) -> str:
    """The number of the page on which a field was read."""
    return f" [{cited.index(read[name]) + 1}]" if name in read else ""


def _cited(pages: Sequence[SourcePage], most: int) -> dict[str, object]:
    """As many pages as there is room for; what is left out is said."""
    missing = len(pages) - most
    return {
        "cited": [(page.title, page.address) for page in pages[:most]],
        "more_cited": f"And {missing:,} more, which the page {WHERE} names." if missing > 0 else "",
    }


def _hazards(promise: Promise) -> dict[str, object]:
    """The verdict, each hazard with its standing and the section of the text that it was read in, and questions."""
    found = promise.hazards()
    first = [one.hazard.sources[0] for one in found]
    return {
        "verdict": verdict(promise),
        "hazards": [
            {
                "title": one.hazard.title,
                "standing": one.words,
                "look": one.standing.name.lower(),
                "because": one.because,
                "section": source.section.split(",", maxsplit=1)[0],
            }
            for one, source in zip(found, first, strict=True)
        ],
        "hazards_read": "; ".join(f"{page.title}, {page.place}" for page in dict.fromkeys(one.page for one in first)),
        "questions": questions_for_author(promise),
    }
