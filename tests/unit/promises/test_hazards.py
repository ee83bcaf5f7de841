"""Hazards: each border of each rule, by examples that are not the rules' own."""

from __future__ import annotations

import math
from dataclasses import fields
from typing import Any

from dpengine.promises import (
    HANDLING,
    HAZARDS,
    NOT_LOOKED_UP,
    NOT_SAID,
    Handling,
    HazardFinding,
    Promise,
    Standing,
    questions_for_author,
    verdict,
)
from dpengine.promises.hazards.handling_rules import BECAUSE
from dpengine.promises.hazards.sources import SOURCES
from tests.running.cases import each

SOUND, WEAK, NOT_STATED, UNREAD = Standing.SOUND, Standing.WEAK, Standing.NOT_STATED, Standing.NOT_LOOKED_UP
SOUND_HANDLING = Handling(
    exact_beside="public",
    trusted="named",
    raw_access="guarded",
    code="open",
    parameters="all",
    audit="independent",
    sampler="exact",
    chosen="charged",
    post_processing="told",
    small_groups="left_out",
    side_channels="no_queries",
)
WEAK_HANDLING = Handling(
    exact_beside="some",
    trusted="unnamed",
    raw_access="open",
    code="closed",
    parameters="part",
    audit="own",
    sampler="floats",
    chosen="on_data",
    post_processing="silent",
    small_groups="exact_rule",
    side_channels="open",
)
ALL_SOUND = Promise(
    epsilon=0.8,
    delta=1e-10,
    unit="person",
    every_days=math.inf,
    model="central",
    contribution=20,
    people=300_000,
    handling=SOUND_HANDLING,
)
ALL_WEAK = Promise(
    epsilon=4.0,
    delta=1e-4,
    unit="event",
    every_days=1.0,
    for_days=math.inf,
    model="local",
    contribution=math.inf,
    people=300_000,
    handling=WEAK_HANDLING,
)
SILENT_NUMBERS: dict[str, Any] = {
    field.name: NOT_LOOKED_UP for field in fields(Promise) if field.name not in ("name", "by", "handling")
}
ALL_UNREAD = Promise(**SILENT_NUMBERS, handling=Handling(**dict.fromkeys(HANDLING, NOT_LOOKED_UP)))


def found(key: str, **stated: Any) -> HazardFinding:
    """One hazard of a promise; what HANDLING knows is handling."""
    handling = {name: value for name, value in stated.items() if name in HANDLING}
    numbers = {name: value for name, value in stated.items() if name not in HANDLING}
    return next(one for one in Promise(**numbers, handling=Handling(**handling)).hazards() if one.hazard.key == key)


def test_each_hazard_reaches_each_standing() -> None:
    for promise, standing in ((ALL_SOUND, SOUND), (ALL_WEAK, WEAK), (Promise(), NOT_STATED), (ALL_UNREAD, UNREAD)):
        assert {one.hazard.key: one.standing for one in promise.hazards()} == {one.key: standing for one in HAZARDS}


def test_each_is_told_in_few_plain_words_and_has_a_source() -> None:
    assert SOURCES.keys() == {one.key for one in HAZARDS}
    for one in HAZARDS:
        assert len(one.title.split()) <= 8, one.title
        assert one.why.count(".") <= 2, one.why
        assert one.why.endswith("."), one.why
        assert one.question.endswith("?"), one.question
        assert "NIST SP 800-226, initial public draft, December 2023, section" in one.sources[0].cited


def test_every_answer_on_handling_decides_a_hazard() -> None:
    assert {field.name for field in fields(Handling)} <= {field for one in HAZARDS for field in one.fields}
    assert {field: set(said) for field, said in BECAUSE.items()} == {
        field: set(question.answers) for field, question in HANDLING.items()
    }


@each(
    ("stated", "standing", "words"),
    [
        ({"unit": "household"}, SOUND, "each person in it"),
        ({"unit": "device", "epsilon": 3.0, "delta": 0.0}, WEAK, "2 of them can lose an ε of 6 instead of 3"),
        ({"unit": "event", "epsilon": 0.2, "delta": 0.0}, WEAK, "10 of them can lose an ε of 2 instead of 0.2"),
        ({"unit": "event", "epsilon": 0.2, "delta": 0.0, "contribution": 4}, WEAK, "4 of them can lose an ε of 0.8"),
        ({"unit": "event", "contribution": 1, "every_days": math.inf}, SOUND, "one of each person"),
        ({"unit": "event", "contribution": 1, "every_days": 1.0}, WEAK, "one event"),
        ({"unit": "event", "contribution": 1}, WEAK, "one event"),
        ({"unit": "person-week", "for_days": 7.0}, SOUND, "cover no more"),
        ({"unit": "person-week", "for_days": 8.0}, WEAK, "2 of them"),
        ({"unit": "device-day", "for_days": 1.0}, WEAK, "1 of them"),
        ({"unit": "person-day"}, WEAK, "can lose more than it says"),
    ],
)
def test_the_unit(stated: dict[str, Any], standing: Standing, words: str) -> None:
    one = found("unit", **stated)
    assert one.standing is standing
    assert words in one.because


def test_days_of_one_person_add_up_as_releases_do() -> None:
    one = found("unit", unit="person-day", epsilon=2.0, delta=1e-6, every_days=1.0, contribution=5, rule="basic")
    assert "30 of them can lose an ε of 60 at a δ of 3·10⁻⁵ instead of 2" in one.because


@each(
    ("stated", "standing", "words"),
    [
        ({"every_days": math.inf}, SOUND, "once"),
        ({"every_days": 90.0, "for_days": 90.0}, SOUND, "once"),
        ({"every_days": 90.0, "for_days": 91.0}, WEAK, "does not say how that adds up"),
        ({"every_days": 1.0, "for_days": math.inf, "rule": "basic"}, WEAK, "every day, without an end"),
        ({"every_days": 1.0, "for_days": math.inf, "rule": NOT_LOOKED_UP}, WEAK, "without an end"),
        ({"every_days": 1.0, "rule": "basic"}, WEAK, "no end is stated"),
        ({"every_days": 1.0, "for_days": NOT_LOOKED_UP, "rule": "basic"}, UNREAD, "how long that goes on"),
        ({"every_days": 1.0, "for_days": 9.0, "rule": NOT_LOOKED_UP}, UNREAD, "how releases add up"),
        ({"every_days": 1.0, "for_days": 9.0, "rule": "basic"}, SOUND, "for 9 days, and it says how that adds up"),
        ({"for_days": 9.0, "rule": "basic"}, NOT_STATED, "how often"),
        ({"every_days": 1e-8, "epsilon": 1.0, "for_days": 9.0, "rule": "basic"}, WEAK, "too many to add up"),
        (
            {"every_days": 1.0, "for_days": 1e4, "rule": "basic", "epsilon": 1.0, "delta": 1e-3},
            WEAK,
            "10,000 releases in 10,000 days together promise nothing",
        ),
        (
            {"every_days": 1.0, "epsilon": 16.0, "delta": 0.0, "unit": "person"},
            WEAK,
            "365 releases in a year come to an ε of at most 5,840.",
        ),
    ],
)
def test_a_budget_that_refills(stated: dict[str, Any], standing: Standing, words: str) -> None:
    one = found("refill", **stated)
    assert one.standing is standing
    assert words in one.because


@each(
    ("stated", "standing", "words"),
    [
        ({"delta": 0.0}, SOUND, "without exception"),
        ({"delta": 1e-5}, NOT_STATED, "how many people there are"),
        ({"delta": 1e-5, "people": NOT_LOOKED_UP}, UNREAD, "Nobody here has looked up how many people"),
        ({"people": 500}, NOT_STATED, "how large δ is"),
        ({"delta": 1e-5, "people": 1_000_000}, WEAK, "publishes 10 of them unprotected keeps"),
        (
            {"delta": 1e-6, "people": 1_000_000},
            WEAK,
            "1,000,000 people, a program that publishes 1 of them unprotected",
        ),
        ({"delta": 2e-7, "people": 1_000_000}, WEAK, "one of them unprotected in 1 of 5 releases"),
        ({"delta": 1.01e-8, "people": 1_000_000}, WEAK, "in 1 of 100 releases"),
        ({"delta": 1e-8, "people": 1_000_000}, SOUND, "at most 1 of 100 releases"),
        ({"delta": 1e-8, "people": 1_000_000, "every_days": 182.5}, WEAK, "there are 2 releases in a year"),
        ({"delta": 1e-8, "people": 1_000_000, "every_days": 400.0}, WEAK, "there are 2 releases in 800 days"),
        ({"delta": 1e-8, "people": 1_000_000, "every_days": 3.0, "for_days": 3.0}, SOUND, "1 of 100 releases"),
        ({"delta": 1e-8, "people": 2_000, "unit": "event"}, SOUND, "2,000 events"),
        ({"delta": 1e-20, "people": 2_000, "every_days": 1e-30}, WEAK, "more than 10,000,000 releases in a year"),
        ({"rho": 0.1}, SOUND, "no whole rows"),
        ({"rho": 0.1, "delta": 1e-5, "people": 1_000_000}, SOUND, "a δ of 10⁻⁵ only turns it into an ε"),
        ({"rho": 0.1, "delta": 2e-5}, WEAK, "looks smaller than it is"),
        ({"noise": "gaussian", "noise_multiplier": 5.0}, SOUND, "no whole rows"),
        ({"noise": "gaussian"}, NOT_STATED, "how large δ is"),
        ({"rho": 0.1, "noise": "laplace", "noise_multiplier": 3.0}, SOUND, "no whole rows"),
    ],
)
def test_delta_and_the_number_of_people(stated: dict[str, Any], standing: Standing, words: str) -> None:
    one = found("delta", **stated)
    assert one.standing is standing
    assert words in one.because


@each(
    ("stated", "standing", "words"),
    [
        ({"epsilon": 1.0}, SOUND, "an ε of 1. Up to 1"),
        ({"epsilon": 1.0001}, WEAK, "an ε of 1.01"),
        ({"epsilon": math.log(3.0), "delta": 0.0}, WEAK, "right in at most 75 out of 100 cases"),
        ({"epsilon": 30.0, "delta": 0.0}, WEAK, "nearly always"),
        ({"epsilon": 0.25, "delta": 0.0, "every_days": 1.0, "for_days": 4.0, "unit": "person"}, SOUND, "at most 1."),
        ({"epsilon": 0.25, "delta": 0.0, "every_days": 1.0, "for_days": 5.0, "unit": "person"}, WEAK, "at most 1.25."),
        ({"epsilon": 0.25, "delta": 0.0, "every_days": 100.0, "unit": "person"}, SOUND, "4 releases in a year"),
        ({"epsilon": 0.25, "every_days": 100.0, "unit": "person"}, SOUND, "or more"),
        ({"epsilon": 0.25, "delta": 0.0, "every_days": 1e-9}, WEAK, "too many to add up"),
        ({"noise": "laplace", "noise_multiplier": 2.0}, SOUND, "an ε of 0.5"),
        ({"noise": "laplace"}, NOT_STATED, "how large ε is"),
        ({"rho": 0.005, "delta": 1e-5}, SOUND, "at a δ of 10⁻⁵"),
        ({"rho": 0.5}, WEAK, "at a δ of 10⁻⁶"),
    ],
)
def test_the_size_of_epsilon(stated: dict[str, Any], standing: Standing, words: str) -> None:
    one = found("epsilon", **stated)
    assert one.standing is standing
    assert words in one.because


def test_how_often_an_attacker_is_right_needs_delta() -> None:
    assert "out of 100" in found("epsilon", epsilon=2.0, delta=1e-5).because
    assert "out of 100" not in found("epsilon", epsilon=2.0).because


@each(
    ("key", "stated", "standing", "words"),
    [
        ("contribution", {"contribution": 1}, SOUND, "At most 1 row or event of a person"),
        ("contribution", {"contribution": 8, "unit": "device"}, SOUND, "At most 8 rows or events of a device"),
        ("contribution", {"contribution": math.inf, "unit": "event"}, WEAK, "of a person"),
        ("local", {"model": "central"}, SOUND, "not to single reports"),
        ("local", {"model": "shuffled"}, SOUND, "shuffled"),
        ("local", {"model": "local"}, NOT_STATED, "It does not say how large ε is."),
        ("local", {"epsilon": 4.0}, NOT_STATED, "It does not say where noise is added."),
        ("local", {"model": "local", "epsilon": 1.0}, SOUND, "those who collect it"),
        ("local", {"model": "local", "epsilon": 1.1}, WEAK, "an ε of 1.1. Shuffling"),
        ("floats", {"noise": "randomized_response"}, SOUND, "categories"),
        ("floats", {"noise": "randomized_response", "sampler": "floats"}, WEAK, "last digits"),
        ("floats", {"noise": "laplace"}, NOT_STATED, "how noise is drawn"),
        ("raw", {"model": "local"}, SOUND, "no raw data are collected"),
        ("raw", {"model": "local", "raw_access": "open"}, WEAK, "nothing guards them"),
        ("raw", {"model": "shuffled"}, NOT_STATED, "who can read the raw data"),
        ("trust", {"model": "local"}, SOUND, "nobody has to be trusted"),
        ("trust", {"model": "local", "trusted": "unnamed"}, WEAK, "does not name them"),
        ("trust", {"trusted": "nobody"}, SOUND, "nobody has to be trusted"),
        ("trust", {"model": "central", "trusted": "nobody"}, WEAK, "holds the raw data"),
        ("trust", {"model": "shuffled", "trusted": "nobody"}, WEAK, "those who shuffle"),
        ("checks", {"code": "open", "parameters": "all"}, NOT_STATED, "It does not say who has checked it."),
        ("checks", {"code": "open", "parameters": "none"}, WEAK, "No parameters are published."),
        ("checks", {"code": "closed", "audit": "own", "parameters": NOT_LOOKED_UP}, WEAK, "published and only its"),
        ("checks", {"code": "open", "audit": NOT_LOOKED_UP}, UNREAD, "Nobody here has looked up who has checked it."),
    ],
)
def test_how_it_is_kept(key: str, stated: dict[str, Any], standing: Standing, words: str) -> None:
    one = found(key, **stated)
    assert one.standing is standing
    assert words in one.because


def test_a_verdict_names_what_is_sound_weak_and_silent() -> None:
    promise = Promise(epsilon=3.0, unit="person", people=NOT_LOOKED_UP, handling=Handling(trusted="named"))
    sound, weak, silent = verdict(promise).removesuffix(".").split(". ")
    assert sound == "What it states is sound on whom it protects and who is trusted"
    assert weak == "What it states is weak on the size of ε"
    assert silent.startswith("It says too little on how often its budget is spent, how much of one person counts,")
    assert silent.endswith("; not enough was looked up on the size of δ")


@each(
    ("promise", "start", "sentences"),
    [
        (Promise(), "The promise states nothing", 1),
        (ALL_UNREAD, "Nothing was looked up", 1),
        (ALL_SOUND, "What it states is sound on whom", 1),
        (ALL_WEAK, "What it states is weak on whom", 1),
    ],
)
def test_a_verdict_on_one_kind_alone(promise: Promise, start: str, sentences: int) -> None:
    assert verdict(promise).startswith(start)
    assert verdict(promise).count(". ") + 1 == sentences


def test_the_author_is_asked_for_what_is_missing_or_weak_alone() -> None:
    assert len(questions_for_author(ALL_WEAK)) == len(HAZARDS) + 2, "the rule and the noise"
    sound = questions_for_author(ALL_SOUND)
    assert [text.split()[0] for text in sound] == ["Does", "Which"], "neighbors, noise"
    assert questions_for_author(ALL_UNREAD) == ()


@each(
    ("stated", "part", "asked"),
    [
        ({}, "How large is δ?", True),
        ({"rho": 0.2}, "How large is δ?", False),
        ({"rho": 0.2}, "How large is ε", False),
        ({"delta": 0.0}, "How many people", False),
        ({"delta": 1e-9}, "How many people", True),
        ({"every_days": math.inf}, "For how long", False),
        ({"every_days": 1.0}, "For how long", True),
        ({"model": "local"}, "Who can read the raw data", False),
        ({"model": "central"}, "Who can read the raw data", True),
        ({"model": "local"}, "added or removed", False),
        ({"model": "central"}, "added or removed", True),
        ({"noise": "gaussian"}, "How large is the noise", True),
        ({"noise": "randomized_response"}, "How large is the noise", False),
        ({"unit": "event"}, "one whole person", True),
        ({"unit": NOT_SAID}, "one whole person", False),
        ({"unit": NOT_LOOKED_UP}, "Whom or what", False),
    ],
)
def test_a_question_is_asked_where_it_matters(stated: dict[str, Any], part: str, asked: bool) -> None:
    assert any(part in question for question in questions_for_author(Promise(**stated))) is asked
