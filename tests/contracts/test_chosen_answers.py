"""What every question owes whose answer is chosen: how far scores move, in which direction, and what a choice reveals.

The law of a choice is known, so what it reveals between two tables is computed, not sampled: the largest log ratio.
"""

import itertools
from dataclasses import replace
from functools import cache

import numpy as np
from numpy.typing import NDArray

from dpengine.data import Comparison, IsMissing, Not, Table
from dpengine.mechanisms import ExponentialMechanism, ReportNoisyMax
from dpengine.plan import PlannedQuery
from dpengine.privacy import Guarantee, Neighbors
from dpengine.queries import Choice, ModeQuery, QuantileQuery
from tests.contracts.hard_persons import AR, RP, UNITS, WELL, exact, pairs_of, schema_of
from tests.running.cases import each

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
ONE_ROW, SEVERAL_ROWS, IN_GROUPS = UNITS
CASES = [
    *itertools.product(EXAMPLES, (ONE_ROW, SEVERAL_ROWS), Neighbors),
    *itertools.product((EXAMPLES[3], EXAMPLES[-1]), (IN_GROUPS,), Neighbors),
]
"""Every question; a choice knows of a person's rows alone, not of groups."""
every_case = each(("query", "unit", "neighbors"), CASES)


@cache
def choice_of(query: QuantileQuery | ModeQuery, unit: str, neighbors: Neighbors) -> Choice:
    (choice,) = query.parts(schema_of(UNITS[unit]), neighbors)
    return choice


@cache
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
    """What each candidate reveals, the log ratio of its chances in two neighbors; shape (pairs, turns)."""
    turns, scores = scores_of(choice, unit)
    laws = {table: np.log(mechanism.probabilities(found))[turns] for table, found in scores.items()}
    return np.array([laws[one] - laws[other] for one, other in pairs_of(unit, neighbors)])


@cache
def scores_of(choice: Choice, unit: str) -> tuple[NDArray[np.intp], dict[Table | None, NDArray[np.int64]]]:
    """Where the scores of any table change from one candidate to the next, and all scores of each table.

    Between two turns all candidates have the same scores, and so the same chances.
    """
    tables = {table for neighbors in Neighbors for pair in pairs_of(unit, neighbors) for table in pair}
    scores = {table: exact(table, choice) for table in tables}
    changes = np.diff(np.array(list(scores.values())), axis=1).any(axis=0)
    return np.flatnonzero(np.r_[True, changes]), scores


def score_moves_of(choice: Choice, unit: str, neighbors: Neighbors) -> NDArray[np.int64]:
    """How far each score moves between two neighbors; shape (pairs, turns)."""
    turns, scores = scores_of(choice, unit)
    return np.array([scores[one][turns] - scores[other][turns] for one, other in pairs_of(unit, neighbors)])


@every_case
def test_no_score_moves_further_than_claimed_and_all_together_where_claimed(query, neighbors, unit):
    choice = choice_of(query, unit, neighbors)
    moves, claim = score_moves_of(choice, unit, neighbors), choice.score_sensitivity
    assert np.abs(moves).max() <= claim.score_sensitivity
    assert choice.sensitivity.linf == claim.score_sensitivity * choice.step
    if claim.monotone:
        assert np.all((moves >= 0).all(axis=1) | (moves <= 0).all(axis=1))
    if isinstance(query, ModeQuery):
        assert np.abs(moves).max() == claim.score_sensitivity
        assert claim.monotone == (neighbors is AR)


@every_case
def test_a_choice_reveals_no_more_than_it_claims(query, neighbors, unit):
    """Every candidate in every pair of neighbors; and the exponential mechanism's losses lie within one epsilon."""
    choice, mechanism = choice_of(query, unit, neighbors), mechanism_of(query, unit, neighbors)
    losses = losses_of(mechanism, choice, unit, neighbors)
    assert np.abs(losses).max() <= EPSILON * (1 + 1e-9)
    if isinstance(mechanism, ExponentialMechanism):
        assert np.ptp(losses, axis=1).max() <= EPSILON * (1 + 1e-9)
    assert len(choice.values) == 1 or np.abs(losses).max() > EPSILON / 50


@each("unit", UNITS)
@each("neighbors", Neighbors)
@each("query", [EXAMPLES[0], *EXAMPLES[-3:]])
def test_a_choice_made_for_a_third_of_the_sensitivity_is_found_out(query, neighbors, unit):
    choice, right = choice_of(query, unit, neighbors), mechanism_of(query, unit, neighbors)
    wrong = replace(right, score_sensitivity=right.score_sensitivity / 3)
    assert np.abs(losses_of(wrong, choice, unit, neighbors)).max() > EPSILON


@each("unit", UNITS)
@each("query", EXAMPLES[-3:])
def test_counts_taken_for_monotone_when_a_person_is_replaced_are_found_out(query, unit):
    choice, right = choice_of(query, unit, RP), mechanism_of(query, unit, RP)
    moves = score_moves_of(choice, unit, RP)
    assert np.any((moves > 0).any(axis=1) & (moves < 0).any(axis=1))
    wrong = replace(right, monotone=True)
    assert np.abs(losses_of(wrong, choice, unit, RP)).max() > EPSILON * 1.2
