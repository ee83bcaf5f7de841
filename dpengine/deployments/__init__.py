"""What others chose: epsilons of real deployments, each with what it protects and where it was read."""

from collections.abc import Sequence

from dpengine.deployments.central import CENTRAL
from dpengine.deployments.deployment import MODELS, SCOPES, Deployment, SourcePage
from dpengine.deployments.local import LOCAL
from dpengine.errors import require_one_of

DEPLOYMENTS: tuple[Deployment, ...] = tuple(sorted((*CENTRAL, *LOCAL), key=lambda one: (one.epsilon, one.name)))
"""All of them, from the smallest epsilon to the largest."""


def nearest(epsilon: float, among: Sequence[Deployment] = DEPLOYMENTS) -> tuple[Deployment | None, Deployment | None]:
    """The deployments just below and just above an epsilon; one with this very epsilon counts as below.

    >>> [one.short for one in nearest(10.0)]
    ['Births in Israel', 'Trafficking victims']
    >>> nearest(0.01)[0] is None
    True
    """
    below = [one for one in among if one.epsilon <= epsilon]
    above = [one for one in among if one.epsilon > epsilon]
    return (
        max(below, key=lambda one: one.epsilon, default=None),
        min(above, key=lambda one: one.epsilon, default=None),
    )


def covering(scope: str) -> tuple[Deployment, ...]:
    """The deployments whose epsilon covers as much of somebody: a key of SCOPES."""
    require_one_of("scope", scope, tuple(SCOPES))
    return tuple(one for one in DEPLOYMENTS if one.scope == scope)


__all__ = ["DEPLOYMENTS", "MODELS", "SCOPES", "Deployment", "SourcePage", "covering", "nearest"]
