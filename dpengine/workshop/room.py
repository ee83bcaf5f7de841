"""A room as it stands at one moment: what was set when it was opened, where it is in its steps, until when it lives."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from datetime import datetime
from typing import Any, Self

from dpengine.data import columns_of
from dpengine.errors import InvalidParameterError, require_between, require_kind, require_one_of, require_positive
from dpengine.ledger import Amounts
from dpengine.plan import PlannedQuery
from dpengine.plan.amounts import granted_by
from dpengine.privacy import Guarantee
from dpengine.promises import Promise
from dpengine.promises.saved import from_json, to_json
from dpengine.queries import CountPeopleQuery, CountQuery, Query
from dpengine.scenario import Scenario
from dpengine.workshop import codes, judging

GUESS, CHOOSE, SPEND, SMALLER, ATTACK, CHECK = "guess", "choose", "spend", "smaller", "attack", "check"
STEPS = (GUESS, CHOOSE, SPEND, SMALLER, ATTACK, CHECK)
JUDGE = "judge"
"""The step of a room that judges a promise, and of no other."""
LOBBY = -1
"""The step of a room that has not begun."""
PHASES: Mapping[str, int] = {GUESS: 3, CHOOSE: 4, SPEND: 1, SMALLER: 2, ATTACK: 4, CHECK: 2, JUDGE: 2}
"""How many phases a step has. Guessing: an epsilon each; choosing: first round, shown, second round, shown; asking
smaller: voted, shown; attacking: averaged, differenced, reconstructed, one person; checking, judging: asked, shown."""
MOST_PEOPLE, MOST_DAYS, LONGEST_TITLE = 200, 60, 80
USUAL_PLACES = 150
"""How many people of one address may be in, unless the host lets in more."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Setting:
    """What a facilitator sets before a room opens, and nobody changes afterwards.

    `plan` has the table by name and schema, the questions, the budget and the rule; never a row. `cap` is the epsilon
    that each person may spend, None for no cap. `columns` are those about which people may ask counts of their own.
    `people` is a public guess of how many the table is about; `dialed` is the question of the dial. `promise` is
    somebody else's, which the room judges in a step of its own; None where there is no such step.
    """

    title: str
    plan: Scenario
    steps: tuple[str, ...] = STEPS
    cap: float | None = None
    columns: tuple[str, ...] = ()
    people: float = 1000.0
    dialed: int = 0
    days: int = 7
    promise: Promise | None = None

    def __post_init__(self) -> None:
        require_kind("plan", self.plan, Scenario)
        if not self.steps or len(set(self.steps)) != len(self.steps):
            raise InvalidParameterError("steps", self.steps, "at least one, each once")
        for step in self.steps:
            require_one_of("step", step, (*STEPS, JUDGE))
        self._require_something_to_judge()
        if not self.plan.queries:
            raise InvalidParameterError("questions", 0, "at least one: a room without questions has nothing to ask")
        if self.cap is not None:
            require_positive("cap for each person", self.cap)
        require_positive("people", self.people)
        require_between("days", self.days, 1, MOST_DAYS)
        require_between("question of the dial", self.dialed, 0, len(self.plan.queries) - 1)
        unknown = sorted(set(self.columns) - {column.name for column in self.plan.schema.columns})
        if unknown:
            raise InvalidParameterError("columns", unknown[0], "declared in the table's schema")
        if self.plan.schema.unit.identifier in self.columns:
            raise InvalidParameterError(
                "columns", self.plan.schema.unit.identifier, "others than the one of the people"
            )

    def _require_something_to_judge(self) -> None:
        if (JUDGE in self.steps) != (self.promise is not None):
            raise InvalidParameterError("promise", self.promise, "there where the room judges one, and only there")
        if self.promise is not None:
            judging.require_size(self.promise)

    def granted_each(self) -> Amounts | None:
        """What each person may spend, as the ledger counts; the cap is on epsilon, with the budget's delta."""
        if self.cap is None:
            return None
        return granted_by(Guarantee(epsilon=self.cap, delta=self.plan.budget.delta))

    def allows(self, planned: PlannedQuery) -> bool:
        """Whether people may ask this: a question of the list, or a count about columns that were opened for it."""
        if any(one.query == planned.query for one in self.plan.queries):
            return True
        query = planned.query
        if not isinstance(query, CountQuery | CountPeopleQuery) or query.where is None:
            return False
        return columns_of(query.where) <= set(self.columns)

    def to_json(self) -> str:
        """As it is stored."""
        fields = {
            name: getattr(self, name) for name in ("title", "steps", "cap", "columns", "people", "dialed", "days")
        }
        promise = {} if self.promise is None else {"promise": to_json(self.promise)}
        return json.dumps(fields | {"plan": self.plan.to_json()} | promise)

    @classmethod
    def from_json(cls, text: str) -> Self:
        """As it was stored."""
        stored: dict[str, Any] = json.loads(text)
        return cls(
            **{**stored, "steps": tuple(stored["steps"]), "columns": tuple(stored["columns"])}
            | {"plan": Scenario.from_json(stored["plan"])}
            | ({"promise": from_json(stored["promise"])} if "promise" in stored else {})
        )


@dataclass(frozen=True, slots=True, kw_only=True)
class Room:
    """One room at one moment.

    `version` grows with everything that changes what people may do, `pulse` with everything that anybody does.
    `epsilon` is what the room has chosen for each question, None as long as the plan's own count. `screen` opens the
    projector view and nothing else. Nobody else joins where it is `shut`; from one address `places` people may be in.
    """

    id: int
    code: str = field(repr=False)
    screen: str = field(repr=False)
    setting: Setting
    account: int
    state: str
    place: int
    phase: int
    epsilon: float | None
    version: int
    pulse: int
    opened: datetime
    expires: datetime
    shut: bool = False
    places: int = USUAL_PLACES

    @property
    def step(self) -> str:
        """The step that is on now; empty in the lobby."""
        return "" if self.place == LOBBY else self.setting.steps[self.place]

    @property
    def spaced_code(self) -> str:
        """The join code as people read it."""
        return codes.spaced(self.code)

    def after(self) -> Room | None:
        """The room one phase or step further; None at the end."""
        if self.step and self.phase + 1 < PHASES[self.step]:
            return replace(self, phase=self.phase + 1)
        return replace(self, place=self.place + 1, phase=0) if self.place + 1 < len(self.setting.steps) else None

    def before(self) -> Room | None:
        """The room one phase or step back; None in the lobby."""
        if self.phase > 0:
            return replace(self, phase=self.phase - 1)
        if self.place == LOBBY:
            return None
        back = replace(self, place=self.place - 1)
        return replace(back, phase=PHASES[back.step] - 1 if back.step else 0)

    @property
    def round(self) -> int | None:
        """The round of choosing in which dials count now, 0 or 1; None where none is open."""
        return self.phase // 2 if self.step == CHOOSE and self.phase % 2 == 0 else None

    def planned(self, index: int) -> PlannedQuery:
        """A question of the list at the room's epsilon."""
        return self.priced(self.setting.plan.queries[index])

    def own(self, query: Query) -> PlannedQuery:
        """A count of somebody's own: Laplace noise at the room's epsilon, or at that of the question of the dial."""
        plan = self.setting.plan
        epsilon = plan.queries[self.setting.dialed].guarantee.epsilon if self.epsilon is None else self.epsilon
        return PlannedQuery(query=query, guarantee=Guarantee(epsilon=epsilon))

    def priced(self, planned: PlannedQuery) -> PlannedQuery:
        """A question at the room's epsilon, once it has chosen one."""
        return planned if self.epsilon is None else planned.at(self.epsilon)


@dataclass(frozen=True, slots=True, kw_only=True)
class Participant:
    """Somebody in a room, under a name of their own choice."""

    id: int
    room: int
    name: str = field(repr=False)


@dataclass(frozen=True, slots=True, kw_only=True)
class Saying:
    """What somebody guessed, chose or answered; `number` is that of the guess, the round or the question."""

    participant: int
    number: int
    value: float


@dataclass(frozen=True, slots=True, kw_only=True)
class Ask:
    """A question that somebody asked of the shared account; `request_id` is its name in the ledger.

    `state` is "waiting" from the moment when it counts against the person's cap, then "answered", or "refused" by the
    budget; "capped" is what the cap itself refused. `sentence` says why, and of one that is answered, that it failed.
    """

    id: int
    participant: int
    number: int
    request_id: str
    planned: PlannedQuery
    amounts: Amounts
    state: str
    sentence: str
