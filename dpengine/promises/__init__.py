"""What is somebody else's promise worth, and what does it leave unsaid?"""

from dpengine.promises.assumptions import Assumption
from dpengine.promises.handling import HANDLING, Handling, HandlingAnswer, HandlingQuestion
from dpengine.promises.hazards import (
    HAZARDS,
    Hazard,
    HazardFinding,
    HazardSource,
    Standing,
    questions_for_author,
    verdict,
)
from dpengine.promises.promise import MODELS, MOST_DAYS, MOST_RUNS, NOISES, Promise
from dpengine.promises.recorded import RECORDED, Recorded, comparable
from dpengine.promises.totals import RULES, Span, Total
from dpengine.promises.units import (
    FAMILY_OF_FOUR,
    MONTH,
    ONE_PERSON,
    TEN_TIMES_THE_EVENTS,
    UNITS,
    WEEK,
    YEAR,
    Subject,
    Unit,
)
from dpengine.promises.unsaid import NOT_LOOKED_UP, NOT_SAID, Unsaid, stated

__all__ = [
    "FAMILY_OF_FOUR",
    "HANDLING",
    "HAZARDS",
    "MODELS",
    "MONTH",
    "MOST_DAYS",
    "MOST_RUNS",
    "NOISES",
    "NOT_LOOKED_UP",
    "NOT_SAID",
    "ONE_PERSON",
    "RECORDED",
    "RULES",
    "TEN_TIMES_THE_EVENTS",
    "UNITS",
    "WEEK",
    "YEAR",
    "Assumption",
    "Handling",
    "HandlingAnswer",
    "HandlingQuestion",
    "Hazard",
    "HazardFinding",
    "HazardSource",
    "Promise",
    "Recorded",
    "Span",
    "Standing",
    "Subject",
    "Total",
    "Unit",
    "Unsaid",
    "comparable",
    "questions_for_author",
    "stated",
    "verdict",
]
