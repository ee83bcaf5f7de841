"""Where a budget goes: question by question under every way of adding up, and what could be asked instead."""

from dpengine.spending import shares
from dpengine.spending.consumption import MOST_STEPS, Runs, Spending
from dpengine.spending.counted import Counted
from dpengine.spending.deltas import DeltaUse
from dpengine.spending.offers import Balance, left_out, others_that_fit, what_fits
from dpengine.spending.parallel_composition import Apart, apart, as_one_question
from dpengine.spending.steps import QuestionSpending, step_of
from dpengine.spending.strip import Strip, strips

__all__ = [
    "MOST_STEPS",
    "Apart",
    "Balance",
    "Counted",
    "DeltaUse",
    "QuestionSpending",
    "Runs",
    "Spending",
    "Strip",
    "apart",
    "as_one_question",
    "left_out",
    "others_that_fit",
    "shares",
    "step_of",
    "strips",
    "what_fits",
]
