"""Faults that real tools have had, planted one at a time: each a small variant of the code that it breaks."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import replace
from typing import Any

import numpy as np
import pytest

from dpengine import calibration
from dpengine.data import FixedPointSum, GroupedCounts, Table
from dpengine.ledger import Account
from dpengine.ledger.storage import amounts
from dpengine.mechanisms import DiscreteLaplaceMechanism, exact_noise
from dpengine.plan import PlannedQuery
from dpengine.privacy import Neighbors
from tests.statistical.auditing import Numbers
from tests.statistical.hard_pairs import ROWS
from tests.statistical.test_audit import weakened

Patch = pytest.MonkeyPatch
_MECHANISMS, _DRAW, _RUN, _COST = PlannedQuery.mechanisms, exact_noise.draw, Table.run, amounts.cost_of
_CHARGE = Account.charge


def half_the_sensitivity(patch: Patch) -> None:
    patch.setattr(PlannedQuery, "mechanisms", lambda *terms: tuple(map(weakened, _MECHANISMS(*terms))))


def exact_count_under_a_noisy_sum(patch: Patch) -> None:
    def mechanisms(*terms: Any) -> tuple[Any, ...]:
        first, *others = _MECHANISMS(*terms)
        return first, *(DiscreteLaplaceMechanism(scale=1e-3, l1_sensitivity=1) for _ in others)

    patch.setattr(PlannedQuery, "mechanisms", mechanisms)


def every_part_gets_all_of_epsilon(patch: Patch) -> None:
    shares = calibration.shares
    patch.setattr(calibration, "shares", lambda *terms: tuple(sum(shares(*terms)) for _ in shares(*terms)))


def replacing_charged_as_adding(patch: Patch) -> None:
    patch.setattr(PlannedQuery, "mechanisms", lambda self, schema, _: _MECHANISMS(self, schema, Neighbors.ADD_REMOVE))


def nearly_the_best_candidate(patch: Patch) -> None:
    patch.setattr(exact_noise, "_scale_of_choice", lambda mechanism: 1e-3)


def not_a_number_passes_through(patch: Patch) -> None:
    """A total of floats, cast to a whole number at the end."""

    def run(table: Table, aggregate: FixedPointSum) -> Numbers:
        ages = np.array([float(row.split(",")[1] or "nan") for row in ROWS[id(table)]])
        with np.errstate(invalid="ignore"):
            return np.array([np.clip(ages, 0, 100).sum() * 2**aggregate.fraction_bits]).astype(np.int64)

    patch.setattr(Table, "run", run)


def groups_only_where_somebody_is(patch: Patch) -> None:
    def run(table: Table, aggregate: GroupedCounts) -> Numbers:
        counts = _RUN(table, aggregate)
        return counts[counts > 0]

    patch.setattr(Table, "run", run)


def a_finer_grid_than_the_sensitivity_knows(patch: Patch) -> None:
    patch.setattr(Table, "run", lambda table, aggregate: 2 * _RUN(table, aggregate))


def rows_beyond_the_bound_count(patch: Patch) -> None:
    patch.setattr(Table, "run", Table.run_unbounded)


def rounded_to_coarse_steps_that_noise_ignores(patch: Patch) -> None:
    """Rounded up to two hundred units, a grid far above the one that the noise was made for."""

    def run(table: Table, aggregate: FixedPointSum) -> Numbers:
        coarse = 200 << aggregate.fraction_bits
        return -(-_RUN(table, aggregate) // coarse) * coarse

    patch.setattr(Table, "run", run)


def noise_of_numpy(patch: Patch) -> None:
    def draw(mechanism: DiscreteLaplaceMechanism, exact: Numbers) -> Numbers:
        return np.asarray(exact + np.random.default_rng().laplace(scale=mechanism.scale, size=np.shape(exact)))

    patch.setattr(exact_noise, "draw", draw)


def noise_with_a_seed(patch: Patch) -> None:
    def draw(mechanism: DiscreteLaplaceMechanism, exact: Numbers) -> Numbers:
        noise = np.random.default_rng(42).laplace(scale=mechanism.scale, size=np.shape(exact))
        return np.asarray(exact + np.rint(noise).astype(np.int64))

    patch.setattr(exact_noise, "draw", draw)


def one_noise_for_all_cells(patch: Patch) -> None:
    def draw(mechanism: object, exact: Numbers) -> Numbers:
        noise = _DRAW(mechanism, np.zeros((len(exact), 1), dtype=np.int64))
        return np.asarray(exact + noise)

    patch.setattr(exact_noise, "draw", draw)


def the_largest_value_there_as_the_sensitivity(patch: Patch) -> None:
    def draw(mechanism: DiscreteLaplaceMechanism, exact: Numbers) -> Numbers:
        there = max(int(np.abs(exact).max()), 1)
        return _DRAW(replace(mechanism, scale=mechanism.scale * there / mechanism.l1_sensitivity), exact)

    patch.setattr(exact_noise, "draw", draw)


def kept_between_zero_and_the_rows_there_are(patch: Patch) -> None:
    patch.setattr(exact_noise, "draw", lambda mechanism, exact: np.clip(_DRAW(mechanism, exact), 0, exact.max()))


def no_noise_where_nobody_is(patch: Patch) -> None:
    patch.setattr(exact_noise, "draw", lambda mechanism, exact: np.where(exact == 0, 0, _DRAW(mechanism, exact)))


def delta_forgotten(patch: Patch) -> None:
    patch.setattr(amounts, "cost_of", lambda *terms: replace(_COST(*terms), delta=0))


def rho_of_another_noise(patch: Patch) -> None:
    """As if Gaussian noise were twice as wide as it is."""
    patch.setattr(amounts, "cost_of", lambda *terms: replace(_COST(*terms), rho=_COST(*terms).rho // 4))


def charge_rounded_down(patch: Patch) -> None:
    patch.setattr(amounts, "cost_of", lambda *terms: replace(_COST(*terms), epsilon=_COST(*terms).epsilon - 1))


def a_fresh_draw_for_the_same_request(patch: Patch) -> None:
    """The charge is found, the stored answer is not looked for, and the new draw is what is shown."""
    patch.setattr(Account, "charge", lambda *terms, **most: replace(_CHARGE(*terms, **most), noisy=None))
    patch.setattr(
        Account,
        "store_answer",
        lambda account, request_id, noisy: replace(
            next(entry for entry in account.charges() if entry.request_id == request_id),
            noisy=tuple(map(tuple, noisy)),
        ),
    )


Mutant = Callable[[Patch], None]
AUDITED: Mapping[Mutant, tuple[str, str, Neighbors, str]] = {
    half_the_sensitivity: ("cells", "laplace", Neighbors.REPLACE_ONE, "one row"),
    exact_count_under_a_noisy_sum: ("mean", "laplace", Neighbors.ADD_REMOVE, "nobody and one"),
    every_part_gets_all_of_epsilon: ("mean", "laplace", Neighbors.ADD_REMOVE, "one and two"),
    replacing_charged_as_adding: ("cells", "laplace", Neighbors.REPLACE_ONE, "two rows"),
    nearly_the_best_candidate: ("mode", "laplace", Neighbors.ADD_REMOVE, "one and two"),
    not_a_number_passes_through: ("sum", "laplace", Neighbors.ADD_REMOVE, "not a number"),
    groups_only_where_somebody_is: ("groups", "laplace", Neighbors.ADD_REMOVE, "nobody and one"),
    a_finer_grid_than_the_sensitivity_knows: ("sum", "laplace", Neighbors.ADD_REMOVE, "one and two"),
    rows_beyond_the_bound_count: ("sum", "laplace", Neighbors.ADD_REMOVE, "more rows than count"),
    rounded_to_coarse_steps_that_noise_ignores: ("sum", "laplace", Neighbors.ADD_REMOVE, "nobody and one"),
    one_noise_for_all_cells: ("cells", "laplace", Neighbors.ADD_REMOVE, "one and two"),
    the_largest_value_there_as_the_sensitivity: ("sum", "laplace", Neighbors.ADD_REMOVE, "nobody and one"),
    kept_between_zero_and_the_rows_there_are: ("count", "laplace", Neighbors.ADD_REMOVE, "all at the upper bound"),
    no_noise_where_nobody_is: ("count", "laplace", Neighbors.ADD_REMOVE, "nobody and one"),
}
CHARGED: Mapping[Mutant, tuple[str, str]] = {
    delta_forgotten: ("count", "gaussian"),
    rho_of_another_noise: ("cells", "gaussian"),
    charge_rounded_down: ("mean", "laplace"),
}
