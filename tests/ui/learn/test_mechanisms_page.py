"""The lesson on mechanisms: an input changes, and the engine's new number stands on the screen."""

from __future__ import annotations

import math
import re
from collections.abc import Callable
from itertools import product

import numpy as np
import pytest
from streamlit.testing.v1 import AppTest

from dpengine import accounting
from dpengine.accuracy import NoiseError, TextbookBounds, textbook_bounds
from dpengine.accuracy.lessons.many_answers import (
    answers_where_gaussian_wins,
    gaussian_error_of_many,
    laplace_error_of_many,
)
from dpengine.formatting import amount, at_most, lower_of_100, out_of_100
from dpengine.losses import delta_of, false_negative_rate, loss_distribution
from dpengine.mechanisms import (
    DiscreteLaplaceMechanism,
    ExponentialMechanism,
    PermuteAndFlip,
    ReportNoisyMax,
    SelectionMechanism,
)
from dpengine.mechanisms.additive.families import FAMILIES, Noise, with_error, with_guarantee
from dpengine.privacy import Guarantee
from pages.learn.mechanisms.mechanisms import CHECK, CHECK_REACH
from pages.learn.mechanisms.mechanisms_choices import PATIENTS
from pages.learn.mechanisms.mechanisms_gallery import SIDES
from tests.ui.learn.mechanisms_steps import at, dial
from tests.ui.reading import texts

NewApp = Callable[[], AppTest]
PROMISE = Guarantee(epsilon=1.0, delta=1e-6)


@pytest.fixture
def page(new_app: NewApp) -> AppTest:
    """The page, to be opened on one of its steps."""
    return new_app().switch_page("pages/learn/mechanisms/page.py")


def test_laplace_never_leaves_the_band_and_gaussian_does(page: AppTest) -> None:
    at(page, "Why it works")
    dial(page, "why", 2.0)
    assert page.title[0].value.endswith("privacy loss of any answer is at most ε = 2")
    page.pills(key="mechanisms_why_noise").set_value("Gaussian noise").run()
    noise = with_guarantee("Gaussian", Guarantee(epsilon=2.0, delta=1e-3))
    beyond = amount(100 * loss_distribution(noise.event).exceedance(2.0))
    assert page.title[0].value.startswith(f"Gaussian noise: {beyond}% of answers have a privacy loss above ε")
    page.number_input(key="mechanisms_why_delta_box").set_value(1e-9).run()
    assert "δ = 10⁻⁹" in texts(page)


def test_the_gallery_tells_each_noise_its_own_errors_and_findings(page: AppTest) -> None:
    at(page, "One noise")
    for name in FAMILIES:
        page.pills(key="mechanisms_one_name").set_value(name)
        seen = []
        for side in SIDES:
            page.pills(key="mechanisms_one_side").set_value(side).run()
            assert not page.exception, (name, side)
            assert not page.error, (name, side)
            seen.append(side)
            SAID[side](page, name)
        assert len(seen) == len(SAID)


def its_noise(page: AppTest, name: str) -> None:
    noise = kept_by(name)
    half = at_most(noise.error_quantile(0.95))
    assert page.title[0].value == f"{name} noise: 95% of answers within ±{half} at ε = 1"
    assert f"| {amount(noise.expected_largest_error(10))} |" in texts(page)


def its_losses(page: AppTest, name: str) -> None:
    found = page.title[0].value
    assert (found == "No answer has a privacy loss above 1") == FAMILIES[name].pure
    assert ("give you away" in found) == (name == "Truncated Laplace")
    assert f"The largest loss here: **{'1' if FAMILIES[name].pure else 'without limit'}**" in texts(page)


def its_deltas(page: AppTest, name: str) -> None:
    left = delta_of(kept_by(name).event, epsilon=1.0 + 1e-9)
    assert page.title[0].value.startswith(
        "From ε = 1 on, no δ is needed" if left == 0 else "At ε = 1 a δ of 10⁻⁶ is needed"
    )


def its_attackers(page: AppTest, name: str) -> None:
    share = false_negative_rate(kept_by(name).event, false_positive_rate=0.05)
    missed = f"at least {lower_of_100(share)}" if name == "Staircase" else out_of_100(share)
    assert page.title[0].value == f"Attackers with 5% false alarms miss you in {missed}% of cases"
    assert ("worst noise with this ε" in texts(page)) == (name == "Staircase")


SAID: dict[str, Callable[[AppTest, str], None]] = {
    "Its noise": its_noise,
    "Its privacy losses": its_losses,
    "δ for each ε": its_deltas,
    "Its attackers": its_attackers,
}


def kept_by(name: str) -> Noise:
    """The noise of this name that keeps the promise of the page, without the delta where it needs none."""
    return with_guarantee(name, PROMISE if not FAMILIES[name].pure else Guarantee(epsilon=1.0))


def test_the_ends_of_the_first_dial_are_drawn(page: AppTest) -> None:
    at(page, "Why it works")
    for noise, epsilon in product(page.pills(key="mechanisms_why_noise").options, (1e-6, 10.0, 10000.0)):
        page.pills(key="mechanisms_why_noise").set_value(noise)
        dial(page, "why", epsilon)
        assert not page.exception, (noise, epsilon)
        assert not page.error, (noise, epsilon)


@pytest.mark.parametrize("name", FAMILIES)
def test_the_ends_of_the_gallery_are_drawn_or_refused_in_words(page: AppTest, name: str) -> None:
    """At the lower end every side; at the upper one two sides each, so that all are seen with half of the noises."""
    at(page, "Why it works")
    at(page, "One noise").pills(key="mechanisms_one_name").set_value(name)
    least, later = 0.0001 if name == "Staircase" else 1e-6, list(FAMILIES).index(name) % 2
    for epsilon, side in (*product((least,), SIDES), *product((600.0,), list(SIDES)[later::2])):
        page.pills(key="mechanisms_one_side").set_value(side)
        dial(page, "one", epsilon)
        assert not page.exception, (epsilon, side)
        too_long = (name, epsilon, side) == ("Discrete Gaussian", 1e-6, "Its privacy losses")
        assert ["A list of at most 1,000,000 possible losses" in error.value for error in page.error] == [
            True
        ] * too_long


@pytest.mark.parametrize(
    ("name", "epsilon", "sentence"),
    [
        ("Staircase", 1e-6, "epsilon must be a number in [0.0001, 600]; it is 1e-06."),
        ("Laplace", 10000.0, "ε = 10000 is more than this picture can show (at most 600)"),
    ],
)
def test_beyond_the_ends_of_the_gallery_stands_a_sentence(
    page: AppTest, name: str, epsilon: float, sentence: str
) -> None:
    at(page, "One noise").pills(key="mechanisms_one_name").set_value(name)
    dial(page, "one", epsilon)
    assert not page.exception
    assert sentence in page.error[0].value.replace("\\", "")


def test_two_noises_meet_on_one_promise(page: AppTest) -> None:
    at(page, "Side by side")
    halves = {name: at_most(with_guarantee(name, PROMISE).error_quantile(0.95)) for name in ("Laplace", "Gaussian")}
    assert (
        page.title[0].value
        == f"One promise, two 95% intervals: Laplace ±{halves['Laplace']}, Gaussian ±{halves['Gaussian']}"
    )
    page.pills(key="mechanisms_pair_target").set_value("The same ε, no δ").run()
    assert page.info[0].value == "Gaussian noise needs a δ."
    page.selectbox(key="mechanisms_pair_left").set_value("Truncated Laplace").run()
    assert page.title[0].value == "Neither of the two can satisfy this promise"


def test_two_noises_meet_on_one_error(page: AppTest) -> None:
    at(page, "Side by side").pills(key="mechanisms_pair_target").set_value("The same error").run()
    page.select_slider(key="mechanisms_pair_error").set_value(100).run()
    found = page.title[0].value
    assert found.startswith("At the same error, ε is 0.03 (Laplace), ")
    for name in ("Laplace", "Gaussian"):
        noise = with_error(name, 100, confidence=0.95, delta=1e-6)
        assert f" {amount(noise.expected_absolute_error)} |" in texts(page)
    bell = with_error("Gaussian", 100, confidence=0.95, delta=1e-6)
    largest = accounting.epsilon({bell.event: 1}, delta=1e-6, accountant="exact")
    assert f"| δ needed at ε = {at_most(largest)} |" in texts(page), "Both are held against the larger of the two."
    page.selectbox(key="mechanisms_pair_right").set_value("Laplace").run()
    assert page.title[0].value == "Laplace noise: 95% of answers within ±100"


def test_the_same_error_means_the_same_attacker(page: AppTest) -> None:
    at(page, "Side by side").pills(key="mechanisms_pair_target").set_value("The same error").run()
    shares = {
        out_of_100(
            false_negative_rate(with_error(name, 10, confidence=0.95, delta=1e-6).event, false_positive_rate=0.05)
        )
        for name in ("Laplace", "Gaussian")
    }
    assert shares == {"93"}
    assert page.title[0].value == "At the same error, ε is 0.3 (Laplace), 0.817 (Gaussian)"
    assert "misses you in 93% of cases under both" in texts(page)
    page.selectbox(key="mechanisms_pair_right").set_value("Staircase").run()
    assert "% of cases under Laplace noise and at least " in texts(page)
    assert texts(page).count("worst noise with this ε") == 1


def test_many_answers_cross_where_the_engine_says(page: AppTest) -> None:
    at(page, "Many answers")
    for count in (1, 5, 8, 1000):
        page.select_slider(key="mechanisms_many_count").set_value(count).run()
        both = [
            float(way(count, guarantee=PROMISE, confidence=0.95))
            for way in (laplace_error_of_many, gaussian_error_of_many)
        ]
        better = "Gaussian" if count >= answers_where_gaussian_wins(guarantee=PROMISE, confidence=0.95) else "Laplace"
        assert better == ("Gaussian" if both[1] < both[0] else "Laplace")
        assert f"{better} noise errs less: ±{at_most(min(both))}" in page.title[0].value
    page.number_input(key="mechanisms_many_delta_box").set_value(0.0).run()
    assert "delta" in page.error[0].value


def reach(epsilon: float, count: int = 1) -> TextbookBounds:
    noise = DiscreteLaplaceMechanism.from_epsilon(epsilon, l1_sensitivity=1)
    return textbook_bounds(NoiseError(mechanism=noise), coordinates=count)


def test_the_tails_of_a_count_are_the_curves_and_the_released_ones(page: AppTest) -> None:
    at(page, "How far out")
    for epsilon, t in ((0.1, 1.0), (0.1, 3.0), (0.5, 1.5), (10.0, 1.0)):
        page.select_slider(key="mechanisms_far_t").set_value(t)
        dial(page, "far", epsilon)
        bounds, beyond = reach(epsilon), t / epsilon
        shares = amount(100 * math.exp(-t)), amount(100 * bounds.released.mechanism.tail(beyond))
        assert f"| beyond ±{amount(beyond, 4)} | {shares[0]}% | {shares[1]}% |" in texts(page)
        off = f"off by more than {math.floor(beyond)} people" if beyond >= 1 else "not exactly right"
        assert page.title[0].value == f"{shares[1]}% of counts are {off}"
        assert f"| standard deviation | {amount(math.sqrt(2) / epsilon)} |" in texts(page)
    dial(page, "far", 0.1)
    assert "| on average | 10 | 9.98 |" in texts(page)
    assert "| beyond ±10 | 36.8% | 35% |" in texts(page)


def test_the_worst_of_many_counts_stands_beside_its_bounds(page: AppTest) -> None:
    at(page, "Worst of many")
    for count, t, epsilon in ((20, 1.0, 0.1), (1, 1.0, 0.5), (1000, 3.0, 0.5), (20, 1.0, 0.5)):
        page.select_slider(key="mechanisms_worst_count").set_value(count)
        page.select_slider(key="mechanisms_worst_t").set_value(t)
        dial(page, "worst", epsilon)
        bounds, scale = reach(epsilon, count), 1 / epsilon
        limit = math.ceil(scale * (math.log(count) + t) - 1e-9)
        row = re.search(rf"\| the worst beyond {limit:,} \| ([\d.]+)% \| ([\d.]+)% \| ([\d.]+)% \|", texts(page))
        assert row is not None, texts(page)
        bound, curve, released = map(float, row.groups())
        assert bound == pytest.approx(100 * math.exp(-t), rel=0.01)
        assert max(curve, released) <= bound
        assert curve == pytest.approx(100 * (1 - (1 - math.exp(-limit / scale)) ** count), rel=0.01)
        harmonic = sum(1 / place for place in range(1, count + 1))
        assert f"| {at_most(scale * (math.log(count) + 1))} | {amount(scale * harmonic)} |" in texts(page)
        assert f"| {at_most(count * scale)} | {amount(count * scale)} |" in texts(page)
        assert page.title[0].value.endswith(f"is off by {amount(bounds.released_largest_error)} on average")


def test_the_most_frequent_disease_is_named_as_often_as_the_engine_says(page: AppTest) -> None:
    at(page, "Choosing")
    scores = np.array(list(PATIENTS.values()), dtype=float)
    ways: dict[str, Callable[..., SelectionMechanism]] = {
        "Exponential": ExponentialMechanism,
        "Permute and flip": PermuteAndFlip,
        "Noisy max": ReportNoisyMax,
    }
    for relation, monotone in (("one patient added or removed", True), ("one patient replaced", False)):
        page.pills(key="mechanisms_choice_relation").set_value(relation)
        for name, kind in ways.items():
            page.pills(key="mechanisms_choice_way").set_value(name).run()
            way = kind(epsilon=0.5, score_sensitivity=1.0, monotone=monotone)
            named = out_of_100(float(way.probabilities(scores)[0]))
            assert page.title[0].value == f"The most frequent disease is named in {named}% of draws"
            assert f"| {at_most(way.utility_bound(0.95, 5))} |" in texts(page)


def test_the_numbers_of_the_closing_question_are_the_engine_s() -> None:
    laplace, gaussian = (with_guarantee(name, PROMISE).error_quantile(0.95) for name in ("Laplace", "Gaussian"))
    (right,) = [answer for answer in CHECK.answers if answer.right]
    assert f"±{laplace:.0f}, against ±{gaussian:.1f}" in right.feedback
    assert f"here from {answers_where_gaussian_wins(guarantee=PROMISE, confidence=0.95)} on" in right.feedback


def test_the_numbers_of_the_question_on_tails_are_the_engine_s() -> None:
    noise = DiscreteLaplaceMechanism.from_epsilon(0.1, l1_sensitivity=1)
    never, interval, third, half = (answer.feedback for answer in CHECK_REACH.answers)
    assert f"{amount(100 * noise.tail(30.0))}% of such counts are off by more than 30" in never
    assert f"±{noise.error_quantile(0.95)} here" in interval
    assert f"{amount(100 * noise.tail(10.0))}% of such counts" in third
    assert f"{amount(100 * math.exp(-1))}% lies beyond" in third
    assert f"half of the errors are {noise.error_quantile(0.5)} or less" in half
