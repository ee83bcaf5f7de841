"""Whose secret lies between the two counts: a patient of the invented hospital, or somebody in the curator's table."""

from __future__ import annotations

from dataclasses import dataclass

import streamlit as st

from dpengine.attacks import TwoCounts, two_counts
from dpengine.data import Table, sample_frame
from pages import session
from pages.lesson import pickers, row_access
from pages.question.condition_form import typed_condition

KEY, HOSPITAL = "differencing", "the invented hospital"
TRAITS = ("mumps", "heart disease", "diabetes", "flu", "asthma", "hypertension")


@dataclass(frozen=True, slots=True, kw_only=True)
class DifferencingStage:
    """Both exact counts, and what the person and the trait are called."""

    counts: TwoCounts
    person: str
    trait: str


def stage(*, choosing: bool = False) -> DifferencingStage:
    """What was chosen in the first act; the choices are drawn where `choosing` is true.

    Raises what `two_counts` raises for the curator's own table.
    """
    if choosing:
        table = row_access.own_or_invented(HOSPITAL, key=f"{KEY}_ground")
        found = _invented() if table is None or not table.schema.one_row_each else _own(table)
        if table is not None and not table.schema.one_row_each:
            st.caption("In your table one person may have several rows, so the invented hospital is used instead.")
        session.remember(f"{KEY}_stage", (row_access.brought(), found))
        return found
    kept = session.remembered(f"{KEY}_stage", None)
    if isinstance(kept, tuple) and kept[0] is row_access.brought():
        found = kept[1]
        if isinstance(found, DifferencingStage):
            return found
    return _of_hospital(TRAITS[0], _names()[0])


def _invented() -> DifferencingStage:
    left, right = st.columns(2)
    trait = pickers.listed(left, "Disease", TRAITS, key=f"{KEY}_trait", start=TRAITS[0])
    names = _names()
    return _of_hospital(trait, pickers.listed(right, "Person", names, key=f"{KEY}_person", start=names[0]))


def _of_hospital(trait: str, person: str) -> DifferencingStage:
    diseases = _diseases()
    everybody = sum(disease == trait for disease in diseases.values())
    counts = TwoCounts(everybody=everybody, others=everybody - (diseases[person] == trait))
    return DifferencingStage(counts=counts, person=person.split(maxsplit=1)[0], trait=trait)


def _own(table: Table) -> DifferencingStage:
    st.markdown("**Facts that you know about one person, and that are true of nobody else**")
    facts = typed_condition(table.schema, key=f"{KEY}_facts", invitation="Add a fact", needed=True)
    st.markdown("**The trait that you do not know**")
    trait = typed_condition(table.schema, key=f"{KEY}_secret", invitation="Add a condition", needed=True)
    one, secret = facts.finished(), trait.finished()
    if one is None or secret is None:
        return _of_hospital(TRAITS[0], _names()[0])
    return DifferencingStage(
        counts=two_counts(table, singled_out=one, trait=secret), person="this person", trait="the trait"
    )


def _names() -> list[str]:
    """All patients; first one with mumps, so that the first picture tells something."""
    diseases = _diseases()
    first = next(name for name, disease in diseases.items() if disease == TRAITS[0])
    return [first, *(name for name in diseases if name != first)]


@st.cache_data(max_entries=1)
def _diseases() -> dict[str, str]:
    frame = sample_frame("patients")
    return dict(zip(frame["name"].tolist(), frame["disease"].tolist(), strict=True))
