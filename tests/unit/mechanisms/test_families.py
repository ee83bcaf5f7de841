"""The same promise, or the same typical error, for every family of noise."""

from __future__ import annotations

import pytest

from dpengine.errors import InvalidParameterError
from dpengine.losses import delta_of, loss_distribution
from dpengine.mechanisms.additive.families import FAMILIES, with_error, with_guarantee
from dpengine.privacy import Guarantee
from tests.running.cases import each


@each("name", FAMILIES)
@each("epsilon", [0.01, 1.0, 10.0])
def test_each_family_keeps_its_promise_and_nothing_smaller(name, epsilon):
    guarantee = Guarantee(epsilon=epsilon, delta=1e-6)
    event = with_guarantee(name, guarantee).event
    assert delta_of(event, epsilon=epsilon) <= 1e-6
    assert delta_of(event, epsilon=0.99 * epsilon) > 1e-6


@each("name", FAMILIES)
def test_pure_is_what_has_a_largest_loss(name):
    event = with_guarantee(name, Guarantee(epsilon=1.0, delta=1e-6)).event
    assert (loss_distribution(event).largest <= 1.0 + 1e-9) == FAMILIES[name].pure


@each("name", FAMILIES)
def test_without_delta_only_pure_noise_is_built(name):
    alone = Guarantee(epsilon=1.0)
    if FAMILIES[name].pure:
        assert delta_of(with_guarantee(name, alone).event, epsilon=1.0) == 0.0
    else:
        with pytest.raises(InvalidParameterError, match="delta") as refused:
            with_guarantee(name, alone)
        assert refused.value.name == "delta"


@each("name", FAMILIES)
@each("error", [3.0, 10.5, 200.0])
def test_the_same_error_is_met_and_nearly_used_up(name, error):
    noise = with_error(name, error, confidence=0.95, delta=1e-6)
    assert noise.error_quantile(0.95) <= error
    assert noise.tail(error * 0.999 - (1.0 if FAMILIES[name].whole else 0.0)) > 0.05


def test_an_unknown_name_is_refused():
    with pytest.raises(InvalidParameterError, match="one of Laplace"):
        with_guarantee("cauchy", Guarantee(epsilon=1.0))
