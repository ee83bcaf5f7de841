"""Composition rules against mpmath."""

import mpmath
import numpy as np
import pytest

from dpengine.accounting import Validity, composed_delta, epsilon, epsilon_curve, textbook_validity
from dpengine.losses import concentrated_epsilon
from dpengine.privacy import ApproximateEvent, ConcentratedEvent, Event, GaussianEvent, LaplaceEvent, PureEvent
from tests.golden.rows import number, rows
from tests.running.cases import each

EQUAL_SHARES = rows("homogeneous_composition")
COLUMNS = {
    "basic": "basic",
    "optimal": "optimal",
    "advanced_2010": "advanced_2010",
    "advanced": "advanced_2015",
    "textbook": "textbook",
}


def event(row: dict[str, str]) -> Event:
    if number(row, "delta_each"):
        return ApproximateEvent(epsilon=number(row, "epsilon_each"), delta=number(row, "delta_each"))
    return PureEvent(epsilon=number(row, "epsilon_each"))


@each("row", EQUAL_SHARES)
def test_equal_shares(row: dict[str, str]) -> None:
    runs, delta = {event(row): int(row["repetitions"])}, number(row, "delta")
    named = {rule: number(row, column) for rule, column in COLUMNS.items() if row[column]}
    found = {rule: epsilon(runs, delta=delta, accountant=rule) for rule in named}
    assert found == pytest.approx(named, rel=1e-10)
    assert found["optimal"] >= named["optimal"] * (1.0 - 1e-15), "a bound is never below the truth"


@each("row", [row for row in EQUAL_SHARES if number(row, "delta_each")])
def test_own_deltas_come_beside_that_of_the_theorem(row: dict[str, str]) -> None:
    """At k delta + delta' in total, the answers cost what they cost without deltas at delta'."""
    answers, each_delta, slack = int(row["repetitions"]), number(row, "delta_each"), 1e-6
    total = float(composed_delta(answers, each=each_delta, slack=slack))
    assert total == pytest.approx(float(mpmath.mpf(row["delta_each"]) * answers + mpmath.mpf("1e-6")), rel=1e-15)
    pure: dict[Event, int] = {PureEvent(epsilon=number(row, "epsilon_each")): answers}
    alone, together = (
        {rule: epsilon(runs, delta=delta, accountant=rule) for rule in ("advanced_2010", "advanced")}
        for runs, delta in ((pure, slack), ({event(row): answers}, total))
    )
    assert together["advanced_2010"] == pytest.approx(alone["advanced_2010"], rel=1e-9)
    assert together["advanced"] <= alone["advanced"] * (1.0 + 1e-9), "Its own deltas add up to less than their sum."
    assert epsilon({event(row): answers}, delta=slack, accountant="advanced_2010") > together["advanced_2010"]


@each("row", [row for row in EQUAL_SHARES if row["textbook_is_valid"]])
def test_textbook_validity(row: dict[str, str]) -> None:
    verdict = textbook_validity({event(row): int(row["repetitions"])}, delta=number(row, "delta"))
    assert (verdict in (Validity.PROVED, Validity.TRUE)) is (row["textbook_is_valid"] == "True")
    assert verdict is not Validity.UNPROVED


@each("row", rows("gaussian_composition"))
def test_gaussian_runs(row: dict[str, str]) -> None:
    gaussian = GaussianEvent(noise_multiplier=number(row, "noise_multiplier"))
    found = epsilon({gaussian: int(row["repetitions"])}, delta=number(row, "delta"), accountant="exact")
    assert found == pytest.approx(number(row, "epsilon"), rel=1e-12, abs=1e-15)


@each("row", rows("concentrated_conversion"))
def test_concentrated_conversion(row: dict[str, str]) -> None:
    rho, delta = number(row, "rho"), number(row, "delta")
    assert float(concentrated_epsilon(np.array(rho), delta)) == pytest.approx(number(row, "epsilon"), rel=1e-13)
    found = epsilon({ConcentratedEvent(rho=rho): 1}, delta=delta, accountant="concentrated")
    assert found == pytest.approx(number(row, "epsilon"), rel=1e-13)
    assert found <= number(row, "epsilon_bun_steinke")


@each("row", [row for row in rows("laplace_composition") if row["epsilon"]])
def test_every_sound_rule_is_above_the_exact_laplace_value(row: dict[str, str]) -> None:
    laplace = LaplaceEvent(noise_multiplier=1.0 / number(row, "epsilon_each"))
    repetitions, delta = np.array([int(row["repetitions"])]), number(row, "delta")
    for rule in ("basic", "advanced_2010", "advanced", "optimal", "concentrated"):
        found = epsilon_curve(laplace, repetitions=repetitions, delta=delta, accountant=rule)
        assert found[0] >= number(row, "epsilon") * (1.0 - 1e-12), rule


@each("row", [row for row in rows("laplace_composition") if row["epsilon"]])
def test_exact_laplace_composition(row: dict[str, str]) -> None:
    """Never below the exact value, and above it by less than 1 part in 10,000."""
    laplace = LaplaceEvent(noise_multiplier=1.0 / number(row, "epsilon_each"))
    found = epsilon({laplace: int(row["repetitions"])}, delta=number(row, "delta"), accountant="exact")
    truth = number(row, "epsilon")
    assert truth * (1.0 - 1e-12) <= found <= truth * (1.0 + 1e-4)


@each("row", [row for row in rows("laplace_composition") if row["upper"]])
def test_laplace_composition_between_the_bounds_of_a_peer(row: dict[str, str]) -> None:
    laplace = LaplaceEvent(noise_multiplier=1.0 / number(row, "epsilon_each"))
    found = epsilon({laplace: int(row["repetitions"])}, delta=number(row, "delta"), accountant="exact")
    assert number(row, "lower") * (1.0 - 1e-7) <= found <= number(row, "upper") * (1.0 + 1e-4)
