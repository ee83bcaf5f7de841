"""A text packed into few letters that fit an address, and back: what is damaged or too long gets a sentence."""

from __future__ import annotations

import base64
import binascii
import re
import zlib
from collections.abc import Callable

from dpengine.errors import ScenarioError

LONGEST_LINK = 100_000
LARGEST_PLAN = 2_000_000
PACKED = 2
"""The version of links that are packed here; a link says it before a full stop, those of version 1 say none."""
_DAMAGED = "This link is damaged: part of it is missing or was changed."
_VERSION = re.compile(r"([0-9]{1,6})\.")
_CHECK_BYTES = 4
_RAW = -15
_WORDS = (
    b'"candidates":["period":"month","year","quarter","bins":[{"is":"date","iso":"2000-01-01"{"is":"DateColumn",'
    b'"earliest":"latest":{"is":"BooleanColumn","true_words":["yes"],"false_words":["no"]{"is":"StatisticalQueries",'
    b'"conditions":[{"is":"QuantileQuery","quantile":0.9{"is":"ModeQuery",{"is":"VarianceQuery",{"is":"GroupedSumQuery",'
    b'{"is":"GroupedMeanQuery",{"is":"GroupedCountQuery","by":["{"is":"Or",{"is":"And",{"is":"Not","condition":'
    b'{"is":"IsMissing","column":"{"is":"OneOf","values":[{"is":"Between","lower":0,"upper":100,"column":"age"'
    b'"mechanism":"gaussian","delta":1e-06,"rule":"concentrated","unit":{"is":"PrivacyUnit","identifier":"person",'
    b'"rows":10,"groups":2,"rows_per_group":1},"people":1000"complete":true{"is":"TextColumn","name":"id"},'
    b'{"is":"CategoryColumn","categories":["female","male","yes","no","],"name":"{"is":"NumberColumn","lower":0.0,'
    b'"upper":100.0,"unit":"years"{"is":"Schema","name":"","columns":[{"is":"NumberColumn","name":"age","lower":0.0,'
    b'"upper":120.0},"targets":{"is":"PlanTargets","confidence":0.9,"prior":0.1,"belief":0.75,"errors":[null,10.0],'
    b'"question":1},"neighbors":"replace_one","where":{"is":"Comparison","column":"expected_vote","operator":"=",'
    b'"value":"clinton"}{"is":"ProportionQuery","having":{"is":"SumQuery","column":"salary","disease","mumps"'
    b'"party"{"is":"CountQuery"},"where":{"is":"Comparison","column":"hospital_stays","operator":">","value":0}}'
    b'{"is":"HistogramQuery","column":"self_rated_health"},{"is":"CountPeopleQuery"{"is":"MeanQuery","column":"'
    b'medical_dollars"},"guarantee":{"is":"Guarantee","epsilon":0.5}},{"is":"PlannedQuery","query":{"is":'
    b'{"table_name":"patients","anes_1996","rand_hie","schema":{"is":"BuiltIn","fingerprint":"","neighbors":{"is":'
    b'"Neighbors","name":"add_remove"},"budget":{"is":"Guarantee","epsilon":3.0,"delta":1e-06},"queries":[{"is":'
    b'"PlannedQuery","query":{"is":"CountQuery"},"guarantee":{"is":"Guarantee","epsilon":0.1}}]}'
)
"""What plans are mostly made of; part of the format, so that links of version 2 open for ever: never change it."""


def packed(text: str) -> str:
    """A plan's text as a link of this version."""
    return f"{PACKED}.{shortened(text, _WORDS)}"


def unpacked(link: str) -> tuple[int, str]:
    """The version of a plan's link and its text; damaged, oversized and unknown ones raise ScenarioError."""
    require_link(link)
    named = _VERSION.match(link)
    if named is None:
        return 1, _opened(link, _of_version_1)
    if int(named[1]) != PACKED:
        raise ScenarioError(
            f"This link is of version {named[1]}; this program reads versions 1 and {PACKED}. "
            "Open it with the program that made it, or ask for the plan as a file."
        )
    return PACKED, restored(link[named.end() :], _WORDS)


def require_link(link: str) -> None:
    """Raise ScenarioError for a link that is longer than any is read."""
    if len(link) > LONGEST_LINK:
        raise ScenarioError(f"This link has {len(link):,} characters; at most {LONGEST_LINK:,} are read.")


def shortened(text: str, words: bytes) -> str:
    """A text with a check, in letters that an address takes; `words` are what such texts are mostly made of."""
    plain = text.encode()
    shortening = zlib.compressobj(9, zlib.DEFLATED, _RAW, zdict=words)
    content = zlib.crc32(plain).to_bytes(_CHECK_BYTES) + shortening.compress(plain) + shortening.flush()
    return base64.urlsafe_b64encode(content).decode().rstrip("=")


def restored(letters: str, words: bytes) -> str:
    """The text again; what is damaged or unpacks to too much raises ScenarioError."""
    return _opened(letters, lambda content: _checked(content, words))


def _opened(letters: str, unpack: Callable[[bytes], bytes]) -> str:
    try:
        content = base64.b64decode(letters + "=" * (-len(letters) % 4), altchars=b"-_", validate=True)
        return unpack(content).decode()
    except (binascii.Error, zlib.error, UnicodeError, ValueError):
        raise ScenarioError(_DAMAGED) from None


def _of_version_1(content: bytes) -> bytes:
    return _inflated(content, zlib.decompressobj())


def _checked(content: bytes, words: bytes) -> bytes:
    plain = _inflated(content[_CHECK_BYTES:], zlib.decompressobj(_RAW, zdict=words))
    if zlib.crc32(plain).to_bytes(_CHECK_BYTES) != content[:_CHECK_BYTES]:
        raise ScenarioError(_DAMAGED)
    return plain


def _inflated(content: bytes, unpacking: zlib._Decompress) -> bytes:
    plain = unpacking.decompress(content, LARGEST_PLAN)
    if unpacking.unconsumed_tail:
        raise ScenarioError(f"This link unpacks to too much: at most {LARGEST_PLAN:,} characters are read.")
    if not unpacking.eof:
        raise ScenarioError(_DAMAGED)
    return plain
