"""Everything a person chose, as one value."""

from dpengine.scenario.codec import from_plain, to_plain
from dpengine.scenario.scenario import Scenario

__all__ = ["Scenario", "from_plain", "to_plain"]
