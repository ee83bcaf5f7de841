"""Which count is asked again and again: one of the curator's plan, or one of the invented hospital."""

from __future__ import annotations

from dpengine.queries import CountPeopleQuery, CountQuery
from pages.ui import session, wording
from pages.ui.attacks import ground

KEY, HOSPITAL = "averaging", "the invented hospital"
EPSILON, MOST, TRIALS = 0.1, 1000, 1000
SEED, FIRST_SEED = 5, 100


def count_in_words() -> str:
    """The first planned question that counts people, where the curator's own table is attacked; else one on mumps.

    Only its words: all errors are drawn around 0, whatever the exact count.
    """
    if ground.own_or_invented(HOSPITAL, key=f"{KEY}_ground") is not None:
        plan = session.scenario()
        for index, planned in enumerate(plan.queries):
            if isinstance(planned.query, CountPeopleQuery) or _of_people(planned.query):
                return wording.numbered(plan, index)
    return "How many patients have mumps?"


def _of_people(query: object) -> bool:
    return isinstance(query, CountQuery) and session.scenario().schema.one_row_each
