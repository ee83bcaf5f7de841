"""How the numbers of a promise stand before a hazard: a rule each, None where what it needs is not stated."""

from __future__ import annotations

import math
from collections.abc import Mapping
from fractions import Fraction
from types import MappingProxyType

from dpengine.beliefs import odds_out_of_100
from dpengine.formatting.numbers import at_least, at_most, tiny, upper_of_100
from dpengine.privacy import Guarantee
from dpengine.privacy.amounts import exact_decimal
from dpengine.promises.hazards.promise_in_words import (
    READ_OFF,
    at_delta,
    coming_to,
    days_in_words,
    days_judged,
    one_release,
    reading_delta,
    releases_judged,
    runs_judged,
    total_judged,
)
from dpengine.promises.hazards.standing import Judgement, apart, sound, weak
from dpengine.promises.promise import Promise
from dpengine.promises.units import UNITS, Subject, Unit
from dpengine.promises.unsaid import NOT_LOOKED_UP, stated

STRONG = 1.0
"""Up to this epsilon privacy counts as strong in most cases. Source: NIST SP 800-226 ipd 2023, section 2.2."""
USUAL_DELTA = 1e-5
"""At most this to read a rho or Gaussian noise as an epsilon. Source: NIST SP 800-226 ipd 2023, section 2.3."""
RARELY = Fraction(1, 100)
"""Delta times people at which 99 times out of 100 nobody is exposed. Source: Ted 2017, crypto.stackexchange 44299."""
_STRONG_WORDS = "Up to 1 counts as strong in most cases."
_WHOLE: Mapping[str, str] = MappingProxyType(
    {
        "person": "It protects all data of a person.",
        "household": "It protects all data of a household, and so each person in it.",
    }
)
_CROWDS: Mapping[str, str] = MappingProxyType(
    {"person": "people", "household": "households", "device": "devices", "event": "events"}
)


def protected_unit(promise: Promise) -> Judgement | None:
    """Weak where one person is several protected units, sound where everything about somebody is one."""
    if (key := stated(promise.unit)) is None:
        return None
    unit, lasting = UNITS[key], stated(promise.for_days) or math.inf
    if unit.is_whole and unit.of in _WHOLE:
        return sound(_WHOLE[unit.of])
    if unit.of == "person" and lasting <= unit.days:
        return sound(f"It protects {unit.words}, and the data cover no more than that.")
    once = stated(promise.every_days) is not None and days_judged(promise) is None
    if unit.of == "event" and promise.contribution == 1 and once:
        return sound("It protects one event, and only one of each person counts.")
    count = _units_of_somebody(promise, unit, lasting)
    return weak(f"It protects {unit.words}. Somebody with {count} of them {_loses(promise, unit, count)}.")


def refilled(promise: Promise) -> Judgement | None:
    """Sound where the budget is spent once, or its end and its rule for adding up are stated."""
    every, lasting = stated(promise.every_days), stated(promise.for_days)
    if every is None:
        return None
    if days_judged(promise) is None:
        return apart("Its budget is spent once, and never anew.")
    again = f"Its budget is spent anew every {days_in_words(every).removeprefix('a ')}"
    if lasting is not None and math.isinf(lasting):
        return weak(f"{again}, without an end{coming_to(promise)}.")
    if NOT_LOOKED_UP in {promise.for_days, promise.rule}:
        return None
    if lasting is None:
        return weak(f"{again}, and no end is stated{coming_to(promise)}.")
    return _adding_up(promise, f"{again}, for {days_in_words(lasting)}")


def _adding_up(promise: Promise, span: str) -> Judgement:
    total = total_judged(promise) if promise.event else None
    if promise.event and (total is None or total.promises_nothing):
        return weak(f"{span}{coming_to(promise)}.")
    if stated(promise.rule) is None:
        return weak(f"{span}, and it does not say how that adds up{coming_to(promise)}.")
    return sound(f"{span}, and it says how that adds up{coming_to(promise)}.")


def delta_size(promise: Promise) -> Judgement | None:
    """Weak where delta lets whole people out more often than in 1 of 100 cases, over a year or the time stated.

    Publishing k of n people unprotected, picked at random, keeps (epsilon, delta) from delta = k / n on; nothing that
    keeps it publishes more than delta * n on average. Source: NIST SP 800-226 ipd 2023, section 2.3, for k = 1.
    """
    delta, people = stated(promise.delta), stated(promise.people)
    if stated(promise.rho) is not None or isinstance(promise.event, READ_OFF):
        return _read_off(delta)
    if delta == 0.0:
        return sound("δ is 0: ε holds without exception.")
    if delta is None or people is None:
        return None
    rows, runs = exact_decimal(delta) * people, runs_judged(promise)
    crowd = _CROWDS[UNITS[key].of] if (key := stated(promise.unit)) else "people"
    start = f"With a δ of {tiny(delta)} and {people:,} {crowd},"
    again = f", and there are {releases_judged(promise)}" if runs > 1 else ""
    if rows * runs <= RARELY:
        often = at_least(float(1 / rows), 2)
        return sound(f"{start} at most 1 of {often} releases may publish one of them unprotected{again}.")
    exposed = f"{math.floor(rows):,} of them" if rows >= 1 else "one of them"
    seldom = "" if rows >= 1 else f" in 1 of {math.ceil(1 / rows):,} releases"
    return weak(f"{start} a program that publishes {exposed} unprotected{seldom} keeps this promise{again}.")


def contribution(promise: Promise) -> Judgement | None:
    """Weak where nothing limits how much one unit changes, since no noise of a fixed size covers that."""
    bound, key = stated(promise.contribution), stated(promise.unit)
    if bound is None:
        return None
    whom = UNITS[key].words if key and UNITS[key].of != "event" else "a person"
    if math.isinf(bound):
        return weak(f"Nothing limits how many rows or events of {whom} count, so noise of no fixed size can hide them.")
    counted = "1 row or event" if bound == 1 else f"{int(bound):,} rows or events"
    return sound(f"At most {counted} of {whom} can count.")


def local_alone(promise: Promise) -> Judgement | None:
    """Local noise needs no trust; what is weak is a large epsilon where nothing hides who sent a report."""
    if promise.model in _NOT_LOCAL:
        return apart(_NOT_LOCAL[str(promise.model)])
    loss = one_release(promise)
    if stated(promise.model) is None or loss is None:
        return None
    size = f"One report has an ε of {at_most(loss.epsilon)}"
    if loss.epsilon <= STRONG:
        return sound(f"{size}, which holds even against those who collect it. {_STRONG_WORDS}")
    return weak(f"{size}. Shuffling could hide who sent it, but none is stated, so this ε is all that protects it.")


_NOT_LOCAL: Mapping[str, str] = MappingProxyType(
    {
        "central": "Noise is added to results, not to single reports.",
        "shuffled": "Reports are shuffled, which hides who sent which.",
    }
)


def epsilon_size(promise: Promise) -> Judgement | None:
    """Sound up to STRONG, for one release and for a year of them or the time that is stated."""
    loss = one_release(promise)
    if loss is None:
        return None
    size = f"One release has an ε of {at_most(loss.epsilon)}"
    if stated(promise.epsilon) is None and loss.delta:
        size += f" at a δ of {tiny(loss.delta)}"
    if loss.epsilon > STRONG:
        return weak(f"{size}{_right_in(promise, loss)}. {_STRONG_WORDS}")
    if days_judged(promise) is None:
        return sound(f"{size}. {_STRONG_WORDS}")
    total = total_judged(promise)
    together = f"{size}{coming_to(promise)}. {_STRONG_WORDS}"
    if total is None:
        return weak(together)
    largest = total.most if math.isfinite(total.most) else total.least
    return (sound if largest <= STRONG else weak)(together)


def _units_of_somebody(promise: Promise, unit: Unit, lasting: float) -> int:
    """So many protected units as an example of one person: never more than the promise lets count."""
    if unit.is_whole:
        return 2
    if unit.days:
        return math.ceil(min(lasting, 30 * unit.days) / unit.days)
    bound = stated(promise.contribution) or math.inf
    return 10 if bound == 1 else int(min(10, bound))


def _loses(promise: Promise, unit: Unit, count: int) -> str:
    """What somebody with so many units loses, days added up over time and the others within one release."""
    one = one_release(promise)
    many = total_judged(promise, count * unit.days) if unit.days and not unit.is_whole else None
    if not unit.days or unit.is_whole:
        subject = Subject(people=count) if unit.is_whole else Subject(events=count)
        many = promise.release(subject=subject, delta=reading_delta(promise))
    if one is None or many is None or (math.isinf(many.most) and not many.promises_nothing):
        return "can lose more than it says"
    if many.promises_nothing:
        return "is promised nothing"
    return f"can lose an ε of {at_most(many.most)}{at_delta(promise, many)} instead of {at_most(one.epsilon)}"


def _read_off(delta: float | None) -> Judgement:
    """Of a rho or Gaussian noise: neither publishes whole people, and a delta only turns it into an epsilon."""
    if delta is None or delta <= USUAL_DELTA:
        with_delta = f" of {tiny(delta)}" if delta else ""
        return sound(f"Its ρ or Gaussian noise lets no whole rows out; a δ{with_delta} only turns it into an ε.")
    return weak(f"With a δ as large as {tiny(delta)}, ε looks smaller than it is; at most 10⁻⁵ is usual.")


def _right_in(promise: Promise, loss: Guarantee) -> str:
    """How often an attacker can be right, where delta is known."""
    if stated(promise.epsilon) is not None and stated(promise.delta) is None:
        return ""
    share = upper_of_100(odds_out_of_100(loss).with_data / 100.0)
    often = "nearly always" if share == "100" else f"in at most {share} out of 100 cases"
    return f": an attacker who thinks it 50:50 whether somebody's data are in can be right {often}"
