"""Every planted fault is seen by a probe that the real code passes."""

from __future__ import annotations

from fractions import Fraction
from pathlib import Path

import numpy as np
import pytest

from dpengine.ledger.storage import amounts
from dpengine.losses import delta_of
from dpengine.mechanisms import DiscreteGaussianMechanism, DiscreteLaplaceMechanism
from dpengine.privacy import DiscreteGaussianEvent, Neighbors
from dpengine.release import release
from tests.examples.ledgers import asking, ledger_at, opened, people
from tests.statistical import mutants
from tests.statistical.auditing import LOW_BITS, Drawer, epsilon_between
from tests.statistical.hard_pairs import ADDED, PAIRS
from tests.statistical.mutants import AUDITED, CHARGED
from tests.statistical.test_audit import beyond_claim, planned_for

NANO, ATTO = 10**9, 10**18
AR = Neighbors.ADD_REMOVE
ENOUGH = 3_000
"""Draws a side: each of these faults then shows a loss of 1.25 or more where 1 is claimed, in all of three runs."""


def audit_alarms(name: str, noise: str, neighbors: Neighbors, pair: str, drawer: Drawer | None = None) -> bool:
    tables = PAIRS[neighbors][pair].tables(neighbors)
    return beyond_claim(planned_for(name, noise), tables, neighbors, drawer or Drawer(number=ENOUGH)) > 0.0


def charge_alarms(name: str, noise: str) -> bool:
    """Whether the parts' noise reveals more than is charged for it, by exact arithmetic."""
    planned, (table, _) = planned_for(name, noise), ADDED["nobody and one"].tables(AR)
    charged = amounts.cost_of(planned, table.schema, AR)
    epsilon = delta = rho = Fraction(0)
    for mechanism, share in zip(planned.mechanisms(table.schema, AR), planned.shares(table.schema, AR), strict=True):
        if isinstance(mechanism, DiscreteLaplaceMechanism):
            epsilon, rho = epsilon + share, rho + share * share / 2
        if isinstance(mechanism, DiscreteGaussianMechanism):
            epsilon, rho = epsilon + share, rho + mechanism.exact_rho
            if isinstance(mechanism.event, DiscreteGaussianEvent):
                delta += Fraction(float(delta_of(mechanism.event, epsilon=float(share))))
    within = (epsilon * NANO <= charged.epsilon, rho * NANO <= charged.rho, delta * ATTO <= charged.delta)
    return not all(within)


def low_bits_alarm() -> bool:
    here, there = (
        Drawer(number=ENOUGH).answers(planned_for("count", "laplace"), table, AR)
        for table in ADDED["nobody and one"].tables(AR)
    )
    return epsilon_between(here[:, 0], there[:, 0], LOW_BITS) > 1.0


def draws_repeat() -> bool:
    """Whether two answers to one question have the same noise; by chance once in many thousand million."""
    table, _ = ADDED["one and two"].tables(AR)
    first, second = (Drawer(number=60).answers(planned_for("sum", "laplace"), table, AR) for _ in range(2))
    return bool(np.all(first == second))


def requests_redraw(path: Path) -> bool:
    """Whether one request, sent ten times, ever shows another answer than before."""
    table = people()
    account = opened(ledger_at(path), table)
    answers = {float(release(asking(0.1), table, account, request_id="one intent").answer) for _ in range(10)}
    return len(answers) > 1


@pytest.fixture(scope="module")
def sound() -> Drawer:
    """Draws the answers of the real code, each once for all faults."""
    return Drawer(number=ENOUGH)


@pytest.mark.parametrize("mutant", AUDITED, ids=lambda mutant: mutant.__name__)
def test_the_audit_sees_it(monkeypatch, sound, mutant):
    assert not audit_alarms(*AUDITED[mutant], sound)
    mutant(monkeypatch)
    assert audit_alarms(*AUDITED[mutant])


@pytest.mark.parametrize("mutant", CHARGED, ids=lambda mutant: mutant.__name__)
def test_exact_arithmetic_sees_it(monkeypatch, mutant):
    assert not charge_alarms(*CHARGED[mutant])
    mutant(monkeypatch)
    assert charge_alarms(*CHARGED[mutant])


def test_the_low_bits_see_it(monkeypatch):
    assert not low_bits_alarm()
    mutants.noise_of_numpy(monkeypatch)
    assert low_bits_alarm()


def test_a_second_look_at_the_draws_sees_it(monkeypatch):
    assert not draws_repeat()
    mutants.noise_with_a_seed(monkeypatch)
    assert draws_repeat()


def test_asking_again_sees_it(monkeypatch, tmp_path):
    assert not requests_redraw(tmp_path / "sound.db")
    mutants.a_fresh_draw_for_the_same_request(monkeypatch)
    assert requests_redraw(tmp_path / "faulty.db")
