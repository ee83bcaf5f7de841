"""Among others: deployments that protect the same unit, for the same time."""

from __future__ import annotations

import streamlit as st

from dpengine.charts.tables import deployment_charts
from dpengine.deployments import nearest
from dpengine.promises import stated
from dpengine.promises.recorded import comparable
from pages.judge.promise.hand import KEY, Hand
from pages.widgets import outputs

NO_PLACE = "Only a promise that states ε has a place on the ruler."
NONE_ALIKE = "None of the 21 deployments is known to protect the same unit for the same time, so none can be compared."

SHOWN = (
    "Each mark is the ε of a deployment that protects the same unit for the same time; the dashed line is this "
    "promise. In bold: the largest ε up to it, and the smallest above."
)
NUMBERS = "Show the numbers of these deployments"


def show(held: Hand) -> None:
    """A ruler of those alone that can be compared, or the sentence why there are none."""
    epsilon = stated(held.promise.epsilon) if held.promise else None
    if held.promise is None or epsilon is None:
        st.info(NO_PLACE)
        return
    alike = [one.deployment for one in comparable(held.promise)]
    if not alike:
        st.info(NONE_ALIKE)
        return
    near = [one for one in nearest(epsilon, alike) if one is not None]
    picture = deployment_charts.ruler(alike, epsilon=epsilon, near=near, palette=outputs.palette())
    st.markdown(SHOWN)
    outputs.chart(st.container(border=True, key=f"card_{KEY}_among"), picture, key=f"{KEY}_among_chart")
    outputs.numbers_behind((picture,), key=f"{KEY}_among_numbers", label=NUMBERS)
