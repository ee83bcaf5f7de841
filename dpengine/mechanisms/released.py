"""The mechanisms that answer questions about real rows; the others are for comparison and lessons."""

from __future__ import annotations

from dpengine.mechanisms.discrete_gaussian import DiscreteGaussianMechanism
from dpengine.mechanisms.discrete_laplace import DiscreteLaplaceMechanism
from dpengine.mechanisms.exponential import ExponentialMechanism
from dpengine.mechanisms.noisy_max import ReportNoisyMax

ReleasedMechanism = DiscreteLaplaceMechanism | DiscreteGaussianMechanism | ExponentialMechanism | ReportNoisyMax
