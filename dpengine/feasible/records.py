"""How many rows make the privacy noise of a planned question negligible beside its sampling error."""

from __future__ import annotations

from dpengine.accuracy import NEGLIGIBLE, ErrorLaw, SamplingError, records_for_negligible_noise, sampling_error
from dpengine.errors import RefusedQueryError
from dpengine.feasible.asked import Asked


def records_needed(asked: Asked, *, confidence: float = 0.95, allowed: float = NEGLIGIBLE) -> int:
    """Least number of rows at which privacy widens the interval by no more than `allowed`, at the planned epsilon.

    Shares, means and spreads stay as guessed. Of an answer with two noises, whose law is a bound from a table, it is
    such a number within some hundredths of the least one. Raises RefusedQueryError where the guess says nothing about
    the sampling error, and DPEngineError where a million million rows are not enough.
    """

    def errors_at(records: int) -> tuple[ErrorLaw, SamplingError]:
        other = asked.with_records(records)
        sampling = sampling_error(other.planned.query, other.guess)
        if sampling is None:
            raise RefusedQueryError("The sampling error is unknown here.")
        return other.law(other.planned.guarantee.epsilon), sampling

    return records_for_negligible_noise(
        errors_at, widening_allowed=allowed, confidence=confidence, near=max(asked.records, 1.0)
    )
