"""Answers whose questions read the same although their tables were declared otherwise, told apart by what differs."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Mapping, Sequence
from functools import singledispatch

from dpengine.charts import amount
from dpengine.data import CategoryColumn, DateColumn, NumberColumn, Schema
from dpengine.data.columns import Column
from dpengine.ledger import Entry
from dpengine.queries import Query
from dpengine.reports.declared import columns_asked
from pages.ui import wording
from pages.ui.names import listed, plain


def labels(entries: Sequence[Entry]) -> Mapping[str, str]:
    """The question of each charge by its request, with what was declared otherwise where others read the same."""
    alike: dict[str, list[Entry]] = defaultdict(list)
    for entry in entries:
        alike[plain(wording.asked(entry.planned_query))].append(entry)
    return {entry.request_id: question + _apart(entry, same) for question, same in alike.items() for entry in same}


def _apart(entry: Entry, same: Sequence[Entry]) -> str:
    """In brackets the declarations in which not all of these agree; nothing where the question is the same."""
    declared = [_declared(one.planned_query.query, one.schema) for one in same]
    own = _declared(entry.planned_query.query, entry.schema)
    differing = [words for what, words in own.items() if any(other.get(what) != words for other in declared)]
    return f" ({'; '.join(differing)})" if differing else ""


def _declared(query: Query, schema: Schema) -> dict[str, str]:
    """What was declared of each column in question, and in how many groups a person counts."""
    unit = schema.unit
    groups = f"in at most {unit.groups} groups" if unit.groups else "in any number of groups"
    rows = f"at most {unit.rows_per_group} rows in a group" if unit.rows_per_group else "any number of rows in a group"
    columns = {name: _values(schema.column(name)) for name in dict.fromkeys(columns_asked(query))}
    caps = {"its groups": groups, "its rows": rows} if hasattr(query, "by") else {}
    return {**{name: f"{name} {values}".strip() for name, values in columns.items()}, **caps}


@singledispatch
def _values(column: Column) -> str:
    """A column of which nothing but its kind is declared."""
    return ""


@_values.register
def _(column: NumberColumn) -> str:
    unit = f" {column.unit}" if column.unit else ""
    return f"{amount(column.lower, 6)} to {amount(column.upper, 6)}{unit}"


@_values.register
def _(column: DateColumn) -> str:
    return f"{column.earliest} to {column.latest}"


@_values.register
def _(column: CategoryColumn) -> str:
    return f"one of {len(column.categories):,}: {plain(listed(column.categories))}"
