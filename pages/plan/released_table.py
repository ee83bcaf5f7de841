"""Many released numbers as a table that people read: each number as exact as its interval deserves."""

from __future__ import annotations

import numpy as np
import pandas as pd
from pandas.io.formats.style import Styler

from dpengine.formatting import beside, ends_beside
from dpengine.ledger import Estimate
from pages.phrasing import released_words, wording


def as_read(known: Estimate, confidence: float) -> Styler:
    """A row for each number, with the ends that hold for all of them at once; columns sort by the numbers themselves.

    Of equal numbers with unequal intervals all are read as the widest deserves.
    """
    released = f"released, {known.unit}" if known.unit else "released"
    lower, upper = released_words.bounds(known, confidence)
    columns = {released: np.asarray(known.values), "from": lower, "to": upper}
    frame = pd.DataFrame({wording.one_cell(known.query): list(known.labels), **columns})
    texts: dict[str, dict[object, str]] = {name: {} for name in columns}
    narrow_first = np.argsort(upper - lower, kind="stable")
    for value, low, high in np.stack(list(columns.values()), axis=1)[narrow_first].tolist():
        least, most = ends_beside(value, low, high)
        texts[released][value], texts["from"][low], texts["to"][high] = beside(value, (high - low) / 2), least, most
    return frame.style.format({name: read.__getitem__ for name, read in texts.items()})
