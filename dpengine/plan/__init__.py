"""What is planned: a question with its share of the budget, and what it costs in whole numbers under both rules."""

from dpengine.plan.learned import UNLIKELY, beliefs_after, right_at_most
from dpengine.plan.planned import PlannedQuery, prepare

__all__ = ["UNLIKELY", "PlannedQuery", "beliefs_after", "prepare", "right_at_most"]
