"""Both directions at once: which epsilons meet a target for the error and one for the belief, and what to change."""

from dpengine.feasible.asked import Asked
from dpengine.feasible.changes import Changes
from dpengine.feasible.epsilons import Feasible, feasible_epsilons
from dpengine.feasible.records import records_needed
from dpengine.feasible.targets import Targets

__all__ = ["Asked", "Changes", "Feasible", "Targets", "feasible_epsilons", "records_needed"]
