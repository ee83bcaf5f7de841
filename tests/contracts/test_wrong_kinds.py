"""What everything that takes events or a guarantee owes: a sentence, named after the argument, for whatever is neither.

A new function adds a line to OF_EVENTS, OF_AN_EVENT or OF_A_GUARANTEE.
"""

from collections.abc import Callable
from typing import Any

import pytest

from dpengine import accounting, beliefs, losses
from dpengine.accuracy.lessons import many_answers
from dpengine.errors import InvalidParameterError
from dpengine.mechanisms import DiscreteGaussianMechanism, GaussianMechanism, TruncatedLaplaceMechanism
from dpengine.mechanisms.additive.families import with_guarantee
from dpengine.privacy import DiscreteGaussianEvent, Guarantee, PureEvent
from tests.running.cases import each

Called = tuple[str, Callable[[Any], Any]]
RULE: dict[str, Any] = {"accountant": "basic"}
DELTA: dict[str, Any] = {"delta": 1e-6}
BUDGET = Guarantee(epsilon=1.0, delta=1e-6)
DISCRETE = DiscreteGaussianEvent(noise_multiplier=4.0, sensitivity=1)


def of_discrete_gaussian_noise(bad: Any) -> Any:
    return losses.discrete_gaussian_epsilon(bad, 1e-6)


OF_EVENTS: list[Called] = [
    ("events", lambda bad: accounting.epsilon(bad, **DELTA, **RULE)),
    ("events", lambda bad: accounting.repeated(bad, repetitions=[1, 2], **DELTA, **RULE)),
    ("events", lambda bad: accounting.consumption([bad], **DELTA, **RULE)),
    ("events", lambda bad: accounting.affordable(bad, budget=BUDGET, **RULE)),
    (
        "events",
        lambda bad: accounting.affordable(
            {PureEvent(epsilon=0.1): 1}, budget=BUDGET, after=bad or NO_EVENTS[1], **RULE
        ),
    ),
    ("events", lambda bad: accounting.first_refused([bad], budget=BUDGET, **RULE)),
    ("events", lambda bad: accounting.textbook_validity(bad, **DELTA)),
    ("events", lambda bad: accounting.textbook_validity_of_steps([bad], **DELTA)),
    ("events", lambda bad: accounting.drawn_repeated(bad, repetitions=[1, 2], **DELTA, **RULE)),
    ("events", lambda bad: accounting.drawn_consumption([bad], **DELTA, **RULE)),
    ("events", lambda bad: accounting.events_for_group(bad, 2)),
]
NO_EVENTS: list[Any] = [
    None,
    0.1,
    "PureEvent",
    PureEvent(epsilon=0.1),
    [PureEvent(epsilon=0.1)],
    {0.1: 1},
    {PureEvent: 1},
]

OF_STEPS: list[Called] = [
    ("steps", lambda bad: accounting.consumption(bad, **DELTA, **RULE)),
    ("steps", lambda bad: accounting.drawn_consumption(bad, **DELTA, **RULE)),
    ("steps", lambda bad: accounting.textbook_validity_of_steps(bad, **DELTA)),
]
NO_STEPS = [None, 0.1, "PureEvent", PureEvent(epsilon=0.1), {PureEvent(epsilon=0.1): 1}]

OF_AN_EVENT: list[Called] = [
    ("event", lambda bad: losses.delta_of(bad, epsilon=1.0)),
    ("event", lambda bad: losses.false_negative_rate(bad, false_positive_rate=0.1)),
    ("event", losses.equal_error_rate),
    ("event", losses.loss_distribution),
    ("event", lambda bad: losses.renyi_divergence(bad, order=2.0)),
    ("event", of_discrete_gaussian_noise),
    ("event", lambda bad: accounting.epsilon_curve(bad, repetitions=[1, 2], **DELTA, **RULE)),
    ("event", lambda bad: accounting.drawn_curve(bad, repetitions=[1, 2], **DELTA, **RULE)),
    ("event", lambda bad: accounting.textbook_validity_curve(bad, repetitions=[1, 2], **DELTA)),
    ("event", lambda bad: accounting.crossover(bad, **DELTA)),
    ("event", accounting.rho_of),
    ("event", lambda bad: accounting.for_group(bad, 2)),
    ("event", lambda bad: accounting.Repetition(event=bad, delta=1e-6, chosen=1)),
    ("event", beliefs.advantage_of),
    ("event", beliefs.odds_of),
    ("event", lambda bad: beliefs.chance_bounds_of(bad, chance=0.1)),
    ("event", lambda bad: beliefs.posterior_law(bad, prior=0.1)),
    ("promise", lambda bad: beliefs.best_success(bad, prior=0.1)),
    ("promise", lambda bad: beliefs.true_positive_rate(bad, false_positive_rate=0.1)),
    ("promise", beliefs.receiver_operating_curve),
]
NO_EVENT = [None, 1.0, "PureEvent", PureEvent, [PureEvent(epsilon=0.1)], {PureEvent(epsilon=0.1): 1}]

OF_A_GUARANTEE: list[Called] = [
    ("budget", lambda bad: accounting.affordable({PureEvent(epsilon=0.1): 1}, budget=bad, **RULE)),
    ("budget", lambda bad: accounting.first_refused([{PureEvent(epsilon=0.1): 1}], budget=bad, **RULE)),
    ("guarantee", beliefs.advantage),
    ("guarantee", beliefs.odds_out_of_100),
    ("guarantee", lambda bad: beliefs.chance_bounds(0.1, guarantee=bad)),
    ("guarantee", lambda bad: beliefs.posterior_exceedance(bad, loss=2.0)),
    ("guarantee", lambda bad: beliefs.likely_posterior_bounds(0.1, guarantee=bad, failure_probability=0.1)),
    ("guarantee", GaussianMechanism.from_guarantee),
    ("guarantee", TruncatedLaplaceMechanism.from_guarantee),
    ("guarantee", lambda bad: DiscreteGaussianMechanism.from_guarantee(bad, l2_sensitivity=1)),
    ("guarantee", lambda bad: with_guarantee("Gaussian", bad)),
    ("guarantee", losses.rho_from_guarantee),
    ("guarantee", lambda bad: accounting.loose_group_guarantee(bad, 2)),
    ("guarantee", lambda bad: many_answers.laplace_error_of_many([1, 2], guarantee=bad, confidence=0.9)),
    ("guarantee", lambda bad: many_answers.gaussian_error_of_many([1, 2], guarantee=bad, confidence=0.9)),
    ("guarantee", lambda bad: many_answers.answers_where_gaussian_wins(guarantee=bad, confidence=0.9)),
    ("add_remove", lambda bad: accounting.ParallelPart(add_remove=bad)),
]
NO_GUARANTEE = [None, 1.0, "1", Guarantee, PureEvent(epsilon=1.0), (1.0, 1e-6)]


@each(
    ("name", "call", "bad"),
    [(*of, bad) for of in OF_EVENTS for bad in NO_EVENTS] + [(*of, bad) for of in OF_STEPS for bad in NO_STEPS],
)
def test_what_are_no_events_are_named_and_the_right_spelling_is_shown(
    name: str, call: Callable[[Any], Any], bad: object
) -> None:
    with pytest.raises(InvalidParameterError, match=r"PureEvent\(epsilon=0.1\)") as refused:
        call(bad)
    assert refused.value.name == name


@each(("name", "call"), OF_AN_EVENT)
@each("bad", NO_EVENT)
def test_what_is_no_event_is_named(name: str, call: Callable[[Any], Any], bad: object) -> None:
    with pytest.raises(InvalidParameterError, match=r"[Ee]vent") as refused:
        call(bad)
    assert refused.value.name == name


@each(("name", "call"), OF_A_GUARANTEE)
@each("bad", NO_GUARANTEE)
def test_what_is_no_guarantee_is_named(name: str, call: Callable[[Any], Any], bad: object) -> None:
    with pytest.raises(InvalidParameterError, match="Guarantee") as refused:
        call(bad)
    assert refused.value.name == name


def test_what_is_right_passes() -> None:
    for name, call in OF_EVENTS:
        if name == "events":
            call({PureEvent(epsilon=0.1): 3})
    for _, call in OF_STEPS:
        call([{PureEvent(epsilon=0.1): 3}])
    for _, call in OF_AN_EVENT:
        call(PureEvent(epsilon=0.1) if call is not of_discrete_gaussian_noise else DISCRETE)
    for _, call in OF_A_GUARANTEE:
        call(BUDGET)
