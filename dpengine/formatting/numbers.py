"""Numbers as people read them: three significant digits, thousands separated, no exponents where avoidable."""

from __future__ import annotations

import math
import re
from collections.abc import Callable
from decimal import Decimal

SIGNS = {"epsilon": "ε", "delta": "δ", "rho": "ρ"}
_AMOUNT = re.compile(rf"\b(?:{'|'.join(SIGNS)})(?= \d)")
_SMALL_DELTA = re.compile(r"\bdelta (0\.000\d*[1-9]|\d(?:\.\d+)?e-\d+)(?!\d)")
_LAST_DIGITS, _ALIKE, _MOST_PLACES = 1e-12, 1e-6, 4
_THOUSANDTH, _THOUSANDTHS = 1e-3, -3
_FEWER_DIGITS = 1e-290
"""Below, powers of ten run out of digits, and then out of numbers."""
_SUPERSCRIPTS = str.maketrans("-0123456789", "⁻⁰¹²³⁴⁵⁶⁷⁸⁹")


def amount(value: float, digits: int = 3, rounded: Callable[[float], int] = round) -> str:
    """A number with so many significant digits.

    >>> amount(0.012345), amount(12345.678), amount(30.0), amount(float("inf"))
    ('0.0123', '12,300', '30', 'no limit')
    """
    if not math.isfinite(value):
        return "unknown" if math.isnan(value) else "no limit" if value > 0 else "minus no limit"
    if value == 0:
        return "0"
    places = digits - 1 - math.floor(math.log10(abs(value)))
    if not -15 < places < 15:
        return f"{value:.{digits - 1}e}"
    whole = rounded(value * 10.0**places)
    return _plain(f"{whole / 10.0**places:,.{max(places, 0)}f}")


def at_most(value: float, digits: int = 3) -> str:
    """An upper bound in so many significant digits, never below it: half-widths, spent amounts.

    >>> at_most(30.0), at_most(30.04), at_most(1033.0)
    ('30', '30.1', '1,040')
    """
    return amount(value, digits, lambda scaled: math.ceil(scaled - abs(scaled) * _LAST_DIGITS))


def number_in(written: str) -> float:
    """The number that stands in what these functions have written.

    >>> number_in(at_most(1033.0))
    1040.0
    """
    return float(written.replace(",", ""))


def at_least(value: float, digits: int = 3) -> str:
    """A lower bound in so many significant digits, never above it: what is left.

    >>> at_least(0.29996), at_least(2.9)
    ('0.299', '2.9')
    """
    return amount(value, digits, lambda scaled: math.floor(scaled + abs(scaled) * _LAST_DIGITS))


def billionths(value: float) -> str:
    """An amount of budget to the billionth, as the ledger counts it.

    >>> billionths(2.9), billionths(0.29996), billionths(3.0)
    ('2.9', '0.29996', '3')
    """
    return _plain(f"{value:,.9f}")


def _plain(text: str) -> str:
    return text.rstrip("0").rstrip(".") if "." in text else text


def tiny(value: float) -> str:
    """A number far below 1 as a power of ten, from a thousandth on as it is.

    >>> tiny(1e-6), tiny(2.5e-9), tiny(0.01), tiny(0.0)
    ('10⁻⁶', '2.5·10⁻⁹', '0.01', '0')
    """
    if value == 0 or _THOUSANDTH <= value <= 1:
        return f"{value:.6g}"
    digits, power = f"{value:.5e}".split("e")
    digits = _plain(digits)
    raised = "10" + str(int(power)).translate(_SUPERSCRIPTS)
    return raised if digits == "1" else f"{digits}·{raised}"


def tiny_at_most(value: float, digits: int = 2) -> str:
    """An upper bound far below 1 as a power of ten, never below it.

    >>> tiny_at_most(6.21e-6), tiny_at_most(1e-6), tiny_at_most(0.0), tiny_at_most(5e-324)
    ('6.3·10⁻⁶', '10⁻⁶', '0', '5·10⁻³²⁴')
    """
    if value == 0:
        return "0"
    if value < _FEWER_DIGITS:
        return tiny_from_log(math.log(value), digits)
    power = math.floor(math.log10(value) + _LAST_DIGITS)
    return tiny(float(f"{at_most(value / 10.0**power, digits)}e{power}"))


def tiny_from_log(logarithm: float, digits: int = 2, bound: Callable[[float, int], str] = at_most) -> str:
    """A number far below 1 from its natural logarithm, even where no machine number is so small; rounded up.

    With `at_least` it is rounded down, as a lower bound has to be.

    >>> tiny_from_log(-1000.0), tiny_from_log(math.log(0.05)), tiny_from_log(-1000.0 * math.log(10.0))
    ('5.1·10⁻⁴³⁵', '0.05', '10⁻¹⁰⁰⁰')
    """
    tens = round(logarithm / math.log(10.0), 9)
    power = math.floor(tens)
    leading = bound(10.0 ** (tens - power), digits)
    leading, power = ("1", power + 1) if leading == "10" else (leading, power)
    if _THOUSANDTHS <= power <= 0:
        return f"{float(leading) * 10.0**power:.6g}"
    raised = "10" + str(power).translate(_SUPERSCRIPTS)
    return raised if leading == "1" else f"{leading}·{raised}"


def beside(value: float, half_width: float, rounded: Callable[[float], int] = round) -> str:
    """A number as exact as its interval deserves: to the second digit of the half-width, whole numbers kept whole.

    >>> beside(152.487, 51.9), beside(1418.0, 150.0), beside(0.51234, 0.0123), beside(3.0, 0.0)
    ('152', '1,418', '0.512', '3')
    """
    if not 0 < half_width < math.inf or abs(value) > 1e15:
        return amount(value, 6)
    places = max(0, 1 - math.floor(math.log10(half_width)))
    return _plain(f"{rounded(value * 10.0**places) / 10.0**places:,.{places}f}")


def interval(lower: float, upper: float) -> tuple[str, str]:
    """Both ends as exact as their distance deserves, rounded outward, so that nothing is cut off.

    >>> interval(87.4, 191.6), interval(1388.0, 1448.0)
    (('87', '192'), ('1,388', '1,448'))
    """
    half = (upper - lower) / 2
    ends = (lower, math.floor, 1), (upper, math.ceil, -1)
    down, up = (beside(end + sign * abs(end) * _LAST_DIGITS, half, rounded) for end, rounded, sign in ends)
    return down, up


def ends_beside(value: float, lower: float, upper: float) -> tuple[str, str]:
    """The ends of an interval, never narrower than "value ± error" as both are read next to it.

    >>> ends_beside(-261.4, -860.8, 338.0), interval(-860.8, 338.0)
    (('-861', '339'), ('-861', '338'))
    """
    half = (upper - lower) / 2
    if abs((upper - value) - (value - lower)) <= _ALIKE * half < math.inf:
        read, error = (number_in(text) for text in (beside(value, half), at_most(half)))
        lower, upper = min(lower, read - error), max(upper, read + error)
    return interval(lower, upper)


def lower_of_100(share: float) -> str:
    """A lower bound as so many of 100, rounded down to a tenth; closer to 0 or 100 than 1, in two digits of that.

    >>> lower_of_100(0.47502), lower_of_100(0.00027)
    ('47.5', '0.027')
    """
    return _outward(100.0 * share, math.floor)


def upper_of_100(share: float) -> str:
    """An upper bound as so many of 100, rounded up likewise.

    >>> upper_of_100(0.52498), upper_of_100(0.95258), upper_of_100(0.99996), upper_of_100(1.0), upper_of_100(0.9999999)
    ('52.5', '95.3', '99.996', '100', '100')
    """
    return _outward(100.0 * share, math.ceil)


def between_of_100(after: tuple[float, float]) -> tuple[str, str]:
    """The least and the largest belief after an answer, of 100: one risk has one spelling on every page.

    >>> between_of_100((0.4750208, 0.5249792)), between_of_100((0.499975, 0.500025))
    (('47.5', '52.5'), ('49.9', '50.1'))
    """
    return lower_of_100(after[0]), upper_of_100(after[1])


def _outward(percent: float, rounded: Callable[[float], int]) -> str:
    room = min(percent, 100.0 - percent)
    places = min(max(1, 1 - math.floor(math.log10(room))), _MOST_PLACES) if room > 0.0 else 1
    scaled = percent * 10**places
    last_digits = scaled * _LAST_DIGITS * (1 if rounded is math.floor else -1)
    return _plain(f"{rounded(scaled + last_digits) / 10**places:.{places}f}")


def nearest_of_100(share: float, before: float) -> str:
    """An exact share as so many of 100, with three digits of how far it is from `before`, from 0 and from 100.

    >>> nearest_of_100(0.731059, 0.5), nearest_of_100(0.500025, 0.5), nearest_of_100(0.9999546, 0.5)
    ('73.1', '50.0025', '99.99546')
    """
    percent = 100.0 * share
    return beside(percent, min(abs(percent - 100.0 * before), percent, 100.0 - percent) / 10.0)


def out_of_100(share: float) -> str:
    """A share as so many of 100; never 0 or 100 unless it is.

    >>> out_of_100(0.731), out_of_100(0.0004), out_of_100(0.9999999)
    ('73', '0.04', 'more than 99.99')
    """
    percent = 100.0 * share
    if 1.0 <= percent <= 99.0:
        return f"{percent:.0f}"
    if percent > 99.99 and share < 1.0:
        return "more than 99.99"
    if 0.0 < percent < 0.01:
        return "less than 0.01"
    return f"{percent:.2g}" if percent < 1.0 else f"{percent:.4g}"


def chance_of_100(share: float) -> str:
    """A chance as so many of 100, in three digits; what is smaller or larger than can be read is said so.

    >>> chance_of_100(0.36788), chance_of_100(0.0497871), chance_of_100(1e-30), chance_of_100(0.9999999)
    ('36.8', '4.98', 'less than 0.0001', 'more than 99.9')
    """
    percent = 100.0 * share
    if percent < 0.0001:
        return "less than 0.0001"
    return "more than 99.9" if 99.9 < percent < 100.0 else amount(percent)


def in_signs(sentence: str) -> str:
    """A sentence as screens and labels write amounts: the sign before a number, the word elsewhere.

    A delta below 0.001 is a power of ten with all its digits.

    >>> in_signs("This asks for epsilon 2, delta 0.1; a smaller epsilon may fit.")
    'This asks for ε 2, δ 0.1; a smaller epsilon may fit.'
    >>> in_signs("epsilon 0.3, delta 0.00000125")
    'ε 0.3, δ 1.25·10⁻⁶'
    """
    sentence = _SMALL_DELTA.sub(lambda found: f"δ {_power_of_ten(found[1])}", sentence)
    return _AMOUNT.sub(lambda found: SIGNS[found[0]], sentence)


def _power_of_ten(decimals: str) -> str:
    digits, power = f"{Decimal(decimals).normalize():e}".split("e")
    raised = "10" + str(int(power)).translate(_SUPERSCRIPTS)
    return raised if digits == "1" else f"{digits}·{raised}"
