"""The kinds of noise side by side: each one's mechanism for the same promise, or for the same typical error."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass

from dpengine.errors import InvalidParameterError, require_between
from dpengine.mechanisms.additive.discrete_gaussian import DiscreteGaussianMechanism
from dpengine.mechanisms.additive.discrete_laplace import DiscreteLaplaceMechanism
from dpengine.mechanisms.additive.gaussian import GaussianMechanism
from dpengine.mechanisms.additive.laplace import LaplaceMechanism
from dpengine.mechanisms.additive.protocol import ContinuousMechanism, DiscreteMechanism
from dpengine.mechanisms.additive.staircase import StaircaseMechanism
from dpengine.mechanisms.additive.truncated_laplace import TruncatedLaplaceMechanism
from dpengine.privacy import Guarantee, require_guarantee

Noise = ContinuousMechanism | DiscreteMechanism
LEAST_ERROR, LARGEST_ERROR = 1.0, 1e6


@dataclass(frozen=True, slots=True, kw_only=True)
class NoiseFamily:
    """One kind of noise for an answer that one person moves by at most 1.

    `pure` says that it keeps an epsilon without any delta; `whole` that it only ever adds whole numbers, as releases
    do. `promised` builds it for a guarantee; `within` for an error, at a confidence, with a delta if it needs one.
    """

    pure: bool
    whole: bool
    promised: Callable[[Guarantee], Noise]
    within: Callable[[float, float, float], Noise]


def with_guarantee(name: str, guarantee: Guarantee) -> Noise:
    """The least noise of this family that keeps the guarantee; pure noise leaves its delta unused.

    Raises InvalidParameterError for an unknown name, and for delta 0 where the noise keeps no epsilon alone.
    """
    family = _family(name)
    require_guarantee("guarantee", guarantee)
    if guarantee.delta == 0.0 and not family.pure:
        raise InvalidParameterError("delta", 0.0, f"above 0 for {name} noise, which satisfies no epsilon alone")
    return family.promised(guarantee)


def with_error(name: str, error: float, *, confidence: float, delta: float) -> Noise:
    """The most private noise of this family whose error is within `error` with this confidence.

    Raises InvalidParameterError for an unknown name, and where no noise of the family fits.
    """
    return _family(name).within(error, confidence, delta)


def _discrete_gaussian_within(error: float, confidence: float) -> DiscreteGaussianMechanism:
    require_between("error", error, LEAST_ERROR, LARGEST_ERROR)
    return DiscreteGaussianMechanism.from_error(error, confidence=confidence)


def _staircase_within(error: float, confidence: float) -> StaircaseMechanism:
    require_between("error", error, LEAST_ERROR, LARGEST_ERROR)
    return StaircaseMechanism.from_error(error, confidence=confidence)


def _family(name: str) -> NoiseFamily:
    if name not in FAMILIES:
        raise InvalidParameterError("name", name, "one of " + ", ".join(FAMILIES))
    return FAMILIES[name]


FAMILIES: Mapping[str, NoiseFamily] = {
    "Laplace": NoiseFamily(
        pure=True,
        whole=False,
        promised=lambda guarantee: LaplaceMechanism.from_epsilon(guarantee.epsilon),
        within=lambda error, confidence, delta: LaplaceMechanism.from_error(
            error, confidence=confidence, l1_sensitivity=1.0
        ),
    ),
    "Staircase": NoiseFamily(
        pure=True,
        whole=False,
        promised=lambda guarantee: StaircaseMechanism(epsilon=guarantee.epsilon, l1_sensitivity=1.0),
        within=lambda error, confidence, delta: _staircase_within(error, confidence),
    ),
    "Discrete Laplace": NoiseFamily(
        pure=True,
        whole=True,
        promised=lambda guarantee: DiscreteLaplaceMechanism.from_epsilon(guarantee.epsilon, l1_sensitivity=1),
        within=lambda error, confidence, delta: DiscreteLaplaceMechanism.from_error(error, confidence=confidence),
    ),
    "Gaussian": NoiseFamily(
        pure=False,
        whole=False,
        promised=GaussianMechanism.from_guarantee,
        within=lambda error, confidence, delta: GaussianMechanism.from_error(error, confidence=confidence),
    ),
    "Discrete Gaussian": NoiseFamily(
        pure=False,
        whole=True,
        promised=lambda guarantee: DiscreteGaussianMechanism.from_guarantee(guarantee, l2_sensitivity=1),
        within=lambda error, confidence, delta: _discrete_gaussian_within(error, confidence),
    ),
    "Truncated Laplace": NoiseFamily(
        pure=False,
        whole=False,
        promised=TruncatedLaplaceMechanism.from_guarantee,
        within=lambda error, confidence, delta: TruncatedLaplaceMechanism.from_error(
            error, confidence=confidence, delta=delta
        ),
    ),
}
