"""How noise is added: one file per mechanism, one protocol."""

from dpengine.mechanisms.clamped_laplace import ClampedLaplaceMechanism
from dpengine.mechanisms.clamped_output import ClampedOutput
from dpengine.mechanisms.discrete_gaussian import DiscreteGaussianMechanism
from dpengine.mechanisms.discrete_laplace import DiscreteLaplaceMechanism
from dpengine.mechanisms.exponential import ExponentialMechanism
from dpengine.mechanisms.gaussian import GaussianMechanism
from dpengine.mechanisms.laplace import LaplaceMechanism
from dpengine.mechanisms.local_laplace import LocalLaplace
from dpengine.mechanisms.local_protocol import LocalMechanism, ShareMechanism
from dpengine.mechanisms.noisy_max import ReportNoisyMax
from dpengine.mechanisms.optimized_unary_encoding import OptimizedUnaryEncoding
from dpengine.mechanisms.permute_and_flip import PermuteAndFlip
from dpengine.mechanisms.protocol import AdditiveMechanism, CappedErrors, ContinuousMechanism, DiscreteMechanism
from dpengine.mechanisms.randomized_response import RandomizedResponse
from dpengine.mechanisms.released import ReleasedMechanism
from dpengine.mechanisms.selection import SelectionMechanism
from dpengine.mechanisms.staircase import StaircaseMechanism
from dpengine.mechanisms.truncated_laplace import TruncatedLaplaceMechanism
from dpengine.mechanisms.vectors import (
    expected_l1_error,
    expected_l2_error_bound,
    expected_squared_l2_error,
    interval,
)

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
