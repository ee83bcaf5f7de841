"""How wrong an answer may be: the law of its error from privacy noise, from sampling, and from both."""

from dpengine.accuracy.answers import answer_bounds, answer_error, largest_shift, resized, sampling_error
from dpengine.accuracy.combined import CombinedError, combined_error
from dpengine.accuracy.comparison import chance_of_turned_order
from dpengine.accuracy.guess import Guess
from dpengine.accuracy.guessing import guess_from_rows, guess_without_rows
from dpengine.accuracy.intervals import ratio_interval
from dpengine.accuracy.law import ErrorLaw
from dpengine.accuracy.noise import NoiseError
from dpengine.accuracy.ratio import RatioError
from dpengine.accuracy.sampling import SamplingError
from dpengine.accuracy.textbook import TextbookBounds, textbook_bounds
from dpengine.accuracy.usefulness import (
    Usefulness,
    Verdict,
    records_for_negligible_noise,
    usefulness,
    widening,
)

__all__ = [
    "CombinedError",
    "ErrorLaw",
    "Guess",
    "NoiseError",
    "RatioError",
    "SamplingError",
    "TextbookBounds",
    "Usefulness",
    "Verdict",
    "answer_bounds",
    "answer_error",
    "chance_of_turned_order",
    "combined_error",
    "guess_from_rows",
    "guess_without_rows",
    "largest_shift",
    "ratio_interval",
    "records_for_negligible_noise",
    "resized",
    "sampling_error",
    "textbook_bounds",
    "usefulness",
    "widening",
]
