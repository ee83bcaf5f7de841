"""Questions that read the same although something else is asked, told apart by what differs."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Callable, Collection, Hashable, Iterable, Mapping, Sequence
from dataclasses import fields
from functools import singledispatch

from dpengine.data import BooleanColumn, CategoryColumn, Condition, DateColumn, Labels, NumberColumn, Schema
from dpengine.data.declared.columns import Column
from dpengine.formatting import amount
from dpengine.ledger import Entry
from dpengine.plan import PlannedQuery
from dpengine.queries import Query
from dpengine.queries.conditions_in_words import Labeled, in_words
from dpengine.queries.forms import ByGroup
from dpengine.queries.sensitivity.sentences import plural
from dpengine.reports.declared import columns_asked
from dpengine.reports.quoting import one_line

Words = Callable[[PlannedQuery], str]
_Facts = Mapping[str, str]
_LONGEST_VALUE, _MOST_LISTED = 40, 4


def _in_full(planned: PlannedQuery) -> str:
    return planned.query.in_words()


def in_words_of(spoken: Labels) -> Words:
    """Questions as they are read, with the words of a table."""
    return lambda planned: planned.query.in_words(Labeled(spoken))


def labels(entries: Sequence[Entry], words: Words = _in_full) -> Mapping[str, str]:
    """The question of each charge by its request, told apart from all others of these."""
    told = told_apart([(entry.planned_query, entry.schema) for entry in entries], words)
    return {entry.request_id: label for entry, label in zip(entries, told, strict=True)}


def told_apart(asked: Sequence[tuple[PlannedQuery, Schema]], words: Words = _in_full) -> tuple[str, ...]:
    """Each question in words, with what differs in brackets where another one reads the same.

    Two labels are equal where the question and all that was declared for it are equal, and nowhere else.
    """
    read, same = [words(planned) for planned, _ in asked], [_all_of(planned.query, schema) for planned, schema in asked]
    alike: dict[str, dict[Hashable, _Facts]] = defaultdict(dict)
    for text, whole, (planned, schema) in zip(read, same, asked, strict=True):
        if whole not in alike[text]:
            alike[text][whole] = _facts(planned.query, schema)
    brackets = {text: _brackets(different) for text, different in alike.items()}
    return tuple(text + brackets[text][whole] for text, whole in zip(read, same, strict=True))


def _all_of(query: Query, schema: Schema) -> Hashable:
    """The question with everything that was declared for it."""
    caps = (schema.unit.groups, schema.unit.rows_per_group) if isinstance(query, ByGroup) else ()
    return query, tuple(schema.column(name) for name in _columns(query)), caps


def _columns(query: Query) -> tuple[str, ...]:
    return tuple(dict.fromkeys(columns_asked(query)))


def _brackets(different: Mapping[Hashable, _Facts]) -> Mapping[Hashable, str]:
    """The facts in which not all of these agree; a number where words do not suffice."""
    known = {whole: _differing(facts, different.values()) for whole, facts in different.items()}
    often, numbers = Counter(known.values()), Counter[tuple[str, ...]]()
    for whole, facts in known.items():
        if len(known) > 1 and often[facts] > 1:
            numbers[facts] += 1
            known[whole] = (*facts, f"variant {numbers[facts]}")
    return {whole: f" ({'; '.join(facts)})" if facts else "" for whole, facts in known.items()}


def _differing(own: _Facts, others: Collection[_Facts]) -> tuple[str, ...]:
    return tuple(words for what, words in own.items() if words and any(other.get(what) != words for other in others))


def _facts(query: Query, schema: Schema) -> _Facts:
    """What the question leaves unsaid: its lists, what was declared of its columns, in how many groups a person counts.

    Each by what it is about.
    """
    unit = schema.unit
    groups = f"in at most {plural(unit.groups, 'group')}" if unit.groups else "in any number of groups"
    rows = f"at most {plural(unit.rows_per_group, 'row')}" if unit.rows_per_group else "any number of rows"
    columns = {name: f"{one_line(name)} {_values(schema.column(name))}".strip() for name in _columns(query)}
    caps = {"its groups": groups, "its rows": f"{rows} in a group"} if isinstance(query, ByGroup) else {}
    return {"its lists": _lists(query), **columns, **caps}


def _listed(values: Iterable[str]) -> str:
    """The first few of them.

    >>> _listed("abcdef")
    'a, b, c, d and 2 more'
    """
    known = [one_line(value, _LONGEST_VALUE) for value in values]
    more = len(known) - _MOST_LISTED
    return ", ".join(known[:_MOST_LISTED]) + (f" and {more} more" if more > 0 else "")


def _lists(query: Query) -> str:
    """The values that somebody typed for it, such as edges; most questions have none."""
    named = [(field.name, getattr(query, field.name)) for field in fields(query)]  # type: ignore[arg-type]
    typed = {name: values for name, values in named if isinstance(values, tuple) and name != "by"}
    return "; ".join(f"{name} {_listed(map(_typed, values))}" for name, values in typed.items())


def _typed(value: Condition | float) -> str:
    return _number(value) if isinstance(value, int | float) else in_words(value)


def _number(value: float) -> str:
    return amount(value, 6)


@singledispatch
def _values(column: Column) -> str:
    """A column of which nothing but its kind is declared."""
    return ""


@_values.register
def _(column: NumberColumn) -> str:
    unit = f" {column.unit}" if column.unit else ""
    complete = ", never missing" if column.complete else ""
    return f"{_number(column.lower)} to {_number(column.upper)}{unit}{complete}"


@_values.register
def _(column: DateColumn) -> str:
    return f"{column.earliest} to {column.latest}"


@_values.register
def _(column: CategoryColumn) -> str:
    return f"one of {len(column.categories):,}: {_listed(column.categories)}"


@_values.register
def _(column: BooleanColumn) -> str:
    return f"yes as {_listed(column.true_words)}, no as {_listed(column.false_words)}"
