"""No answer that can be released betrays more than it claims, whatever the neighbors; half the noise always does."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace
from fractions import Fraction
from functools import cache

import numpy as np
import pytest
from scipy import stats

from dpengine.data import Table
from dpengine.losses import delta_of, rho_from_guarantee
from dpengine.mechanisms import (
    DiscreteGaussianMechanism,
    DiscreteLaplaceMechanism,
    ExponentialMechanism,
    ReleasedMechanism,
    ReportNoisyMax,
    exact_noise,
)
from dpengine.plan import PlannedQuery
from dpengine.privacy import Guarantee, Neighbors
from dpengine.privacy.rounding import promise_of
from tests.running.cases import each
from tests.statistical.auditing import (
    DRAWS,
    FALSE_ALARM,
    Drawer,
    Numbers,
    delta_between,
    epsilon_between,
    exact_answers,
    handed_over,
    look_at_parts,
    looks_between,
    many_choices,
)
from tests.statistical.hard_pairs import ADDITIVE, CHOSEN, GRIDS, MIDDLE, PAIRS, Pair

CLAIM = Guarantee(epsilon=1.0)
BELL = Guarantee(epsilon=1.0, delta=0.02)
BELLS = (
    *("count", "sum", "mean", "variance", "variance of a complete column"),
    *("cells", "sums of groups", "means of groups", "several counts"),
)
SAMPLED = ("median", "mode")
EVERY = max(map(len, PAIRS.values()))
ADDED, REPLACED, PAIR_OF_22 = Neighbors.ADD_REMOVE, Neighbors.REPLACE_ONE, Pair(shared=(MIDDLE,) * 22)
EXAMPLES = [
    *((name, "laplace", neighbors) for name in (*ADDITIVE, *SAMPLED) for neighbors in Neighbors),
    *((name, "gaussian", neighbors) for name in BELLS for neighbors in Neighbors),
]
IDS = [f"{name}-{noise}-{neighbors.value}" for name, noise, neighbors in EXAMPLES]
DRAWN = {
    ("count", "laplace", ADDED): DRAWS // 4,
    ("cells", "laplace", REPLACED): DRAWS // 4,
    ("median", "laplace", ADDED): DRAWS,
    ("mode", "laplace", REPLACED): DRAWS // 2,
    ("mean", "gaussian", REPLACED): DRAWS,
}
"""Each sampler, drawn on the pair that differs most, and how often; under -m slow everything is, on all pairs."""
AUDITS = [
    *(pytest.param(*example, 1, id=f"{example[0]}-{example[1]}-{example[2].value}") for example in DRAWN),
    *(
        pytest.param(*example, EVERY, marks=pytest.mark.slow, id=f"{name}-every pair")
        for example, name in zip(EXAMPLES, IDS, strict=True)
    ),
]
CONTROLS = [
    pytest.param(*example, id=name, marks=() if example in DRAWN else pytest.mark.slow)
    for example, name in zip(EXAMPLES, IDS, strict=True)
]
Handed = tuple[ReleasedMechanism, Numbers, Numbers, tuple[Fraction, Fraction]]
FAINT = {
    *((name, "laplace") for name in ("median", "mean", "variance", "variance of a complete column", "means of groups")),
    *((name, "gaussian") for name in ("mean", "variance", "variance of a complete column", "cells")),
    *((name, "gaussian") for name in ("sums of groups", "means of groups", "several counts")),
}
"""What takes all the draws, so that half the noise shows by more than four standard deviations (twelve runs each)."""
LOOSE = ("means of groups", "gaussian", REPLACED)
exact = cache(exact_answers)
"""Asked of each table once for all tests: nothing here changes a table or what is asked."""


@pytest.fixture(scope="module", autouse=True)
def _asked_once() -> Iterator[None]:
    """Each table answers each aggregate once for all tests of this file: nothing here changes a table."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(Table, "run", cache(Table.run))
        yield


@pytest.fixture(scope="module")
def drawers() -> dict[int, Drawer]:
    """Each draws once for all tests what has the same integers and the same noise."""
    return {number: Drawer(number=number) for number in (DRAWS // 4, DRAWS // 2, DRAWS)}


@pytest.fixture
def drawer(drawers: dict[int, Drawer], name: str, noise: str, neighbors: Neighbors) -> Drawer:
    """As many draws as half the noise needs to be found out."""
    return drawers[DRAWN.get((name, noise, neighbors), DRAWS if (name, noise) in FAINT else DRAWS // 2)]


def planned_for(name: str, noise: str) -> PlannedQuery:
    query = ADDITIVE[name] if name in ADDITIVE else CHOSEN[name]
    return PlannedQuery(query=query, guarantee=BELL if noise == "gaussian" else CLAIM, mechanism=noise)


def beyond_claim(planned: PlannedQuery, tables: tuple[Table, Table], neighbors: Neighbors, drawer: Drawer) -> float:
    """What is shown less what is claimed: of epsilon for pure answers; of delta for Gaussian ones, part by part too."""
    looks = looks_between(planned, *tables, neighbors)
    here, there = (drawer.answers(planned, table, neighbors) for table in tables)
    if planned.mechanism != "gaussian":
        return epsilon_between(here, there, looks) - planned.guarantee.epsilon
    promise, terms = planned.guarantee, (tables[0].schema, neighbors)
    shares = zip(planned.shares(*terms), planned.delta_shares(*terms), strict=True)
    return max(
        delta_between(here, there, looks, epsilon=promise.epsilon) - promise.delta,
        *(
            delta_between(here, there, (look,), epsilon=float(epsilon)) - float(delta)
            for look, (epsilon, delta) in zip(look_at_parts(planned, *tables, neighbors), shares, strict=True)
        ),
    )


def differing(planned: PlannedQuery, neighbors: Neighbors) -> dict[str, tuple[Table, Table]]:
    """The pairs whose exact integers differ, each of a kind once: equal integers are answered by one law."""
    pairs, seen = {}, set()
    for name, pair in PAIRS[neighbors].items():
        tables = pair.tables(neighbors)
        here, there = (_flat(exact(planned, table, neighbors)) for table in tables)
        experiment = here.tobytes(), there.tobytes(), repr(planned.mechanisms(tables[0].schema, neighbors))
        if experiment[0] != experiment[1] and experiment not in seen:
            pairs[name] = tables
            seen.add(experiment)
    return pairs


def _flat(parts: Sequence[Numbers]) -> Numbers:
    return np.concatenate(parts)


def true_loss(
    planned: PlannedQuery, tables: tuple[Table, Table], neighbors: Neighbors, *, likelier_than: float = 0.0
) -> float:
    """How far apart the two laws are: in scales of the noise, or by the chances of candidates.

    An equality for Laplace noise on a wide grid and for choices; for Gaussian noise only an order.
    """
    mechanisms = planned.mechanisms(tables[0].schema, neighbors)
    answers = [exact(planned, table, neighbors) for table in tables]
    if isinstance(mechanisms[0], ExponentialMechanism | ReportNoisyMax):
        here, there = (mechanisms[0].probabilities(scores[0]) for scores in answers)
        seen = np.minimum(here, there) > likelier_than
        return float(np.abs(np.log(here[seen] / there[seen])).max())
    moved = zip(*answers, mechanisms, strict=True)
    return sum(float(np.abs(here - there).sum()) / noise.scale for here, there, noise in moved)


def hardest(planned: PlannedQuery, neighbors: Neighbors, number: int) -> dict[str, tuple[Table, Table]]:
    """So many of the pairs, those whose two laws lie farthest apart first."""
    pairs = differing(planned, neighbors)
    ordered = sorted(pairs, key=lambda name: -true_loss(planned, pairs[name], neighbors))
    return {name: pairs[name] for name in ordered[:number]}


@pytest.mark.parametrize(("name", "noise", "neighbors", "number"), AUDITS)
def test_no_answer_betrays_more_than_it_claims(drawer, name, noise, neighbors, number):
    planned = planned_for(name, noise)
    pairs = hardest(planned, neighbors, number)
    beyond = {pair: beyond_claim(planned, tables, neighbors, drawer) for pair, tables in pairs.items()}
    assert {pair: shown for pair, shown in beyond.items() if shown > 0.0} == {}


def weakened(mechanism: ReleasedMechanism, times: int = 2) -> ReleasedMechanism:
    """What somebody would use who takes the sensitivity for half of what it is, or for less."""
    if isinstance(mechanism, DiscreteGaussianMechanism):
        return DiscreteGaussianMechanism(
            standard_deviation=mechanism.scale / times, l2_sensitivity=mechanism.l2_sensitivity
        )
    if isinstance(mechanism, DiscreteLaplaceMechanism):
        return replace(mechanism, scale=mechanism.scale / times)
    return replace(mechanism, epsilon=times * mechanism.epsilon)


@pytest.mark.parametrize(("name", "noise", "neighbors"), CONTROLS)
def test_noise_for_half_the_sensitivity_is_always_found_out(monkeypatch, drawer, name, noise, neighbors):
    planned, honest, times = planned_for(name, noise), PlannedQuery.mechanisms, too_bold(name, noise, neighbors)
    pairs = differing(planned, neighbors)
    hardest = max(pairs.values(), key=lambda tables: true_loss(planned, tables, neighbors, likelier_than=0.05))
    monkeypatch.setattr(
        PlannedQuery, "mechanisms", lambda *terms: tuple(weakened(noise, times) for noise in honest(*terms))
    )
    assert beyond_claim(planned, hardest, neighbors, drawer) > 0.0


def too_bold(*example: object) -> int:
    """How many times too little noise has to show.

    Four where the declared bound is itself above the truth: sums of values of both signs by group.
    """
    return 4 if example == LOOSE else 2


@each(("name", "noise", "neighbors"), EXAMPLES)
def test_what_reaches_the_sampler_keeps_the_claim_and_half_the_noise_would_not(name, noise, neighbors):
    """Without draws, on every pair: the integers and the mechanisms that a release hands over, and their exact law."""
    planned, times = planned_for(name, noise), too_bold(name, noise, neighbors)
    pairs = [handed(planned, pair.tables(neighbors), neighbors) for pair in PAIRS[neighbors].values()]
    assert max(map(exactly_beyond_claim, pairs)) <= 1e-6
    bold = [[(weakened(right, times), here, there, share) for right, here, there, share in parts] for parts in pairs]
    assert max(map(exactly_beyond_claim, bold)) > 0.01


def handed(planned: PlannedQuery, tables: tuple[Table, Table], neighbors: Neighbors) -> list[Handed]:
    """Of each part the noise, which is the same whatever the rows are, the integers of both tables, and its share."""
    terms = tables[0].schema, neighbors
    shares = zip(planned.shares(*terms), planned.delta_shares(*terms), strict=True)
    here, there = (handed_over(planned, table, neighbors) for table in tables)
    assert [mechanism for mechanism, _ in here] == [mechanism for mechanism, _ in there]
    return [(*one, other, share) for one, (_, other), share in zip(here, there, shares, strict=True)]


def exactly_beyond_claim(parts: Sequence[Handed]) -> float:
    """By how much the loss exceeds what is claimed: epsilon for pure answers, of the worst part for Gaussian ones."""
    if isinstance(parts[0][0], DiscreteGaussianMechanism):
        return max(gaussian_excess(*part) for part in parts)
    return sum(loss(noise, here, there) - float(epsilon) for noise, here, there, (epsilon, _) in parts)


def loss(mechanism: ReleasedMechanism, here: Numbers, there: Numbers) -> float:
    """Of one part: an equality for Laplace noise, whose scale is in grid steps, and for choices."""
    if isinstance(mechanism, ExponentialMechanism | ReportNoisyMax):
        return float(np.abs(np.log(mechanism.probabilities(here) / mechanism.probabilities(there))).max())
    return float(np.abs(here - there).sum()) / mechanism.scale


def gaussian_excess(
    mechanism: ReleasedMechanism, here: Numbers, there: Numbers, share: tuple[Fraction, Fraction]
) -> float:
    """Of delta where one number moves, by its exact law; of rho where several do, as a share of what is promised."""
    promise = promise_of(*share)
    assert isinstance(mechanism, DiscreteGaussianMechanism)
    moved = np.abs(here - there)
    if np.count_nonzero(moved) > 1:
        allowed = rho_from_guarantee(promise)
        return float((moved.astype(float) ** 2).sum()) / (2.0 * mechanism.scale**2) / allowed - 1.0
    if not moved.any():
        return -promise.delta
    alone = DiscreteGaussianMechanism(standard_deviation=mechanism.scale, l2_sensitivity=int(moved.max()))
    return float(delta_of(alone.event, epsilon=promise.epsilon)) - promise.delta


@pytest.mark.parametrize("neighbors", Neighbors)
@pytest.mark.parametrize(
    "query",
    [CHOSEN["lower quartile"], CHOSEN["mode of two"], GRIDS[0], pytest.param(GRIDS[1], marks=pytest.mark.slow)],
    ids=repr,
)
def test_the_chances_of_every_candidate_keep_the_claim(query, neighbors):
    """Without draws, on the scores of real rows, for what is not drawn above: some choices take too long to sample."""
    planned = PlannedQuery(query=query, guarantee=CLAIM)
    pairs = differing(planned, neighbors).values()
    losses = [true_loss(planned, tables, neighbors) for tables in pairs]
    assert 0.2 < max(losses) <= 1.0 + 1e-6
    assert any(true_loss(planned.at(2.0), tables, neighbors) > 1.0 + 1e-6 for tables in pairs)


def test_a_choice_among_grid_steps_follows_its_law_and_not_that_of_half_the_sensitivity():
    """Whether the one step is chosen that all 22 rows have, by the very measurement of a release.

    A false alarm comes once in a million runs, and half the noise is missed once in ten million.
    """
    table, planned, runs = PAIR_OF_22.tables(ADDED)[1], PlannedQuery(query=GRIDS[0], guarantee=CLAIM), 30
    (scores,) = exact(planned, table, ADDED)
    (mechanism,) = planned.mechanisms(table.schema, ADDED)
    assert isinstance(mechanism, ExponentialMechanism)
    chosen = [*exact_noise.answer(mechanism, scores), *many_choices(mechanism, scores, runs - 1)[:, 0]]
    hits = np.sum(scores[chosen] == 0)
    chances = [
        float(law.probabilities(scores)[scores == 0].sum()) for law in (mechanism, replace(mechanism, epsilon=2.0))
    ]
    assert 0.4 < chances[0] < 0.6
    right, wrong = (stats.binomtest(int(hits), runs, chance).pvalue for chance in chances)
    assert right > FALSE_ALARM > wrong
