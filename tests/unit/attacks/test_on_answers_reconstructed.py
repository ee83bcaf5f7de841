"""Released counts of a secret, put together: exact answers give everybody away, answers with noise give chance."""

from __future__ import annotations

import numpy as np
import pytest

from dpengine.attacks.on_answers import MOST_ATTACKED, SecretCounts, reconstructed, secret_counts
from dpengine.attacks.on_answers.reconstructed import weighed
from dpengine.data import And, Comparison, Condition, IsMissing, Not, Or, RowCount, Table
from dpengine.errors import InvalidParameterError, RefusedQueryError
from dpengine.privacy import Guarantee
from dpengine.queries import CountQuery, HistogramQuery, Query
from tests.examples.ledgers import people
from tests.examples.tables import shared_sample
from tests.examples.told import answers, asked_of, told

BUDGET = Guarantee(epsilon=1.0)
DOLE = Comparison("expected_vote", "=", "dole")
OLD, RICH = Comparison("age", ">=", 65), Comparison("income_thousand_dollars", ">", 60)
CONDITIONS: tuple[Condition, ...] = (DOLE, OLD, And((DOLE, Not(RICH))), Or((OLD, IsMissing("party"))))


@pytest.fixture(scope="module")
def voters() -> Table:
    return shared_sample("anes_1996")[0]


def random_counts(people: int, groups: int, deviation: float, *, share: float = 0.3) -> SecretCounts:
    rng = np.random.default_rng(5)
    secret, members = rng.random(people) < share, rng.random((groups, people)) < 0.5
    told_counts = (members & secret).sum(axis=1) + rng.normal(0.0, deviation, groups)
    return SecretCounts(secret=secret, groups=members, told=told_counts, deviations=np.full(groups, deviation))


def test_memberships_are_what_the_table_counts(voters: Table) -> None:
    held = voters.memberships(CONDITIONS)
    assert held.shape == (944, 4)
    assert held.sum(axis=0).tolist() == [int(voters.run(RowCount(where=one))[0]) for one in CONDITIONS]
    both = int(voters.run(RowCount(where=And((DOLE, OLD))))[0])
    assert int((held[:, 0] & held[:, 1]).sum()) == both > 0


def test_no_row_of_any_other_table_is_shown(voters: Table) -> None:
    own = people()
    with pytest.raises(RefusedQueryError, match="built-in"):
        own.memberships([Comparison("ill", "=", True)])
    asked = answers(told(CountQuery(Comparison("ill", "=", True)), [2]), schema=own.schema)
    with pytest.raises(RefusedQueryError, match="built-in"):
        secret_counts(asked, own, Comparison("ill", "=", True))
    with pytest.raises(RefusedQueryError):
        voters.memberships([Comparison("expected_vote", "=", "nobody")])
    with pytest.raises(InvalidParameterError, match="at least one condition"):
        voters.memberships([])


def test_counts_of_the_secret_among_public_groups_are_used_and_no_others(voters: Table) -> None:
    rng = np.random.default_rng(1)
    asked: list[Query] = [
        CountQuery(DOLE),
        CountQuery(And((DOLE, OLD))),
        CountQuery(And((OLD, Not(DOLE)))),
        HistogramQuery("expected_vote", where=RICH),
        CountQuery(OLD),
        CountQuery(And((DOLE, Comparison("expected_vote", "!=", "clinton")))),
    ]
    told_all = [asked_of(voters, query, rng, epsilon=20.0) for query in asked]
    found = secret_counts(answers(*told_all, schema=voters.schema), voters, DOLE)
    held = voters.memberships((DOLE, OLD, RICH))
    dole, old, rich = held.T
    exact = sorted([dole.sum(), (dole & old).sum(), (dole & old).sum(), (dole & rich).sum()])
    assert sorted(found.told.tolist()) == exact
    assert sorted(found.groups.sum(axis=1).tolist()) == sorted([944, old.sum(), old.sum(), rich.sum()])
    assert (found.secret == dole).all()


def test_a_missing_answer_or_several_rows_a_person_are_refused(voters: Table) -> None:
    with pytest.raises(RefusedQueryError, match="No released answer counts"):
        secret_counts(answers(told(CountQuery(OLD), [100]), schema=voters.schema), voters, DOLE)
    visits, schema = shared_sample("rand_hie")
    female = Comparison("female", "=", True)
    with pytest.raises(RefusedQueryError, match="every row is another person"):
        secret_counts(answers(told(CountQuery(female), [9]), schema=schema), visits, female)


def test_exact_answers_give_everybody_away_and_the_budget_leaves_chance() -> None:
    found = reconstructed(random_counts(600, 12, 5.0), budget=BUDGET, seed=1)
    assert found.sampled
    assert found.attacked.people == MOST_ATTACKED
    assert found.attacked.exact.fraction == 1.0
    assert found.attacked.noisy.fraction <= found.attacked.chance + 0.05
    assert found.attacked.chance < 0.9
    generous = reconstructed(random_counts(600, 12, 5.0), budget=Guarantee(epsilon=3000.0), seed=1)
    assert generous.attacked.noisy.fraction > 0.99


def test_enough_counts_with_little_noise_give_everybody_away_too() -> None:
    few, many = (reconstructed(random_counts(60, groups, 0.1), budget=BUDGET, seed=1) for groups in (5, 120))
    assert many.found.fraction == 1.0
    assert not many.sampled
    assert few.found.fraction < 0.9
    hidden = reconstructed(random_counts(60, 120, 200.0), budget=BUDGET, seed=1)
    assert hidden.found.fraction == pytest.approx(hidden.chance, abs=0.05)


def test_the_rooms_counts_of_a_real_table_stay_near_chance(voters: Table) -> None:
    rng = np.random.default_rng(2)
    asked = [CountQuery(DOLE), CountQuery(And((DOLE, OLD))), CountQuery(And((DOLE, RICH)))]
    room = answers(*(asked_of(voters, query, rng) for query in asked), schema=voters.schema)
    counts = secret_counts(room, voters, DOLE)
    found = reconstructed(counts, budget=BUDGET, seed=3)
    assert (found.people, found.counts) == (944, 3)
    assert found.chance - 0.02 <= found.found.fraction <= found.chance + 0.1
    again = reconstructed(counts, budget=BUDGET, seed=3)
    assert (again.attacked.noisy.guessed == found.attacked.noisy.guessed).all()


def test_the_weighed_attacker_is_the_best_linear_one() -> None:
    counts = random_counts(40, 25, 2.0)
    share = 0.3
    prior = share * (1 - share) * np.eye(40)
    groups = counts.groups.astype(float)
    gain = prior @ groups.T @ np.linalg.inv(groups @ prior @ groups.T + 4.0 * np.eye(25))
    expected = share + gain @ (counts.told - share * groups.sum(axis=1))
    assert weighed(counts.groups, counts.told, deviations=counts.deviations, share=share) == pytest.approx(expected)
    assert (weighed(counts.groups, counts.told, deviations=counts.deviations, share=0.0) == 0.0).all()


def test_shapes_that_do_not_fit_are_refused() -> None:
    good = random_counts(10, 3, 1.0)
    with pytest.raises(InvalidParameterError, match="groups"):
        SecretCounts(secret=good.secret, groups=good.groups.T, told=good.told, deviations=good.deviations)
    with pytest.raises(InvalidParameterError, match="secret"):
        SecretCounts(secret=good.secret[:1], groups=good.groups[:, :1], told=good.told, deviations=good.deviations)
    with pytest.raises(InvalidParameterError, match="deviations"):
        SecretCounts(secret=good.secret, groups=good.groups, told=good.told, deviations=-good.deviations)
    with pytest.raises(InvalidParameterError, match="seed"):
        reconstructed(good, budget=BUDGET, seed=-1)
