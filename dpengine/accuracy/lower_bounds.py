"""How small the errors of many counts can be at all, whatever mechanism answers them."""

from __future__ import annotations

import math

import numpy as np

from dpengine.errors import require_between, require_non_negative, require_whole
from dpengine.privacy import Guarantee

_HAIR = 1e-9


def least_possible_error(
    *, log_worlds: float, guarantee: Guarantee, confidence: float, rows: int = 1, people: float = math.inf
) -> float:
    """No mechanism with this guarantee keeps all of many counts within less than this, in rows, on every table.

    `log_worlds` is the logarithm of the number of ways in which the counts can be large or 0: log of the number of
    cells where each row is in one of them, log(2^d - 1) for d counts of which a row may be in any. `rows` is how many
    of one person's rows move a count, `people` how many there can be in all; 0 where nothing is known.

    By packing: in the world of each way, m people with all their rows make its counts `rows` m and leave the others 0.
    Errors of less than half of that tell all these worlds and the empty table apart. So on the empty table the answers
    of each world have, by group privacy, a chance of at least e^(-m epsilon) confidence -
    delta (1 - e^(-m epsilon)) / (e^epsilon - 1), and those of all worlds one of at most 1 - confidence together.
    Where the former add up to more, no mechanism makes errors that small.

    Source: Hardt and Talwar 2010 (packing); Vadhan 2017, Lemma 2.2 (groups) and section 5.2.
    """
    require_non_negative("log_worlds", log_worlds)
    require_between("confidence", confidence, 0.0, 1.0, open_at="both")
    require_whole("rows", rows)
    epsilon, delta = guarantee.epsilon, guarantee.delta
    lost = math.log(delta) - epsilon - math.log(-math.expm1(-epsilon)) if delta else -math.inf
    kept = np.logaddexp(math.log(confidence), lost) - np.logaddexp(math.log1p(-confidence) - log_worlds, lost)
    apart = max(math.ceil(float(kept) / epsilon * (1.0 - _HAIR)) - 1, 0)
    return rows * min(apart, people) / 2.0
