"""What one run of an event reveals: privacy profiles and trade-off curves. Importing a law makes it known."""

from dpengine.losses import bounded_range, discrete_laplace, laplace, truncated_laplace, worst_case
from dpengine.losses.concentrated import concentrated_epsilon, rho_from_guarantee
from dpengine.losses.curves import delta_of, equal_error_rate, false_negative_rate
from dpengine.losses.discrete_gaussian import discrete_gaussian_epsilon, discrete_gaussian_log_delta
from dpengine.losses.discrete_gaussian_scale import discrete_gaussian_scale, least_scales
from dpengine.losses.distributions import LossDistribution, loss_distribution
from dpengine.losses.gaussian import gaussian_epsilon, gaussian_log_delta, gaussian_noise_multiplier
from dpengine.losses.renyi import renyi_divergence

__all__ = [
    "LossDistribution",
    "bounded_range",
    "concentrated_epsilon",
    "delta_of",
    "discrete_gaussian_epsilon",
    "discrete_gaussian_log_delta",
    "discrete_gaussian_scale",
    "discrete_laplace",
    "equal_error_rate",
    "false_negative_rate",
    "gaussian_epsilon",
    "gaussian_log_delta",
    "gaussian_noise_multiplier",
    "laplace",
    "least_scales",
    "loss_distribution",
    "renyi_divergence",
    "rho_from_guarantee",
    "truncated_laplace",
    "worst_case",
]
