"""The error of one count: which noise, how far one unit moves it, and a reason wherever nothing can be told."""

from __future__ import annotations

import math
from typing import Any

import pytest

from dpengine.errors import InvalidParameterError, UnsupportedEventError
from dpengine.privacy import DiscreteLaplaceEvent
from dpengine.promises import NOT_LOOKED_UP, Promise
from dpengine.promises.count_errors import BETWEEN, CountError, _noises, count_error
from tests.running.cases import each

PERSON: dict[str, Any] = {"unit": "person", "people": 1_000}


def _error(counted: str = "people", count: float = 100, people: int | None = None, **fields: Any) -> CountError:
    return count_error(Promise(**fields), count=count, people=people, counted=counted)


@each(
    ("fields", "counted", "moved"),
    [
        ({"unit": "person"}, "people", 1),
        ({"unit": "device-day"}, "people", 1),
        ({"unit": "person", "contribution": 5}, "people", 1),
        ({"unit": "person", "contribution": 5}, "events", 5),
        ({"unit": "event", "contribution": 5}, "events", 1),
        ({"unit": "household", "contribution": 6}, "people", 6),
    ],
)
def test_how_far_one_unit_moves_a_count(fields: dict[str, Any], counted: str, moved: int) -> None:
    found = _error(counted, epsilon=1.0, delta=0.0, people=1_000, **fields)
    assert found.sensitivity == moved
    assert found.central == {1: 3.0, 5: 15.0, 6: 18.0}[moved]


@each(
    ("fields", "counted", "reason"),
    [
        ({"unit": "person"}, "events", "How many events a person may count for was not said."),
        ({"unit": "person", "contribution": NOT_LOOKED_UP}, "events", "was not looked up."),
        ({"unit": "person", "contribution": math.inf}, "events", "Nothing limits how many events"),
        ({"unit": "household"}, "people", "How many people a household may count for was not said."),
        ({"unit": NOT_LOOKED_UP}, "people", "Whom the promise protects was not looked up"),
        ({"unit": "person", "noise": "gaussian"}, "people", "Gaussian noise needs a δ above 0"),
        ({"unit": "person", "epsilon": 1e-310}, "people", "so small that no count would be readable"),
    ],
)
def test_a_curators_error_is_never_made_up(fields: dict[str, Any], counted: str, reason: str) -> None:
    found = _error(counted, **{"epsilon": 1.0, "people": 1_000, **fields})
    assert found.central is found.by_curator.standard_deviation is None
    assert reason in found.by_curator.because


def test_without_a_size_neither_is_told() -> None:
    found = _error(**PERSON)
    assert (found.central, found.local) == (None, None)
    assert found.by_curator.because == found.by_everybody.because == "Neither ε nor ρ nor the noise is stated."


def test_local_noise_needs_people_who_answer_yes_or_no() -> None:
    nobody = _error(epsilon=1.0, unit="person")
    assert nobody.local is None
    assert "How many people report" in nobody.by_everybody.because
    events = _error("events", epsilon=1.0, contribution=5, **PERSON)
    assert events.local is None
    assert "not events" in events.by_everybody.because
    assert _error(epsilon=1e-200, **PERSON).local is None


def test_stated_people_are_taken_unless_others_are_named() -> None:
    promise: dict[str, Any] = {"epsilon": 1.0, **PERSON}
    assert _error(**promise).local == _error(epsilon=1.0, unit="person", people=1_000).local
    fewer = count_error(Promise(**promise), count=10, people=100)
    assert fewer.local is not None
    assert fewer.local < (_error(**promise).local or 0.0)


def test_its_own_noise_is_named_and_another_only_with_the_reason() -> None:
    own = _error(noise="laplace", noise_multiplier=2.0, **PERSON)
    assert "By the noise that is stated." in own.by_curator.because
    assert "Laplace noise in place of its own, which is not said" in _error(epsilon=1.0, **PERSON).by_curator.because
    assert "of another kind" in _error(epsilon=1.0, noise="another", **PERSON).by_curator.because


def test_the_smaller_of_two_noises_is_taken_but_a_stated_one_stays() -> None:
    some: dict[str, Any] = {"epsilon": 0.5, "delta": 0.05, **PERSON}
    assert _error(**some).central == 4.0
    assert _error(**some, noise="laplace").central == 6.0


def test_between_them_stands_no_figure() -> None:
    assert _error(epsilon=1.0, model="shuffled", **PERSON).between == BETWEEN
    assert not _error(epsilon=1.0, model="central", **PERSON).between


@each(
    ("count", "people", "name"), [(101, 100, "count"), (-1, 100, "count"), (math.nan, 100, "count"), (0, 0, "people")]
)
def test_nonsense_is_refused_in_a_sentence(count: float, people: int, name: str) -> None:
    with pytest.raises(InvalidParameterError, match=f"^{name} must be"):
        count_error(Promise(epsilon=1.0, unit="person"), count=count, people=people)


def test_an_event_that_no_promise_has_is_no_silent_default() -> None:
    with pytest.raises(UnsupportedEventError):
        _noises(DiscreteLaplaceEvent(noise_multiplier=1.0, sensitivity=1), 1)
