"""No answer that can be released betrays more than it claims, whatever the neighbors; half the noise always does."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from functools import cache

import numpy as np
import pytest
from scipy import stats

from dpengine.data import Table
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
from tests.statistical.auditing import (
    FALSE_ALARM,
    Drawer,
    Numbers,
    delta_between,
    epsilon_between,
    exact_answers,
    look_at_parts,
    looks_between,
)
from tests.statistical.hard_pairs import ADDITIVE, CHOSEN, GRIDS, MIDDLE, PAIRS, Pair

CLAIM = Guarantee(epsilon=1.0)
BELL = Guarantee(epsilon=1.0, delta=0.02)
BELLS = (
    *("count", "sum", "mean", "variance", "variance of a complete column"),
    *("cells", "sums of groups", "means of groups", "several counts"),
)
SAMPLED = ("median", "mode")
HARD, EVERY = 4, max(map(len, PAIRS.values()))
"""How many pairs of tables an answer is audited on: those that differ most, and under -m slow all of them."""
ADDED, PAIR_OF_22 = Neighbors.ADD_REMOVE, Pair(shared=(MIDDLE,) * 22)
EXAMPLES = [
    *((name, "laplace", neighbors) for name in (*ADDITIVE, *SAMPLED) for neighbors in Neighbors),
    *((name, "gaussian", neighbors) for name in BELLS for neighbors in Neighbors),
]
LOOSE = ("means of groups", "gaussian", Neighbors.REPLACE_ONE)
exact = cache(exact_answers)
"""Asked of each table once for all tests: nothing here changes a table or what is asked."""
IDS = [f"{name}-{noise}-{neighbors.value}" for name, noise, neighbors in EXAMPLES]


@pytest.fixture(scope="module")
def drawer() -> Drawer:
    """Draws once for all tests what has the same integers and the same noise."""
    return Drawer()


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
        experiment = tuple(here), tuple(there), repr(planned.mechanisms(tables[0].schema, neighbors))
        if tuple(here) != tuple(there) and experiment not in seen:
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


@pytest.mark.parametrize("number", [HARD, pytest.param(EVERY, marks=pytest.mark.slow)])
@pytest.mark.parametrize(("name", "noise", "neighbors"), EXAMPLES, ids=IDS)
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


@pytest.mark.parametrize(("name", "noise", "neighbors"), EXAMPLES, ids=IDS)
def test_noise_for_half_the_sensitivity_is_always_found_out(monkeypatch, drawer, name, noise, neighbors):
    """For a quarter where the declared bound is itself above the truth: sums of values of both signs by group."""
    planned, honest = planned_for(name, noise), PlannedQuery.mechanisms
    times = 4 if (name, noise, neighbors) == LOOSE else 2
    pairs = differing(planned, neighbors)
    hardest = max(pairs.values(), key=lambda tables: true_loss(planned, tables, neighbors, likelier_than=0.05))
    monkeypatch.setattr(
        PlannedQuery, "mechanisms", lambda *terms: tuple(weakened(noise, times) for noise in honest(*terms))
    )
    assert beyond_claim(planned, hardest, neighbors, drawer) > 0.0


@pytest.mark.parametrize("neighbors", Neighbors)
@pytest.mark.parametrize("query", [*CHOSEN.values(), *GRIDS], ids=repr)
def test_the_chances_of_every_candidate_keep_the_claim(query, neighbors):
    """Without draws, on the scores of real rows: a choice among tens of thousands of grid steps cannot be sampled."""
    planned = PlannedQuery(query=query, guarantee=CLAIM)
    losses = [true_loss(planned, tables, neighbors) for tables in differing(planned, neighbors).values()]
    assert 0.2 < max(losses) <= 1.0 + 1e-6
    doubled = planned.at(2.0)
    assert max(true_loss(doubled, tables, neighbors) for tables in differing(planned, neighbors).values()) > 1.0 + 1e-6


def test_a_choice_among_grid_steps_follows_its_law_and_not_that_of_half_the_sensitivity():
    """Whether the one step is chosen that all 22 rows have, by the very call of a release."""
    table, planned, runs = PAIR_OF_22.tables(ADDED)[1], PlannedQuery(query=GRIDS[0], guarantee=CLAIM), 60
    (scores,) = exact(planned, table, ADDED)
    (mechanism,) = planned.mechanisms(table.schema, ADDED)
    assert isinstance(mechanism, ExponentialMechanism)
    hits = sum(scores[exact_noise.answer(mechanism, scores)[0]] == 0 for _ in range(runs))
    chances = [
        float(law.probabilities(scores)[scores == 0].sum()) for law in (mechanism, replace(mechanism, epsilon=2.0))
    ]
    assert 0.3 < chances[0] < 0.7
    right, wrong = (stats.binomtest(int(hits), runs, chance).pvalue for chance in chances)
    assert right > FALSE_ALARM > wrong
