"""Among others: deployments that protect as much of somebody, for as long."""

from __future__ import annotations

import streamlit as st

from dpengine.charts.tables import deployment_charts
from dpengine.deployments import DEPLOYMENTS, nearest
from dpengine.promises import stated
from pages.judge.promise import record
from pages.judge.promise.hand import KEY, Hand
from pages.widgets import outputs


def show(held: Hand) -> None:
    """A ruler of those alone that can be compared, or the sentence why there are none."""
    promise = held.promise
    epsilon = stated(promise.epsilon) if promise else None
    if promise is None or epsilon is None:
        st.info("Only a promise that states ε has a place on the ruler.")
        return
    alike = [
        one
        for one in DEPLOYMENTS
        if (other := record.as_promise(one)).unit == promise.unit and other.every_days == promise.every_days
    ]
    if not alike or stated(promise.unit) is None:
        st.info("None of our deployments protects the same unit for the same time, so none can be compared.")
        return
    near = [one for one in nearest(epsilon, alike) if one is not None]
    picture = deployment_charts.ruler(alike, epsilon=epsilon, near=near, palette=outputs.palette())
    outputs.chart(st.container(border=True, key=f"card_{KEY}_among"), picture, key=f"{KEY}_among_chart")
    outputs.numbers_behind((picture,), key=f"{KEY}_among_numbers")
