"""The hazards: what can be wrong with a promise besides a wrong sum, each with its rule and its sources."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import partial

from dpengine.promises.hazards import handling_rules, number_rules
from dpengine.promises.hazards.asked import SIZE
from dpengine.promises.hazards.sources import SOURCES, HazardSource
from dpengine.promises.hazards.standing import Judgement
from dpengine.promises.promise import Promise


@dataclass(frozen=True, slots=True, kw_only=True)
class Hazard:
    """A way in which a true epsilon protects less than it seems.

    `topic` names what it is about within a sentence. `rule` judges a promise by its `fields`, and returns None where
    they are not stated. `question` goes to the author where they are stated and weak.
    """

    key: str
    title: str
    topic: str
    why: str
    question: str
    fields: tuple[str, ...]
    rule: Callable[[Promise], Judgement | None]

    @property
    def sources(self) -> tuple[HazardSource, ...]:
        """Where it was read."""
        return SOURCES[self.key]


HAZARDS: tuple[Hazard, ...] = (
    Hazard(
        key="unit",
        title="A protected unit smaller than a person",
        topic="whom it protects",
        why="Noise hides one protected unit. Where somebody is many of them, all together may show through.",
        question="What does the promise come to for one whole person, with all that they do?",
        fields=("unit",),
        rule=number_rules.protected_unit,
    ),
    Hazard(
        key="epsilon",
        title="An epsilon above what counts as strong",
        topic="the size of ε",
        why="The larger ε is, the more an attacker may learn, until it hardly limits anything.",
        question="Why is ε not smaller, and what could an attacker learn about somebody at this ε?",
        fields=(SIZE,),
        rule=number_rules.epsilon_size,
    ),
    Hazard(
        key="refill",
        title="A budget that refills",
        topic="how often its budget is spent",
        why="Each new budget adds to what the earlier ones revealed. Without an end, nothing limits the sum.",
        question="When does it end, and what do all releases come to for one person until then?",
        fields=("every_days", "for_days", "rule"),
        rule=number_rules.refilled,
    ),
    Hazard(
        key="delta",
        title="Delta too large for the number of people",
        topic="the size of δ",
        why="Within δ anything may happen: a program that publishes a few people unprotected can keep the promise.",
        question="Why is δ not far below 1 divided by the number of people? Can whole rows come out?",
        fields=("delta", "people"),
        rule=number_rules.delta_size,
    ),
    Hazard(
        key="contribution",
        title="No limit on what one person adds",
        topic="how much of one person counts",
        why="Noise is sized for the most that one person can change. Without a limit no noise is enough.",
        question="How can the promise hold for somebody with far more rows or events than others?",
        fields=("contribution",),
        rule=number_rules.contribution,
    ),
    Hazard(
        key="local",
        title="Local noise without shuffling",
        topic="where noise is added",
        why="Noise on each device needs no trust. But a large ε leaves each report nearly bare.",
        question="Are reports shuffled, or separated from their senders, and by whom?",
        fields=("model", SIZE),
        rule=number_rules.local_alone,
    ),
    Hazard(
        key="exact",
        title="Exact numbers published beside it",
        topic="exact numbers beside it",
        why="The promise is about noisy results alone. Exact ones from the same data reveal what they reveal.",
        question="What could be learned about one person from the exact numbers, alone or with the noisy ones?",
        fields=("exact_beside",),
        rule=partial(handling_rules.as_answered, field="exact_beside"),
    ),
    Hazard(
        key="floats",
        title="Noise drawn with decimal arithmetic",
        topic="how noise is drawn",
        why="A computer's decimal numbers have gaps. The last digits of a noisy result can reveal the exact one.",
        question="Will noise be drawn in whole numbers, or by a library that is made safe for this?",
        fields=("sampler",),
        rule=handling_rules.drawn,
    ),
    Hazard(
        key="chosen",
        title="Settings chosen by looking at the data",
        topic="how its settings were chosen",
        why="Bounds, categories or an ε picked on the data carry some of the data with them.",
        question="Can bounds, categories and ε be set without these data, or paid for from ε?",
        fields=("chosen",),
        rule=partial(handling_rules.as_answered, field="chosen"),
    ),
    Hazard(
        key="bias",
        title="Corrections that hide a bias",
        topic="changes to noisy results",
        why="Setting negative counts to 0, or making tables add up, costs no privacy but shifts results.",
        question="Will you publish the noisy results as they were drawn, or the bias of your corrections?",
        fields=("post_processing",),
        rule=partial(handling_rules.as_answered, field="post_processing"),
    ),
    Hazard(
        key="groups",
        title="Small groups lost in noise",
        topic="small groups",
        why="Noise has one size for all groups, so small ones get the worst numbers, and decisions built on them.",
        question="How large is the error of the smallest groups, and can a rule with noise decide which are published?",
        fields=("small_groups",),
        rule=partial(handling_rules.as_answered, field="small_groups"),
    ),
    Hazard(
        key="raw",
        title="Raw data within reach",
        topic="access to raw data",
        why="Noise protects results only. Those who read or steal the raw data need no attack on them.",
        question="Who can be kept from the raw data, and could they be deleted after the release?",
        fields=("raw_access",),
        rule=handling_rules.reads_raw,
    ),
    Hazard(
        key="channels",
        title="Side channels: time and error messages",
        topic="side channels",
        why="How long a question runs, or how it fails, may depend on one person's data. No noise is added to that.",
        question="Can running times and error messages be made the same, whatever the data are?",
        fields=("side_channels",),
        rule=partial(handling_rules.as_answered, field="side_channels"),
    ),
    Hazard(
        key="trust",
        title="Trust that is not named",
        topic="who is trusted",
        why="A promise holds only while those who hold the raw data or shuffle reports behave as it assumes.",
        question="Who holds the raw data or shuffles reports, and what happens if they do not do as agreed?",
        fields=("trusted",),
        rule=handling_rules.trusted,
    ),
    Hazard(
        key="checks",
        title="A program that nobody else checked",
        topic="checks by others",
        why="Programs that add noise are easy to get wrong, and a wrong one looks like a right one.",
        question="Could code and parameters be published, and the program be checked by somebody independent?",
        fields=("code", "parameters", "audit"),
        rule=handling_rules.checked,
    ),
)
"""All of them, those of numbers first."""
