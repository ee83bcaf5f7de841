"""The steps of the dial: round epsilons, as evenly spread on a logarithmic scale as round numbers allow."""

from __future__ import annotations

import numpy as np

from dpengine.errors import require_positive

_ROUND = (
    *(1.0, 1.05, 1.1, 1.15, 1.2, 1.25, 1.3, 1.4, 1.5, 1.6, 1.7, 1.8, 1.9, 2.0, 2.1, 2.2, 2.4, 2.5, 2.6, 2.8),
    *(3.0, 3.2, 3.4, 3.6, 3.8, 4.0, 4.2, 4.5, 4.8, 5.0, 5.3, 5.6, 6.0, 6.3, 6.7, 7.0, 7.5, 8.0, 8.5, 9.0, 9.5),
)
EPSILONS = (*(float(f"{one * 10.0**power:.6g}") for power in (-2, -1, 0) for one in _ROUND), 10.0)
"""From 0.01 to 10; each is 3 to 9 % above the one before."""
_LOGARITHMS = np.log(EPSILONS)
_PLACES = np.linspace(0.0, 1.0, len(EPSILONS))


def position(epsilon: float) -> float:
    """Where an epsilon lies on the dial, 0 at its left end and 1 at its right; one beyond an end lies at that end.

    Steps are equally far apart, and what lies between two of them lies between them on a logarithmic scale.

    >>> position(0.01), round(position(0.1), 6), position(50.0)
    (0.0, 0.333333, 1.0)
    """
    require_positive("epsilon", epsilon)
    return float(np.interp(np.log(epsilon), _LOGARITHMS, _PLACES))
