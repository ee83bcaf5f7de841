"""The noise of releases: exact discrete sampling by opendp, from the operating system's randomness.

There is no generator and no seed to pass: noise that can be repeated protects nobody. Results saturate at the
ends of the 64-bit integers (-2^63 and 2^63 - 1): clamping a noisy answer costs no privacy, but such an answer is
useless, so callers keep |answer| and scale far below 2^63.
Source: Canonne, Kamath, Steinke 2020, section 5; opendp 0.16, make_laplace on integers.
"""

from __future__ import annotations

from functools import singledispatch
from typing import Any

import numpy as np
import numpy.typing as npt
import opendp.prelude as dp

from dpengine.errors import InvalidParameterError
from dpengine.mechanisms.discrete_laplace import DiscreteLaplaceMechanism

dp.enable_features("contrib")

Integers = npt.NDArray[np.int64]


def draw(mechanism: object, integers: npt.ArrayLike) -> Integers:
    """The integers with fresh exact noise on each; any shape, in grid steps.

    Raises InvalidParameterError for anything but 64-bit integers, and for a mechanism that has no exact noise.
    """
    exact = _as_int64(integers)
    noisy = _measurement(mechanism)(exact.ravel().tolist()) if exact.size else []
    return np.array(noisy, dtype=np.int64).reshape(exact.shape)


@singledispatch
def privacy_map(mechanism: object) -> float:
    """What opendp itself says that one run costs at the mechanism's sensitivity; rounded up by opendp."""
    raise _no_exact_noise(mechanism)


@privacy_map.register
def _privacy_map(mechanism: DiscreteLaplaceMechanism) -> float:
    return float(_measurement(mechanism).map(int(mechanism.l1_sensitivity)))


@singledispatch
def _measurement(mechanism: object) -> Any:
    raise _no_exact_noise(mechanism)


@_measurement.register
def _discrete_laplace(mechanism: DiscreteLaplaceMechanism) -> Any:
    space = dp.vector_domain(dp.atom_domain(T="i64")), dp.l1_distance(T="i64")
    return dp.m.make_laplace(*space, scale=float(mechanism.scale))


def _as_int64(integers: npt.ArrayLike) -> Integers:
    """Refuses fractions, floats and what does not fit, instead of rounding or wrapping silently."""
    exact = np.asarray(integers)
    wide = exact.dtype == np.uint64 and exact.size > 0 and int(exact.max()) > np.iinfo(np.int64).max
    if exact.size and (exact.dtype.kind not in "iu" or wide):
        raise InvalidParameterError("integers", integers, "whole numbers that fit in 64 bits")
    return exact.astype(np.int64)


def _no_exact_noise(mechanism: object) -> InvalidParameterError:
    return InvalidParameterError("mechanism", mechanism, "one with exact noise on a grid, such as discrete Laplace")
