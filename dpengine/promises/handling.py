"""How somebody says that they handle the data: one question a field, each answer sound or weak."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, fields
from types import MappingProxyType

from dpengine.errors import InvalidParameterError
from dpengine.promises.unsaid import NOT_SAID, Unsaid


@dataclass(frozen=True, slots=True, kw_only=True)
class HandlingAnswer:
    """A possible answer in words, and whether it is a sound one."""

    words: str
    sound: bool


@dataclass(frozen=True, slots=True, kw_only=True)
class HandlingQuestion:
    """What to ask, and the answers by the keys that a field of Handling may hold."""

    text: str
    answers: Mapping[str, HandlingAnswer]


def _question(text: str, *, sound: Mapping[str, str], weak: Mapping[str, str]) -> HandlingQuestion:
    answers = {key: HandlingAnswer(words=words, sound=True) for key, words in sound.items()}
    answers |= {key: HandlingAnswer(words=words, sound=False) for key, words in weak.items()}
    return HandlingQuestion(text=text, answers=MappingProxyType(answers))


HANDLING: Mapping[str, HandlingQuestion] = MappingProxyType(
    {
        "exact_beside": _question(
            "What is published exactly beside it?",
            sound={"nothing": "nothing", "public": "only what was public already"},
            weak={"some": "some exact numbers from the same data"},
        ),
        "trusted": _question(
            "Who has to be trusted with the raw data?",
            sound={"nobody": "nobody: noise is added before collection", "named": "a named institution"},
            weak={"unnamed": "somebody whom the promise does not name"},
        ),
        "raw_access": _question(
            "Who can read the raw data, and how is that guarded?",
            sound={"nobody": "nobody: no raw data are kept", "guarded": "a named few, and reading is recorded"},
            weak={"open": "many people, or nothing guards it"},
        ),
        "code": _question(
            "Can others read the code?",
            sound={"open": "yes, it is published"},
            weak={"closed": "no"},
        ),
        "parameters": _question(
            "Are all parameters published: noise, bounds, thresholds?",
            sound={"all": "yes, all of them"},
            weak={"part": "only some", "none": "none"},
        ),
        "audit": _question(
            "Has anybody checked that the program keeps the promise?",
            sound={"independent": "yes, somebody independent"},
            weak={"own": "only its authors", "nobody": "nobody"},
        ),
        "sampler": _question(
            "How is the noise drawn?",
            sound={"exact": "in whole numbers, or by a library made safe for this"},
            weak={"floats": "by ordinary decimal arithmetic of a computer"},
        ),
        "chosen": _question(
            "How were bounds, categories and epsilon chosen?",
            sound={"public": "without looking at these data", "charged": "on these data, paid for from epsilon"},
            weak={"on_data": "on these data, for free"},
        ),
        "post_processing": _question(
            "Is the noisy result changed before it is published?",
            sound={"none": "no", "told": "yes, and its bias is published"},
            weak={"silent": "yes, and its bias is not published"},
        ),
        "small_groups": _question(
            "What happens to small groups?",
            sound={
                "error_told": "their error is published with them",
                "left_out": "a noisy rule leaves them out",
            },
            weak={
                "as_others": "they are published like large ones",
                "exact_rule": "an exact rule leaves them out",
            },
        ),
        "side_channels": _question(
            "Can anything else give rows away, such as time or error messages?",
            sound={"no_queries": "no: nobody asks questions, only results are published", "guarded": "it is guarded"},
            weak={"open": "yes: others run questions, and nothing is said to guard it"},
        ),
    }
)
"""Field of Handling -> its question."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Handling:
    """What is said about handling: each field one key of its question's answers, or why it is empty."""

    exact_beside: str | Unsaid = NOT_SAID
    trusted: str | Unsaid = NOT_SAID
    raw_access: str | Unsaid = NOT_SAID
    code: str | Unsaid = NOT_SAID
    parameters: str | Unsaid = NOT_SAID
    audit: str | Unsaid = NOT_SAID
    sampler: str | Unsaid = NOT_SAID
    chosen: str | Unsaid = NOT_SAID
    post_processing: str | Unsaid = NOT_SAID
    small_groups: str | Unsaid = NOT_SAID
    side_channels: str | Unsaid = NOT_SAID

    def __post_init__(self) -> None:
        for field in fields(self):
            value, answers = getattr(self, field.name), HANDLING[field.name].answers
            if not isinstance(value, Unsaid) and value not in tuple(answers):
                raise InvalidParameterError(field.name, value, "one of " + ", ".join(answers) + ", or not said")
