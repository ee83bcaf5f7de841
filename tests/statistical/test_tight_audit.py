"""With many draws the audit shows nearly the claim itself: it is not blind, and the noise is not too wide."""

from __future__ import annotations

import numpy as np
import pytest

from dpengine.mechanisms import DiscreteLaplaceMechanism, exact_noise
from dpengine.privacy import Neighbors
from tests.statistical.auditing import Drawer, epsilon_between, looks_between
from tests.statistical.hard_pairs import ADDED
from tests.statistical.test_audit import planned_for

MANY = 400_000
RELATION = Neighbors.ADD_REMOVE


@pytest.mark.slow
@pytest.mark.parametrize("pair", ["nobody and one", "all at the upper bound"])
def test_a_count_at_epsilon_1_shows_between_95_hundredths_and_1(pair):
    planned, tables = planned_for("count", "laplace"), ADDED[pair].tables(RELATION)
    here, there = (Drawer(number=MANY).answers(planned, table, RELATION) for table in tables)
    shown = epsilon_between(here, there, looks_between(planned, *tables, RELATION))
    assert 0.95 <= shown <= 1.0


@pytest.mark.slow
def test_noise_a_tenth_too_narrow_is_seen():
    planned, tables = planned_for("count", "laplace"), ADDED["nobody and one"].tables(RELATION)
    (mechanism,) = planned.mechanisms(tables[0].schema, RELATION)
    assert isinstance(mechanism, DiscreteLaplaceMechanism)
    narrow = DiscreteLaplaceMechanism(scale=mechanism.scale / 1.1, l1_sensitivity=1)
    here, there = (exact_noise.draw(narrow, np.full((MANY, 1), count)) for count in (1, 0))
    assert epsilon_between(here, there, looks_between(planned, *tables, RELATION)) > 1.0
