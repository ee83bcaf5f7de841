"""What a condition demands, as a set: two ways of writing it are one, and more demands leave fewer people."""

from __future__ import annotations

from collections.abc import Iterable
from functools import singledispatch

from dpengine.data import And, Comparison, Condition, Not, OneOf, Or, columns_of

Terms = frozenset[Condition]
EVERYBODY: Terms = frozenset()


def terms_of(condition: Condition | None) -> Terms:
    """All that a row must satisfy at once, each demand in one spelling; nothing where every row counts.

    >>> rich, old = Comparison("rich", "=", True), Comparison("age", ">=", 65)
    >>> terms_of(And((rich, old))) == terms_of(And((old, Not(Not(OneOf("rich", (True,)))))))
    True
    """
    if condition is None:
        return EVERYBODY
    plain = _plain(condition)
    return frozenset(_spread(plain.conditions)) if isinstance(plain, And) else frozenset({plain})


def condition_of(terms: Terms) -> Condition | None:
    """The condition that demands all of these; always the same for the same terms."""
    ordered = tuple(sorted(terms, key=repr))
    return None if not ordered else ordered[0] if len(ordered) == 1 else And(ordered)


def columns_in(terms: Terms) -> frozenset[str]:
    """The columns that the demands name."""
    return frozenset(name for one in terms for name in columns_of(one))


def _spread(conditions: Iterable[Condition]) -> Iterable[Condition]:
    for one in conditions:
        yield from _spread(one.conditions) if isinstance(one, And) else (one,)


@singledispatch
def _plain(condition: Condition) -> Condition:
    """The one spelling of a condition."""
    return condition


@_plain.register
def _(condition: OneOf) -> Condition:
    if len(condition.values) == 1:
        return Comparison(condition.column, "=", condition.values[0])
    return OneOf(condition.column, tuple(sorted(set(condition.values), key=repr)))


@_plain.register
def _(condition: Not) -> Condition:
    inner = _plain(condition.condition)
    return inner.condition if isinstance(inner, Not) else Not(inner)


@_plain.register
def _(condition: And) -> Condition:
    inside = sorted(set(_spread(map(_plain, condition.conditions))), key=repr)
    return inside[0] if len(inside) == 1 else And(tuple(inside))


@_plain.register
def _(condition: Or) -> Condition:
    inside = sorted(set(map(_plain, condition.conditions)), key=repr)
    return inside[0] if len(inside) == 1 else Or(tuple(inside))
