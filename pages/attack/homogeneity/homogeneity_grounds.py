"""On which table the attack on k-anonymous rows runs, by which columns people are known, and what the search found."""

from __future__ import annotations

from collections.abc import Callable, Hashable
from dataclasses import dataclass, field
from functools import cache

import streamlit as st
from streamlit.delta_generator import DeltaGenerator

from dpengine.attacks import AnonymityTarget, Anonymized, Ask, Hierarchy, RowsAtHand, anonymized, hierarchies
from dpengine.attacks.k_anonymity.inpatients import HIERARCHIES, INPATIENTS
from dpengine.data import Table, sample_frame, sample_schema
from dpengine.errors import InvalidParameterError
from pages import session
from pages.lesson import coarseness, pickers, row_access
from pages.lesson.lesson import choice, whole_number
from pages.plan.work_panel import result_of

KEY = "homogeneity"
MOST_KNOWN = 5
LEFT_OUT = 0.05


@dataclass(frozen=True, slots=True, kw_only=True)
class Ground:
    """A table to be attacked; `rows` are None where it is the curator's own, which stays in its engine.

    `dials` are the largest k and l that make sense, and the k to begin with; `several`: people have several rows.
    """

    name: str
    ask: Ask = field(repr=False)
    hierarchies: tuple[Hierarchy, ...]
    sensitive: str
    rows: RowsAtHand | None = field(repr=False)
    token: Hashable = field(repr=False)
    dials: tuple[int, int, int] = (50, 5, 5)
    several: bool = False


@cache
def _twelve() -> Ground:
    rows = RowsAtHand(frame=INPATIENTS)
    return Ground(
        name=TWELVE,
        ask=rows.crowds,
        hierarchies=HIERARCHIES,
        sensitive="condition",
        rows=rows,
        token=TWELVE,
        dials=(6, 3, 4),
    )


def _sample(name: str, columns: list[str], sensitive: str, identifier: str | None = None) -> Ground:
    rows = RowsAtHand(frame=sample_frame(name), identifier=identifier)
    return Ground(
        name=name,
        ask=rows.crowds,
        hierarchies=hierarchies(sample_schema(name), columns),
        sensitive=sensitive,
        rows=rows,
        token=name,
        several=identifier is not None,
    )


@cache
def _hospital() -> Ground:
    return _sample("patients", ["zip", "age", "sex"], "disease")


@cache
def _voters() -> Ground:
    return _sample("anes_1996", ["age", "education", "income_thousand_dollars"], "party")


@cache
def _study() -> Ground:
    return _sample("rand_hie", ["age", "female", "education_years"], "self_rated_health", "person")


TWELVE = "Twelve inpatients"
BUILT_IN: dict[str, Callable[[], Ground]] = {
    TWELVE: _twelve,
    "Invented hospital": _hospital,
    "Voters of 1996": _voters,
    "Health study": _study,
}


def chosen() -> Ground | None:
    """The table that the person chose, on every act the same one."""
    table = row_access.own_or_invented("public and invented tables", key=f"{KEY}_ground")
    if table is not None:
        return _own(table)
    return BUILT_IN[choice("Table", list(BUILT_IN), key=f"{KEY}_table")]()


def counted() -> Ground:
    """The table whose counts are published: the one chosen before if its rows are public and one a person."""
    before = BUILT_IN.get(str(session.widget_held(f"{KEY}_table")), _twelve)()
    return _twelve() if before.several else before


def _own(table: Table) -> Ground:
    """The curator's own table: which columns an attacker may know, and which one is secret."""
    names = coarseness.names_to_choose(table.schema)
    if len(names) < 2:
        raise InvalidParameterError("columns", names, "at least two that are not text: one known, one secret")
    left, right = st.columns([2, 1])
    session.widget_stays_within(f"{KEY}_secret", names)
    secret = pickers.listed(right, "The secret", names, key=f"{KEY}_secret", start=names[-1])
    others = [name for name in names if name != secret]
    session.widget_stays_within(f"{KEY}_known", others)
    session.widget_starts_at(f"{KEY}_known", others[:3])
    known = left.multiselect(
        "Columns that an attacker may know",
        others,
        key=f"{KEY}_known",
        max_selections=MOST_KNOWN,
        persist_state="session",
    )
    if not known:
        raise InvalidParameterError("the columns that an attacker may know", known, "at least one: choose some")
    return Ground(
        name=table.schema.name,
        ask=table.crowds,
        hierarchies=hierarchies(table.schema, known),
        sensitive=secret,
        rows=None,
        token=(table, tuple(known), secret),
        several=not table.schema.one_row_each,
    )


def people_dial(on: Ground, place: DeltaGenerator) -> int:
    """The k dial; the twelve inpatients have one of their own."""
    most, _, start = on.dials
    label = "People who look alike, at least (k)"
    return whole_number(place, label, key=f"{KEY}_k_{most}", span=(2, most), start=start)


def values_dial(on: Ground, place: DeltaGenerator) -> int:
    """The l dial."""
    most = on.dials[1]
    return whole_number(
        place, "Different secrets in a group, at least (l)", key=f"{KEY}_l_{most}", span=(1, most), start=1
    )


def found(on: Ground, wanted: AnonymityTarget) -> Anonymized | None:
    """What the search finds, off the page's thread; None while it is on its way."""
    return result_of(
        (on.token, wanted),
        lambda watch: anonymized(on.ask, on.hierarchies, wanted=wanted, sensitive=on.sensitive, watch=watch),
        key=f"{KEY}_own" if on.rows is None else f"{KEY}_built_in",
        words="Searching for the least loss",
    )
