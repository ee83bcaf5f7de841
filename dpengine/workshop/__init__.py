"""Many people, one table, one budget: rooms, who is in them, what they say and ask, and how their budget burns."""

from dpengine.workshop import (
    arrivals,
    asking,
    attacked,
    checks,
    codes,
    guessing,
    hands,
    judging,
    people,
    pseudonyms,
    sayings,
)
from dpengine.workshop.burning import Burning, burning
from dpengine.workshop.fitting import Fitting, fitting, fitting_at
from dpengine.workshop.hands import Hands
from dpengine.workshop.room import (
    ATTACK,
    CHECK,
    CHOOSE,
    GUESS,
    JUDGE,
    LOBBY,
    PHASES,
    SMALLER,
    SPEND,
    STEPS,
    Ask,
    Participant,
    Room,
    Saying,
    Setting,
)
from dpengine.workshop.rooms import Rooms
from dpengine.workshop.smaller import Smaller, smaller
from dpengine.workshop.voting import Votes, votes

__all__ = [
    "ATTACK",
    "CHECK",
    "CHOOSE",
    "GUESS",
    "JUDGE",
    "LOBBY",
    "PHASES",
    "SMALLER",
    "SPEND",
    "STEPS",
    "Ask",
    "Burning",
    "Fitting",
    "Hands",
    "Participant",
    "Room",
    "Rooms",
    "Saying",
    "Setting",
    "Smaller",
    "Votes",
    "arrivals",
    "asking",
    "attacked",
    "burning",
    "checks",
    "codes",
    "fitting",
    "fitting_at",
    "guessing",
    "hands",
    "judging",
    "people",
    "pseudonyms",
    "sayings",
    "smaller",
    "votes",
]
