"""Which epsilons meet a target for the error and one for the belief, what to change, and the least for a whole list."""

from dpengine.feasible.asked import Asked
from dpengine.feasible.changes import Changes
from dpengine.feasible.epsilons import Feasible, feasible_epsilons
from dpengine.feasible.many_counts import (
    Span,
    WayToCount,
    are_many_counts,
    fewest_bins,
    has_ranges,
    least_of_any_way,
    ways_to_count,
)
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
    "Span",
    "Targets",
    "WayToCount",
    "Wish",
    "are_many_counts",
    "best_shares",
    "cheapest_plan",
    "feasible_epsilons",
    "fewest_bins",
    "has_ranges",
    "least_of_any_way",
    "records_needed",
    "single_changes",
    "ways_to_count",
]
