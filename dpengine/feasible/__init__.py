"""Which epsilons meet a target for the error and one for the belief, what to change, and the least for a whole list."""

from dpengine.feasible.asked import Asked
from dpengine.feasible.changes import Changes
from dpengine.feasible.epsilons import Feasible, feasible_epsilons
from dpengine.feasible.records import records_needed
from dpengine.feasible.scaled_plans import CheapestPlan
from dpengine.feasible.targets import Targets
from dpengine.feasible.whole_list import ListChange, best_shares, cheapest_plan, single_changes
from dpengine.feasible.wishes import Wish

__all__ = [
    "Asked",
    "Changes",
    "CheapestPlan",
    "Feasible",
    "ListChange",
    "Targets",
    "Wish",
    "best_shares",
    "cheapest_plan",
    "feasible_epsilons",
    "records_needed",
    "single_changes",
]
