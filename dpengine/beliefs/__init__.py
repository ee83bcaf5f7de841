"""What an attacker learns: bounds on beliefs, the weight of one answer, the odds of a guess."""

from dpengine.beliefs.evidence import (
    discrete_laplace_log_likelihood_ratio,
    gaussian_log_likelihood_ratio,
    laplace_log_likelihood_ratio,
)
from dpengine.beliefs.meaning import EpsilonMeaning
from dpengine.beliefs.odds import Odds, advantage, advantage_of, odds_of, odds_out_of_100
from dpengine.beliefs.posterior import (
    best_success,
    highest_world_posterior,
    likely_posterior_bounds,
    posterior,
    posterior_bounds,
    posterior_exceedance,
)

__all__ = [
    "EpsilonMeaning",
    "Odds",
    "advantage",
    "advantage_of",
    "best_success",
    "discrete_laplace_log_likelihood_ratio",
    "gaussian_log_likelihood_ratio",
    "highest_world_posterior",
    "laplace_log_likelihood_ratio",
    "likely_posterior_bounds",
    "odds_of",
    "odds_out_of_100",
    "posterior",
    "posterior_bounds",
    "posterior_exceedance",
]
