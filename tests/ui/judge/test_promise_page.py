"""Judge a promise: the engine's figures at first sight, every deployment, and nothing typed is ever lost."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from streamlit.delta_generator import DeltaGenerator
from streamlit.testing.v1 import AppTest

from dpengine.charts.privacy.promise_charts import between
from dpengine.deployments import DEPLOYMENTS
from dpengine.promises import NOT_LOOKED_UP, NOT_SAID, YEAR, Promise
from dpengine.promises.hazards import hazards_of, questions_for_author, verdict
from dpengine.reports.evaluations import figures
from dpengine.reports.evaluations.promise_fields import A_NUMBER, FIELDS, GROUPS
from pages.judge.promise import hand, worth
from pages.judge.promise.judging import MEND, PARTS
from pages.serving.layers import proof
from tests.running.cases import each
from tests.ui.reading import moved, texts
from tests.ui.step_words import MOST_IN_A_TITLE

OpenPage = Callable[[str], AppTest]
PLACE = 0
"""Where "Type a promise" stands in the list."""


def boxes(field: str) -> tuple[str, str]:
    """The keys of a field's list and of its number box, of a promise that is typed."""
    key = f"promise_{PLACE}_0_{field}"
    return key, f"{key}_number"


def typed(page: AppTest, **values: object) -> AppTest:
    """Type a promise, field by field, each in its step of the form."""
    page.selectbox(key="promise_choice").set_value(hand.TYPED).run()
    for field, value in values.items():
        group = next(name for name, fields in GROUPS.items() if field in fields)
        page.pills(key="promise_group").set_value(group).run()
        listed, number = boxes(field)
        if isinstance(value, int | float) and FIELDS[field].option_of(value) == A_NUMBER:
            page.number_input(key=number).set_value(float(value)).run()
            assert moved(page.selectbox, listed).value == A_NUMBER
        else:
            moved(page.selectbox, listed).set_value(FIELDS[field].option_of(value)).run()
    return page


def test_the_first_sight_is_the_engines_figures(open_page: OpenPage) -> None:
    page = open_page("judge/promise")
    assert not page.exception
    year = Promise(epsilon=2.19, delta=1e-5, unit="person-day", every_days=1.0).over(days=YEAR)
    assert year is not None
    assert between(year).endswith("to 799.4")
    assert page.title[0].value == "ε 2.19 a day may add up to 799.4 in a year"
    assert "right in at most **90 out of 100** cases" in texts(page)
    assert "In a year it comes to 0.00365." in texts(page)
    assert "**A family of four**, after a year, has ε 3,197 or more at a δ of 0.948: that promises almost" in texts(
        page
    )
    assert figures.TEN_TIMES in [one.value for one in page.caption]


def test_a_family_is_told_what_the_engine_finds() -> None:
    sentences = {
        Promise(epsilon=0.1, delta=0.0, unit="person", every_days=365.0): "has ε 0.4: attackers right in at most 59.9",
        Promise(epsilon=0.1, delta=0.3, unit="person", every_days=365.0): "is promised nothing.",
        Promise(
            epsilon=3.0, delta=0.0, unit="person-day", every_days=1.0
        ): "ε 4,379 to 4,380 at a δ of 10⁻⁶: that promises almost nothing.",
        Promise(
            epsilon=3.0, delta=0.0, unit="person", every_days=365.0
        ): "has ε 12: attackers right in at most 99.9994",
    }
    assert {one: sentence in figures.family(one) for one, sentence in sentences.items()} == dict.fromkeys(
        sentences, True
    )
    assert figures.family(Promise(epsilon=1.0, delta=0.0, unit="household", every_days=365.0)) == ""
    assert figures.family(Promise()) == ""


def test_every_deployment_opens_with_a_short_title(open_page: OpenPage) -> None:
    page = open_page("judge/promise")
    assert len(hand.BY_NAME) == len(DEPLOYMENTS)
    for name in hand.BY_NAME:
        page.selectbox(key="promise_choice").set_value(name).run()
        assert not page.exception, name
        title = page.title[0].value
        assert title != MEND, name
        assert len(title.split()) <= MOST_IN_A_TITLE, title


BAD: dict[str, tuple[dict[str, object], str]] = {
    "a delta of 1": ({"epsilon": 1.0, "delta": 1.0}, "δ must be below 1"),
    "an epsilon of 0": ({"epsilon": 0.0}, "ε must be above 0"),
    "one person in the table": ({"epsilon": 1.0, "people": 1}, "Number of people must be at least 2"),
    "half a person": ({"epsilon": 1.0, "people": 2.5}, "Number of people must be"),
    "a billion releases": ({"epsilon": 1.0, "every_days": 1e-7}, "How often results are published must be so long"),
    "a negative time": ({"epsilon": 1.0, "for_days": -3.0}, "For how long must be above 0"),
    "noise that is too small": (
        {"epsilon": 1.0, "noise": "laplace", "noise_multiplier": 0.5},
        "Size of the noise must be large enough",
    ),
}


@each("case", BAD)
def test_a_contradiction_gets_a_sentence_and_nothing_typed_is_lost(open_page: OpenPage, case: str) -> None:
    values, sentence = BAD[case]
    page = typed(open_page("judge/promise"), **values)
    assert not page.exception
    assert page.title[0].value == MEND
    (said,) = [error.value.replace("\\", "") for error in page.error]
    assert said.startswith(sentence), "Beside the field."
    held = page.session_state["kept_promise_typed_" + hand.TYPED]
    assert held.items() >= values.items()
    assert "out of 100" not in texts(page), "No stale figure stands there."
    page.segmented_control(key="promise_step").set_value(1).run()
    assert page.error[0].value.replace("\\", "") == said, "Above any other part."
    page.segmented_control(key="promise_step").set_value(0).run()
    group = page.pills(key="promise_group").value
    for field, value in values.items():
        if field in GROUPS[str(group)] and FIELDS[field].option_of(value) == A_NUMBER:
            assert page.number_input(key=boxes(field)[1]).value == value


def test_what_is_typed_well_has_figures_again(open_page: OpenPage) -> None:
    page = typed(open_page("judge/promise"), epsilon=1.0, delta=1.0)
    assert page.title[0].value == MEND
    page.number_input(key=boxes("delta")[1]).set_value(0.0).run()
    page = typed(page, unit="person", every_days=1.0)
    assert page.title[0].value == "ε 1 a day may add up to 365 in a year"


def test_an_emptied_box_asks_for_a_number(open_page: OpenPage) -> None:
    page = typed(open_page("judge/promise"), epsilon=1.0)
    page.number_input(key=boxes("epsilon")[1]).set_value(None).run()
    assert page.title[0].value == MEND
    assert "type a number, or another answer" in page.error[0].value


def test_silence_and_a_gap_in_the_record_are_told_apart(open_page: OpenPage) -> None:
    page = open_page("judge/promise")
    assert "**Not said:** ρ, number of people, for how long, 1 of 12 facts" in texts(page)
    assert "**Not looked up here:** size of the noise, which tables must look alike, rule" in texts(page)
    page = typed(page, epsilon=1.0)
    assert "**Not said:** δ, ρ" in texts(page)
    assert "Not looked up here" not in texts(page)
    moved(page.selectbox, boxes("delta")[0]).set_value(NOT_LOOKED_UP.value).run()
    assert "**Not looked up here:** δ.]" in texts(page)
    assert NOT_SAID.value in moved(page.selectbox, boxes("delta")[0]).options


def test_another_promise_starts_with_one_person_and_a_typed_one_with_its_size(open_page: OpenPage) -> None:
    page = open_page("judge/promise")
    page.pills(key="promise_group").set_value("How often").run()
    page.segmented_control(key="promise_step").set_value(1).run()
    page.pills(key="promise_whom").set_value("a family of four").run()
    assert "for a family of four:**" in texts(page)
    page.selectbox(key="promise_choice").set_value(next(name for name in hand.BY_NAME if name != hand.first())).run()
    assert page.pills(key="promise_whom").value == "one person"
    page.selectbox(key="promise_choice").set_value(hand.TYPED).run()
    assert page.pills(key="promise_group").value == "How large"


def test_a_number_of_times_is_said_to_be_days(open_page: OpenPage) -> None:
    page = typed(open_page("judge/promise"), epsilon=1.0, for_days=730.0)
    assert page.number_input(key=boxes("for_days")[1]).placeholder == "days"
    assert ":gray[days · typed by you]" in texts(page)
    page.pills(key="promise_group").set_value("How large").run()
    assert ":gray[days" not in texts(page)


def test_a_deployment_that_is_changed_is_typed_and_can_be_taken_back(open_page: OpenPage) -> None:
    page = open_page("judge/promise")
    place = hand.choices().index(hand.first())
    page.number_input(key=f"promise_{place}_0_epsilon_number").set_value(1.0).run()
    assert page.title[0].value == "ε 1 a day may add up to 365 in a year"
    assert "you changed 1 of its answers" in texts(page)
    assert "typed by you" in texts(page)
    page.button(key="promise_as_read").click().run()
    assert page.title[0].value == "ε 2.19 a day may add up to 799.4 in a year"
    assert "typed by you" not in texts(page)


def test_a_link_opens_its_promise_once(new_app: Callable[[], AppTest]) -> None:
    promise = Promise(name="Steps", by="A watch maker", epsilon=0.5, delta=0.0, unit="person", every_days=7.0)
    app = new_app()
    app.query_params["promise"] = promise.to_link()
    page = app.switch_page("pages/judge/promise/page.py").run()
    assert page.title[0].value == "ε 0.5 every 7 days may add up to 26.5 in a year"
    page.selectbox(key="promise_choice").set_value(hand.first()).run()
    assert page.title[0].value.startswith("ε 2.19")


def test_a_bad_link_gets_a_sentence_and_the_page_stays(new_app: Callable[[], AppTest]) -> None:
    app = new_app()
    app.query_params["promise"] = "p1.nothing"
    page = app.switch_page("pages/judge/promise/page.py").run()
    assert page.error[0].value
    assert page.title[0].value.startswith("ε 2.19")


@pytest.mark.parametrize("step", range(len(PARTS)))
def test_every_part_opens_without_a_size(open_page: OpenPage, step: int) -> None:
    page = typed(open_page("judge/promise"))
    page.segmented_control(key="promise_step").set_value(step).run()
    assert not page.exception


def test_below_the_releases_own_delta_the_table_has_no_limit(open_page: OpenPage) -> None:
    page = open_page("judge/promise")
    page.segmented_control(key="promise_step").set_value(1).run()
    assert worth.FROM_TO in [one.value for one in page.caption]
    assert "Below 0.00364 there is no figure" in "".join(one.value for one in page.caption)
    page.number_input(key="promise_delta_box").set_value(0.003).run()
    assert "**A year at δ 0.003, for one person:** naive no limit, advanced no limit" in texts(page)


def test_hazards_are_those_that_the_engine_finds(open_page: OpenPage) -> None:
    page = open_page("judge/promise")
    page.segmented_control(key="promise_step").set_value([*PARTS].index("Hazards")).run()
    promise = hand.BY_NAME[hand.first()].promise
    shown = texts(page).replace("\u200b", "")
    assert verdict(promise) in shown
    for found in hazards_of(promise):
        (row,) = [line for line in shown.splitlines() if line.startswith(f"| **{found.hazard.title}.**")]
        assert f"{found.words}.** {found.because}" in row
        assert found.hazard.sources[0].page.address in row
    assert all(question in shown for question in questions_for_author(promise))


def test_what_is_taken_along_comes_back(open_page: OpenPage) -> None:
    page = open_page("judge/promise")
    promise = Promise(name="Steps", epsilon=0.5, delta=0.0, unit="person", every_days=7.0)
    step = [*PARTS].index("Take along")
    page.segmented_control(key="promise_step").set_value(step).run()
    assert page.code[0].value.endswith(f"?promise={hand.BY_NAME[hand.first()].promise.to_link()}")
    for text in (promise.to_json(), f"http://127.0.0.1/promise?promise={promise.to_link()}"):
        page.selectbox(key="promise_choice").set_value(hand.first()).run()
        page.text_area(key="promise_pasted").set_value(text).run()
        assert page.title[0].value == "ε 0.5 every 7 days may add up to 26.5 in a year"
    page.text_area(key="promise_pasted").set_value("{}").run()
    assert "This is not a saved promise. The promise before is still in hand." in texts(page)
    assert page.title[0].value.startswith("ε 0.5")


def test_the_evaluation_is_for_everybody_and_cites_no_page_for_what_was_changed(
    open_page: OpenPage, monkeypatch: pytest.MonkeyPatch
) -> None:
    offered: list[tuple[str, Callable[[], str]]] = []
    monkeypatch.setattr(
        DeltaGenerator, "download_button", lambda _, label, written, **__: offered.append((label, written))
    )
    page = open_page("judge/promise")
    place = hand.choices().index(hand.first())
    page.number_input(key=f"promise_{place}_0_epsilon_number").set_value(1.0).run()
    page.segmented_control(key="promise_step").set_value([*PARTS].index("Take along")).run()
    monkeypatch.setattr(proof, "asking", lambda: "a browser that nobody signed in at")
    (document,) = [written() for label, written in offered if label == "Evaluation, two pages"]
    assert "<dt>ε</dt><dd>1</dd>" in document
    assert "<dt>δ</dt><dd>10⁻⁵ [1]</dd>" in document
