"""Published analyses of promises, computed again to the rounding in which they were printed."""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping
from fractions import Fraction

import pytest

from dpengine.accounting import epsilon, rho_of
from dpengine.beliefs import posterior_bounds
from dpengine.losses import delta_of
from dpengine.mechanisms import RandomizedResponse
from dpengine.privacy import ConcentratedEvent, GaussianEvent, PureEvent
from dpengine.promises import MONTH, Promise, Total
from tests.golden.rows import number, rows
from tests.running.cases import each

Row = dict[str, str]


def told(total: Total | None) -> Total:
    assert total is not None
    return total


def added_up(row: Row, rule: str) -> Total:
    """So many days of a promise of epsilon and delta."""
    promise = Promise(
        epsilon=number(row, "epsilon"),
        delta=number(row, "delta"),
        unit=row["unit"],
        every_days=MONTH if row["every"] == "month" else number(row, "every"),
        contribution=1,
        rule=rule,
    )
    return told(promise.over(days=number(row, "days"), delta=number(row, "at_delta") if row["at_delta"] else None))


def scales(row: Row) -> list[Fraction]:
    return [Fraction(text) for text in row["scale"].split()]


def rho(row: Row) -> float:
    """As printed, as a share of a total, or of noise where a person is exchanged: 1 over the square of its scale."""
    if row["scale"]:
        return float(sum(1 / scale**2 for scale in scales(row)))
    squared, *share = row["rho"].split()
    return float(Fraction(squared) ** 2 * Fraction(share[0])) if share else float(squared)


def concentrated(row: Row) -> float:
    """The tighter conversion. Source: Canonne, Kamath, Steinke 2020, Corollary 13."""
    return told(Promise(rho=rho(row), unit="person").release(delta=number(row, "at_delta"))).most


def bun_steinke(row: Row) -> float:
    """The plain conversion, which nothing of ours uses. Source: Bun and Steinke 2016, Proposition 1.3."""
    return rho(row) + 2.0 * math.sqrt(rho(row) * -math.log(number(row, "at_delta")))


def bun_steinke_lemma(row: Row) -> float:
    """Where the delta of the lemma is the printed one, by halving. Source: Bun and Steinke 2016, Lemma 3.6."""
    loss = rho(row)

    def delta(beyond: float) -> float:
        excess = 1.0 + (beyond - loss) / (2.0 * loss)
        least = min(
            math.sqrt(math.pi * loss),
            1.0 / excess,
            2.0 / (excess + math.hypot(excess, 2.0 / math.sqrt(math.pi * loss))),
        )
        return math.exp(-((beyond - loss) ** 2) / (4.0 * loss)) * least

    low, high = loss, bun_steinke(row)
    for _ in range(80):
        middle = (low + high) / 2.0
        low, high = (middle, high) if delta(middle) > number(row, "at_delta") else (low, middle)
    return high


def gaussian_rho(row: Row) -> float:
    """Noise of that scale on a sum that one person changes by 1."""
    loss = float(1 / (2 * Fraction(row["scale"]) ** 2))
    return epsilon({ConcentratedEvent(rho=loss): 1}, delta=number(row, "at_delta"), accountant="concentrated")


def parts(row: Row) -> list[tuple[float, int]]:
    """0.44x6+0.22x1 as pairs."""
    pairs = (part.split("x") for part in row["parts"].split("+"))
    return [(float(one), int(times)) for one, times in pairs]


def summed(row: Row) -> float:
    return epsilon({PureEvent(epsilon=one): times for one, times in parts(row)}, delta=0.0, accountant="basic")


def truth(row: Row) -> float:
    ((chance, answers),) = parts(row)
    return RandomizedResponse.from_truth_probability(chance, categories=answers).event.epsilon


def bits(row: Row) -> float:
    """Two lists of at most so many ones differ in twice as many bits; each is replaced by a coin with chance f."""
    ((replaced, ones),) = parts(row)
    flip = RandomizedResponse.from_truth_probability(1.0 - replaced / 2.0).event
    return epsilon({flip: 2 * ones}, delta=0.0, accountant="basic")


def rappor(row: Row) -> float:
    """One report with p 0.45 and q 0.55: each of h bits is more likely for a one by at most this factor."""
    ((replaced, hashes),) = parts(row)
    mixed = replaced * (0.45 + 0.55) / 2.0
    zero, one = mixed + (1.0 - replaced) * 0.45, mixed + (1.0 - replaced) * 0.55
    bit = math.log(one * (1.0 - zero) / (zero * (1.0 - one)))
    return summed({"parts": f"{bit}x{hashes}"})


def odds(row: Row) -> float:
    """What somebody may believe at most, out of 100, who gave it so much before."""
    ((before, _),) = parts(row)
    promise = Promise(epsilon=number(row, "epsilon"), delta=0.0, unit="person", every_days=math.inf)
    if before == 0.5:
        found = promise.odds()
        assert found is not None
        return found.with_data
    return 100.0 * posterior_bounds(before, epsilon=told(promise.release()).most)[1]


def textbook(row: Row) -> float:
    """The formula alone, whether it is proved there or not."""
    return 2.0 * number(row, "epsilon") * math.sqrt(2.0 * number(row, "days") * -math.log(number(row, "at_delta")))


MEASURES: Mapping[str, Callable[[Row], float]] = {
    "naive": lambda row: added_up(row, "basic").most,
    "naive_delta": lambda row: added_up(row, "basic").delta,
    "optimal": lambda row: added_up(row, "optimal").least,
    "concentrated": concentrated,
    "bun_steinke": bun_steinke,
    "bun_steinke_lemma": bun_steinke_lemma,
    "gaussian_rho": gaussian_rho,
    "rho": lambda row: math.fsum(rho_of(ConcentratedEvent(rho=float(1 / one**2))) for one in scales(row)),
    "summed": summed,
    "truth": truth,
    "bits": bits,
    "rappor": rappor,
    "odds": odds,
    "profile": lambda row: delta_of(
        GaussianEvent(noise_multiplier=math.sqrt(number(row, "scale"))), epsilon=math.log(3.0)
    ),
    "textbook": textbook,
}
ROWS = rows("published_promises")


def rounding(row: Row) -> float:
    """How far the number may be from the printed one: half of its last digit, or what the row says."""
    if row["within"]:
        return number(row, "within")
    digits, _, power = row["printed"].partition("e")
    return 0.5 * 10.0 ** (int(power or 0) - len(digits.partition(".")[2]))


def agrees(row: Row) -> bool:
    found, printed = MEASURES[row["measure"]](row), number(row, "printed")
    return found == printed if math.isinf(printed) else abs(found - printed) <= rounding(row) * (1.0 + 1e-9)


@each("row", [row for row in ROWS if row["stands"] == "agrees"])
def test_published_numbers_come_out_as_printed(row: Row) -> None:
    assert agrees(row), MEASURES[row["measure"]](row)


@each("row", [row for row in ROWS if row["stands"] != "agrees"])
def test_published_numbers_that_do_not_agree_say_why(row: Row) -> None:
    """`above` and `below`: the printed number is larger or smaller than ours."""
    assert row["reason"]
    assert not agrees(row)
    excess = number(row, "printed") - MEASURES[row["measure"]](row)
    assert {"above": excess > 0.0, "below": excess < 0.0, "differs": True}[row["stands"]]


def test_a_printed_number_is_missed_by_one_in_its_last_digit() -> None:
    """Rounding is no licence: the next printed number would not agree."""
    (row,) = rows("published_promises", measure="naive", printed="5840")
    assert agrees(row)
    assert not agrees(row | {"printed": "5841"})
    (row,) = rows("published_promises", measure="concentrated", printed="17.14", stands="agrees")
    assert not agrees(row | {"printed": "17.15"})


def test_every_row_names_its_place_and_every_way_to_compute_has_a_row() -> None:
    assert {row["measure"] for row in ROWS} == set(MEASURES)
    assert all(row["source"] and row["stands"] in ("agrees", "above", "below", "differs") for row in ROWS)
    assert all(number(row, "printed") == pytest.approx(float(row["printed"])) for row in ROWS)
