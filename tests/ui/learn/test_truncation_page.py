"""The lesson on truncation: what is cut, what it costs, and that only a clamped answer is free."""

from __future__ import annotations

import math
from collections.abc import Callable
from itertools import product

import mpmath
import pytest
from streamlit.testing.v1 import AppTest

from dpengine.formatting import amount, at_least, tiny_from_log
from dpengine.losses import delta_of
from dpengine.mechanisms import (
    ClampedLaplaceMechanism,
    ClampedOutput,
    DiscreteLaplaceMechanism,
    TruncatedLaplaceMechanism,
)
from dpengine.mechanisms.additive.bounded_noise import EndingNoise, least_delta_of_ending_noise
from pages.learn.truncation.truncation import MISPRINT
from tests.ui.reading import texts
from tests.ui.steps import at_step

NewApp = Callable[[], AppTest]


@pytest.fixture
def page(new_app: NewApp) -> AppTest:
    """The page, to be opened on one of its steps."""
    return new_app().switch_page("pages/learn/truncation/page.py")


def at(page: AppTest, number: int) -> AppTest:
    return at_step(page, "truncation", number)


def dial(page: AppTest, key: str, epsilon: float) -> AppTest:
    return page.number_input(key=f"truncation_{key}_epsilon_box").set_value(epsilon).run()


def test_the_shaded_patch_is_the_delta(page: AppTest) -> None:
    at(page, 1)
    for cut, epsilon in product((1, 5, 12), (0.1, 0.5)):
        page.select_slider(key="truncation_cut_at").set_value(cut)
        dial(page, "cut", epsilon)
        noise = TruncatedLaplaceMechanism(scale=1 / epsilon, truncation=cut, l1_sensitivity=1.0)
        delta = delta_of(noise.event, epsilon=epsilon)
        assert page.title[0].value == (f"Noise cut at ±{cut}: {amount(100 * delta)}% of answers give you away")
        assert f"| {amount(epsilon)} | **{amount(delta)}** |" in texts(page)


def test_a_cut_at_a_thousand_costs_ten_to_the_minus_434(page: AppTest) -> None:
    at(page, 2)
    assert page.select_slider(key="truncation_cost_at").value == 20
    page.select_slider(key="truncation_cost_at").set_value(1000).run()
    truth = -1000.0 + math.log(math.expm1(1.0) / 2)
    assert page.title[0].value == "Cut at 1,000: ε = 1 holds only with δ = 4.4·10⁻⁴³⁵"
    assert tiny_from_log(truth, bound=amount) == "4.4·10⁻⁴³⁵"
    assert "| (smallest possible, for counts) | 2.3·10⁻⁴³⁵ |" in texts(page)
    page.select_slider(key="truncation_cost_at").set_value(10).run()
    assert "4.4·10⁻⁴³⁵" not in texts(page)
    least = tiny_from_log(math.log(least_delta_of_ending_noise(epsilon=1.0, reach=10)), bound=amount)
    assert f"| (smallest possible, for counts) | {least} |" in texts(page)


def test_lines_that_cannot_be_told_apart_are_named(page: AppTest) -> None:
    at(page, 2)
    for epsilon, cut, words in (
        (1.0, 20, ""),
        (1.0, 1000, "three lines"),
        (10.0, 20, "upper two lines"),
        (0.01, 20, ""),
    ):
        page.select_slider(key="truncation_cost_at").set_value(cut)
        dial(page, "cost", epsilon)
        assert ("cover each other" in texts(page)) == bool(words)
        assert not words or f"the {words} cover each other" in texts(page)


def test_two_cuts_break_epsilon_and_one_is_free(page: AppTest) -> None:
    at(page, 3)
    clamped = ClampedLaplaceMechanism(scale=2.0, truncation=4.0, l1_sensitivity=1.0).event.delta
    assert f"| Noise set to the limit | ∞ | {amount(clamped)} |" in texts(page)
    assert "| Answer set to the limit | 0.5 | 0 |" in texts(page)
    assert page.select_slider(key="truncation_three_at").label.startswith("The limit of the noise")
    findings = set()
    for kind in ("Noise drawn again", "Noise set to the limit", "Answer set to the limit"):
        page.pills(key="truncation_three_kind").set_value(kind).run()
        assert not page.exception
        findings.add(page.title[0].value)
    assert page.title[0].value == "An answer set to public limits still satisfies ε: free"
    assert len(findings) == 3
    assert "truncation_three_at" not in [slider.key for slider in page.select_slider]
    assert "± people" not in texts(page)
    assert "limit ±" not in texts(page)


def test_a_patch_that_cannot_be_seen_is_called_so(page: AppTest) -> None:
    at(page, 1)
    for epsilon, cut, seen in ((0.5, 5, True), (3.0, 5, False), (0.5, 12, False), (0.01, 12, True)):
        page.select_slider(key="truncation_cut_at").set_value(cut)
        dial(page, "cut", epsilon)
        assert ("too small to see here" in texts(page)) != seen


def test_a_clamped_count_is_too_large_by_what_the_engine_says(page: AppTest) -> None:
    at(page, 4)
    for exact in (0, 5, 30):
        page.select_slider(key="truncation_lean_exact").set_value(exact).run()
        noise = DiscreteLaplaceMechanism.from_epsilon(0.5, l1_sensitivity=1)
        output = ClampedOutput(mechanism=noise, lower=0.0, upper=1e6)
        mean = amount(exact + output.bias(float(exact)))
        found = f"Negative counts set to 0: an exact {exact} becomes {mean} on average"
        assert page.title[0].value == found
        assert f"| {amount(output.expected_absolute_error(float(exact)))} |" in texts(page)


def test_any_shape_gives_somebody_away(page: AppTest) -> None:
    at(page, 5)
    for (name, shape), cut in product((("Flat", "flat"), ("Like a tent", "pointed")), (1, 8)):
        page.pills(key="truncation_end_shape").set_value(name)
        page.select_slider(key="truncation_end_at").set_value(cut).run()
        leak = EndingNoise(shape=shape, reach=float(cut)).given_away
        assert page.title[0].value.endswith(f" in {amount(100 * leak)}% of answers")
        least = least_delta_of_ending_noise(epsilon=1.0, reach=cut)
        assert f"**at least {at_least(least)}**" in texts(page)


@pytest.mark.parametrize("step,key", [(1, "cut"), (2, "cost"), (3, "three"), (4, "lean")])
def test_the_ends_of_the_dial_are_drawn(page: AppTest, step: int, key: str) -> None:
    at(page, step)
    kinds = page.pills(key="truncation_three_kind").options if step == 3 else [""]
    for kind, epsilon in product(kinds, (1e-6, 100.0, 10000.0)):
        if kind:
            page.pills(key="truncation_three_kind").set_value(kind)
        dial(page, key, epsilon)
        assert not page.exception, (kind, epsilon)
        assert not page.error, (kind, epsilon)


def test_the_misprint_of_course_notes_is_named_with_the_right_power() -> None:
    """e^-1000 / 2, as mpmath has it; a machine number would be 0."""
    digits, power = mpmath.nstr(mpmath.exp(-1000) / 2, 2).split("e")
    assert MISPRINT.endswith(f" e⁻¹⁰⁰⁰/2 ≈ {digits}·10{power.translate(str.maketrans('-0123456789', '⁻⁰¹²³⁴⁵⁶⁷⁸⁹'))}.")
    assert "print 10⁻⁴³ for" in MISPRINT
