"""What a person assumes and aims at while weighing a plan; each was typed or chosen, none comes from the rows."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

from dpengine.errors import (
    InvalidParameterError,
    items_of,
    plain,
    require_between,
    require_fields,
    require_non_negative,
    require_whole,
)

MOST_QUERIES = 500


@dataclass(frozen=True, slots=True, kw_only=True)
class PlanTargets:
    """The share of answers that an interval holds, an attacker's belief before, and what is accepted of both.

    `belief` is the most that an attacker may come to believe; `errors` are the accepted errors of the questions by
    their place, in each answer's unit; None where nobody said. `one_by_one` are the places of those whose error holds
    for each number of the answer alone, and not for all at once. `question` is the place of the one that is open.
    `rows` and `people` say roughly how many there are, as somebody publicly guessed; the table was not asked.
    """

    confidence: float = 0.95
    prior: float = 0.5
    belief: float | None = None
    errors: tuple[float | None, ...] = ()
    one_by_one: tuple[int, ...] = ()
    question: int = 0
    rows: int | None = None
    people: int | None = None

    def __post_init__(self) -> None:
        for name in ("errors", "one_by_one"):
            object.__setattr__(self, name, items_of(name, getattr(self, name)))
        for name in ("question", "rows", "people"):
            object.__setattr__(self, name, plain(getattr(self, name)))
        require_fields(self)
        for name in ("confidence", "prior", "belief"):
            if (share := getattr(self, name)) is not None:
                require_between(name, share, 0.0, 1.0, open_at="both")
                object.__setattr__(self, name, float(share))
        for error in self.errors:
            if error is not None:
                require_non_negative("accepted error", error)
        object.__setattr__(self, "one_by_one", tuple(sorted(set(self.one_by_one))))
        self._require_places()
        self._require_size()

    def followed(self, came_from: Sequence[int | None]) -> PlanTargets:
        """The same about a plan whose questions stood at these places before, None for one about which nothing is said.

        The open question stays open wherever it stands now; where it is gone, the one in its place is.
        """
        errors = [None if one is None else (*self.errors, *[None] * (one + 1))[one] for one in came_from]
        while errors and errors[-1] is None:
            errors.pop()
        last = max(len(came_from) - 1, 0)
        question = came_from.index(self.question) if self.question in came_from else min(self.question, last)
        alone = tuple(place for place, one in enumerate(came_from) if one in self.one_by_one)
        return replace(self, errors=tuple(errors), one_by_one=alone, question=question)

    def _require_places(self) -> None:
        for name, place in (("question", self.question), *(("one_by_one", one) for one in self.one_by_one)):
            require_whole(name, place, least=0)
            if max(len(self.errors), place + 1) > MOST_QUERIES:
                raise InvalidParameterError(name, place, f"one of at most {MOST_QUERIES}")

    def _require_size(self) -> None:
        for name in ("rows", "people"):
            if (number := getattr(self, name)) is not None:
                require_whole(name, number)
