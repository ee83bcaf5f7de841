"""Engine values as plain JSON and back: a closed list of frozen dataclasses, checked by field, never unpickled.

By hand, because each value refuses what makes no sense in its own words, and every older writing stays readable:
msgspec tells only classes of its own kind apart by a tag, and cattrs would need a hook for every line below.
"""

from __future__ import annotations

import warnings
from collections import ChainMap
from collections.abc import Mapping
from dataclasses import MISSING, Field, fields
from datetime import date
from enum import Enum
from typing import Any

from dpengine import data
from dpengine.errors import DPEngineError, ScenarioError, UnusedDeltaWarning, require_kinds
from dpengine.mechanisms.released import NOISES
from dpengine.plan import PlannedQuery
from dpengine.privacy import Guarantee, Neighbors
from dpengine.queries import KINDS
from dpengine.scenario.targets import PlanTargets

_OTHERS: Mapping[str, type[Any]] = {
    cls.__name__: cls
    for cls in (
        *(data.NumberColumn, data.CategoryColumn, data.BooleanColumn, data.DateColumn, data.TextColumn),
        *(data.Schema, data.PrivacyUnit),
        *(data.Labels, data.ColumnLabel, data.Phrase),
        *(data.Comparison, data.OneOf, data.Between, data.IsMissing, data.Not, data.And, data.Or),
        *(Guarantee, PlannedQuery, PlanTargets),
    )
}
CLASSES: Mapping[str, type[Any]] = ChainMap(KINDS, dict(_OTHERS))
_CAME_LATER = frozenset({"percent_for_sum"})
"""Fields of values that had been stored before: left out where they say nothing, so that no older text changes."""
LONGEST_TEXT = 1_000
DEEPEST = 2 * data.DEPTH + 10
"""A condition inside another is two levels down where a list stands between them; a plan and its question are above."""


def to_plain(value: Any, *, brief: bool = False) -> Any:
    """A value of the list, or a tuple, date, text or number, as JSON-ready data; `brief` leaves defaults out.

    So is a field that came later, always. A member of an enumeration that is a text or a number is written as that.
    """
    if type(value).__name__ in CLASSES:
        told = ((field, getattr(value, field.name)) for field in fields(value))
        kept = ((f, one) for f, one in told if one != _default(f) or not (brief or f.name in _CAME_LATER))
        plain = {f.name: to_plain(one, brief=brief) for f, one in kept}
        return {"is": type(value).__name__} | plain
    if isinstance(value, tuple):
        return [to_plain(item, brief=brief) for item in value]
    if isinstance(value, date):
        return {"is": "date", "iso": value.isoformat()}
    if isinstance(value, Neighbors):
        return {"is": "Neighbors", "name": value.value}
    return value.value if isinstance(value, Enum) else value


def _default(field: Field[Any]) -> Any:
    """What a field holds where nothing is said, MISSING where something must be."""
    return field.default if field.default_factory is MISSING else field.default_factory()


def require_texts(plain: Any, *, longest: float = LONGEST_TEXT) -> None:
    """Raise ScenarioError unless every text that comes from outside can be written, and is no book.

    JSON has halves of signs, which no page, file or ledger takes; what is stored once is shown for ever.
    """
    ahead = [plain]
    while ahead:
        one = ahead.pop()
        if isinstance(one, dict):
            ahead += [*one, *one.values()]
        elif isinstance(one, list):
            ahead += one
        elif isinstance(one, str) and len(one) > longest:
            raise ScenarioError(f"A text in it has {len(one):,} letters; at most {longest:,} are read.")
        elif isinstance(one, str) and any("\ud800" <= sign <= "\udfff" for sign in one):
            raise ScenarioError("A text in it has half a letter, which is no valid text.")


def from_plain(plain: Any, depth: int = 0) -> Any:
    """The value back; anything that is not of the list, or that the value itself refuses, raises ScenarioError."""
    if depth > DEEPEST:
        raise ScenarioError("This plan is nested too deeply to be read.")
    if isinstance(plain, list):
        return tuple(from_plain(item, depth + 1) for item in plain)
    if isinstance(plain, dict):
        return _value_from(plain, depth)
    return plain


def _value_from(plain: dict[str, Any], depth: int) -> Any:
    arguments = {name: from_plain(item, depth + 1) for name, item in plain.items() if name != "is"}
    try:
        builder = _BUILDERS[plain["is"]]
        require_kinds(builder, arguments)
        return _planned(arguments) if builder is PlannedQuery else builder(**arguments)
    except ScenarioError:
        raise
    except KeyError:
        raise ScenarioError(f"This plan holds something unknown: {str(plain.get('is'))[:40]!r}.") from None
    except (DPEngineError, TypeError, ValueError, AttributeError) as error:
        reason = str(error) if isinstance(error, DPEngineError) else "a field is missing or of the wrong kind."
        raise ScenarioError(f"This plan cannot be read: {reason}") from None


def _needs_delta(noise: object) -> bool:
    return noise in NOISES and NOISES[str(noise)].needs_delta


def _planned(stored: Mapping[str, Any]) -> PlannedQuery:
    """A stored question warns of no unused delta: whoever planned it was warned."""
    guarantee = stored.get("guarantee")
    if not isinstance(guarantee, Guarantee) or not guarantee.delta or _needs_delta(stored.get("mechanism")):
        return PlannedQuery(**stored)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", UnusedDeltaWarning)
        return PlannedQuery(**stored)


def _date(*, iso: str) -> date:
    return date.fromisoformat(iso)


def _neighbors(*, name: str) -> Neighbors:
    return Neighbors(name)


_BUILDERS: Mapping[str, Any] = ChainMap({"date": _date, "Neighbors": _neighbors}, dict(_OTHERS), KINDS)
