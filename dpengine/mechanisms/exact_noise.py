"""The noise of releases: exact discrete sampling by opendp, from the operating system's randomness.

There is no generator and no seed to pass: noise that can be repeated protects nobody. Results saturate at the
ends of the 64-bit integers (-2^63 and 2^63 - 1): clamping a noisy answer costs no privacy, but such an answer is
useless, so callers keep |answer| and scale far below 2^63.
Source: Canonne, Kamath, Steinke 2020, section 5; opendp 0.16, make_laplace on integers, make_noisy_max.
"""

from __future__ import annotations

import math
from fractions import Fraction
from functools import singledispatch
from typing import Any

import numpy as np
import numpy.typing as npt
import opendp.prelude as dp

from dpengine.errors import InvalidParameterError, require_whole
from dpengine.mechanisms.kinds import SelectionKind
from dpengine.mechanisms.released import kind_of, noise_kind
from dpengine.mechanisms.selection.exponential import ExponentialMechanism
from dpengine.mechanisms.selection.noisy_max import ReportNoisyMax
from dpengine.mechanisms.selection.permute_and_flip import PermuteAndFlip
from dpengine.mechanisms.selection.selection_protocol import SelectionMechanism
from dpengine.privacy import exact_decimal

dp.enable_features("contrib")

Integers = npt.NDArray[np.int64]
_LARGEST_NOISE = 2**62


def draw(mechanism: object, integers: npt.ArrayLike) -> Integers:
    """The integers with fresh exact noise on each; any shape, in grid steps.

    Raises InvalidParameterError for anything but 64-bit integers, and for a mechanism that has no exact noise.
    """
    exact = _as_int64(integers)
    noisy = _measurement(mechanism)(exact.ravel().tolist()) if exact.size else []
    return np.array(noisy, dtype=np.int64).reshape(exact.shape)


def choose(mechanism: SelectionMechanism, scores: npt.ArrayLike) -> int:
    """The index of one candidate, by fresh exact noise on whole scores of shape (candidates,); never the noisy score.

    Raises InvalidParameterError for anything but 64-bit integers, a score sensitivity that is not whole, and for a
    mechanism without exact noise, such as the largest of scores with Laplace noise.
    """
    exact = _as_int64(scores, "scores")
    if exact.ndim != 1 or exact.size == 0:
        raise InvalidParameterError("scores", scores, "a list of at least one whole number")
    return int(_selection(mechanism)(exact.tolist()))


def answer(mechanism: object, exact: npt.ArrayLike) -> list[int]:
    """What is released: the integers with fresh noise, or the index of the candidate chosen by its score."""
    if kind_of(mechanism).chooses:
        return [choose(mechanism, exact)]  # type: ignore[arg-type]
    return [int(noisy) for noisy in draw(mechanism, exact)]


def drawable(mechanism: object) -> bool:
    """Whether noise stays inside 64 bits, beyond which it comes back as the largest number there is; a choice does."""
    kind = kind_of(mechanism)
    if isinstance(kind, SelectionKind):
        return True
    return max(kind.moved(mechanism), kind.scale(mechanism) * kind.farthest) <= _LARGEST_NOISE


def privacy_map(mechanism: object) -> float:
    """What opendp itself says that one run costs at the mechanism's sensitivity, in epsilon or rho, rounded up by it.

    In rho for Gaussian noise and the exponential mechanism, as their records say.
    """
    if isinstance(mechanism, ExponentialMechanism | PermuteAndFlip | ReportNoisyMax):
        return float(_selection(mechanism).map(int(mechanism.score_sensitivity)))
    measurement = _measurement(mechanism)
    return float(measurement.map(kind_of(mechanism).moved(mechanism)))


def _measurement(mechanism: object) -> Any:
    """opendp's sampler, as the record of the noise names it."""
    try:
        kind = noise_kind(mechanism)
    except InvalidParameterError:
        raise _no_exact_noise(mechanism) from None
    numbers = dp.vector_domain(dp.atom_domain(T="i64"))
    if kind.drawn == "laplace":
        return dp.m.make_laplace(numbers, dp.l1_distance(T="i64"), scale=float(kind.scale(mechanism)))
    return dp.m.make_gaussian(numbers, dp.l2_distance(T="f64"), scale=float(kind.scale(mechanism)))


def _selection(mechanism: SelectionMechanism) -> Any:
    """opendp's noisy maximum: its noise is Gumbel's where it measures rho, exponential where it measures epsilon."""
    measure = _measure(mechanism)
    require_whole("score_sensitivity", mechanism.score_sensitivity)  # type: ignore[arg-type]
    space = dp.vector_domain(dp.atom_domain(T="i64")), dp.linf_distance(T="i64", monotonic=bool(mechanism.monotone))
    return dp.m.make_noisy_max(*space, measure, scale=_scale_of_choice(mechanism))


@singledispatch
def _measure(mechanism: object) -> Any:
    raise _no_exact_noise(mechanism)


@_measure.register
def _exponential(mechanism: ExponentialMechanism) -> Any:
    return dp.zero_concentrated_divergence()


@_measure.register
def _permute_and_flip(mechanism: PermuteAndFlip) -> Any:
    return dp.max_divergence()


@_measure.register
def _noisy_max(mechanism: ReportNoisyMax) -> Any:
    if mechanism.noise != "exponential":
        raise InvalidParameterError("noise", mechanism.noise, "'exponential' for a release: no other is drawn exactly")
    return dp.max_divergence()


def _scale_of_choice(mechanism: SelectionMechanism) -> float:
    """The least scale of this machine whose exact epsilon is at most the one written down."""
    steps = (1 if mechanism.monotone else 2) * int(mechanism.score_sensitivity)
    wanted = exact_decimal(mechanism.epsilon)
    scale = float(steps / wanted)
    while steps / Fraction(scale) > wanted:
        scale = math.nextafter(scale, math.inf)
    return scale


def _as_int64(integers: npt.ArrayLike, name: str = "integers") -> Integers:
    """Refuses fractions, floats and what does not fit, instead of rounding or wrapping silently."""
    exact = np.asarray(integers)
    wide = exact.dtype == np.uint64 and exact.size > 0 and int(exact.max()) > np.iinfo(np.int64).max
    if exact.size and (exact.dtype.kind not in "iu" or wide):
        raise InvalidParameterError(name, integers, "whole numbers that fit in 64 bits")
    return exact.astype(np.int64)


def _no_exact_noise(mechanism: object) -> InvalidParameterError:
    return InvalidParameterError(
        "mechanism", mechanism, "one with exact noise on a grid, such as discrete Laplace or discrete Gaussian"
    )
