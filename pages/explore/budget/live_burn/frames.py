"""What one list costs that is asked on, as the browser draws it: numbers and words for one epsilon and one delta."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

from dpengine.formatting import at_most
from dpengine.formatting.numbers import number_in
from dpengine.scenario import Scenario
from dpengine.spending import Spending, shares
from dpengine.spending.onward import SpentOnward, onward
from pages.phrasing import rules, wording

EPSILONS = (
    *(0.03, 0.04, 0.05, 0.06, 0.08),
    *(float(f"{one * 10.0**power:.6g}") for power in (-1, 0) for one in (1, 1.25, 1.5, 2, 2.5, 3, 4, 5, 6, 8)),
    10.0,
)
"""Of the whole list: the steps of its dial."""
DELTAS = (1e-9, 1e-6, 1e-5)
_NUMBERS, _DIGITS, _TICKS = 360, 4, 6
_STEPS = (1, 2, 5)
CLEARLY = 0.99
"""Of what naive says: less than that is seen in the picture."""
Frame = Mapping[str, Any]


@dataclass(frozen=True, kw_only=True)
class AskedList:
    """A list and its budget, whatever the dials say: what all frames of one picture have in common."""

    spending: Spending
    rules: tuple[str, ...]
    alike: bool

    def at(self, epsilon: float, delta: float) -> Spending:
        """The same list once it costs this in total, with this delta in the budget."""
        plan = self.spending.scenario
        each = shares.scaled([planned.guarantee.epsilon for planned in plan.queries], total=epsilon)
        return replace(
            self.spending, scenario=_with_shares(plan, each), budget=replace(self.spending.budget, delta=delta)
        )


def _with_shares(plan: Scenario, each: Sequence[float]) -> Scenario:
    queries = tuple(planned.at(share) for planned, share in zip(plan.queries, each, strict=True))
    return replace(plan, queries=queries)


def frame(spending: Spending, wanted: Sequence[str], *, alike: bool) -> Frame:
    """One picture: where each rule stands after some questions, which one it refuses, and what is said of it."""
    known = [rule for rule in wanted if spending.understands(rule)]
    found = onward(spending, known, alike=alike, points=_NUMBERS // len(wanted))
    rows, refused = dict(zip(known, found.spent, strict=True)), dict(zip(known, found.refused, strict=True))
    last = int(found.questions[-1])
    return {
        "title": title(spending.scenario.rule, refused, followed=found.followed, before=len(spending.earlier)),
        "names": [_name(rule, refused, spending, found) for rule in wanted],
        "questions": found.questions.tolist(),
        "spent": [[_upward(value) for value in rows[rule]] if rule in rows else [] for rule in wanted],
        "refused": [refused.get(rule) for rule in wanted],
        "all": found.steps_are_questions,
        "last": last,
        "ticks": _ticks(last),
        "parted": _parted(rows, found),
    }


def _parted(rows: Mapping[str, Sequence[float]], found: SpentOnward) -> str:
    """From which question on each rule stays below naive, as the picture tells it; that none does, where none does."""
    if "basic" not in rows:
        return ""
    first = {rule: _first_below(rows[rule], rows["basic"], found) for rule in rows if rule != "basic"}
    said = [f"{rules.RULES[rule].label} from question {number:,} on" for rule, number in first.items() if number]
    if not said:
        return "No rule is 1% cheaper than naive as long as the budget lasts."
    return f"At least 1% cheaper than naive: {wording.listed(said)}."


def _first_below(spent: Sequence[float], naive: Sequence[float], found: SpentOnward) -> int | None:
    """The question after which all that are told stay below, up to the last that any rule refuses."""
    last = max((number or found.followed) for number in found.refused)
    since = None
    for number, one, other in zip(found.questions.tolist(), spent, naive, strict=True):
        if number <= last:
            since = (since or number) if one <= CLEARLY * other else None
    return since


def title(decides: str, refused: Mapping[str, int | None], *, followed: int, before: int = 0) -> str:
    """How many questions the account's rule allows after those `before`, and how many the others would."""
    own, others = refused[decides], {rule: number for rule, number in refused.items() if rule != decides}
    fit = f"All of the first {followed:,} questions fit"
    if own is not None:
        fit = "No question fits" if own == before + 1 else _fit(own - 1 - before)
    if own is None or set(others.values()) <= {own}:
        return f"{fit} the budget" + (", by every rule" if others and own is not None else "")
    named: dict[int | None, list[str]] = {}
    for rule, number in others.items():
        named.setdefault(number, []).append(rules.RULES[rule].label)
    told = [(wording.listed(labels), _how_many(number, own, before, followed)) for number, labels in named.items()]
    (first, allowed), *later = told
    others_too = "".join(f", {who} {how_many}" for who, how_many in later)
    called = "rules" if " and " in first else "rule"
    return f"{fit} the budget; the {first} {called} would allow {allowed}{others_too}"


def _fit(number: int) -> str:
    return "1 question fits" if number == 1 else f"{number:,} questions fit"


def _how_many(number: int | None, own: int, before: int, followed: int) -> str:
    if number is None:
        return f"all {followed:,}"
    return "as many" if number == own else f"{number - 1 - before:,}"


def _name(rule: str, refused: Mapping[str, int | None], spending: Spending, found: SpentOnward) -> str:
    label = rules.CONVERTED if rule == "concentrated" else rules.RULES[rule].label
    if rule not in refused:
        return f"{label}: needs δ"
    number, decides = refused[rule], rule == spending.scenario.rule
    if number is None:
        return f"{label}: {'refuses' if decides else 'would refuse'} none of {found.followed:,}"
    through = number - 1 - len(spending.earlier)
    return f"{label}: {through:,} fit, refuses {number:,}" if decides else f"{label}: {through:,} would fit"


def _upward(value: float) -> float | None:
    """In few digits, never below the truth; nothing where nothing holds."""
    return number_in(at_most(float(value), _DIGITS)) if math.isfinite(value) else None


def _ticks(last: int) -> list[int]:
    """Round numbers of questions, a few."""
    step = next(
        one * 10**power for power in range(6) for one in _STEPS if last <= _TICKS * one * 10**power or power == 5
    )
    return list(range(0, last + 1, step))
