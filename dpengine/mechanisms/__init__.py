"""How noise is added: one file per mechanism, one protocol."""

from dpengine.mechanisms.discrete_laplace import DiscreteLaplaceMechanism
from dpengine.mechanisms.exponential import ExponentialMechanism
from dpengine.mechanisms.gaussian import GaussianMechanism
from dpengine.mechanisms.laplace import LaplaceMechanism
from dpengine.mechanisms.local_laplace import LocalLaplace
from dpengine.mechanisms.local_protocol import LocalMechanism, ShareMechanism
from dpengine.mechanisms.noisy_max import ReportNoisyMax
from dpengine.mechanisms.optimized_unary_encoding import OptimizedUnaryEncoding
from dpengine.mechanisms.permute_and_flip import PermuteAndFlip
from dpengine.mechanisms.protocol import AdditiveMechanism, ContinuousMechanism, DiscreteMechanism
from dpengine.mechanisms.randomized_response import RandomizedResponse
from dpengine.mechanisms.selection import SelectionMechanism

__all__ = [
    "AdditiveMechanism",
    "ContinuousMechanism",
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
    "ReportNoisyMax",
    "SelectionMechanism",
    "ShareMechanism",
]
