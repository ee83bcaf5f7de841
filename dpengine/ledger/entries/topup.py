"""A budget that was raised: never silently, always as a new entry with a reason."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime

from dpengine.errors import InvalidParameterError
from dpengine.ledger.storage.amounts import Amounts
from dpengine.privacy import Guarantee
from dpengine.privacy.amounts import ATTO, NANO

LONGEST_REASON = 500


@dataclass(frozen=True, slots=True, kw_only=True)
class TopUp:
    """The new total of an account, which is what its people are promised from then on, and why it was raised."""

    granted: Amounts
    reason: str
    time: datetime

    @property
    def budget(self) -> Guarantee:
        """The (epsilon, delta) that the account has promised since."""
        return Guarantee(epsilon=self.granted.epsilon / NANO, delta=self.granted.delta / ATTO)


def require_reason(reason: str) -> str:
    """The reason without space around it; raises InvalidParameterError where nobody could read one."""
    told = reason.strip() if isinstance(reason, str) else ""
    if not told or len(told) > LONGEST_REASON or not told.isprintable():
        raise InvalidParameterError("reason", reason, f"printable text of 1 to {LONGEST_REASON} characters")
    return told


def require_larger(total: Amounts, granted: Amounts) -> None:
    """Raise InvalidParameterError unless nothing of a budget shrinks and something grows."""
    shrinks = total.epsilon < granted.epsilon or total.delta < granted.delta
    if shrinks or (total.epsilon, total.delta) == (granted.epsilon, granted.delta):
        raise InvalidParameterError(
            "budget", total.in_words("basic"), f"larger than the present total, {granted.in_words('basic')}"
        )
