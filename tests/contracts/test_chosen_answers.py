"""What every question owes whose answer is chosen: how far scores move, in which direction, and what a choice reveals.

The law of a choice is known, so what it reveals between two tables is computed, not sampled: the largest log ratio.
"""

from dataclasses import replace
from functools import cache

import numpy as np
import pytest
from numpy.typing import NDArray

from dpengine.data import Comparison, IsMissing, Not
from dpengine.mechanisms import ExponentialMechanism, ReportNoisyMax
from dpengine.plan import PlannedQuery
from dpengine.privacy import Guarantee, Neighbors
from dpengine.queries import Choice, ModeQuery, QuantileQuery
from tests.contracts.hard_persons import AR, RP, UNITS, WELL, exact, moves_of, pairs_of, schema_of

EPSILON = 0.7
EXAMPLES = (
    QuantileQuery("score"),
    QuantileQuery("wealth", 0.9),
    QuantileQuery("known", 0.25, where=WELL),
    QuantileQuery("score", 0.5, (17.3, 40, 58, 99.6)),
    QuantileQuery("score", 0.75, (20, 58.5), Comparison("score", ">", 30)),
    QuantileQuery("known", 0.0, (0.05, 0.3, 0.75)),
    QuantileQuery("known", 1.0, (0.05, 0.3, 0.75)),
    QuantileQuery("wealth", 0.125, (0,)),
    ModeQuery("color"),
    ModeQuery("color", WELL),
    ModeQuery("ill", Not(IsMissing("color"))),
)
every_unit = pytest.mark.parametrize("unit", UNITS)
both_relations = pytest.mark.parametrize("neighbors", Neighbors, ids=lambda one: one.value)
ONE_ROW, SEVERAL_ROWS, IN_GROUPS = UNITS
every_query = pytest.mark.parametrize(
    "query, unit",
    [
        *(pytest.param(query, unit, id=f"{query!r}-{unit}") for query in EXAMPLES for unit in (ONE_ROW, SEVERAL_ROWS)),
        *(pytest.param(query, IN_GROUPS, id=f"{query!r}-{IN_GROUPS}") for query in (EXAMPLES[3], EXAMPLES[-1])),
    ],
)
"""Every question; a choice knows of a person's rows alone, not of groups."""


def choice_of(query: QuantileQuery | ModeQuery, unit: str, neighbors: Neighbors) -> Choice:
    (choice,) = query.parts(schema_of(UNITS[unit]), neighbors)
    return choice


def mechanism_of(
    query: QuantileQuery | ModeQuery, unit: str, neighbors: Neighbors
) -> ExponentialMechanism | ReportNoisyMax:
    planned = PlannedQuery(query=query, guarantee=Guarantee(epsilon=EPSILON))
    (mechanism,) = planned.mechanisms(schema_of(UNITS[unit]), neighbors)
    assert isinstance(mechanism, ExponentialMechanism | ReportNoisyMax)
    return mechanism


@cache
def losses_of(
    mechanism: ExponentialMechanism | ReportNoisyMax, choice: Choice, unit: str, neighbors: Neighbors
) -> NDArray[np.float64]:
    """What each candidate reveals, the log ratio of its chances in two neighbors; shape (pairs, candidates)."""
    tables = {table for pair in pairs_of(unit, neighbors) for table in pair}
    laws = {table: np.log(mechanism.probabilities(exact(table, choice))) for table in tables}
    return np.array([laws[one] - laws[other] for one, other in pairs_of(unit, neighbors)])


@both_relations
@every_query
def test_no_score_moves_further_than_claimed_and_all_together_where_claimed(query, neighbors, unit):
    choice = choice_of(query, unit, neighbors)
    moves, claim = moves_of(choice, unit, neighbors), choice.score_sensitivity
    assert np.abs(moves).max() <= claim.score_sensitivity
    assert choice.sensitivity.linf == claim.score_sensitivity * choice.step
    if claim.monotone:
        assert np.all((moves >= 0).all(axis=1) | (moves <= 0).all(axis=1))
    if isinstance(query, ModeQuery):
        assert np.abs(moves).max() == claim.score_sensitivity
        assert claim.monotone == (neighbors is AR)


@both_relations
@every_query
def test_a_choice_reveals_no_more_than_it_claims(query, neighbors, unit):
    """Every candidate in every pair of neighbors; and the exponential mechanism's losses lie within one epsilon."""
    choice, mechanism = choice_of(query, unit, neighbors), mechanism_of(query, unit, neighbors)
    losses = losses_of(mechanism, choice, unit, neighbors)
    assert np.abs(losses).max() <= EPSILON * (1 + 1e-9)
    if isinstance(mechanism, ExponentialMechanism):
        assert np.ptp(losses, axis=1).max() <= EPSILON * (1 + 1e-9)
    assert len(choice.values) == 1 or np.abs(losses).max() > EPSILON / 50


@every_unit
@both_relations
@pytest.mark.parametrize("query", [QuantileQuery("score"), *EXAMPLES[-3:]], ids=repr)
def test_a_choice_made_for_a_third_of_the_sensitivity_is_found_out(query, neighbors, unit):
    choice, right = choice_of(query, unit, neighbors), mechanism_of(query, unit, neighbors)
    wrong = replace(right, score_sensitivity=right.score_sensitivity / 3)
    assert np.abs(losses_of(wrong, choice, unit, neighbors)).max() > EPSILON


@every_unit
@pytest.mark.parametrize("query", EXAMPLES[-3:], ids=repr)
def test_counts_taken_for_monotone_when_a_person_is_replaced_are_found_out(query, unit):
    choice, right = choice_of(query, unit, RP), mechanism_of(query, unit, RP)
    moves = moves_of(choice, unit, RP)
    assert np.any((moves > 0).any(axis=1) & (moves < 0).any(axis=1))
    wrong = replace(right, monotone=True)
    assert np.abs(losses_of(wrong, choice, unit, RP)).max() > EPSILON * 1.2
