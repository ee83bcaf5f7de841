"""What others chose: epsilons of real deployments, each with what it protects and where it was read."""

from dpengine.deployments.central import CENTRAL
from dpengine.deployments.deployment import MODELS, Deployment, Source
from dpengine.deployments.local import LOCAL

DEPLOYMENTS: tuple[Deployment, ...] = tuple(sorted((*CENTRAL, *LOCAL), key=lambda one: (one.epsilon, one.name)))
"""All of them, from the smallest epsilon to the largest."""


def nearest(epsilon: float) -> tuple[Deployment | None, Deployment | None]:
    """The deployments just below and just above an epsilon; one with this very epsilon counts as below.

    >>> [one.short for one in nearest(10.0)]
    ['Births in Israel, 2014', 'Trafficking victims']
    >>> nearest(0.01)[0] is None
    True
    """
    below = [one for one in DEPLOYMENTS if one.epsilon <= epsilon]
    above = [one for one in DEPLOYMENTS if one.epsilon > epsilon]
    return (below[-1] if below else None, above[0] if above else None)


__all__ = ["DEPLOYMENTS", "MODELS", "Deployment", "Source", "nearest"]
