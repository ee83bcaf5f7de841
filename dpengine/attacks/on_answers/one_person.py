"""One person: what everything that was released together may have taught about anybody, with noise and without."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass

from dpengine.accounting import epsilon
from dpengine.attacks.on_answers.belief import Belief, believed, promised_by
from dpengine.attacks.on_answers.released_answers import Answers
from dpengine.errors import require_between
from dpengine.plan.amounts import Amounts
from dpengine.privacy import Event, Guarantee

WITHOUT_NOISE_OF_100 = 100
"""Without noise an attacker who knows everybody else subtracts, and is certain."""


@dataclass(frozen=True, slots=True, kw_only=True)
class OnePerson:
    """What an attacker who believed `before` may believe about one person afterwards.

    `added_up` is by the sum of all charges, and holds however people came to ask what they asked; `exactly` is by the
    exact loss of the noise at a total delta, and holds where the number of answers and their noise were fixed in
    advance. `budget`, if given, is by the whole budget, whatever is still asked. `total` is what all `answers` were
    charged.
    """

    before: float
    answers: int
    total: Amounts
    added_up: Belief
    exactly: Belief
    budget: Belief | None

    @property
    def without_noise_of_100(self) -> int:
        """What exact answers would have told: everything."""
        return WITHOUT_NOISE_OF_100


def one_person(
    answers: Answers, *, prior: float = 0.5, delta: float = 1e-6, budget: Guarantee | None = None
) -> OnePerson:
    """The bounds on beliefs from everything released; answers of every kind count. Never below the truth.

    `delta` is the total at which the exact accountant is asked. Sources: basic composition (Dwork and Roth 2014,
    Theorem 3.16); the exact accountant's own.
    """
    require_between("prior", prior, 0.0, 1.0, open_at="both")
    require_between("delta", delta, 0.0, 1.0, open_at="both")
    total = answers.cost_of(range(len(answers.told)))
    return OnePerson(
        before=prior,
        answers=len(answers.told),
        total=total,
        added_up=believed(prior, promised_by(total)),
        exactly=_exactly(answers, prior, delta),
        budget=None if budget is None else believed(prior, budget),
    )


def _exactly(answers: Answers, prior: float, delta: float) -> Belief:
    events: Counter[Event] = Counter()
    for one in answers.events:
        events.update(one)
    sorted_events = dict(sorted(events.items(), key=repr))
    found = epsilon(sorted_events, delta=delta, accountant="exact")
    return believed(prior, Guarantee(epsilon=found, delta=delta))
