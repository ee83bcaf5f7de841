"""How noise is added: one file per mechanism, one protocol."""

from dpengine.mechanisms.discrete_laplace import DiscreteLaplaceMechanism
from dpengine.mechanisms.gaussian import GaussianMechanism
from dpengine.mechanisms.laplace import LaplaceMechanism
from dpengine.mechanisms.protocol import AdditiveMechanism, ContinuousMechanism, DiscreteMechanism

__all__ = [
    "AdditiveMechanism",
    "ContinuousMechanism",
    "DiscreteLaplaceMechanism",
    "DiscreteMechanism",
    "GaussianMechanism",
    "LaplaceMechanism",
]
