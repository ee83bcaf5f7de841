"""What has to be assumed before a promise says anything in numbers: a sentence for each, in one place."""

from __future__ import annotations

from enum import Enum


class Assumption(Enum):
    """Something that a figure rests on; what is not known was not said, or not looked up."""

    DELTA_IS_ZERO = "δ is not known. The least figure takes it for 0; with another δ there is no limit to name."
    UNIT_UNKNOWN = "Whom the promise protects is not known. The least figure takes one whole person."
    NEW_NOISE = "Each release has new noise, chosen without knowing the releases to come."
    RELEASES_UNKNOWN = (
        "How often results are published is not known. The least figure takes everything to be published once."
    )
    BOUND_UNKNOWN = (
        "No bound on what one person may contribute is known. The least figure assumes that there is one, the "
        "largest lets every event count."
    )
    ONE_DEVICE = "Each person has one such device."
    EVENTS_OF_A_RELEASE = "Each person is in a release with as many events as stated here."
    ONE_HOUSEHOLD = "A family lives in one household."
    PERIODS_CUT = "A release does not have a whole number of protected periods, so it may have parts of one more."
    PERIODS_APART = "What somebody does on different days is protected day by day, so the losses of all days add up."

    @property
    def sentence(self) -> str:
        """The same as a sentence."""
        return str(self.value)
