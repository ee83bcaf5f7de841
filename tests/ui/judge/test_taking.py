"""Take along: the file of a promise comes back, every bad one gets a sentence."""

from __future__ import annotations

from collections.abc import Callable

from streamlit.testing.v1 import AppTest

from pages.judge.promise.judging import PARTS
from tests.examples.promised import DAILY
from tests.running.cases import each
from tests.ui.reading import texts

OpenPage = Callable[[str], AppTest]
BAD: dict[str, tuple[bytes, str]] = {
    "no text": (b"\xff\x00", "not readable as JSON"),
    "a plan": (b'{"version": 2}', "This is not a saved promise."),
    "an unknown field": (b'{"promise": 1, "epsilom": 1}', "does not know: 'epsilom'"),
    "a contradiction": (b'{"promise": 1, "epsilon": 1, "delta": 1}', "at 1 nothing is promised"),
    "a script": (b'{"promise": 1, "[x](javascript:alert(1))": 1}', "does not know"),
}


def at_the_step(open_page: OpenPage) -> AppTest:
    page = open_page("judge/promise")
    return page.segmented_control(key="promise_step").set_value([*PARTS].index("Take along")).run()


def brought(page: AppTest, content: bytes) -> AppTest:
    return page.file_uploader(key="promise_file").upload("promise.json", content, "application/json").run()


def test_a_file_comes_back(open_page: OpenPage) -> None:
    page = brought(at_the_step(open_page), DAILY.to_json().encode())
    assert not page.exception
    assert page.title[0].value == "ε 1.5 a day may add up to 547.5 in a year"
    assert page.session_state["kept_promise_in_hand"] == DAILY


@each("case", BAD)
def test_a_bad_file_gets_a_sentence_and_the_promise_before_stays(open_page: OpenPage, case: str) -> None:
    content, sentence = BAD[case]
    page = at_the_step(open_page)
    before = page.title[0].value
    brought(page, content)
    assert not page.exception
    assert sentence in page.error[0].value.replace("\\", "")
    assert "The promise before is still in hand." in texts(page)
    assert page.title[0].value == before
