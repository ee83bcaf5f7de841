"""Everything a person chose, as one value."""

from dpengine.scenario.codec import from_plain, require_texts, to_plain
from dpengine.scenario.declarations import Declarations, DeclaredDifference
from dpengine.scenario.packing import LONGEST_LINK
from dpengine.scenario.redeclared import Lost, Redeclared, redeclared
from dpengine.scenario.scenario import Scenario
from dpengine.scenario.targets import PlanTargets

__all__ = [
    "LONGEST_LINK",
    "Declarations",
    "DeclaredDifference",
    "Lost",
    "PlanTargets",
    "Redeclared",
    "Scenario",
    "from_plain",
    "redeclared",
    "require_texts",
    "to_plain",
]
