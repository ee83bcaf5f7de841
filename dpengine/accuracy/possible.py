"""What an answer can be at all, as far as the declarations tell: an interval as wide as that says nothing."""

from __future__ import annotations

import numpy as np
from numpy.typing import ArrayLike, NDArray

NEARLY_ALL = 0.99


def nearly_all(widths: ArrayLike, possible: tuple[float, float]) -> NDArray[np.bool_]:
    """Which intervals of these widths hold nearly everything, or all, that lies in a range; shape of `widths`."""
    return np.asarray(widths, dtype=np.float64) >= NEARLY_ALL * (possible[1] - possible[0])
