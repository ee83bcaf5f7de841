"""What a promise may say, field by field: the question in plain words, its ready answers, and what a number means."""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass, field

from dpengine.formatting import amount, tiny
from dpengine.privacy import Neighbors
from dpengine.promises import HANDLING, MONTH, NOT_LOOKED_UP, NOT_SAID, UNITS, WEEK, YEAR, Unsaid

A_NUMBER = "this number:"
"""The answer that opens a number box."""
RULE_WORDS: Mapping[str, str] = {
    "basic": "naive",
    "advanced": "advanced",
    "optimal": "optimal",
    "concentrated": "concentrated",
    "exact": "exact",
}
"""The short names of RULES."""


@dataclass(frozen=True, slots=True, kw_only=True)
class PromiseField:
    """A question of the form, its short name, and its ready answers by their words.

    `unit` follows a number, and `unit_of_one` the number 1; a field without a unit takes no number. `whole` numbers are
    counted things.
    """

    short: str
    question: str
    answers: Mapping[str, object] = field(default_factory=dict)
    unit: str | None = None
    unit_of_one: str | None = None
    whole: bool = False

    @property
    def options(self) -> dict[str, object]:
        """Every answer by its words; the number box stands for its own."""
        number = {} if self.unit is None else {A_NUMBER: None}
        return {**number, **self.answers, NOT_SAID.value: NOT_SAID, NOT_LOOKED_UP.value: NOT_LOOKED_UP}

    def in_words(self, value: object) -> str:
        """An answer as people read it."""
        ready = next((words for words, one in self.options.items() if one == value and one is not None), "")
        if ready or not isinstance(value, int | float):
            return ready
        unit = self.unit if value != 1 or self.unit_of_one is None else self.unit_of_one
        return f"{tiny(value) if value < 1e-3 else amount(value, 6)}{unit or ''}"

    def option_of(self, value: object) -> str:
        """The words of the answer that a value is; a number that is no ready answer is typed."""
        ready = (words for words, one in self.options.items() if one == value and one is not None)
        return next(ready, A_NUMBER if self.unit is not None else NOT_SAID.value)


_HOW_LARGE = {
    "epsilon": PromiseField(short="ε", question="Epsilon (ε)", unit=""),
    "delta": PromiseField(short="δ", question="Delta (δ), on top of ε", answers={"0: none": 0.0}, unit=""),
    "rho": PromiseField(short="ρ", question="Rho (ρ), if that is what is promised", unit=""),
    "noise": PromiseField(
        short="kind of noise",
        question="Which noise is added?",
        answers={
            "Laplace noise": "laplace",
            "Gaussian noise": "gaussian",
            "randomized response: answers changed at random": "randomized_response",
            "another kind": "another",
        },
    ),
    "noise_multiplier": PromiseField(
        short="size of the noise", question="Size of the noise, over what one protected unit can change", unit=" times"
    ),
}
_FOR_WHOM = {
    "unit": PromiseField(
        short="whom it protects", question="What is protected?", answers={one.words: key for key, one in UNITS.items()}
    ),
    "contribution": PromiseField(
        short="bound on contributions",
        question="How many rows or events of one person count, at most?",
        answers={"all of them: nothing is dropped": math.inf},
        unit=" rows or events",
        unit_of_one=" row or event",
        whole=True,
    ),
    "neighbors": PromiseField(
        short="which tables must look alike",
        question="Which two tables must look alike?",
        answers={
            "with and without one person (added or removed)": Neighbors.ADD_REMOVE,
            "with one person's data or another's (replaced)": Neighbors.REPLACE_ONE,
        },
    ),
    "people": PromiseField(
        short="number of people", question="How many people, or units, do the data have?", unit="", whole=True
    ),
}
_TIMES = {"day": 1.0, "week": WEEK, "month": MONTH, "year": YEAR}
_HOW_OFTEN = {
    "every_days": PromiseField(
        short="how often results are published",
        question="How often is it published anew, at this price?",
        answers={
            "once, and never again": math.inf,
            "every six hours": 0.25,
            **{f"every {word}": days for word, days in _TIMES.items()},
        },
        unit=" days from one to the next",
    ),
    "for_days": PromiseField(
        short="for how long",
        question="For how long in all?",
        answers={
            **{f"a {word}": days for word, days in _TIMES.items()},
            **{f"{many} years": count * YEAR for many, count in {"three": 3.0, "five": 5.0, "ten": 10.0}.items()},
            "without an end": math.inf,
        },
        unit=" days",
    ),
    "rule": PromiseField(
        short="rule for adding up",
        question="By which rule do its authors add up?",
        answers={words: name for name, words in RULE_WORDS.items()},
    ),
}
_SHORT = {
    "exact_beside": "exact numbers beside it",
    "trusted": "who is trusted",
    "raw_access": "who reads the raw data",
    "code": "the code",
    "parameters": "the parameters",
    "audit": "who checked it",
    "sampler": "how noise is drawn",
    "chosen": "how bounds and ε were chosen",
    "post_processing": "changes afterwards",
    "small_groups": "small groups",
    "side_channels": "side channels",
}
_KEPT = {
    "model": PromiseField(
        short="who adds the noise",
        question="Where is noise added?",
        answers={
            "by a curator, who holds the data (central)": "central",
            "on each device, and reports are mixed (shuffled)": "shuffled",
            "on each device, before anything is collected (local)": "local",
        },
    ),
    **{
        name: PromiseField(
            short=_SHORT[name],
            question=asked.text,
            answers={answer.words: key for key, answer in asked.answers.items()},
        )
        for name, asked in HANDLING.items()
    },
}
GROUPS: Mapping[str, Mapping[str, PromiseField]] = {
    "How large": _HOW_LARGE,
    "For whom": _FOR_WHOM,
    "How often": _HOW_OFTEN,
    "How data are handled": _KEPT,
}
"""The steps of the form."""
FIELDS: Mapping[str, PromiseField] = {name: one for group in GROUPS.values() for name, one in group.items()}


def unsaid(values: Mapping[str, object], why: Unsaid) -> str:
    """The short names of what is empty for this reason, as one list; how a promise is kept is only counted."""
    names = [
        one.short for group in (_HOW_LARGE, _FOR_WHOM, _HOW_OFTEN) for name, one in group.items() if values[name] is why
    ]
    kept = sum(values[name] is why for name in _KEPT)
    return ", ".join([*names, *([f"{kept} of {len(_KEPT)} facts about how the data are handled"] if kept else [])])
