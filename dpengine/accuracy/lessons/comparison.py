"""Two noisy counts beside each other: how often the noise turns their order around."""

from __future__ import annotations

import numpy as np

from dpengine.accuracy.numerical.two_noises import exceedance
from dpengine.errors import require_positive
from dpengine.mechanisms import DiscreteLaplaceMechanism


def chance_of_turned_order(noise: DiscreteLaplaceMechanism, *, difference: int) -> float:
    """How often two counts that differ by so many grid steps come out equal or the other way round; never below it.

    Both get noise of their own, by the same mechanism, in grid steps. See `two_noises.exceedance` for how far above.
    """
    require_positive("difference", difference)
    edge = np.array([float(difference) - 0.5])
    return float(exceedance(noise, noise, intercept=edge, slope=np.array([1.0]))[0])
