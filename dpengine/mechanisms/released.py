"""The laws that answer questions about real rows, each by its record; others are for comparison and lessons."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from dpengine.errors import InvalidParameterError
from dpengine.mechanisms.additive.discrete_gaussian import GAUSSIAN, DiscreteGaussianMechanism
from dpengine.mechanisms.additive.discrete_laplace import LAPLACE, DiscreteLaplaceMechanism
from dpengine.mechanisms.kinds import NoiseKind, SelectionKind
from dpengine.mechanisms.selection.exponential import EXPONENTIAL, ExponentialMechanism
from dpengine.mechanisms.selection.noisy_max import NOISY_MAX, ReportNoisyMax

ReleasedMechanism = DiscreteLaplaceMechanism | DiscreteGaussianMechanism | ExponentialMechanism | ReportNoisyMax

PURE_NOISE = LAPLACE
"""The noise of a plan that names none, and in the place of noise whose delta nobody wants."""
NOISES: Mapping[str, NoiseKind[Any]] = {one.name: one for one in (LAPLACE, GAUSSIAN)}
SELECTIONS: Mapping[str, SelectionKind[Any]] = {one.name: one for one in (EXPONENTIAL, NOISY_MAX)}


def noise_kind(mechanism: object) -> NoiseKind[Any]:
    """The record of a noise; raises InvalidParameterError for whatever adds none to numbers of real rows."""
    for kind in NOISES.values():
        if type(mechanism) is kind.mechanism:
            return kind
    raise InvalidParameterError("mechanism", mechanism, "one that adds noise to numbers of real rows")


def kind_of(mechanism: object) -> NoiseKind[Any] | SelectionKind[Any]:
    """The record of a mechanism; raises InvalidParameterError for one that answers no question about real rows."""
    kinds: tuple[NoiseKind[Any] | SelectionKind[Any], ...] = (*NOISES.values(), *SELECTIONS.values())
    for kind in kinds:
        if type(mechanism) is kind.mechanism:
            return kind
    raise InvalidParameterError("mechanism", mechanism, "one that answers questions about real rows")
