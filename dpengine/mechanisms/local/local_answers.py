"""Answers of people as whole numbers from 0, one category each."""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

from dpengine.errors import InvalidParameterError
from dpengine.losses.arrays import Array

Categories = npt.NDArray[np.int64]


def whole_answers(answers: npt.ArrayLike, categories: int, *, name: str = "answers") -> Categories:
    """The answers as integers; yes and no are 1 and 0. Raises InvalidParameterError."""
    given = np.asarray(answers)
    rule = f"whole numbers from 0 to {categories - 1}"
    if given.dtype.kind not in "biu" and given.size:
        raise InvalidParameterError(name, answers, rule)
    if given.size and not (given.min() >= 0 and given.max() < categories):
        raise InvalidParameterError(name, answers, rule)
    return given.astype(np.int64)


def shares_of(reports: npt.ArrayLike, categories: int) -> Array:
    """The share of each category; at least one report is needed."""
    known = whole_answers(reports, categories, name="reports")
    if known.size == 0:
        raise InvalidParameterError("reports", reports, "at least one report")
    return np.bincount(known.ravel(), minlength=categories) / known.size


def reported_categories(
    answers: Categories, categories: int, truth_probability: float, rng: np.random.Generator
) -> Categories:
    """Each answer with this probability, else any one other with equal chances."""
    other = (answers + rng.integers(1, categories, size=answers.shape)) % categories
    return np.where(rng.random(answers.shape) < truth_probability, answers, other)
