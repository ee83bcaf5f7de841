"""The evaluation of a promise: the engine's own numbers, silence as silence, and no word of others taken for HTML."""

from __future__ import annotations

import html
import math
import re
from dataclasses import replace
from datetime import date

import pytest

from dpengine.charts.privacy.promise_charts import between
from dpengine.formatting import upper_of_100
from dpengine.promises import (
    FAMILY_OF_FOUR,
    HAZARDS,
    NOT_LOOKED_UP,
    ONE_PERSON,
    TEN_TIMES_THE_EVENTS,
    YEAR,
    Promise,
    Subject,
    questions_for_author,
    verdict,
)
from dpengine.promises.recorded import RECORDED
from dpengine.reports import evaluation_html
from dpengine.reports.evaluations import figures
from dpengine.reports.evaluations.promise_fields import FIELDS
from tests.examples.kept import HOSTILE
from tests.examples.promised import DAILY, LONGEST, MANY_TIMES, PAGES, SHORT
from tests.running.cases import each

DAY = date(2026, 11, 29)


def words(text: str) -> str:
    """What a reader reads, on one line."""
    text = re.sub(r"<style>.*?</style>", "", text, flags=re.DOTALL)
    return " ".join(html.unescape(re.sub(r"<[^>]+>", " ", text)).split())


def read(promise: Promise, **others: object) -> str:
    return words(evaluation_html(promise, day=DAY, **others))  # type: ignore[arg-type]


@pytest.mark.parametrize("subject", [ONE_PERSON, FAMILY_OF_FOUR, TEN_TIMES_THE_EVENTS])
@pytest.mark.parametrize("days", [1.0, YEAR])
def test_the_numbers_are_the_engines(days: float, subject: Subject) -> None:
    total = DAILY.over(days=days, subject=subject)
    assert total is not None
    right = upper_of_100(total.odds.with_data / 100.0)
    assert re.search(rf"{re.escape(right)} ε {re.escape(between(total))}(?!\d)", read(DAILY))


def test_it_opens_again_and_says_what_was_typed() -> None:
    said = read(DAILY)
    (link,) = re.findall(r"Take along: (\S+)", said)
    assert Promise.from_link(link) == DAILY
    assert "Typed by you: all answers, on 2026-11-29." in said
    assert "Typed by you" not in read(LONGEST, pages=PAGES)
    assert "Typed by you: ε, on 2026-11-29." in read(LONGEST, pages={k: v for k, v in PAGES.items() if k != "epsilon"})


@each("promise", [DAILY, MANY_TIMES])
def test_a_reader_is_told_what_the_words_of_the_table_mean(promise: Promise) -> None:
    said = read(promise)
    for words in ("ε limits how much", "δ is how far beyond", figures.TEN_TIMES, "A family of four, after a year, has"):
        assert said.count(words) == 1, words


def test_a_day_of_epsilon_and_a_half_is_said_as_odds() -> None:
    """(e^1.5 + 10^-5) / (1 + e^1.5) is 0.81757...; a year of it adds up to 365 times 1.5."""
    said = read(DAILY)
    assert math.ceil(1000 * (math.exp(1.5) + 1e-5) / (1 + math.exp(1.5))) == 818
    assert "at most 81.8 out of 100" in said
    assert "ε 1.5 a day may add up to 547.5 in a year" in said


def test_what_is_silent_is_named_by_its_reason() -> None:
    said = read(DAILY)
    silent = re.search(r"Not said: (.*?)\. Not looked up here: (.*?)\.", said)
    assert silent is not None
    assert "bound on contributions" in silent[1]
    assert silent[2] == "rule for adding up, who checked it"
    assert "Not looked up here" not in read(SHORT)


def test_every_hazard_is_there_with_its_standing_its_reason_and_its_section() -> None:
    said = read(DAILY)
    assert len(DAILY.hazards()) == len(HAZARDS)
    for found in DAILY.hazards():
        section = found.hazard.sources[0].section.split(",", maxsplit=1)[0]
        assert f"{found.hazard.title}: {found.words} . {found.because} ({section})" in said
    assert verdict(DAILY) in said
    assert "NIST SP 800-226, initial public draft, December 2023" in said


def test_every_question_for_its_author_is_there() -> None:
    assert len(questions_for_author(SHORT)) > 10
    for promise in (SHORT, DAILY, LONGEST):
        assert [one for one in questions_for_author(promise) if one not in read(promise)] == []


def test_without_a_size_there_is_no_figure() -> None:
    said = read(SHORT)
    assert "No size is stated, so no figure can be told" in said
    assert "out of 100" not in said
    assert "<svg" not in evaluation_html(SHORT, day=DAY)
    assert "<svg" in evaluation_html(DAILY, day=DAY)


def test_each_stated_fact_names_the_page_where_it_was_read() -> None:
    one = next(iter(RECORDED.values()))
    said = read(one.promise, pages=one.pages)
    for page in set(one.pages.values()):
        assert page.address in said
    assert "[1]" not in read(one.promise)
    two = {name: PAGES[name] for name in ("epsilon", "delta")}
    assert "123.456 [1] δ 1.23456·10⁻⁷ [2] kind of noise randomized" in read(LONGEST, pages=two)


def test_pages_for_which_there_is_no_room_are_counted() -> None:
    assert f"And {len(PAGES) - 3} more, which the page Judge a promise names." in read(LONGEST, pages=PAGES)


@each("text", HOSTILE)
def test_names_are_texts(text: str) -> None:
    written = evaluation_html(replace(DAILY, name=text[:120], by=text[:120]), day=DAY)
    assert len(re.findall("<[a-z]+", written)) == len(re.findall("<[a-z]+", evaluation_html(DAILY, day=DAY)))
    assert "\u202e" not in written


def test_it_says_when_and_by_which_version_it_was_made() -> None:
    assert read(replace(DAILY, rule=NOT_LOOKED_UP)).endswith("Written by Epsilon Explorer 0.1.0 On 2026-11-29")


def test_one_is_said_as_one_and_several_as_several() -> None:
    said = {name: [FIELDS[name].in_words(count) for count in (1, 2)] for name in ("contribution", "for_days")}
    assert said == {"contribution": ["1 row or event", "2 rows or events"], "for_days": ["a day", "2 days"]}
