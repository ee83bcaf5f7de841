"""What others chose: a ruler of real deployments, those beside the dial, and why few of them can be compared."""

from __future__ import annotations

import streamlit as st
from streamlit.delta_generator import DeltaGenerator

from dpengine import accounting
from dpengine.charts.tables import deployment_charts
from dpengine.deployments import DEPLOYMENTS, SCOPES, Deployment, covering, nearest
from dpengine.formatting import amount, tiny
from dpengine.privacy import Neighbors, PureEvent
from pages import session
from pages.access import roles
from pages.access.roles import Role
from pages.lesson.lesson import picture_and_words
from pages.widgets import inputs, outputs
from pages.widgets.escaping import unmarked

KEY = "deployments"
MOST_EPSILON, WITHOUT_A_PLAN = 100.0, 1.0
DAYS = 30
_RELATIONS = {
    Neighbors.ADD_REMOVE: "one person added or removed",
    Neighbors.REPLACE_ONE: "one person replaced",
    None: "neighboring tables not stated by the source",
}


@roles.part
def show() -> None:
    """The whole page: the dial, the ruler with the nearest of each group, and every deployment with its source."""
    heading = st.container()
    epsilon = _dial()
    near = [one for scope in SCOPES for one in nearest(epsilon, covering(scope)) if one is not None]
    place, words = picture_and_words(KEY)
    picture = deployment_charts.ruler(DEPLOYMENTS, epsilon=epsilon, near=near, palette=outputs.palette())
    outputs.chart(place, picture, key=f"{KEY}_chart")
    _beside(words, epsilon)
    _why_not(words)
    with heading:
        outputs.finding(finding(epsilon), "What did others choose? Compare only marks of one kind within one group.")
    st.markdown("## Every deployment, with the source of its number", anchors=False)
    for scope in SCOPES:
        st.markdown(table(scope))
    outputs.numbers_behind((picture,), key=f"{KEY}_numbers")


def _dial() -> float:
    """It starts at the budget of the plan, where there is one, and again when that changes."""
    kept = session.scenario().budget.epsilon if roles.current() is Role.CURATOR else WITHOUT_A_PLAN
    with st.container(border=True, key=f"card_dial_{KEY}"):
        return inputs.dial(key=f"{KEY}_epsilon", kept=min(kept, MOST_EPSILON), owner=kept, most=MOST_EPSILON)


def finding(epsilon: float) -> str:
    """Where an epsilon that covers all of one person lies: a budget does, so others that do stand beside it."""
    return f"ε {amount(epsilon)}: {_between(epsilon, 'person')}"


def _between(epsilon: float, scope: str) -> str:
    below, above = nearest(epsilon, covering(scope))
    if below is not None and above is not None:
        return f"between {_numbered(below)} and {_numbered(above)}"
    return f"above {_numbered(below)}" if below is not None else f"below {_numbered(above)}" if above else ""


def _numbered(one: Deployment) -> str:
    return f"{one.short} ({amount(one.epsilon, 4)})"


def _beside(place: DeltaGenerator, epsilon: float) -> None:
    """Where the dial stands in each group."""
    lines = [f"- {words}: {_between(epsilon, scope)}" for scope, words in SCOPES.items()]
    place.markdown(f"**Where ε {amount(epsilon)} would stand**\n\n" + "\n".join(lines))


def _why_not(place: DeltaGenerator) -> None:
    """Why an epsilon of one deployment is not that of another."""
    daily = next(one for one in DEPLOYMENTS if one.span == "each day" and not one.delta and not one.is_local)
    month = accounting.epsilon({PureEvent(epsilon=daily.epsilon): DAYS}, delta=0.0, accountant="basic")
    place.markdown(
        "**ε alone does not tell how private something is.** Ask three things first:\n\n"
        "1. **What does it cover?** A whole person, or one day of theirs? "
        f"{daily.short}: ε {amount(daily.epsilon, 4)} each day may add up to {amount(month, 4)} in {DAYS} days.\n"
        "2. **Who adds the noise?** Where each device does (local model), you need to trust nobody, but the same ε "
        "costs far more accuracy. So a larger ε is chosen.\n"
        "3. **Which tables must look alike?** One person *added or removed*, or one person *replaced*? And is there a "
        "small δ on top?"
    )


def table(scope: str) -> str:
    """The deployments of one group as a table, each with the page where its number was read."""
    rows = "\n".join(_row(one) for one in covering(scope))
    return f"| ε | {SCOPES[scope]} |\n|---|---|\n{rows}"


def _row(one: Deployment) -> str:
    delta = f" (δ {tiny(one.delta)})" if one.delta else ""
    noise = "each device (local)" if one.is_local else "a curator (central)"
    source = f"[{unmarked(one.source.title)}]({one.source.address}), {unmarked(one.source.publisher)}"
    return (
        f"| **{amount(one.epsilon, 4)}**{delta} | **{one.name}** · {one.by}, {one.year} · protects **{one.unit}**, "
        f"{one.span} · noise by {noise} · {_RELATIONS[one.neighbors]}. {one.note} Source: {source} |"
    )
