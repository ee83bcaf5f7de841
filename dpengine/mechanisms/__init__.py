"""How noise is added: one file per mechanism, one protocol."""

from dpengine.mechanisms.additive.clamped_laplace import ClampedLaplaceMechanism
from dpengine.mechanisms.additive.clamped_output import ClampedOutput
from dpengine.mechanisms.additive.discrete_gaussian import DiscreteGaussianMechanism
from dpengine.mechanisms.additive.discrete_laplace import DiscreteLaplaceMechanism
from dpengine.mechanisms.additive.gaussian import GaussianMechanism
from dpengine.mechanisms.additive.laplace import LaplaceMechanism
from dpengine.mechanisms.additive.protocol import (
    AdditiveMechanism,
    CappedErrors,
    ContinuousMechanism,
    DiscreteMechanism,
)
from dpengine.mechanisms.additive.staircase import StaircaseMechanism
from dpengine.mechanisms.additive.truncated_laplace import TruncatedLaplaceMechanism
from dpengine.mechanisms.additive.vectors import (
    expected_l1_error,
    expected_l2_error_bound,
    expected_squared_l2_error,
    interval,
)
from dpengine.mechanisms.local.local_laplace import LocalLaplace
from dpengine.mechanisms.local.local_protocol import LocalMechanism, ShareMechanism
from dpengine.mechanisms.local.optimized_unary_encoding import OptimizedUnaryEncoding
from dpengine.mechanisms.local.randomized_response import RandomizedResponse
from dpengine.mechanisms.released import ReleasedMechanism
from dpengine.mechanisms.selection.exponential import ExponentialMechanism
from dpengine.mechanisms.selection.noisy_max import ReportNoisyMax
from dpengine.mechanisms.selection.permute_and_flip import PermuteAndFlip
from dpengine.mechanisms.selection.selection_protocol import SelectionMechanism

__all__ = [
    "AdditiveMechanism",
    "CappedErrors",
    "ClampedLaplaceMechanism",
    "ClampedOutput",
    "ContinuousMechanism",
    "DiscreteGaussianMechanism",
    "DiscreteLaplaceMechanism",
    "DiscreteMechanism",
    "ExponentialMechanism",
    "GaussianMechanism",
    "LaplaceMechanism",
    "LocalLaplace",
    "LocalMechanism",
    "OptimizedUnaryEncoding",
    "PermuteAndFlip",
    "RandomizedResponse",
    "ReleasedMechanism",
    "ReportNoisyMax",
    "SelectionMechanism",
    "ShareMechanism",
    "StaircaseMechanism",
    "TruncatedLaplaceMechanism",
    "expected_l1_error",
    "expected_l2_error_bound",
    "expected_squared_l2_error",
    "interval",
]
