"""One planned question with all that its pictures need: the plan around it, a public guess, and what may be shown."""

from __future__ import annotations

import html
from collections.abc import Mapping
from dataclasses import dataclass, replace
from functools import cached_property, lru_cache, partial
from typing import Literal

import numpy as np

from dpengine import accounting, accuracy, feasible
from dpengine.accuracy import ErrorLaw, Guess, SamplingError
from dpengine.formatting import Measure, measure_of
from dpengine.losses import concentrated_epsilon
from dpengine.losses.arrays import Array, Numbers
from dpengine.mechanisms import ExponentialMechanism, ReportNoisyMax
from dpengine.plan import UNLIKELY, PlannedQuery, beliefs_after, right_at_most
from dpengine.plan.amounts import Amounts, cost_of
from dpengine.privacy import Event, Guarantee, Neighbors
from dpengine.privacy.amounts import ATTO, NANO
from dpengine.queries import Choice
from dpengine.queries.part import Integers
from dpengine.scenario import Scenario
from dpengine.spending import Balance
from pages.widgets.escaping import unmarked

__all__ = ["UNLIKELY", "QuestionView"]


@dataclass(frozen=True, kw_only=True)
class QuestionView:
    """A question under discussion.

    `center` is its exact answer where that may be drawn, else None. `confidence` and `prior` are shares of 1, `delta`
    is what advanced composition and Gaussian noise may use. `balance` is what there is to spend, and the rule that adds
    up: that of an account, the budget that a plan names without one, or an example; `charged_as` is the relation by
    which an account charges, where it is not the plan's. `guessed` says whether somebody typed how large the answer may
    be, or may see it; `scores` are the exact scores of the candidates of a choice where they may be drawn. `size` says
    whether the number of records in the guess is exact, what somebody said, or what nobody did.
    """

    planned: PlannedQuery
    plan: Scenario
    guess: Guess
    center: float | None
    confidence: float
    prior: float
    delta: float
    balance: Balance
    charged_as: Neighbors | None = None
    guessed: bool = True
    scores: Integers | None = None
    funds: Literal["left", "planned", "start", "example"] = "planned"
    size: Literal["exact", "said", "unsaid"] = "exact"

    @property
    def asked(self) -> feasible.Asked:
        """The question with all that its error depends on."""
        return feasible.Asked(
            planned=self.planned, schema=self.plan.schema, neighbors=self.plan.neighbors, guess=self.guess
        )

    @cached_property
    def law(self) -> ErrorLaw:
        """How wrong the released answer may be, coordinate by coordinate."""
        return self.planned.error(self.plan.schema, self.plan.neighbors, self.guess)

    @cached_property
    def half_width(self) -> float:
        """The error that so many of 100 answers stay within, in the answer's unit."""
        return self.law.quantile(self.confidence)

    @cached_property
    def together(self) -> float:
        """The same for all numbers of the answer at once."""
        return self.half_width if self.coordinates == 1 else self.law.quantile(self.confidence, self.coordinates)

    @cached_property
    def sampling(self) -> SamplingError | None:
        """How wrong even the exact answer may be about the population that the table is a sample of."""
        return accuracy.sampling_error(self.planned.query, self.guess)

    @cached_property
    def combined(self) -> ErrorLaw:
        """Privacy noise and sampling error together."""
        return self.law if self.sampling is None else accuracy.combined_error(self.law, self.sampling)

    @cached_property
    def shift(self) -> float:
        """How far one person moves the answer."""
        return self.planned.shift(self.plan.schema, self.plan.neighbors, self.guess)

    @cached_property
    def coordinates(self) -> int:
        """How many numbers the answer has."""
        return self.planned.parts(self.plan.schema, self.plan.neighbors)[0].coordinates

    @cached_property
    def rests_on_guesses(self) -> bool:
        """Whether its error depends on how many records there are and on the answer, as with several noisy parts."""
        return len(self.planned.parts(self.plan.schema, self.plan.neighbors)) > 1

    @property
    def sign(self) -> str:
        """What stands before its error."""
        return accuracy.error_sign(self.planned.parts(self.plan.schema, self.plan.neighbors))

    @property
    def unsaid(self) -> str:
        """What its error depends on and nobody has said, in words, so that no error is judged; else empty."""
        if not self.rests_on_guesses:
            return ""
        rows = ("how many rows there are",) if self.size == "unsaid" else ()
        return " and ".join(rows if self.guessed else (*rows, "how large the answer is"))

    @cached_property
    def events(self) -> Mapping[Event, int]:
        """What the accountants see of it."""
        return self.planned.events(self.plan.schema, self.plan.neighbors)

    @property
    def epsilon(self) -> float:
        """The dial."""
        return self.planned.guarantee.epsilon

    @property
    def measure(self) -> Measure:
        """How its error and its answer are read, for sentences and labels."""
        return measure_of(self.planned.query, self.plan.schema).written(unmarked, "units")

    @property
    def unit(self) -> str:
        """The unit in which its error is told."""
        return self.measure.errors

    @property
    def drawn_measure(self) -> Measure:
        """The same for pictures, which know no markdown but some markup."""
        return measure_of(self.planned.query, self.plan.schema).written(partial(html.escape, quote=False), "units")

    @cached_property
    def choice(self) -> Choice | None:
        """What is chosen among candidates, where the answer is chosen rather than made noisy."""
        part = self.planned.parts(self.plan.schema, self.plan.neighbors)[0]
        return part if isinstance(part, Choice) else None

    @cached_property
    def chances(self) -> Array | None:
        """How likely each candidate is to be reported, where that may be drawn."""
        mechanism = self.planned.mechanisms(self.plan.schema, self.plan.neighbors)[0]
        if self.scores is None or not isinstance(mechanism, ExponentialMechanism | ReportNoisyMax):
            return None
        return mechanism.probabilities(self.scores)

    def belief(self, prior: Numbers) -> tuple[Numbers, Numbers]:
        """Least and largest belief after the answer; under a delta for all but one in a thousand answers."""
        return beliefs_after(self.planned, prior)

    @cached_property
    def right_at_most(self) -> float:
        """The chance of being right that no attacker exceeds, who starts at 50:50."""
        return right_at_most(self.planned)

    @cached_property
    def cost(self) -> Amounts:
        """What a ledger charges for it, under every rule."""
        return cost_of(self.planned, self.plan.schema, self.charged_as or self.plan.neighbors)

    @cached_property
    def room(self) -> int:
        """How often such a question could be asked within what is left, as a ledger with this rule decides."""
        return self.balance.room(self.cost, self.balance.rule)

    @property
    def budget(self) -> float:
        """The epsilon that is left where epsilons are added up."""
        return self.balance.left.epsilon / NANO

    @cached_property
    def compared_within(self) -> Guarantee:
        """What is left as an epsilon and a delta, in which rules are compared.

        Where rho adds up, what the rho that is left comes to at the budget's delta; the whole budget while all is left.
        """
        if self.balance.rule == "basic":
            return Guarantee(epsilon=self.budget, delta=self.delta)
        delta, whole = self.balance.granted.delta / ATTO, self.balance.granted.epsilon / NANO
        comes_to = float(concentrated_epsilon(np.asarray((self.balance.left.rho + 1) / NANO), delta)) if delta else 0.0
        return Guarantee(epsilon=min(comes_to, whole), delta=delta)

    @cached_property
    def added_up(self) -> int:
        """How often it could be asked within that by a ledger that adds up epsilons."""
        return Balance.untouched(self.compared_within, "basic").room(self.cost, "basic")

    def affordable(self, accountant: str) -> int:
        """The same by a rule that decides nothing."""
        return _affordable(tuple(self.events.items()), self.compared_within, accountant)

    def converted(self, questions: Array) -> Array:
        """The epsilon that the rho of so many such answers comes to; never below the truth."""
        rho = np.nextafter(questions * (self.cost.rho / NANO), np.inf)
        return np.asarray(concentrated_epsilon(rho, self.compared_within.delta), dtype=np.float64)

    def at(self, epsilon: float) -> QuestionView:
        """The same question at another epsilon."""
        return replace(self, planned=self.planned.at(epsilon))

    @cached_property
    def first_gain(self) -> int | None:
        """From how many such questions on the sound advanced rule asks for less than adding up."""
        if len(self.events) > 1:
            return None
        return accounting.crossover(next(iter(self.events)), delta=self.compared_within.delta).advanced


@lru_cache(maxsize=4096)
def _affordable(events: tuple[tuple[Event, int], ...], budget: Guarantee, accountant: str) -> int:
    """Kept, since the dial comes back to its steps and everybody's dial has the same ones."""
    return accounting.affordable(dict(events), budget=budget, accountant=accountant)
