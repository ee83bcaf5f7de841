"""The mechanisms that answer questions about real rows; the others are for comparison and lessons."""

from __future__ import annotations

from dpengine.mechanisms.additive.discrete_gaussian import DiscreteGaussianMechanism
from dpengine.mechanisms.additive.discrete_laplace import DiscreteLaplaceMechanism
from dpengine.mechanisms.selection.exponential import ExponentialMechanism
from dpengine.mechanisms.selection.noisy_max import ReportNoisyMax

ReleasedMechanism = DiscreteLaplaceMechanism | DiscreteGaussianMechanism | ExponentialMechanism | ReportNoisyMax
