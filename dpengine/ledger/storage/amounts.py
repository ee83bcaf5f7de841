"""What is charged and granted, under the names by which the ledger knows it; what a question costs is the plan's."""

from dpengine.plan.amounts import COUNTED, LARGEST_AMOUNT, RULE_NAMES, Amounts, Charge, cost_of, granted_by

__all__ = ["COUNTED", "LARGEST_AMOUNT", "RULE_NAMES", "Amounts", "Charge", "cost_of", "granted_by"]
