"""One number or many: checked on the way in, the same kind on the way out."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from typing import Any, TypeVar, cast

import numpy as np
import numpy.typing as npt

from dpengine.errors import InvalidParameterError

Array = npt.NDArray[np.float64]
Flags = npt.NDArray[np.bool_]
Numbers = TypeVar("Numbers", float, Array)

_LN_HALF = -float(np.log(2.0))
_RAISED = 1.0 + 8.0 * float(np.finfo(np.float64).eps)
_LEAST = math.ulp(0.0)


def numbers(
    name: str, values: npt.ArrayLike, lower: float = -np.inf, upper: float = np.inf, *, infinite: bool = False
) -> Array:
    """The values as floats; refuses by name whatever is not a finite number in [lower, upper], or an infinite one."""
    kind = "a number" if infinite else "a finite number"
    rule = kind if np.isinf(lower) and np.isinf(upper) else f"{kind} in [{lower:g}, {upper:g}]"
    raw = np.asarray(values)
    if _has_yes_or_no(raw):
        raise InvalidParameterError(name, values, f"{rule}, not True or False")
    if raw.dtype.kind not in "iufO":
        raise InvalidParameterError(name, values, rule)
    try:
        floats = raw.astype(np.float64)
    except (TypeError, ValueError, OverflowError) as error:
        raise InvalidParameterError(name, values, rule) from error
    allowed = ~np.isnan(floats) if infinite else np.isfinite(floats)
    if not np.all(allowed & (floats >= lower) & (floats <= upper)):
        raise InvalidParameterError(name, values, rule)
    return floats


def whole_numbers(name: str, values: npt.ArrayLike, *, least: int) -> Array:
    """The values as floats; refuses by name whatever is not a whole number of at least `least`."""
    floats = numbers(name, values)
    if not np.all((floats >= least) & (floats == np.floor(floats))):
        raise InvalidParameterError(name, values, f"a whole number of at least {least}")
    return floats


def by_case(arrays: Sequence[Array], *cases: tuple[Flags, Callable[..., Array]]) -> Array:
    """What each rule gives where its flags stand, of arrays of one shape; a rule that stands everywhere sees the shape.

    The flags of the cases exclude each other, and one of them stands at every place.
    """
    found = np.empty(arrays[0].shape)
    for where, rule in cases:
        if found.ndim and found.size and np.all(where):
            return rule(*arrays)
        if np.any(where):
            found[where] = rule(*(array[where] for array in arrays))
    return found


def below_top(top: float, epsilon: Array) -> Array:
    """How far epsilon is below the largest loss, never less than it is: the last digit of both is the private one.

    0 from the largest loss on.
    """
    left = top - epsilon
    return np.where(left > 0.0, left + math.ulp(top), 0.0)


def raised(delta: npt.ArrayLike) -> Array:
    """A chance that a few operations have rounded, as it is at most."""
    return np.minimum(np.multiply(delta, _RAISED), 1.0)


def exponential_up(log_delta: Array) -> Array:
    """A chance by an upper bound on its logarithm, which covers a last digit of the result: above 0, at most 1."""
    return np.minimum(np.exp(np.minimum(log_delta, 0.0)) + _LEAST, 1.0)


def like(original: Numbers, result: npt.ArrayLike) -> Numbers:
    """A float where the argument was a single number, an array where it was an array."""
    return cast(Numbers, plain(np.broadcast_to(np.asarray(result, dtype=np.float64), np.shape(original)).copy()))


def plain(result: Array) -> float | Array:
    """A float where there is a single number, an array otherwise: for functions of several arguments."""
    return float(result) if np.ndim(result) == 0 else result


def _has_yes_or_no(raw: npt.NDArray[Any]) -> bool:
    if raw.dtype.kind == "O":
        return any(isinstance(value, bool | np.bool_) for value in raw.ravel())
    return raw.dtype.kind == "b"


def log_complement(log_probability: npt.ArrayLike) -> Array:
    """ln(1 - p) from ln p, without loss at either end; -inf for p = 1. Source: Mächler 2012, equation 7."""
    x = np.minimum(np.asarray(log_probability, dtype=np.float64), 0.0)
    with np.errstate(divide="ignore"):
        return np.asarray(np.where(x > _LN_HALF, np.log(-np.expm1(x)), np.log1p(-np.exp(x))))
