"""The lesson on mechanisms where it follows course notes: the proof for several counts, a formula, a cost, a slip."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
import pytest
from streamlit.testing.v1 import AppTest

from dpengine.accuracy.lessons.classic_gaussian import PROVED_UP_TO, classic_fails_from, classic_log_delta
from dpengine.formatting import amount, at_most, tiny_from_log
from dpengine.losses import gaussian_noise_multiplier
from dpengine.mechanisms import LaplaceMechanism
from dpengine.mechanisms.additive.gaussian import classic_noise_multiplier
from pages.learn.mechanisms.mechanisms import MEAN_SLIP
from pages.learn.mechanisms.mechanisms_formula import FORMULA_CHECK
from tests.ui.learn.mechanisms_steps import at, dial
from tests.ui.reading import texts

NewApp = Callable[[], AppTest]


@pytest.fixture
def page(new_app: NewApp) -> AppTest:
    """The page, to be opened on one of its steps."""
    return new_app().switch_page("pages/learn/mechanisms/page.py")


def test_no_published_count_leaves_its_share_of_epsilon(page: AppTest) -> None:
    at(page, "Several counts")
    assert page.title[0].value == "Three counts together: privacy loss 0.4, and never above ε = 0.5"
    for index, most in enumerate((48.0, 20.0, 13.0)):
        page.slider(key=f"mechanisms_counts_{index}").set_value(most)
    assert "privacy loss 0.5, and" in page.run().title[0].value, "Each bar fills its frame."
    page.slider(key="mechanisms_counts_0").set_value(35.0).run()
    assert "privacy loss −0.1, and" in page.title[0].value
    page.pills(key="mechanisms_counts_changes").set_value("You replace somebody: +1, −1").run()
    assert "41, 11 and 5, without you 40, 12 and 5: together a change of 2, the" in texts(page)
    assert "noise of scale 4," in texts(page)
    assert "privacy loss −0.5, and" in page.title[0].value
    dial(page, "counts", 2.0)
    assert "privacy loss −2, and never above ε = 2" in page.title[0].value


def test_the_formula_of_the_notes_fails_where_the_engine_says(page: AppTest) -> None:
    at(page, "The notes' formula")
    assert page.title[0].value == "At ε = 10 the notes' formula fails: δ is 2.3·10⁻⁵"
    for epsilon, delta in ((0.2, 1e-5), (9.0, 1e-5), (9.0, 1e-9), (1e-6, 1e-9), (1e4, 1e-9)):
        page.number_input(key="mechanisms_formula_delta_box").set_value(delta)
        dial(page, "formula", epsilon)
        true = classic_log_delta(epsilon, delta=delta)
        stated = classic_noise_multiplier(epsilon=epsilon, delta=delta)
        least = gaussian_noise_multiplier(epsilon=epsilon, delta=delta)
        assert ("formula fails" in page.title[0].value) == bool(true > np.log(delta)) == (stated < least)
        off = f"{amount(100 * abs(float(stated / least) - 1), 2)}% too {'little' if stated < least else 'much'}"
        assert f"**{off}**" in texts(page)
        assert "fails" in page.title[0].value or page.title[0].value.endswith(f"formula adds {off} noise")
        assert f"| {amount(float(stated))} | **{tiny_from_log(float(true))}** |" in texts(page)
        assert f"| {at_most(least)} |" in texts(page)
        assert f"Above ε = **{at_most(classic_fails_from(delta))}**" in texts(page)
        assert f"up to ε = {PROVED_UP_TO:g} only" in texts(page)
    page.number_input(key="mechanisms_formula_delta_box").set_value(0.0).run()
    assert "delta" in page.error[0].value


def test_every_further_column_doubles_what_has_to_be_scored(page: AppTest) -> None:
    at(page, "Scoring all")
    for columns, said in (
        (2, "4 scores, under a second"),
        (20, "1,048,576 scores, 1.05 seconds"),
        (30, "1,073,741,824 scores, 17.9 minutes"),
    ):
        page.slider(key="mechanisms_scores_columns").set_value(columns).run()
        assert page.title[0].value == f"Any set of {columns} columns: {said}"
    assert "two of the columns 435 are" in texts(page)
    page.slider(key="mechanisms_scores_columns").set_value(37).run()
    assert page.title[0].value.endswith("38.2 hours")


def test_the_numbers_of_the_question_on_the_notes_are_the_engine_s() -> None:
    below_one = np.geomspace(1e-4, PROVED_UP_TO, 60)
    wide, right, narrow, other = (answer.feedback for answer in FORMULA_CHECK.answers)
    ratio = classic_noise_multiplier(epsilon=below_one, delta=1e-5) / gaussian_noise_multiplier(
        epsilon=below_one, delta=np.full(60, 1e-5)
    )
    assert ratio.min() >= 1.29
    assert "at least 29% more" in wide
    stated, least = (
        classic_noise_multiplier(epsilon=10.0, delta=1e-5),
        gaussian_noise_multiplier(epsilon=10.0, delta=1e-5),
    )
    assert f"{100.0 * (1.0 - stated / least):.0f}% too little" in wide
    assert f"above ε = {at_most(classic_fails_from(1e-5))}" in right
    times = f"{np.exp(classic_log_delta(10.0, delta=1e-5)) / 1e-5:.1f}"
    assert f"δ {times} times as large" in narrow
    assert f"δ of about {times}·10⁻⁵" in FORMULA_CHECK.answers[1].text
    assert f"standard deviation of {at_most(least)} instead of the formula's {amount(float(stated))}" in other


def test_the_slip_on_a_mean_names_what_the_engine_charges() -> None:
    for width, cost in ((120.0, "cost ε = 0.12,"), (1e5, "cost ε = 100.")):
        noise = LaplaceMechanism(scale=1.0, l1_sensitivity=width / 1000)
        assert f"cost ε = {amount(1.0 / noise.event.noise_multiplier)}" in cost
        assert cost in MEAN_SLIP
