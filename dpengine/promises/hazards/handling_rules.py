"""What answers on handling mean for a hazard: a sentence for each answer, and where another field decides."""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType

from dpengine.promises.handling import HANDLING
from dpengine.promises.hazards.standing import Judgement, apart, sound, weak
from dpengine.promises.promise import Promise
from dpengine.promises.unsaid import stated

BECAUSE: Mapping[str, Mapping[str, str]] = MappingProxyType(
    {
        "exact_beside": {
            "nothing": "Nothing exact is published from the same data.",
            "public": "The exact numbers published beside it were public already.",
            "some": "Exact numbers from the same data are published beside it, and no noise covers what those reveal.",
        },
        "trusted": {
            "nobody": "Noise is added before collection, so nobody has to be trusted with the raw data.",
            "named": "The institution to be trusted with the raw data is named.",
            "unnamed": "Somebody has to be trusted with the raw data, and the promise does not name them.",
        },
        "raw_access": {
            "nobody": "No raw data are kept.",
            "guarded": "A named few can read the raw data, and reading is recorded.",
            "open": "Many people can read the raw data, or nothing guards them. Noise hides nothing from those who do.",
        },
        "code": {"open": "its code is published", "closed": "its code is not published"},
        "parameters": {
            "all": "all parameters are published",
            "part": "only some parameters are published",
            "none": "no parameters are published",
        },
        "audit": {
            "independent": "somebody independent has checked the program",
            "own": "only its authors have checked the program",
            "nobody": "nobody has checked the program",
        },
        "sampler": {
            "exact": "Noise is drawn in whole numbers, or by a library made safe for this.",
            "floats": "Noise is drawn in ordinary decimal arithmetic, whose last digits can reveal the exact answer.",
        },
        "chosen": {
            "public": "Bounds, categories and ε were chosen without looking at these data.",
            "charged": "Bounds, categories or ε were chosen on these data, and ε pays for that.",
            "on_data": "Bounds, categories or ε were chosen on these data, and ε does not pay for what that reveals.",
        },
        "post_processing": {
            "none": "The noisy result is published as it is.",
            "told": "The noisy result is changed, and the bias that this brings is published.",
            "silent": "The noisy result is changed, and the bias that this brings is not published.",
        },
        "small_groups": {
            "error_told": "The error of small groups is published with them.",
            "left_out": "A noisy rule leaves small groups out.",
            "as_others": "Small groups are published like large ones: noise of the same size may hide all there is.",
            "exact_rule": "An exact rule leaves small groups out, so one person can decide whether a group appears.",
        },
        "side_channels": {
            "no_queries": "Nobody else runs questions; only results are published.",
            "guarded": "Running times and error messages are guarded.",
            "open": "Others run questions, and nothing guards running times and error messages.",
        },
    }
)
"""Field of Handling -> answer -> what it means; those of the three checks are joined to one sentence."""
_APART = {("raw_access", "nobody"), ("side_channels", "no_queries")}
"""Answers under which there is nothing that a hazard could reach."""
_CHECKS = ("code", "parameters", "audit")


def as_answered(promise: Promise, field: str) -> Judgement | None:
    """The judgement of one field by its own answer; None where there is none."""
    answer = stated(getattr(promise.handling, field))
    if answer is None:
        return None
    if (field, answer) in _APART:
        return apart(BECAUSE[field][answer])
    return (sound if HANDLING[field].answers[answer].sound else weak)(BECAUSE[field][answer])


def drawn(promise: Promise) -> Judgement | None:
    """Randomized response publishes categories, so no decimals can reveal anything."""
    judged = as_answered(promise, "sampler")
    if judged is None and promise.noise == "randomized_response":
        return apart("Randomized response publishes one of a few categories: there are no decimals to read.")
    return judged


def trusted(promise: Promise) -> Judgement | None:
    """Under local noise nobody needs the raw data; under the other models somebody has to be trusted."""
    answer = stated(promise.handling.trusted)
    if answer is None and promise.model == "local":
        return sound(BECAUSE["trusted"]["nobody"])
    if answer == "nobody" and promise.model in _TRUSTING:
        return weak(_TRUSTING[str(promise.model)])
    return as_answered(promise, "trusted")


_TRUSTING: Mapping[str, str] = MappingProxyType(
    {
        "central": "It says that nobody has to be trusted, but noise is added by somebody who holds the raw data.",
        "shuffled": "It says that nobody has to be trusted, but those who shuffle the reports must keep senders apart.",
    }
)


def reads_raw(promise: Promise) -> Judgement | None:
    """Local noise leaves no raw data behind that anybody could read."""
    judged = as_answered(promise, "raw_access")
    if judged is None and promise.model == "local":
        return apart("Noise is added before collection, so no raw data are collected.")
    return judged


def checked(promise: Promise) -> Judgement | None:
    """Sound where code, parameters and an independent check are all there; weak where one is known to be missing."""
    answers = {field: stated(getattr(promise.handling, field)) for field in _CHECKS}
    said = {field: answer for field, answer in answers.items() if answer is not None}
    missing = [BECAUSE[field][answer] for field, answer in said.items() if not HANDLING[field].answers[answer].sound]
    if missing:
        return weak(_sentence(missing))
    if len(said) < len(_CHECKS):
        return None
    return sound(_sentence([BECAUSE[field][answer] for field, answer in said.items()]))


def _sentence(clauses: list[str]) -> str:
    *first, last = clauses
    return f"{' and '.join((', '.join(first), last)) if first else last}.".capitalize()
