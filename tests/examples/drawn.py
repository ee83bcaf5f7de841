"""Releases whose noise a test chose or simulated: values alone, with no ledger and no rows."""

from __future__ import annotations

import itertools
from collections.abc import Sequence
from datetime import UTC, datetime

import numpy as np

from dpengine.data import Schema
from dpengine.ledger import Charge, Release
from dpengine.mechanisms import DiscreteGaussianMechanism, DiscreteLaplaceMechanism
from dpengine.plan import PlannedQuery
from dpengine.plan.amounts import cost_of
from dpengine.privacy import Guarantee, Neighbors
from dpengine.queries import Query
from tests.examples.ledgers import SCHEMA

Exact = Sequence[Sequence[int]]
_NUMBERS = itertools.count()


def planned_as(query: Query, epsilon: float, delta: float = 0.0) -> PlannedQuery:
    """Laplace noise, or Gaussian noise where there is a delta."""
    guarantee = Guarantee(epsilon=epsilon, delta=delta)
    return PlannedQuery(query=query, guarantee=guarantee, mechanism="gaussian" if delta else "laplace")


def released(
    planned: PlannedQuery,
    noisy: Exact,
    *,
    schema: Schema = SCHEMA,
    neighbors: Neighbors = Neighbors.ADD_REMOVE,
    rule: str = "basic",
    account: str = "1",
) -> Release:
    """The release that these integers would have been, under a request of its own."""
    return Release(
        planned_query=planned,
        schema=schema,
        neighbors=neighbors,
        charge=Charge(rule=rule, amounts=cost_of(planned, schema, neighbors)),
        account=account,
        request_id=f"request {next(_NUMBERS)}",
        time=datetime(2026, 1, 1, tzinfo=UTC),
        noisy=tuple(tuple(part) for part in noisy),
    )


def simulated(planned: PlannedQuery, exact: Exact, rng: np.random.Generator, **terms: object) -> Release:
    """The exact integers with the noise that is planned for them, from a generator: for tests only."""
    schema, neighbors = terms.get("schema", SCHEMA), terms.get("neighbors", Neighbors.ADD_REMOVE)
    mechanisms = planned.mechanisms(schema, neighbors)  # type: ignore[arg-type]
    noisy = []
    for part, mechanism in zip(exact, mechanisms, strict=True):
        if not isinstance(mechanism, DiscreteLaplaceMechanism | DiscreteGaussianMechanism):
            raise TypeError(mechanism)
        noisy.append([int(value) for value in mechanism.simulate(np.array(part, dtype=float), rng)])
    return released(planned, noisy, **terms)  # type: ignore[arg-type]
