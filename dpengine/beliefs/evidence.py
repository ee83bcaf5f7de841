"""What one observed answer says: the log-likelihood ratio of "with this person's data" against "without"."""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

from dpengine.errors import InvalidParameterError, require_finite, require_positive
from dpengine.losses.arrays import Numbers, like, numbers

_LARGEST, _ROOT_LARGEST = 1e300, 1e150


def laplace_log_likelihood_ratio(
    observed: Numbers, *, answer_with: float, answer_without: float, scale: float
) -> Numbers:
    """(|observed - without| - |observed - with|) / scale: never beyond the distance of the two answers over scale."""
    points = numbers("observed", observed)
    require_finite("answer_with", answer_with)
    require_finite("answer_without", answer_without)
    require_positive("scale", scale)
    with np.errstate(over="ignore"):
        reach = abs(answer_with - answer_without)
        difference = np.clip(np.abs(points - answer_without) - np.abs(points - answer_with), -reach, reach)
        return like(observed, np.clip(difference / scale, -_LARGEST, _LARGEST))


def discrete_laplace_log_likelihood_ratio(
    observed: Numbers, *, answer_with: int, answer_without: int, scale: float
) -> Numbers:
    """The same on the grid: all three are whole numbers of grid steps, and so is scale in unit."""
    _require_on_grid(observed=observed, answer_with=answer_with, answer_without=answer_without)
    return laplace_log_likelihood_ratio(observed, answer_with=answer_with, answer_without=answer_without, scale=scale)


def gaussian_log_likelihood_ratio(
    observed: Numbers, *, answer_with: float, answer_without: float, standard_deviation: float
) -> Numbers:
    """(with - without) (observed - their middle) / standard_deviation^2: not bounded, unlike Laplace's."""
    points = numbers("observed", observed)
    require_finite("answer_with", answer_with)
    require_finite("answer_without", answer_without)
    require_positive("standard_deviation", standard_deviation)
    with np.errstate(over="ignore", under="ignore"):
        step = np.clip((answer_with - answer_without) / standard_deviation, -_ROOT_LARGEST, _ROOT_LARGEST)
        offset = np.clip(
            (points - (answer_with / 2.0 + answer_without / 2.0)) / standard_deviation, -_ROOT_LARGEST, _ROOT_LARGEST
        )
        return like(observed, step * offset)


def discrete_gaussian_log_likelihood_ratio(
    observed: Numbers, *, answer_with: int, answer_without: int, scale: float
) -> Numbers:
    """The same on the grid: all three are whole numbers of grid steps, and scale is the mechanism's, in grid steps."""
    _require_on_grid(observed=observed, answer_with=answer_with, answer_without=answer_without)
    require_positive("scale", scale)
    return gaussian_log_likelihood_ratio(
        observed, answer_with=answer_with, answer_without=answer_without, standard_deviation=scale
    )


def _require_on_grid(**values: npt.ArrayLike) -> None:
    for name, value in values.items():
        points = numbers(name, value)
        if np.any(points != np.floor(points)):
            raise InvalidParameterError(name, value, "a whole number of grid steps")
