"""A promise as text that is kept: versioned JSON, a link that fits an address, and back; a bad text gets a sentence."""

from __future__ import annotations

import json
import math
import re
from collections.abc import Iterable, Mapping
from dataclasses import fields
from types import MappingProxyType
from typing import Any

from dpengine.errors import InvalidParameterError, ScenarioError, require_kind, require_one_of
from dpengine.privacy import Neighbors
from dpengine.promises.handling import Handling
from dpengine.promises.promise import LONGEST_NAME, Promise
from dpengine.promises.unsaid import Unsaid
from dpengine.scenario.codec import require_texts
from dpengine.scenario.packing import require_link, restored, shortened

VERSION = 1
LARGEST_PROMISE = 20_000
"""Letters of JSON; the longest that this program writes has a quarter of them."""
ENDLESS: Mapping[str, str] = MappingProxyType(
    {"every_days": "never", "for_days": "no end", "contribution": "unlimited"}
)
"""The word for an infinite value of each field that may hold one, since JSON has no such number."""
_TEXTS = ("name", "by")
_LINK = re.compile(r"p([0-9]{1,6})\.")
_MOST_DIGITS, _WHOLE_BELOW = 18, 2.0**53
_WORDS = (
    b'"sampler":"floats","chosen":"on_data","post_processing":"silent","small_groups":"error_told","left_out",'
    b'"as_others","exact_rule","side_channels":"no_queries","guarded","audit":"independent","own","nobody",'
    b'"exact_beside":"nothing","public","some","trusted":"named","unnamed","raw_access":"open","code":"closed",'
    b'"parameters":"all","part","none","not looked up","handling":{"noise":"laplace","gaussian","randomized_response",'
    b'"another","noise_multiplier":"unit":"household","device-six-hours","event","person-week","device-day",'
    b'"person-month","person-day","neighbors":"replace_one","add_remove","every_days":"never","every_days":1,'
    b'"for_days":"no end","for_days":365,"rule":"advanced","optimal","concentrated","exact","basic","model":"shuffled",'
    b'"local","central","contribution":"unlimited","people":1000000,"handling":{"code":"open","by":"","rho":0.1,'
    b'"delta":1e-05,"unit":"person"}{"promise":1,"name":"A promise","epsilon":1.5,'
)
"""What promises are mostly made of; part of the format, so that links of version 1 open for ever: never change it."""


def to_json(promise: Promise) -> str:
    """Versioned JSON, the same text for equal promises; what is not said is left out."""
    return json.dumps(_plain(promise), indent=2, allow_nan=False)


def from_json(text: str) -> Promise:
    """The promise back; anything unknown, of the wrong kind, or that contradicts itself raises ScenarioError."""
    require_kind("text", text, str)
    plain = _parsed(text)
    version = plain.pop("promise", None)
    if version is None:
        raise ScenarioError("This is not a saved promise.")
    if version != VERSION or not isinstance(version, int) or isinstance(version, bool):
        raise ScenarioError(
            f"This promise was saved by version {str(version)[:20]!r}; this program reads version {VERSION}."
        )
    try:
        return Promise(**_values(Promise, plain))
    except InvalidParameterError as error:
        raise ScenarioError(f"This promise cannot be read: {error}") from None


def to_link(promise: Promise) -> str:
    """The same packed into text that fits an address."""
    text = json.dumps(_plain(promise), separators=(",", ":"), allow_nan=False)
    return f"p{VERSION}.{shortened(text, _WORDS)}"


def from_link(text: str) -> Promise:
    """The promise of a link; a damaged, oversized or unknown one raises ScenarioError."""
    require_kind("text", text, str)
    require_link(text)
    named = _LINK.match(text)
    if named is None:
        raise ScenarioError("This link holds no promise.")
    if int(named[1]) != VERSION:
        raise ScenarioError(
            f"This link is of version {named[1]}; this program reads version {VERSION}. "
            "Open it with the program that made it, or ask for the promise as a file."
        )
    return from_json(restored(text[named.end() :], _WORDS))


def _plain(promise: Promise) -> dict[str, Any]:
    told = _told(promise)
    return {"promise": VERSION} | told | ({"handling": handled} if (handled := _told(promise.handling)) else {})


def _told(value: Promise | Handling) -> dict[str, Any]:
    """What differs from silence, field by field, without a value inside this one."""
    values = ((field.name, getattr(value, field.name), field.default) for field in fields(value))
    return {name: _written(name, one) for name, one, usual in values if one != usual and not isinstance(one, Handling)}


def _written(name: str, value: Any) -> Any:
    """A word as it is, a number in the shortest of its spellings."""
    if isinstance(value, Unsaid | Neighbors):
        return value.value
    if isinstance(value, str):
        return value
    if math.isinf(value):
        return ENDLESS[name]
    return int(value) if abs(value) < _WHOLE_BELOW and value == int(value) else float(value)


def _values(kind: type[Promise | Handling], plain: Mapping[str, Any]) -> dict[str, Any]:
    known = [field.name for field in fields(kind)]
    for name in plain:
        if name not in known:
            raise ScenarioError(f"This promise has a field that this program does not know: {name[:40]!r}.")
    return {name: _value(name, told) for name, told in plain.items()}


def _value(name: str, told: Any) -> Any:
    if name == "handling" and isinstance(told, dict):
        return Handling(**_values(Handling, told))
    if not isinstance(told, str) or name in _TEXTS:
        return told
    if told in [why.value for why in Unsaid]:
        return Unsaid(told)
    if told == ENDLESS.get(name):
        return math.inf
    if name == "neighbors":
        require_one_of(name, told, [one.value for one in Neighbors])
        return Neighbors(told)
    return told


def _parsed(text: str) -> dict[str, Any]:
    if len(text) > LARGEST_PROMISE:
        raise ScenarioError(f"This promise has {len(text):,} characters; at most {LARGEST_PROMISE:,} are read.")
    try:
        plain = json.loads(
            text,
            parse_constant=_refused,
            parse_int=_whole,
            parse_float=_decimal,
            object_pairs_hook=_once,
        )
    except (ValueError, RecursionError):
        raise ScenarioError("This is not a saved promise: it is not readable as JSON.") from None
    if not isinstance(plain, dict):
        raise ScenarioError("This is not a saved promise.")
    require_texts(plain, longest=LONGEST_NAME)
    return plain


def _refused(name: str) -> float:
    raise ScenarioError(
        f"{name} is no number that a promise can hold; write a word, such as {ENDLESS['every_days']!r}."
    )


def _whole(digits: str) -> int:
    if len(digits) > _MOST_DIGITS:
        raise ScenarioError(f"A number in it has {len(digits):,} digits; at most {_MOST_DIGITS} are read.")
    return int(digits)


def _decimal(digits: str) -> float:
    """A number as it is written: one beyond all machine numbers is refused, never read as infinite or as 0."""
    value = float(digits)
    if math.isinf(value) or (value == 0.0 and re.search("[1-9]", re.split("[eE]", digits)[0])):
        raise ScenarioError(f"A number in it is too large or too small to be read: {digits[:40]}.")
    return value


def _once(pairs: Iterable[tuple[str, Any]]) -> dict[str, Any]:
    found: dict[str, Any] = {}
    for name, value in pairs:
        if name in found:
            raise ScenarioError(f"This promise says {name[:40]!r} twice.")
        found[name] = value
    return found
