"""A room's record: everything that happened, no pseudonym unasked, nothing that runs or fetches."""

from __future__ import annotations

import re
from base64 import b64encode
from dataclasses import replace
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from dpengine.errors import InvalidParameterError
from dpengine.formatting import in_signs
from dpengine.plan.amounts import Amounts
from dpengine.privacy import Guarantee, Neighbors
from dpengine.queries import CountQuery
from dpengine.reports import AskedInRoom, CheckOfARoom, GuessesOfARoom, RoomRecord, VotesOfARound, room_record
from dpengine.reports.room_records.room_record import reach, times_apart
from dpengine.reports.room_records.room_record_pictures import FLOOR, ROW, TOP, votes_as_dots
from tests.examples.drawn import planned_as
from tests.examples.kept import HOSTILE
from tests.examples.rooms_kept import PEOPLE, REFUSED, answered, hostile, judged, longest, record, votes
from tests.examples.told import ILL, IN_A
from tests.running.cases import each
from tests.unit.reports.test_label import NAMES, Seen

TAME = tuple(f"name {number}" for number in range(len(HOSTILE)))


def links(seen: Seen) -> list[tuple[str, str, str]]:
    return [one for one in seen.attributes if one[1] in ("href", "src")]


@each("of", [record(), longest(), hostile(HOSTILE), record(link="")])
@each("names", [False, True])
def test_a_record_stands_alone_and_its_only_link_is_the_plan(of: RoomRecord, names: bool) -> None:
    seen = Seen(room_record(of, names=names))
    assert seen.open == []
    file = f"data:application/json;base64,{b64encode(of.plan.encode()).decode()}"
    assert links(seen) == [("a", "href", file)] + ([("a", "href", of.link)] if of.link else [])
    assert seen.alive == sorted(["a", "href"] * (2 if of.link else 1))
    assert ("html", "lang", "en") in seen.attributes
    assert seen.tags.count("h1") == 1
    scopes = [value for tag, name, value in seen.attributes if (tag, name) == ("th", "scope")]
    assert len(scopes) == seen.tags.count("th") > 0
    assert any("default-src 'none'" in str(value) for _, name, value in seen.attributes if name == "content")


def test_it_tells_what_was_set_spent_and_chosen() -> None:
    text = Seen(room_record(record())).text
    for words in (
        "Health data for the city council",
        "2026-03-04",
        "PRACTICE",
        "ε 2, shared by everybody",
        "ε 1.9, by all charges to this account. Left: ε 0.1",
        "naive (epsilons and deltas add up)",
        "Cap for each person ε 0.7",
        "ε 0.5 for each question, by the room itself",
        "One person: each row is a different person.",
        "one person added or removed",
        "2026-03-11 13:05:00 UTC",
        "ab12" * 16,
    ):
        assert words in text
    other = replace(record(), practice=False, cap=None, chosen=None, neighbors=Neighbors.REPLACE_ONE)
    text = Seen(room_record(other)).text
    assert "PRACTICE" not in text
    assert "Cap for each person none." in text
    assert "used the epsilon of the plan" in text
    assert "one person replaced" in text


def test_the_rule_of_the_account_counts() -> None:
    concentrated = record(
        granted=Guarantee(epsilon=2.0, delta=1e-6), rule="concentrated", spent=Amounts(rho=10_000_000)
    )
    text = Seen(room_record(concentrated)).text
    assert "Spent ρ 0.01, by all charges to this account. Left: ρ 0.0" in text
    assert "δ 10⁻⁶" in text


def test_every_question_stands_with_its_answer_its_interval_and_its_charge() -> None:
    seen = Seen(room_record(record()))
    release = record().asked[0].release
    assert release is not None
    half = release.half_width(0.95)
    assert f"1,234 people ({1234 - half:,.0f} to {1234 + half:,.0f})" in seen.text.replace("( ", "(")
    assert "How many rows have ill = yes?" in seen.text
    assert re.search(r"a: 10 .*b: 200 .*c: 3,000", seen.text)
    assert "ε 0.5" in seen.text
    assert "Refused. " + in_signs(REFUSED) in seen.text
    assert seen.text.index("1,234 people") < seen.text.index("3,000") < seen.text.index("Refused.")
    rows = room_record(record()).split("<tr>")
    (refused,) = [row for row in rows if in_signs(REFUSED) in row]
    assert "<td>nothing</td>" in refused
    waiting = record(asked=(AskedInRoom(planned=planned_as(CountQuery(ILL), 0.5)),))
    assert "No answer yet." in Seen(room_record(waiting)).text
    assert "No question was asked" in Seen(room_record(record(asked=()))).text


def test_votes_guesses_and_checks_are_told_in_numbers() -> None:
    text = Seen(room_record(record())).text
    assert "Round 1: 6 votes, median ε 0.5; the middle half from" in text
    assert "largest and smallest 80 times apart" in text
    assert "Round 2: 5 votes" in text
    assert "ε 1: 27 of 40 guesses were right , 67.5%" in text
    assert "in at most 73.2 out of 100 cases" in text
    assert "More privacy (right)" in text
    assert "9 of 12" in text
    bare = Seen(room_record(record(rounds=(), guesses=(), checks=()))).text
    for words in ("Which epsilon", "Guess who", "understood"):
        assert words in text
        assert words not in bare


def test_a_promise_that_was_judged_stands_with_its_figures_and_the_answers() -> None:
    text = Seen(room_record(record(judged=judged()))).text
    for words in (
        "How people move (Somebody)",
        "How large: ε 2, δ 0",
        "After one year, ε is at most 730 for one person.",
        "one release 2 88.1",
        "Each release has new noise.",
        "ε 730 (what the engine computes) 3 of 8",
        "no 6 of 8",
    ):
        assert words in text, words
    assert "judged together" not in Seen(room_record(record())).text
    with pytest.raises(InvalidParameterError, match="right"):
        record(checks=judged().answers)


def test_no_pseudonym_is_written_unless_asked_for() -> None:
    silent, telling = room_record(record()), room_record(record(), names=True)
    for name in ("Grace", "Ada&#39;s friend", "Zuse"):
        assert name not in silent
        assert telling.count(name) >= 2
    assert "asked by" not in silent
    assert "Who was there" not in silent
    assert "Who was there" in telling
    assert not any(name in repr(record()) for name in PEOPLE)


def test_every_vote_is_one_dot_on_the_axis_of_its_round() -> None:
    of = longest()
    picture = votes_as_dots(of.rounds)
    assert picture.count("<circle") == 400
    places = [(float(x), float(y)) for x, y in re.findall(r'<circle cx="([\d.]+)" cy="([\d.]+)"', picture)]
    for number in range(2):
        own = places[200 * number : 200 * (number + 1)]
        assert all(ROW * number + TOP <= y <= ROW * number + FLOOR for _, y in own)
        assert all(10 <= x <= 420 for x, _ in own)
    alone = votes_as_dots((votes(0.5),))
    assert alone.count("<circle") == 1
    assert ">0.1<" in alone
    assert ">1<" in alone


def test_a_larger_vote_lies_farther_right() -> None:
    picture = votes_as_dots((votes(0.1, 1.0, 10.0),))
    places = [float(x) for x in re.findall(r'<circle cx="([\d.]+)"', picture)]
    assert places == sorted(places)
    assert places[1] - places[0] == pytest.approx(places[2] - places[1], abs=12)
    assert reach((votes(0.1, 1.0, 10.0),)) == (0.1, 10.0)
    assert reach((votes(1.0),)) == (1.0, 10.0)
    assert reach((votes(0.3), votes(12.0))) == (0.1, 100.0)
    assert times_apart(votes(0.1, 1.0, 8.0)) == 80.0


def test_hostile_names_are_text_and_change_no_tag() -> None:
    tame, harmful = (Seen(room_record(hostile(names), names=True)) for names in (TAME, HOSTILE))
    assert harmful.tags == tame.tags
    assert "<script>" in harmful.text


@settings(max_examples=40, deadline=None)
@given(st.lists(NAMES, min_size=len(TAME), max_size=len(TAME)))
def test_any_names_at_all_leave_the_tags_alone(names: list[str]) -> None:
    tame = Seen(room_record(hostile(TAME), names=True))
    seen = Seen(room_record(hostile(tuple(name or "x" for name in names)), names=True))
    assert seen.tags == tame.tags
    assert seen.alive == tame.alive == ["a", "a", "href", "href"]


def test_repeated_questions_stand_once_and_the_budgets_stairs_have_a_cross_for_a_refusal() -> None:
    asked = tuple(answered(CountQuery(ILL), [number]) for number in (1234, 1240))
    no = replace(asked[0], release=None, refused=REFUSED)
    text = Seen(room_record(record(asked=(*asked, no, answered(CountQuery(IN_A), [7]))))).text
    assert "Asked 3 times, refused 1 time at ε 0.5: 1,234, 1,240." in text
    assert "Asked once at ε 0.5: 7." in text
    page = room_record(record())
    assert page.count('class="no"') == 1
    assert "5 questions asked, 1 refused: naive epsilon 1.9, advanced 1.7, of a budget of 2." in page
    assert "2 of 3 people who joined" in Seen(page).text
    assert "comes on top" not in page
    assert "What if we had asked smaller?" not in page
    assert "naive 41, advanced 68" in room_record(record(smaller="Questions that fit: naive 41, advanced 68."))
    assert "an earlier edition too, what was told there comes on top" in room_record(record(continues=True))
    assert "class=&" not in room_record(record(spending=(), attacks=(), plan=""))


def test_signs_that_turn_the_reading_direction_are_gone() -> None:
    page = room_record(record(title="a\u202ebc", people=("d\u2066e\x02",), head="f\u202e"), names=True)
    assert not set(page) & set("\u202e\u2066\x02\x03")
    assert "abc" in page


def test_a_link_too_long_for_paper_is_kept_behind_its_words() -> None:
    short, long = Seen(room_record(record())), Seen(room_record(longest()))
    assert record().link in short.text
    assert longest().link not in long.text
    assert "too long for paper" in long.text


WRONG: tuple[Any, ...] = (
    lambda: record(link="javascript:alert(1)"),
    lambda: record(link="https://a\nb"),
    lambda: record(cap=0.0),
    lambda: record(chosen=-1.0),
    lambda: record(asked="nothing"),
    lambda: VotesOfARound(epsilons=(), median=1.0, lower=1.0, upper=1.0),
    lambda: VotesOfARound(epsilons=(0.0,), median=1.0, lower=1.0, upper=1.0),
    lambda: GuessesOfARoom(epsilon=1.0, guesses=3, wins=4, chance=0.5, bound=0.7),
    lambda: GuessesOfARoom(epsilon=1.0, guesses=3, wins=2, chance=0.5, bound=0.4),
    lambda: CheckOfARoom(question="?", answers=("a", "b"), given=(1,), right=0),
    lambda: CheckOfARoom(question="?", answers=("a",), given=(1,), right=1),
    lambda: replace(answered(CountQuery(ILL), [3]), refused="no"),
    lambda: replace(answered(CountQuery(ILL), [3]), planned=planned_as(CountQuery(IN_A), 0.5)),
)


@each("wrong", WRONG)
def test_what_makes_no_sense_is_refused(wrong: Any) -> None:
    with pytest.raises(InvalidParameterError):
        wrong()
    assert record().asked
