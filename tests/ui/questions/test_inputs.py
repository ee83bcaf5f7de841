"""The dial and its number boxes by themselves: what cannot be shown gets one sentence, and the last value stays."""

from __future__ import annotations

from typing import Any

import pytest
from streamlit.testing.v1 import AppTest

from pages.widgets.inputs import EPSILON
from tests.ui.dials import now_on
from tests.ui.reading import moved


def _both_dials() -> None:
    import streamlit

    from pages.lesson import lesson
    from pages.widgets import inputs

    epsilon = lesson.dial("mechanisms_one", start=0.5, most=20.0)
    delta = inputs.delta_box(streamlit.container(), does="It does.", key="delta", kept=1e-6)
    streamlit.text(f"{epsilon:g} {delta:g}")


def _small_dial() -> None:
    from pages.lesson import lesson

    lesson.dial("mechanisms_one", start=0.5, most=2.0)


@pytest.fixture
def dials() -> AppTest:
    """Epsilon up to 20, and delta."""
    return AppTest.from_function(_both_dials).run()


def said(page: AppTest) -> tuple[str, list[str]]:
    assert not page.exception
    return page.text[0].value, [error.value.replace("\\", "") for error in page.error]


@pytest.mark.parametrize(
    ("typed", "shown", "sentences"),
    [
        (20.0, "20 1e-06", []),
        (1000.0, "0.5 1e-06", ["ε = 1000 is more than this picture can show (at most 20); it still shows 0.5."]),
        (None, "0.5 1e-06", ["Type a number, such as 0.5. The pictures still show 0.5."]),
        (float("inf"), "0.5 1e-06", ["Type a number, such as 0.5. The pictures still show 0.5."]),
        (0.0, "0.5 1e-06", ["ε must be more than 0; 0 is not. The pictures still show 0.5."]),
    ],
)
def test_a_page_says_what_its_picture_can_show(
    dials: AppTest, typed: float | None, shown: str, sentences: list[str]
) -> None:
    dials.number_input(key="mechanisms_one_box").set_value(typed).run()
    assert said(dials) == (shown, sentences)
    dials.number_input(key="mechanisms_one_box").set_value(3.0).run()
    assert said(dials) == ("3 1e-06", [])


@pytest.mark.parametrize(
    ("typed", "shown", "sentences"),
    [
        (1e-300, "0.5 1e-300", []),
        (None, "0.5 1e-06", ["Type a number, such as 0.000001. The pictures still show 10⁻⁶."]),
        (-1e-6, "0.5 1e-06", ["δ must be at least 0; -0.000001 is not. The pictures still show 10⁻⁶."]),
        (1.0, "0.5 1e-06", ["δ must be less than 1; 1 would allow anything. The pictures still show 10⁻⁶."]),
        (2.0, "0.5 1e-06", ["δ must be less than 1; 2 would allow anything. The pictures still show 10⁻⁶."]),
    ],
)
def test_an_unreadable_delta_is_not_taken_for_0(
    dials: AppTest, typed: float | None, shown: str, sentences: list[str]
) -> None:
    dials.number_input(key="delta_box").set_value(typed).run()
    assert said(dials) == (shown, sentences)


def test_a_delta_of_0_is_said(dials: AppTest) -> None:
    assert dials.caption[0].value == "It does."
    dials.number_input(key="delta_box").set_value(0.0).run()
    assert said(dials) == ("0.5 0", [])
    assert dials.caption[0].value == "It does. δ is 0, as is any number below 10⁻³²³."


def slider(page: AppTest) -> dict[str, Any]:
    """What the page tells the slider of its dial."""
    return now_on(page)


def test_the_slider_goes_as_far_as_the_picture(dials: AppTest) -> None:
    assert slider(dials)["labels"] == [f"{step:g}" for step in EPSILON.steps]
    small = slider(AppTest.from_function(_small_dial).run())
    assert small["labels"][-1] == "2"
    ticks = [(t, t) for t in ("0.01", "0.03", "0.1", "0.3", "1")]
    assert [(small["labels"][place], text) for place, text in small["ticks"]] == ticks


def test_a_typed_value_moves_the_slider(dials: AppTest) -> None:
    """And a moved slider the box: in a browser, tests/browser/test_lessons.py."""
    moved(dials.number_input, "mechanisms_one_box").set_value(2.9).run()
    assert slider(dials)["labels"][slider(dials)["index"]] == "3"
    assert said(dials) == ("2.9 1e-06", [])
