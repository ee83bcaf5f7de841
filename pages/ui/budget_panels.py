"""The pieces of the budget page: the shares, the burning budget, and where advanced composition begins to win."""

from __future__ import annotations

import numpy as np
import streamlit as st

from dpengine.accounting import Validity
from dpengine.charts import Chart, amount, billionths, budget_charts
from dpengine.charts.budget_charts import BurnLine
from dpengine.privacy import Guarantee
from dpengine.scenario import Scenario
from dpengine.spending import MOST_STEPS, Spending
from pages.ui import accounts, inputs, outputs, session, wording

NAMES = {"basic": "naive", "advanced": "advanced, sound", "textbook": "advanced, textbook"}
DECIDES = (
    "**What counts when you release** is the account's rule: naive (basic) or concentrated, because you may choose the "
    "next question after seeing the last answer."
)
TEXTBOOK_LOOKS = {
    Validity.PROVED: ("advanced, textbook (proved)", "dash"),
    Validity.TRUE: ("textbook: true, not proved", "dot"),
    Validity.UNPROVED: ("textbook: nobody knows", "dot"),
    Validity.FALSE: ("textbook: false here", "longdashdot"),
}


def shares() -> Spending:
    """The budget, how often the list is asked, and the epsilon of each question."""
    plan = session.scenario()
    first, second, third = st.columns([1, 2, 1.4], vertical_alignment="bottom")
    left = accounts.left_epsilon()
    label = "Budget ε" if left is None else "What is left of ε"
    budget = inputs.number(first, label, key="budget_epsilon", start=left or plan.budget.epsilon)
    delta = inputs.delta_dial(second, key="budget_delta", kept=plan.budget.delta or 1e-6)
    rounds = inputs.whole(third, "Ask the whole list this often", key="budget_rounds", start=1, most=1000)
    changed = plan
    for index, planned in enumerate(plan.queries):
        words, dial = st.columns([3, 2], vertical_alignment="center")
        epsilon = inputs.share(dial, key=f"share_{index}", start=planned.guarantee.epsilon)
        shared = planned.at(epsilon)
        costs = wording.itemized(shared, plan.schema, plan.neighbors)
        words.markdown(f"{index + 1}. {wording.asked(planned)}" + (f" :gray[{costs}]" if costs else ""))
        changed = changed.with_query_at(index, shared)
    new_budget = Guarantee(epsilon=budget, delta=delta)
    _keep_button(changed, new_budget)
    return Spending(scenario=changed, rounds=rounds, budget=new_budget)


def _keep_button(changed: Scenario, budget: Guarantee) -> None:
    if st.button("Keep budget and shares in the plan", key="budget_keep"):
        session.keep_budget(changed, budget)
        st.rerun()


def finding(spending: Spending) -> None:
    """Which questions fit, under naive and under advanced adding."""
    asked, refused = len(spending.steps), {name: spending.first_refused(name) for name in ("basic", "advanced")}
    budget = billionths(spending.budget.epsilon)
    if refused["basic"] is None:
        spent = billionths(float(spending.spent("basic")[-1]))
        title = f"All {asked} questions fit: they spend {spent} of {budget}"
    elif refused["advanced"] is None:
        title = f"Naive adding stops at question {refused['basic']:,}, advanced adding lets all {asked} through"
    elif refused["advanced"] > refused["basic"]:
        title = f"Naive adding stops at question {refused['basic']:,}, advanced at question {refused['advanced']:,}"
    else:
        title = f"The budget of {budget} is gone: question {refused['basic']:,} does not fit"
    outputs.finding(title, f"{wording.EPSILON_PROTECTS} {wording.DELTA_MEANS}.")


def burn(spending: Spending) -> list[Chart]:
    """Lines that step up with every question; the textbook form told apart by what is known of it."""
    palette, shown = outputs.palette(), slice(spending.worth_drawing())
    advanced, naive = spending.spent("advanced")[shown], spending.spent("basic")[shown]
    lines = [
        BurnLine(label=NAMES["advanced"], spent=advanced, color=palette.advanced, width=5.0),
        BurnLine(label=NAMES["basic"], spent=naive, color=palette.spent),
        *_textbook_lines(spending),
    ]
    picture = budget_charts.burn(
        questions=spending.questions[shown], lines=lines, budget=spending.budget.epsilon, palette=palette, height=340
    )
    outputs.chart(st.container(), picture, key="chart_burn")
    return [picture]


def _textbook_lines(spending: Spending) -> list[BurnLine]:
    palette, shown = outputs.palette(), slice(spending.worth_drawing())
    values = spending.spent("textbook")[shown]
    verdicts = np.array([verdict.value for verdict in spending.textbook_validity[shown]])
    return [
        BurnLine(
            label=label,
            spent=np.where(verdicts == verdict.value, values, np.nan),
            color=palette.attacker if verdict is Validity.FALSE else palette.muted,
            dash=dash,
        )
        for verdict, (label, dash) in TEXTBOOK_LOOKS.items()
        if (verdicts == verdict.value).any()
    ]


def where_advanced_wins(spending: Spending) -> None:
    """From which question on each advanced form is below naive adding, and what is known of the textbook form."""
    if not spending.budget.delta:
        st.markdown("Without a delta there is no advanced composition: only naive adding counts. " + DECIDES)
        return
    sound, textbook = spending.first_below("advanced"), spending.first_below("textbook")
    drawn = spending.worth_drawing()
    verdict = spending.textbook_validity[drawn - 1].sentence
    cut = f" Only the first {MOST_STEPS:,} questions are followed." if len(spending.steps) == MOST_STEPS else ""
    st.markdown(
        f"- **Advanced, sound** (Kairouz, Oh, Viswanath 2015): {_from(sound)}.\n"
        f"- **Advanced, textbook** (ε√(8 k ln 1/δ)): {_from(textbook)}; with equal shares from "
        f"8 ln(1/δ) = {amount(spending.textbook_threshold)} questions on. At question {drawn:,}: {verdict} "
        f"It is drawn for comparison and decides nothing.\n- {DECIDES}{cut}"
    )


def _from(first: int | None) -> str:
    return "not below naive adding in this list" if first is None else f"below naive adding from question {first:,} on"
