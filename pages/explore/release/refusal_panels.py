"""A question beside its budget: a bar while it fits, else the steps with this one dashed, and what would fit instead.

All of it comes from the ledger, the plan and the declared schema: no row is read.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

import streamlit as st

from dpengine.accounting import MOST_REPETITIONS
from dpengine.charts import Chart
from dpengine.charts.budget import refusal_charts
from dpengine.charts.budget.budget_charts import BurnLine
from dpengine.ledger import Account
from dpengine.mechanisms.released import PURE_NOISE
from dpengine.plan import PlannedQuery
from dpengine.plan.amounts import RULE_NAMES
from dpengine.spending import Spending, others_that_fit, step_of, strips, what_fits
from pages import session
from pages.phrasing import charge_words, rules, wording
from pages.plan import accounts, budget_bar
from pages.widgets import outputs

_RIVALS = {"basic": ("concentrated", "advanced", "exact"), "concentrated": ("basic", "exact")}
_READ_SO = {
    "basic": "Your account's line decides. The other lines are for comparison.",
    "concentrated": ("ρ decides; your account's line shows it converted into ε. The other lines are for comparison."),
}
_OTHER = {"basic": "concentrated", "concentrated": "basic"}


def budget_strip(planned: PlannedQuery, account: Account) -> None:
    """What is spent, what this question takes and what stays, as one bar for each amount that counts."""
    charge = account.cost(planned, session.scenario().schema).amounts
    for one in strips(accounts.balance(account), charge):
        st.html(budget_bar.drawn(one, asked="this question"))


def refused(planned: PlannedQuery, account: Account) -> None:
    """The picture of the refusal and what would fit; nothing while the question fits or nothing is left."""
    if account.fits(planned, session.scenario().schema) or charge_words.nothing_left(account):
        return
    with st.container(border=True, key="card_refused"):
        left, right = st.columns([1.55, 1], gap="medium")
        picture = _picture(planned, account)
        if picture is not None:
            outputs.chart(left, picture, key="chart_refused")
            left.markdown(f":gray[{_READ_SO[account.rule]}]")
        with right if picture is not None else st.container():
            _offers(planned, account)
        if picture is not None:
            outputs.numbers_behind([picture], key="refused_numbers")


def _picture(planned: PlannedQuery, account: Account) -> Chart | None:
    """By epsilon, or by delta where that alone is not enough; none where the account has none of it."""
    plan = replace(accounts.as_charged(session.scenario()), queries=(planned,))
    spending = Spending(scenario=plan, rounds=1, budget=account.budget, earlier=accounts.earlier_steps())
    if spending.lacking(account.rule) != "delta":
        lines = list(_lines(spending, account.rule))
        return _drawn(lines, account.budget.epsilon, "epsilon")
    if not account.budget.delta:
        return None
    deltas = spending.counted[account.rule].readings("delta")
    return _drawn([BurnLine(label="naive", spent=deltas, color=outputs.palette().spent)], account.budget.delta, "delta")


def _drawn(lines: list[BurnLine], budget: float, quantity: str) -> Chart:
    return refusal_charts.refused_step(lines=lines, budget=budget, quantity=quantity, palette=outputs.palette())


def _lines(spending: Spending, own: str) -> Iterator[BurnLine]:
    """The account's own rule first, then its rivals."""
    for name in (own, *_RIVALS[own]):
        pure = name not in {own, "basic"} and not spending.budget.delta
        if not pure and spending.understands(name):
            look, color = rules.RULES[name], getattr(outputs.palette(), rules.RULES[name].color)
            label = look.label + (", your account's rule" if name == own else "")
            yield BurnLine(label=label, spent=spending.spent(name), color=color, width=3.4 if name == own else 2.0)


def _offers(planned: PlannedQuery, account: Account) -> None:
    """A smaller epsilon, other noise, other questions of the plan, and what the other rule would have allowed."""
    plan, balance = session.scenario(), accounts.balance(account)
    st.markdown("**What would fit**")
    place = session.question_index()
    fitting = [one for one in what_fits(planned, plan.schema, account.neighbors, balance=balance) if account.fits(one)]
    for one in fitting:
        make = session.of_this_plan(session.keep_query)
        st.button(_label(one), key=f"offer_{one.mechanism}", on_click=make, args=(one, place), width="stretch")
    if not fitting:
        st.markdown("Not even a billionth of ε fits for this question.")
    others = others_that_fit(accounts.as_charged(plan), balance=balance, besides=session.question_index())
    answered = [release.query for release in account.releases()]
    new = [place + 1 for place in others if plan.queries[place].query not in answered]
    st.markdown(_other_questions(new, len(others), asked=len(plan.queries)))
    charge = step_of(planned, plan.schema, account.neighbors).amounts
    st.markdown(f":gray[{_other_rule(balance.room(charge, _OTHER[account.rule]), account)}]")


def _label(planned: PlannedQuery) -> str:
    noise = f"{planned.noise.label} noise, " if planned.noise is not PURE_NOISE else ""
    return f"Make it {noise}{wording.guarantee(planned.guarantee)} (changes the plan only)"


def _other_questions(new: list[int], fitting: int, *, asked: int) -> str:
    if asked == 1:
        return "What was charged stays charged: no question can be taken back."
    if not fitting:
        return "No other question of your plan fits as it is."
    if not new:
        return "Every other question of your plan that would fit has its answer already."
    numbers = wording.listed([str(number) for number in new])
    which = "any one of questions" if len(new) > 1 else "question"
    return f"Or skip it: {which} {numbers} of your plan would fit."


def _other_rule(room: int, account: Account) -> str:
    other = _OTHER[account.rule]
    if other == "concentrated" and not account.budget.delta:
        return "The concentrated rule could not have helped: it needs a budget with a δ."
    opened = f"An account opened with this budget under the {RULE_NAMES[other]} rule"
    if not room:
        return f"{opened} would have no room for it now either."
    count = f"at least {room:,}" if room == MOST_REPETITIONS else f"{room:,}"
    return (
        f"{opened} would now have room for **{count}** such question{'s' if room > 1 else ''}. The rule is fixed when "
        "an account is opened: choose it for the next one."
    )
