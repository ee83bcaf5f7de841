"""Laws of hazards: saying more never makes a promise silent, and what nobody looked up is never called silence."""

from __future__ import annotations

import math
from dataclasses import replace
from typing import Any

from hypothesis import assume, given, settings
from hypothesis import strategies as st

from dpengine.errors import InvalidParameterError
from dpengine.promises import (
    HANDLING,
    HAZARDS,
    MODELS,
    NOISES,
    NOT_LOOKED_UP,
    NOT_SAID,
    RULES,
    UNITS,
    Handling,
    Promise,
    Standing,
    Unsaid,
    questions_for_author,
    verdict,
)

STATED: dict[str, st.SearchStrategy[Any]] = {
    "epsilon": st.sampled_from([1e-9, 0.3, 1.0, 1.5, 20.0, 1e6]),
    "delta": st.sampled_from([0.0, 1e-300, 1e-9, 1e-5, 0.01, 0.99]),
    "rho": st.sampled_from([1e-9, 0.01, 0.5, 1e4]),
    "noise": st.sampled_from(NOISES),
    "noise_multiplier": st.sampled_from([0.01, 1.0, 50.0]),
    "unit": st.sampled_from(sorted(UNITS)),
    "every_days": st.sampled_from([1e-320, 1e-6, 0.25, 1.0, 30.0, 36_525.0, math.inf]),
    "for_days": st.sampled_from([0.25, 1.0, 300.0, 36_525.0, math.inf]),
    "rule": st.sampled_from(RULES),
    "model": st.sampled_from(MODELS),
    "contribution": st.sampled_from([1, 7, math.inf]),
    "people": st.sampled_from([2, 1000, 10**9]),
}
HANDLED = {name: st.sampled_from(sorted(question.answers)) for name, question in HANDLING.items()}
SILENT = (Standing.NOT_STATED, Standing.NOT_LOOKED_UP)


def built(said: dict[str, Any]) -> Promise:
    handling = {name: value for name, value in said.items() if name in HANDLING}
    try:
        return Promise(**{name: said[name] for name in said.keys() - handling.keys()}, handling=Handling(**handling))
    except InvalidParameterError:
        assume(False)
        raise


@st.composite
def fields_of_promises(draw: st.DrawFn) -> dict[str, Any]:
    """Every field, stated or silent in either way."""
    silence = st.sampled_from([NOT_SAID, NOT_LOOKED_UP])
    return {name: draw(silence | values) for name, values in (STATED | HANDLED).items()}


said_fields = fields_of_promises()


@settings(max_examples=25)
@given(said_fields, st.data())
def test_saying_more_never_makes_a_sound_answer_silent(said: dict[str, Any], data: st.DataObject) -> None:
    open_fields = [name for name, value in said.items() if isinstance(value, Unsaid)]
    assume(open_fields)
    name = data.draw(st.sampled_from(open_fields))
    more = said | {name: data.draw((STATED | HANDLED)[name])}
    for before, after in zip(built(said).hazards(), built(more).hazards(), strict=True):
        assert before.standing is not Standing.SOUND or after.standing not in SILENT, (name, before, after)


@settings(max_examples=25)
@given(said_fields)
def test_what_was_not_looked_up_is_never_called_not_stated(said: dict[str, Any]) -> None:
    unread = {name: NOT_LOOKED_UP if value is NOT_SAID else value for name, value in said.items()}
    promise = built(unread)
    assert Standing.NOT_STATED not in {one.standing for one in promise.hazards()}
    assert "says too little" not in verdict(promise)
    known = built({name: NOT_SAID if value is NOT_LOOKED_UP else value for name, value in said.items()})
    assert Standing.NOT_LOOKED_UP not in {one.standing for one in known.hazards()}


@settings(max_examples=25)
@given(said_fields)
def test_every_finding_is_a_sentence_and_every_verdict_short(said: dict[str, Any]) -> None:
    promise = built(said)
    found = promise.hazards()
    assert [one.hazard for one in found] == list(HAZARDS)
    for one in found:
        assert one.because[0].isupper() or one.because.startswith("δ"), one
        assert one.because.endswith("."), one
        assert "inf" not in one.because, one
        assert "nan" not in one.because, one
    told = verdict(promise)
    assert told.count(". ") <= 2
    assert "safe" not in told
    assert len(set(questions_for_author(promise))) == len(questions_for_author(promise))


@given(st.sampled_from(sorted(STATED)), st.data())
def test_one_number_alone_claims_nothing_about_handling(name: str, data: st.DataObject) -> None:
    assert verdict(Promise()) == "The promise states nothing by which it could be judged."
    promise = replace(Promise(), **{name: data.draw(STATED[name])})
    judged = {one.hazard.key for one in promise.hazards() if one.standing not in SILENT}
    assert not judged & {"exact", "chosen", "bias", "groups", "channels", "checks"}
