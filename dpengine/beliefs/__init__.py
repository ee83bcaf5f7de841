"""What an attacker learns: bounds on beliefs, the weight of one answer, the odds of a guess."""

from dpengine.beliefs.attacker import best_success, receiver_operating_curve, true_positive_rate
from dpengine.beliefs.chances import chance_bounds, chance_bounds_of
from dpengine.beliefs.evidence import (
    discrete_gaussian_log_likelihood_ratio,
    discrete_laplace_log_likelihood_ratio,
    gaussian_log_likelihood_ratio,
    laplace_log_likelihood_ratio,
)
from dpengine.beliefs.hiding import hiding_in_words
from dpengine.beliefs.meaning import EpsilonMeaning
from dpengine.beliefs.odds import Odds, advantage, advantage_of, odds_of, odds_out_of_100
from dpengine.beliefs.posterior import (
    likely_posterior_bounds,
    posterior,
    posterior_bounds,
    posterior_exceedance,
)
from dpengine.beliefs.posterior_law import BeliefDistribution, PosteriorLaw, posterior_law
from dpengine.beliefs.worlds import highest_world_posterior, world_posterior_bounds

__all__ = [
    "BeliefDistribution",
    "EpsilonMeaning",
    "Odds",
    "PosteriorLaw",
    "advantage",
    "advantage_of",
    "best_success",
    "chance_bounds",
    "chance_bounds_of",
    "discrete_gaussian_log_likelihood_ratio",
    "discrete_laplace_log_likelihood_ratio",
    "gaussian_log_likelihood_ratio",
    "hiding_in_words",
    "highest_world_posterior",
    "laplace_log_likelihood_ratio",
    "likely_posterior_bounds",
    "odds_of",
    "odds_out_of_100",
    "posterior",
    "posterior_bounds",
    "posterior_exceedance",
    "posterior_law",
    "receiver_operating_curve",
    "true_positive_rate",
    "world_posterior_bounds",
]
