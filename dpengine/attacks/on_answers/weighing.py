"""A sharper least squares: each count weighs as much as its noise allows, and who is in no count is given the share."""

from __future__ import annotations

import math

import numpy as np
import numpy.typing as npt
from scipy.sparse import csr_array
from scipy.sparse.linalg import lsmr

from dpengine.errors import require_between
from dpengine.losses.arrays import Array

Bits = npt.NDArray[np.bool_]
LEAST_DEVIATION = 0.01
"""In people: an exact count is taken as if it had this little noise."""
_NEAR, _STEPS_EACH = 1e-9, 4


def weighed(groups: Bits, told: Array, *, deviations: Array, share: float) -> Array:
    """How likely each person has the secret, as the attacker sees it who knows the overall share, shape (people,).

    Minimizes the sum of ((told - groups x) / deviations)^2 + (x - share)^2 / (share (1 - share)): the best linear guess
    from people drawn independently. It needs no noise to be at all, and never goes far below guessing the more frequent
    answer. Rounded at 1/2 by who uses it. Source: Gauss and Markov, as ridge regression (Hoerl and Kennard 1970).
    """
    require_between("share", share, 0.0, 1.0)
    spread = math.sqrt(share * (1.0 - share))
    if spread == 0.0:
        return np.full(groups.shape[1], share)
    scale = 1.0 / np.maximum(deviations, LEAST_DEVIATION)
    missing = (told - share * groups.sum(axis=1)) * scale
    rows = csr_array(groups * scale[:, None])
    most = _STEPS_EACH * max(groups.shape)
    found = lsmr(rows, missing, damp=1.0 / spread, atol=_NEAR, btol=_NEAR, conlim=0.0, maxiter=most)
    return np.asarray(share + found[0], dtype=np.float64)
