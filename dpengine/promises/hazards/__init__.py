"""What can be wrong with a promise, whatever its epsilon is?"""

from dpengine.promises.hazards.findings import HazardFinding, hazards_of, questions_for_author, verdict
from dpengine.promises.hazards.known import HAZARDS, Hazard
from dpengine.promises.hazards.sources import HazardSource
from dpengine.promises.hazards.standing import Standing

__all__ = [
    "HAZARDS",
    "Hazard",
    "HazardFinding",
    "HazardSource",
    "Standing",
    "hazards_of",
    "questions_for_author",
    "verdict",
]
