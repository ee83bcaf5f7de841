"""How wrong an answer may be: the law of its error from privacy noise, from sampling, and from both."""

from dpengine.accuracy.answers import (
    answer_error,
    error_sign,
    error_unit,
    largest_shift,
    resized,
    sampling_error,
    sampling_is_known,
)
from dpengine.accuracy.bias import ContributionBias, contribution_bias
from dpengine.accuracy.guess import Guess
from dpengine.accuracy.guessing import all_records, guess_from_rows, guess_without_rows
from dpengine.accuracy.laws.chosen import SelectionError
from dpengine.accuracy.laws.combined import CombinedError, combined_error
from dpengine.accuracy.laws.intervals import ratio_interval
from dpengine.accuracy.laws.law import ErrorLaw, any_off
from dpengine.accuracy.laws.noise import NoiseError
from dpengine.accuracy.laws.ratio import RatioError
from dpengine.accuracy.laws.remeasuring import (
    RemeasuredNoise,
    averaged,
    inverse_variance_weights,
    narrowest,
    remeasured,
)
from dpengine.accuracy.laws.sampling import SamplingError
from dpengine.accuracy.laws.summed import SummedNoise
from dpengine.accuracy.laws.variance_error import VarianceError
from dpengine.accuracy.lessons.comparison import chance_of_turned_order
from dpengine.accuracy.lessons.ratio_bounds import RatioBounds, has_ratio_bounds
from dpengine.accuracy.lessons.textbook import TextbookBounds, has_textbook_bounds, textbook_bounds
from dpengine.accuracy.lower_bounds import least_possible_error
from dpengine.accuracy.usefulness import (
    NEGLIGIBLE,
    Usefulness,
    Verdict,
    nearly_all,
    records_for_negligible_noise,
    usefulness,
    widening,
)

__all__ = [
    "NEGLIGIBLE",
    "CombinedError",
    "ContributionBias",
    "ErrorLaw",
    "Guess",
    "NoiseError",
    "RatioBounds",
    "RatioError",
    "RemeasuredNoise",
    "SamplingError",
    "SelectionError",
    "SummedNoise",
    "TextbookBounds",
    "Usefulness",
    "VarianceError",
    "Verdict",
    "all_records",
    "answer_error",
    "any_off",
    "averaged",
    "chance_of_turned_order",
    "combined_error",
    "contribution_bias",
    "error_sign",
    "error_unit",
    "guess_from_rows",
    "guess_without_rows",
    "has_ratio_bounds",
    "has_textbook_bounds",
    "inverse_variance_weights",
    "largest_shift",
    "least_possible_error",
    "narrowest",
    "nearly_all",
    "ratio_interval",
    "records_for_negligible_noise",
    "remeasured",
    "resized",
    "sampling_error",
    "sampling_is_known",
    "textbook_bounds",
    "usefulness",
    "widening",
]
