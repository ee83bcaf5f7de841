"""What a promise should state: each thing in words that end a sentence, and as a question for its author."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from types import MappingProxyType

from dpengine.promises.handling import HANDLING
from dpengine.promises.promise import Promise
from dpengine.promises.unsaid import NOT_LOOKED_UP, NOT_SAID, Unsaid


@dataclass(frozen=True, slots=True, kw_only=True)
class ToState:
    """One thing to state: `words` follow "it does not say", `question` can stand in a letter."""

    words: str
    question: str


SIZE = "size"
"""Epsilon, or what it can be computed from: a rho or the noise."""
ASKED: Mapping[str, ToState] = MappingProxyType(
    {
        SIZE: ToState(words="how large ε is", question="How large is ε (or ρ) for one release?"),
        "delta": ToState(words="how large δ is", question="How large is δ? If there is none, please say that it is 0."),
        "unit": ToState(
            words="whom it protects",
            question="Whom or what does ε protect: all data of one person, a person's day, or a single event?",
        ),
        "neighbors": ToState(
            words="which tables it compares",
            question="Does the promise hold for a person who is added or removed, or for one whose data are replaced?",
        ),
        "every_days": ToState(
            words="how often its budget is spent anew",
            question="How often is this budget spent anew: once, each day, each month?",
        ),
        "for_days": ToState(words="how long that goes on", question="For how long will results be published?"),
        "rule": ToState(
            words="how releases add up",
            question="What do all releases come to together for one person, and by which rule do you add them up?",
        ),
        "model": ToState(
            words="where noise is added",
            question="Where is noise added: on each device, after shuffling reports, or by the holder of all data?",
        ),
        "contribution": ToState(
            words="how much of one person counts",
            question="How many rows or events of one person count at most, and what happens to the rest?",
        ),
        "people": ToState(
            words="how many people there are", question="How many people are in the data, at least roughly?"
        ),
        "noise": ToState(
            words="which noise is added",
            question="Which noise is added, and how large is it, compared with what one person can change?",
        ),
        "noise_multiplier": ToState(
            words="how large the noise is",
            question="How large is the noise, compared with what one person can change?",
        ),
        "exact_beside": ToState(
            words="what is published exactly beside it",
            question="Which exact numbers from the same data are published beside the noisy ones, if any?",
        ),
        "trusted": ToState(words="who is trusted", question="Who has to be trusted with the raw data, by name?"),
        "raw_access": ToState(
            words="who can read the raw data",
            question="Who can read the raw data, how is that guarded, and when are the data deleted?",
        ),
        "code": ToState(words="whether its code is open", question="Where can others read the code?"),
        "parameters": ToState(
            words="whether its parameters are published",
            question="Where are all parameters published: noise, bounds, thresholds?",
        ),
        "audit": ToState(
            words="who has checked it",
            question="Who has checked that the program keeps the promise, and where is the report?",
        ),
        "sampler": ToState(
            words="how noise is drawn",
            question="How is noise drawn: in whole numbers, by a library made safe for this, or as decimal numbers?",
        ),
        "chosen": ToState(
            words="how its settings were chosen",
            question="How were bounds, categories and ε chosen? If on these data, does ε pay for it?",
        ),
        "post_processing": ToState(
            words="whether results are changed afterwards",
            question="Are noisy results changed before they are published, and where is the bias of that stated?",
        ),
        "small_groups": ToState(
            words="what happens to small groups",
            question="What happens to small groups, and is their error published with them?",
        ),
        "side_channels": ToState(
            words="what guards running times and error messages",
            question="Can others run questions of their own? If so, what guards running times and error messages?",
        ),
    }
)
"""Field of Promise or Handling -> what to ask, in the order of a letter; SIZE stands for three fields."""


def unsaid(promise: Promise, field: str) -> Unsaid | None:
    """Why a field holds nothing, None where it does hold something; of SIZE, whether anything gives a size."""
    if field == SIZE:
        if promise.event is not None:
            return None
        parts = (promise.epsilon, promise.rho, promise.noise_multiplier)
        return NOT_LOOKED_UP if NOT_LOOKED_UP in parts else NOT_SAID
    value = getattr(promise.handling if field in HANDLING else promise, field)
    return value if isinstance(value, Unsaid) else None
