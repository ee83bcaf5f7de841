"""A belief that is tolerated, for a whole list: the most that all of its answers together may cost."""

from __future__ import annotations

from dataclasses import dataclass

from dpengine import calibration
from dpengine.beliefs import posterior
from dpengine.errors import InvalidParameterError
from dpengine.formatting import billionths, out_of_100, upper_of_100
from dpengine.plan import UNLIKELY
from dpengine.plan.amounts import Amounts
from dpengine.privacy.amounts import ATTO, NANO
from pages import session


@dataclass(frozen=True, slots=True, kw_only=True)
class Tolerated:
    """What somebody accepts that an attacker may come to believe, and the largest epsilon of the list that keeps it.

    It is counted by just adding up, whatever the account's rule: nobody is promised less.
    """

    prior: float
    belief: float
    most: float

    def keeps(self, amounts: Amounts) -> bool:
        """Whether the answers together stay within it."""
        return amounts.epsilon <= self.most * NANO

    def said(self, amounts: Amounts) -> str:
        """What it allows the list, beside what that needs."""
        allows = f"The belief of {out_of_100(self.belief)} out of 100 that you tolerate allows the whole list"
        epsilon = f"ε {billionths(self.most)}" if self.most else "nothing, because of its δ"
        return f"{allows} {epsilon}{': it is kept.' if self.keeps(amounts) else ', and this needs more.'}"

    def instead(self, amounts: Amounts) -> str:
        """The belief that would have to be tolerated for these errors."""
        found = float(posterior(self.prior, log_likelihood_ratio=amounts.epsilon / NANO * (1.0 + 1e-12)))
        return f"a belief of **{upper_of_100(found)} out of 100** that you tolerate"


def of_list(amounts: Amounts) -> Tolerated | None:
    """What was typed on the Trade-off page, for a list of this delta; None where nobody has, or no more than before."""
    belief, prior = session.accepted_belief()
    if belief is None or belief <= prior:
        return None
    try:
        if amounts.delta:
            most = calibration.epsilon_for_likely_belief(
                prior=prior, belief=belief, delta=amounts.delta / ATTO, failure_probability=UNLIKELY
            )
        else:
            most = calibration.epsilon_for_belief(prior=prior, belief=belief)
    except InvalidParameterError:
        most = 0.0
    return Tolerated(prior=prior, belief=belief, most=most)
