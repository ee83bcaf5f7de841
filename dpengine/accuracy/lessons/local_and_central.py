"""A share of yes answers, asked with randomized response or counted by a trusted curator: error and people needed."""

from __future__ import annotations

import math

import numpy as np
import numpy.typing as npt
import scipy

from dpengine.errors import require_between, require_finite, require_positive, require_whole
from dpengine.losses.arrays import Array, whole_numbers
from dpengine.mechanisms import DiscreteLaplaceMechanism, LocalLaplace, OptimizedUnaryEncoding, RandomizedResponse

MOST_PEOPLE, LARGEST_EPSILON = 10**12, 700.0


def local_standard_error(people: npt.ArrayLike, *, epsilon: float) -> Array:
    """Of the share estimated from randomized response, by the coins alone: falls like 1 / sqrt(people).

    For epsilon up to 700. The same for every true share. Source: Warner 1965; Wang, Blocki, Li, Jha 2017, section 4.1.
    """
    counts = whole_numbers("people", people, least=1)
    require_between("epsilon", epsilon, 0.0, LARGEST_EPSILON, open_at="lower")
    return np.asarray(np.sqrt(RandomizedResponse.from_epsilon(epsilon).variance(0.5, 1) / counts))


def central_standard_error(people: npt.ArrayLike, *, epsilon: float) -> Array:
    """Of the share where a trusted curator adds discrete Laplace noise to the count: falls like 1 / people.

    The number of people is public and one person's answer may be replaced, as in the local model: sensitivity 1.
    For epsilon up to 700.
    """
    counts = whole_numbers("people", people, least=1)
    require_between("epsilon", epsilon, 0.0, LARGEST_EPSILON, open_at="lower")
    return np.asarray(DiscreteLaplaceMechanism.from_epsilon(epsilon, l1_sensitivity=1).standard_deviation / counts)


def sampling_standard_error(people: npt.ArrayLike, *, share: float) -> Array:
    """Of the share among people drawn at random, before any noise: sqrt(share (1 - share) / people)."""
    require_between("share", share, 0.0, 1.0)
    return np.asarray(np.sqrt(share * (1.0 - share) / whole_numbers("people", people, least=1)))


def people_for_local(people: int, *, epsilon: float, share: float | None = None) -> int:
    """How many people randomized response needs to err no more than a curator with so many; never below the truth.

    By the noise alone if no share is named; with a share, the chance of who is asked counts on both sides.
    """
    require_whole("people", people)
    require_between("people", people, 1, MOST_PEOPLE)
    of_sampling = 0.0 if share is None else float(sampling_standard_error(1, share=share)) ** 2
    of_curator = float(central_standard_error(people, epsilon=epsilon)) ** 2 + of_sampling / people
    of_one = float(local_standard_error(1, epsilon=epsilon)) ** 2 + of_sampling
    require_finite("people needed", of_one / of_curator if of_curator > 0.0 else math.inf)
    return max(1, math.ceil(of_one / of_curator * (1.0 + 1e-12)))


def times_as_many(people: int, *, epsilon: float, share: float | None = None) -> float:
    """people_for_local as a multiple of `people`."""
    return people_for_local(people, epsilon=epsilon, share=share) / people


def laplace_standard_errors(people: npt.ArrayLike, *, epsilon: float, width: float = 1.0) -> tuple[Array, Array]:
    """Of the mean where everybody adds Laplace noise to the own value, and where a curator adds it once to their sum.

    sqrt(2 / people) width / epsilon, and the same over the square root of people. Values lie in a public range of this
    width (0 and 1, of which the mean is a share, by default) and may be replaced. Shape of `people`.
    Source: Dwork, McSherry, Nissim, Smith 2006.
    """
    counts = whole_numbers("people", people, least=1)
    of_one = math.sqrt(LocalLaplace(epsilon=epsilon, lower=0.0, upper=width).variance(1))
    return np.asarray(of_one / np.sqrt(counts)), np.asarray(of_one / counts)


def laplace_over_response(*, epsilon: float) -> float:
    """Everybody's Laplace noise on a yes or no errs so many times as much as randomized response, with any people.

    2 sqrt(2) sinh(epsilon / 2) / epsilon: above sqrt(2), which it nears at small epsilons. For epsilon up to 700.
    Source: Warner 1965; Dwork, McSherry, Nissim, Smith 2006.
    """
    require_between("epsilon", epsilon, 0.0, LARGEST_EPSILON, open_at="lower")
    return 2.0 * math.sqrt(2.0) * math.sinh(epsilon / 2.0) / epsilon


def rounded_standard_error(people: npt.ArrayLike, *, epsilon: float, width: float) -> Array:
    """Of the mean of values that a coin rounds to an end of their range, sent by randomized response: at most.

    width / (2 tanh(epsilon / 2) sqrt(people)), which values in the middle of the range reach. The nearer a value is to
    an end the more often it becomes that end, so the mean has no bias. Shape of `people`.
    Source: Duchi, Jordan, Wainwright 2018 (one dimension).
    """
    require_positive("width", width)
    of_one = math.sqrt(RandomizedResponse.from_epsilon(epsilon).variance_with_sampling(0.5, 1))
    return np.asarray(width * of_one / np.sqrt(whole_numbers("people", people, least=1)))


def errors_of_rare_options(options: npt.ArrayLike, *, epsilon: float, people: int) -> tuple[Array, Array]:
    """Standard error of the share of an option that hardly anybody has, by the coins alone, for each number of options.

    By randomized response over all options, and by optimized unary encoding. Shape of `options`.
    Source: Wang, Blocki, Li, Jha 2017, section 4.
    """
    counts = whole_numbers("options", options, least=2).astype(np.int64)
    direct = [RandomizedResponse.from_epsilon(epsilon, categories=int(count)) for count in counts.ravel()]
    unary = [OptimizedUnaryEncoding(epsilon=epsilon, categories=int(count)) for count in counts.ravel()]
    both = (np.sqrt([one.variance(0.0, people) for one in ways]).reshape(counts.shape) for ways in (direct, unary))
    return next(both), next(both)


def options_where_unary_wins(*, epsilon: float) -> float:
    """3 e^epsilon + 2: with more options than that, unary encoding errs less. Source: Wang, Blocki, Li, Jha 2017."""
    require_between("epsilon", epsilon, 0.0, LARGEST_EPSILON)
    return 3.0 * math.exp(epsilon) + 2.0


def likely_estimates(people: npt.ArrayLike, *, epsilon: float, share: float, confidence: float) -> tuple[Array, Array]:
    """Lower and upper ends of a band that holds the estimated share of yes with at least this confidence.

    For people drawn at random and their coins: the number of reported yes answers is binomial; exact, no normal
    approximation. Shape of `people`; ends may lie outside [0, 1]. Source: Warner 1965.
    """
    counts = whole_numbers("people", people, least=1)
    require_between("share", share, 0.0, 1.0)
    require_between("confidence", confidence, 0.0, 1.0, open_at="both")
    response = RandomizedResponse.from_epsilon(epsilon)
    reported = share * response.truth_probability + (1.0 - share) * response.other_probability
    beyond = (1.0 - confidence) / 2.0
    ends = scipy.stats.binom.ppf(beyond, counts, reported), scipy.stats.binom.isf(beyond, counts, reported)
    lower, upper = (response.estimate(np.asarray(end / counts)) for end in ends)
    return np.asarray(lower), np.asarray(upper)


def running_estimates(people: npt.ArrayLike, *, epsilon: float, share: float, rng: np.random.Generator) -> Array:
    """The estimated share after so many invented people, one after the other: an illustration, of nobody's answers.

    A share `share` of them says yes in truth, drawn at random; the coins are drawn by `rng` too. Shape of `people`.
    """
    counts = whole_numbers("people", people, least=1).astype(np.int64)
    require_between("largest number of people", int(np.max(counts)), 1, 10**7)
    require_between("share", share, 0.0, 1.0)
    response = RandomizedResponse.from_epsilon(epsilon)
    truths = (rng.random(int(np.max(counts))) < share).astype(np.int64)
    reported = np.cumsum(response.simulate(truths, rng))[counts - 1] / counts
    return np.asarray(response.estimate(reported))
