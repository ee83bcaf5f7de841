"""All that a budget has left, shared so that the errors of a list are as small as they can be."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

import streamlit as st

from dpengine.feasible import CheapestPlan, Wish, best_shares
from dpengine.formatting import at_most, billionths, error_in, measure_of
from dpengine.plan import PlannedQuery
from dpengine.privacy import Guarantee
from dpengine.spending import Spending
from pages import session
from pages.plan import accounts
from pages.widgets.escaping import unmarked

LEAST_BUDGET, LARGEST, SUM = "least budget for them", "smallest errors, kept in proportion", "smallest sum of errors"
_WAYS = (LEAST_BUDGET, LARGEST, SUM)
_NO_BUDGET = (
    "What is left of a concentrated account is a ρ, to which no one ε and δ belong: here only the least budget is "
    "looked for."
)


def chosen_way() -> str:
    """What the list is turned around for."""
    way = st.segmented_control(
        "Look for", _WAYS, default=LEAST_BUDGET, key="accepted_way", required=True, persist_state="session"
    )
    return str(way)


def show(spending: Spending, wishes: Sequence[Wish], way: str) -> CheapestPlan | None:
    """The smallest errors that what is left allows, each beside its share; the plan, or None where none is found."""
    budget = _budget(spending)
    if budget is None:
        st.info(_NO_BUDGET)
        return None
    rule, delta = spending.scenario.rule, min(spending.budget.delta, budget.delta)
    if way == LARGEST:
        found, times = best_shares(wishes, budget=budget, rule=rule, delta=delta)
        st.markdown(f"**{_named(spending)} keeps every error within {at_most(times)} times what you accept.**")
    else:
        with st.container(horizontal=True):
            weights = [1.0 if wish.is_kept else _weight(place) for place, wish in enumerate(wishes)]
        found, total = best_shares(wishes, budget=budget, rule=rule, delta=delta, weights=weights)
        counted = sum(weight for weight, wish in zip(weights, wishes, strict=True) if not wish.is_kept)
        st.markdown(
            f"**{_named(spending)} keeps the errors within {at_most(total / counted)} times what you accept, on "
            "average.** A question that counts more gets a smaller error."
        )
    st.markdown("| question | gets | error within | noise |\n|---|---|---|---|\n" + "\n".join(_rows(wishes, found)))
    return found


def _budget(spending: Spending) -> Guarantee | None:
    left = spending.left_before.under(spending.scenario.rule)
    if isinstance(left, Guarantee):
        return left
    return spending.budget if accounts.current() is None else None


def _named(spending: Spending) -> str:
    return "What is left" if accounts.current() else f"The whole budget of ε {billionths(spending.budget.epsilon)}"


def _weight(place: int) -> float:
    """How much a question counts in the sum; 1 until somebody says otherwise."""
    typed = st.number_input(
        f"Question {place + 1} counts, times",
        value=None,
        placeholder="1",
        min_value=0.01,
        max_value=100.0,
        format="%.4g",
        step=None,
        key=f"accepted_weight_{session.mark_at(place)}",
        width=190,
        persist_state="session",
    )
    return 1.0 if typed is None else float(typed)


def _rows(wishes: Sequence[Wish], found: CheapestPlan) -> list[str]:
    return [
        f"| {place} | ε {billionths(planned.guarantee.epsilon)}{' (as planned)' if wish.is_kept else ''} "
        f"| {_error(wish, planned)} | {planned.noise.label} |"
        for place, (wish, planned) in enumerate(zip(wishes, found.queries, strict=True), start=1)
    ]


def _error(wish: Wish, planned: PlannedQuery) -> str:
    """The error that this share keeps, as the accepted one is told; none where none was accepted."""
    if wish.is_kept:
        return ""
    asked, targets = replace(wish.asked, planned=planned), wish.targets
    kept = asked.law(planned.guarantee.epsilon).quantile(targets.confidence, targets.counted(asked.coordinates))
    measure = measure_of(planned.query, asked.schema).written(unmarked, "units")
    return f"{'' if wish.is_chosen else '±'}{error_in(measure, kept)}"
