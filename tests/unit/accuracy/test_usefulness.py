"""Whether an answer is worth its noise."""

from __future__ import annotations

import math

import pytest

from dpengine.accuracy import (
    NoiseError,
    SamplingError,
    Verdict,
    records_for_negligible_noise,
    usefulness,
    widening,
)
from dpengine.errors import DPEngineError, InvalidParameterError
from dpengine.mechanisms import DiscreteLaplaceMechanism
from tests.running.cases import each


def noise(scale=1000.0):
    return NoiseError(mechanism=DiscreteLaplaceMechanism(scale=scale, l1_sensitivity=1))


@each(
    "answer, verdict",
    [
        (10_001, Verdict.USEFUL),
        (9_999, Verdict.ROUGH),
        (2_001, Verdict.ROUGH),
        (1_999, Verdict.DROWNED),
        (-1, Verdict.DROWNED),
        (0, Verdict.DROWNED),
        ((0, 20_004), Verdict.USEFUL),
        ((1.7e308,) * 3, Verdict.USEFUL),
    ],
)
def test_verdicts(answer, verdict):
    assert usefulness(noise(), answer).verdict is verdict


def test_sentences_say_the_share():
    assert usefulness(noise(), 50_000).sentence == "Useful: the noise is on average 2% of the answer."
    assert "10% of the answer" in usefulness(noise(), 9_999).sentence
    assert "is on average 200% of the answer" in usefulness(noise(), 500).sentence
    assert "more than ten times the size of the answer" in usefulness(noise(), 1).sentence
    assert math.isinf(usefulness(noise(), 0).relative_error)


def test_no_noise_is_useful_even_for_nothing():
    assert usefulness(noise(scale=1e-4), 0).verdict is Verdict.USEFUL


def test_an_answer_is_a_number():
    with pytest.raises(InvalidParameterError, match=r"^answer must be"):
        usefulness(noise(), math.nan)


def test_widening_is_nothing_without_noise_and_much_with_much():
    sampling = SamplingError(standard_deviation=100.0)
    assert widening(noise(scale=0.01), sampling, 0.95) == pytest.approx(0.0, abs=1e-6)
    assert widening(noise(scale=10.0), sampling, 0.95) == pytest.approx(math.sqrt(1 + 0.02) - 1, abs=5e-4)
    assert widening(noise(scale=1000.0), sampling, 0.95) > 10


def laws(records):
    return noise(scale=10.0), SamplingError(standard_deviation=math.sqrt(records * 0.21))


@each("near", [1.0, 900.0, 1e7])
def test_enough_records_make_the_noise_negligible_and_one_less_does_not(near):
    records = records_for_negligible_noise(laws, widening_allowed=0.05, near=near)
    assert records == records_for_negligible_noise(laws, widening_allowed=0.05)
    (noise_law, sampling_law), (same_noise, fewer_sampled) = laws(records), laws(records - 1)
    assert widening(noise_law, sampling_law, 0.95) <= 0.05 < widening(same_noise, fewer_sampled, 0.95)


def test_one_record_may_be_enough_and_no_number_may_be():
    assert records_for_negligible_noise(laws, widening_allowed=1e6) == 1
    with pytest.raises(DPEngineError, match="Even 1,000,000,000,000 records"):
        records_for_negligible_noise(lambda _: laws(1))
    with pytest.raises(InvalidParameterError, match=r"^widening_allowed must be"):
        records_for_negligible_noise(laws, widening_allowed=0.0)
