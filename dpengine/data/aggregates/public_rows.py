"""Row by row, for tables whose rows are public: which conditions each row satisfies."""

from __future__ import annotations

from collections.abc import Sequence

import ibis

from dpengine.data.aggregates.predicates import satisfies
from dpengine.data.aggregates.stored_rows import StoredRows
from dpengine.data.declared.conditions import Condition


def memberships(rows: StoredRows, conditions: Sequence[Condition]) -> ibis.Table:
    """One row for each row that counts, one 0 or 1 for each condition, in their order."""
    counted = rows.counted
    columns = {f"holds_{place}": satisfies(one, counted).cast("int64") for place, one in enumerate(conditions)}
    return counted.table.select(**columns)
