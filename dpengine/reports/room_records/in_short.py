"""A room in five sentences, for whoever was not there: chosen, asked, refused, an attacker's limit, mixed up."""

from __future__ import annotations

import numpy as np

from dpengine.beliefs import odds_out_of_100
from dpengine.formatting import amount, billionths, upper_of_100
from dpengine.losses import concentrated_epsilon
from dpengine.plan.amounts import Amounts
from dpengine.privacy import Guarantee, Neighbors
from dpengine.privacy.amounts import ATTO, NANO
from dpengine.queries.sensitivity.sentences import agreeing, plural
from dpengine.reports.labels.label import shown
from dpengine.reports.quoting import LONGEST_SENTENCE, cut, one_line
from dpengine.reports.room_records.room_record import CheckOfARoom, RoomRecord

_ASKS = {
    Neighbors.ADD_REMOVE: "whether a person is in the table",
    Neighbors.REPLACE_ONE: "which of two records is a person's",
}
LARGEST_EPSILON = 700.0
"""Beyond it every number is the same: certain."""


def in_short(record: RoomRecord) -> tuple[str, ...]:
    """In the order in which it happened; never an epsilon alone: it is said what it means for a person."""
    return (_chosen(record), _asked(record), _refused(record), _attacker(record), _mixed_up(record))


def _chosen(record: RoomRecord) -> str:
    explained = "epsilon says how much one person may change what is published: the smaller, the better hidden"
    if record.chosen is None:
        return f"We kept the epsilon that was planned for each question ({explained})."
    delta = max((one.planned.guarantee.delta for one in record.asked), default=0.0)
    one = _right_at_most(Guarantee(epsilon=min(record.chosen, LARGEST_EPSILON), delta=delta))
    return (
        f"We chose ε {amount(record.chosen, 9)} for each question ({explained}): from one such answer, an attacker who "
        f"thinks it 50:50 {_ASKS[record.neighbors]} can be right in at most {one} out of 100 cases."
    )


def _asked(record: RoomRecord) -> str:
    answered = sum(one.release is not None for one in record.asked)
    if not answered:
        return f"No question was answered; the budget was {_told(record, record.budget)}."
    return (
        f"{plural(answered, 'question')} {agreeing(answered, 'were')} answered, with noise; this account has spent "
        f"{_told(record, record.spent)} of {_told(record, record.budget)}, everybody's."
    )


def _told(record: RoomRecord, amounts: Amounts) -> str:
    """An amount without a delta of which nothing was spent."""
    if record.rule == "basic" and not record.spent.delta:
        return f"ε {billionths(amounts.epsilon / NANO)}"
    return shown(amounts, record.rule)


def _refused(record: RoomRecord) -> str:
    refused = sum(bool(one.refused) for one in record.asked)
    left = _told(record, record.left)
    if not refused:
        return f"Nothing was refused: {left} is left, and will be charged like all before."
    return (
        f"{plural(refused, 'question')} {agreeing(refused, 'were')} refused, and {left} is left: no answer can be "
        f"taken back, so nothing brings a {'real ' * record.practice}budget back."
    )


def _attacker(record: RoomRecord) -> str:
    """By the naive sum, which holds for everything that was charged, or by rho where that says less."""
    spent = record.spent
    if not (spent.epsilon or spent.rho):
        return "Nothing was published, so nobody has learned anything about a person."
    epsilon = spent.epsilon / NANO
    found = [Guarantee(epsilon=min(epsilon, LARGEST_EPSILON), delta=min(spent.delta / ATTO, 1.0))]
    if record.rule == "concentrated" and record.granted.delta:
        converted = float(concentrated_epsilon(np.array([(spent.rho + 1) / NANO]), record.granted.delta)[0])
        found.append(Guarantee(epsilon=min(converted, LARGEST_EPSILON), delta=record.granted.delta))
    most = min(odds_out_of_100(one).with_data for one in found)
    earlier = " Of people who are in an earlier edition too, what was told there comes on top." * record.continues
    return (
        f"From all answers together, an attacker who even knows everybody else can be right in at most "
        f"{upper_of_100(most / 100)} out of 100 cases {_ASKS[record.neighbors]}; pure chance is 50."
        f"{earlier}"
    )


def _right_at_most(guarantee: Guarantee) -> str:
    return upper_of_100(odds_out_of_100(guarantee).with_data / 100)


def _mixed_up(record: RoomRecord) -> str:
    """The wrong answer that was given most often, where one was, and else one of them."""
    wrong = [
        (given, check, place)
        for check in record.checks
        for place, given in enumerate(check.given)
        if place != check.right and given
    ]
    if not any(sum(check.given) for check in record.checks):
        return "Nobody answered the questions at the end."
    if not wrong:
        return "Every answer to the questions at the end was right."
    given, check, place = max(wrong, key=lambda one: one[0])
    often = given > 1 and sum(one[0] == given for one in wrong) == 1
    return (
        f"{'Mixed up most often' if often else 'Mixed up by some'}: to “{_quoted(check.question)}” {given:,} of "
        f"{sum(check.given):,} said "
        f"“{_quoted(check.answers[place])}”; right is “{_quoted(_right(check))}”."
    )


def _right(check: CheckOfARoom) -> str:
    return next(answer for place, answer in enumerate(check.answers) if place == check.right)


def _quoted(text: str) -> str:
    return cut(one_line(text, LONGEST_SENTENCE), LONGEST_SENTENCE)
