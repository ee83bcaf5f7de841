"""Where the textbook formula may be believed."""

from collections import Counter

import numpy as np

from dpengine.accounting import (
    Crossover,
    Validity,
    crossover,
    epsilon,
    textbook_validity,
    textbook_validity_curve,
    textbook_validity_of_steps,
)
from dpengine.privacy import (
    ApproximateEvent,
    ConcentratedEvent,
    DiscreteGaussianEvent,
    Event,
    GaussianEvent,
    LaplaceEvent,
    PureEvent,
    TruncatedLaplaceEvent,
)
from tests.running.cases import each


@each(
    ("epsilon_each", "repetitions", "verdict"),
    [
        (1.0, 110, Validity.PROVED),
        (1.0, 111, Validity.TRUE),
        (1.0, 205, Validity.TRUE),
        (1.0, 206, Validity.FALSE),
        (0.5, 611, Validity.FALSE),
        (0.5, 612, Validity.TRUE),
        (0.5, 613, Validity.FALSE),
        (0.1, 13_669, Validity.TRUE),
        (0.1, 13_670, Validity.FALSE),
        (2.0, 114, Validity.TRUE),
        (2.0, 115, Validity.FALSE),
        (0.01, 1000, Validity.PROVED),
    ],
)
def test_equal_shares_at_delta_1e_6(epsilon_each: float, repetitions: int, verdict: Validity) -> None:
    assert textbook_validity({PureEvent(epsilon=epsilon_each): repetitions}, delta=1e-6) is verdict


def test_the_curve_says_the_same() -> None:
    curve = textbook_validity_curve(PureEvent(epsilon=1.0), repetitions=np.arange(1, 301), delta=1e-6)
    assert curve[109:111] == [Validity.PROVED, Validity.TRUE]
    assert curve[204:206] == [Validity.TRUE, Validity.FALSE]
    assert Validity.UNPROVED not in curve


@each(
    ("events", "verdict"),
    [
        ({PureEvent(epsilon=1.0): 100, PureEvent(epsilon=1.01): 1000}, Validity.FALSE),
        ({PureEvent(epsilon=1.0): 1, PureEvent(epsilon=0.01): 1000}, Validity.PROVED),
        ({PureEvent(epsilon=1.0): 5, PureEvent(epsilon=2.0): 5}, Validity.PROVED),
        ({PureEvent(epsilon=0.95): 60, PureEvent(epsilon=1.0): 62}, Validity.TRUE),
        ({PureEvent(epsilon=0.7): 110, PureEvent(epsilon=1.0): 118}, Validity.TRUE),
        ({PureEvent(epsilon=0.7): 40, PureEvent(epsilon=1.0): 190}, Validity.UNPROVED),
        ({LaplaceEvent(noise_multiplier=1.0 / 0.7): 40, LaplaceEvent(noise_multiplier=1.0): 190}, Validity.UNPROVED),
        ({PureEvent(epsilon=0.5): 50, PureEvent(epsilon=1.0): 120}, Validity.TRUE),
        ({PureEvent(epsilon=0.5): 50, ApproximateEvent(epsilon=1.0, delta=1e-9): 120}, Validity.UNPROVED),
        ({GaussianEvent(noise_multiplier=50.0): 20}, Validity.PROVED),
        ({GaussianEvent(noise_multiplier=5.0): 500}, Validity.TRUE),
        ({ConcentratedEvent(rho=0.02): 500}, Validity.TRUE),
        ({DiscreteGaussianEvent(noise_multiplier=5.0, sensitivity=3): 500}, Validity.TRUE),
        ({GaussianEvent(noise_multiplier=5.0): 300, ConcentratedEvent(rho=0.02): 200}, Validity.TRUE),
        ({TruncatedLaplaceEvent(noise_multiplier=1.0, truncation=60.0): 206}, Validity.FALSE),
        ({TruncatedLaplaceEvent(noise_multiplier=1.0, truncation=60.0): 110}, Validity.PROVED),
        ({DiscreteGaussianEvent(noise_multiplier=0.3, sensitivity=1): 900}, Validity.UNPROVED),
    ],
)
def test_mixtures(events: dict[Event, int], verdict: Validity) -> None:
    assert textbook_validity(events, delta=1e-6) is verdict


def test_a_verdict_agrees_with_the_rules_it_is_about() -> None:
    for k in (50, 150, 205, 206, 400):
        runs: dict[Event, int] = {LaplaceEvent(noise_multiplier=1.0): k}
        optimal, textbook = (epsilon(runs, delta=1e-6, accountant=rule) for rule in ("optimal", "textbook"))
        assert (textbook_validity(runs, delta=1e-6) is not Validity.FALSE) is (textbook >= optimal)


@each("each", [3.0, 5.0])
@each("delta", [1e-290, 1e-300])
def test_the_smallest_deltas_do_not_make_the_formula_true(each: float, delta: float) -> None:
    assert textbook_validity({PureEvent(epsilon=each): 218_500}, delta=delta) is Validity.FALSE


def test_a_step_is_judged_by_its_own_beginning_and_not_by_what_follows() -> None:
    one: dict[Event, int] = {PureEvent(epsilon=1.0): 205}
    other: dict[Event, int] = {PureEvent(epsilon=0.5): 1}
    bell: dict[Event, int] = {GaussianEvent(noise_multiplier=10.0): 1}
    steps: list[dict[Event, int]] = [one, {PureEvent(epsilon=1.0): 1}, {}, other, bell]
    begun = [dict(Counter(one) + Counter({PureEvent(epsilon=1.0): more})) for more in (0, 1, 1)]
    wanted = [textbook_validity(runs, delta=1e-6) for runs in (*begun, begun[-1] | other, begun[-1] | other | bell)]
    assert textbook_validity_of_steps(steps, delta=1e-6) == wanted
    assert wanted[:2] == [Validity.TRUE, Validity.FALSE]
    assert textbook_validity_of_steps([{}, one], delta=1e-6) == [Validity.PROVED, Validity.TRUE]


def test_every_verdict_has_a_sentence() -> None:
    assert len({verdict.sentence for verdict in Validity}) == 4


def test_crossovers_at_delta_1e_6() -> None:
    assert crossover(PureEvent(epsilon=1.0), delta=1e-6) == Crossover(textbook=111, advanced=96)
    assert crossover(PureEvent(epsilon=20.0), delta=1e-6).advanced is None


@each(
    "event",
    [
        PureEvent(epsilon=0.1),
        ApproximateEvent(epsilon=0.5, delta=1e-9),
        GaussianEvent(noise_multiplier=10.0),
        DiscreteGaussianEvent(noise_multiplier=10.0, sensitivity=2),
        ConcentratedEvent(rho=0.005),
        TruncatedLaplaceEvent(noise_multiplier=10.0, truncation=300.0),
    ],
)
@each("rule", ["textbook", "advanced"])
def test_a_crossover_is_the_first(event: Event, rule: str) -> None:
    first = getattr(crossover(event, delta=1e-6), rule)
    for repetitions, below in ((first - 1, False), (first, True)):
        runs = {event: repetitions}
        found, basic = (epsilon(runs, delta=1e-6, accountant=name) for name in (rule, "basic"))
        assert (found < basic) is below


@each("noise", [0.01, 0.2, 0.5])
def test_a_mix_with_gaussian_noise_is_judged_between_the_gaussian_runs_alone_and_a_sound_rule(noise: float) -> None:
    seen = Counter[Validity]()
    for k in (1, 20, 500, 5000):
        bell: dict[Event, int] = {GaussianEvent(noise_multiplier=noise): k}
        runs = bell | {PureEvent(epsilon=0.01): 1000}
        verdict, textbook = textbook_validity(runs, delta=1e-6), epsilon(runs, delta=1e-6, accountant="textbook")
        least, most = (epsilon(of, delta=1e-6, accountant=rule) for of, rule in ((bell, "exact"), (runs, "renyi")))
        assert (verdict is Validity.FALSE) is (textbook < least)
        assert textbook < most or verdict in (Validity.PROVED, Validity.TRUE)
        seen[verdict] += 1
    assert len(seen) > 1 or noise == 0.5
