"""The pieces of the budget page: the shares, the burning budget, where each rule stops, and what families get."""

from __future__ import annotations

from collections.abc import Sequence

import streamlit as st

from dpengine.accounting import ACCOUNTANTS, MOST_REPETITIONS
from dpengine.charts import Chart, amount, at_most, billionths, budget_charts
from dpengine.privacy import Guarantee
from dpengine.scenario import Scenario
from dpengine.spending import MOST_STEPS, Spending
from pages.ui import accounts, inputs, outputs, rules, session, wording

DECIDES = (
    "**What counts when you release** is the account's rule: naive (basic) or concentrated, because you may choose the "
    "next question after seeing the last answer."
)
FAMILY, LARGEST_FAMILY = 4, 20


def shares() -> Spending:
    """The budget, how often the list is asked, and the epsilon of each question."""
    plan, account = session.scenario(), accounts.current()
    first, second, third = st.columns([1, 2, 1.4], vertical_alignment="bottom")
    whole = plan.budget.epsilon if account is None else account.budget.epsilon
    budget = inputs.number(first, "Budget ε", key="budget_epsilon", start=whole)
    delta = inputs.delta_dial(second, key="budget_delta", kept=plan.budget.delta or 1e-6)
    rounds = inputs.whole(third, "Ask the whole list this often", key="budget_rounds", start=1, most=1000)
    changed = plan
    for index, planned in enumerate(plan.queries):
        words, dial = st.columns([3, 2], vertical_alignment="center")
        epsilon = inputs.share(dial, key=f"share_{index}", start=planned.guarantee.epsilon)
        shared = planned.at(epsilon)
        costs = wording.itemized(shared, plan.schema, plan.neighbors)
        asked = f"{index + 1}. {wording.asked(planned)}{wording.delta_and_noise(planned)}"
        words.markdown(asked + (f" :gray[{costs}]" if costs else ""))
        changed = changed.with_query_at(index, shared)
    new_budget = Guarantee(epsilon=budget, delta=delta)
    _keep_button(changed, new_budget)
    return Spending(scenario=changed, rounds=rounds, budget=new_budget, earlier=accounts.earlier_events())


def _keep_button(changed: Scenario, budget: Guarantee) -> None:
    if st.button("Keep budget and shares in the plan", key="budget_keep"):
        session.keep_budget(changed, budget)
        st.rerun()


def finding(spending: Spending) -> None:
    """Which questions fit, under naive and under advanced adding."""
    asked, refused = len(spending.planned), {name: spending.first_refused(name) for name in ("basic", "advanced")}
    left = billionths(spending.left_before)
    if refused["basic"] is None:
        spent = billionths(float(spending.spent("basic")[-1]) - spending.spent_before)
        title = f"All {asked} questions fit: they spend {spent} of {left}"
    elif refused["advanced"] is None:
        title = f"Naive adding stops at question {refused['basic']:,}, advanced adding lets all {asked} through"
    elif refused["advanced"] > refused["basic"]:
        title = f"Naive adding stops at question {refused['basic']:,}, advanced at question {refused['advanced']:,}"
    else:
        title = f"The budget of {left} is gone: question {refused['basic']:,} does not fit"
    outputs.finding(title, f"{_before(spending)}{wording.EPSILON_PROTECTS} {wording.DELTA_MEANS}.")


def _before(spending: Spending) -> str:
    """What was charged to the account before this plan."""
    count = len(spending.earlier)
    if not count:
        return ""
    answers = "1 answer was" if count == 1 else f"{count:,} answers were"
    spent, whole = billionths(spending.spent_before), billionths(spending.budget.epsilon)
    return f"{answers} charged already, ε {spent} of {whole}: they begin every line. "


def shown_rules(spending: Spending) -> tuple[str, ...]:
    """The rules on the screen, out of those that can say anything about this list."""
    return rules.chosen([name for name in ACCOUNTANTS if spending.understands(name)], key="budget_rules")


def burn(spending: Spending, shown: Sequence[str]) -> list[Chart]:
    """Lines that step up with every question, one a rule; the textbook form told apart by what is known of it."""
    drawn = slice(_worth_drawing(spending, shown))
    curves = {name: spending.spent(name)[drawn] for name in shown}
    picture = budget_charts.burn(
        questions=spending.questions[drawn],
        lines=rules.lines(curves, spending.textbook_validity[drawn], outputs.palette()),
        budget=spending.budget.epsilon,
        palette=outputs.palette(),
        height=340,
        earlier=len(spending.earlier),
    )
    outputs.chart(st.container(), picture, key="chart_burn")
    return [picture]


def _worth_drawing(spending: Spending, shown: Sequence[str]) -> int:
    """As many questions as the sound rules on the screen need."""
    return spending.worth_drawing({"basic", *(name for name in shown if ACCOUNTANTS[name].sound)})


def where_each_stops(spending: Spending, shown: Sequence[str]) -> None:
    """For each rule on the screen, the first question that does not fit, or how many more would."""
    rows = [_stop(spending, name) for name in shown]
    st.markdown("| added up by | of this plan | more like the last one |\n|---|---|---|\n" + "\n".join(rows))


def _stop(spending: Spending, name: str) -> str:
    label = rules.RULES[name].label + ("" if ACCOUNTANTS[name].sound else " (decides nothing)")
    refused, spent = spending.first_refused(name), at_most(float(spending.spent(name)[-1]))
    if refused is not None:
        return f"| {label} | question **{refused:,}** is the first that does not fit | none |"
    more = spending.room_for_more(name)
    count = f"{more:,}" if more < MOST_REPETITIONS else f"at least {MOST_REPETITIONS:,}"
    before = " with those before" if spending.earlier else ""
    return f"| {label} | all fit: ε {spent}{before} | **{count}** fit |"


def where_advanced_wins(spending: Spending) -> None:
    """From which question on each advanced form is below naive adding, and what is known of the textbook form."""
    if not spending.budget.delta:
        st.markdown("Without a delta there is no advanced composition: only naive adding counts. " + DECIDES)
        return
    sound, textbook = spending.first_below("advanced"), spending.first_below("textbook")
    drawn = spending.worth_drawing()
    verdict = spending.textbook_validity[drawn - 1].sentence
    cut = f" Only the first {MOST_STEPS:,} questions are followed." if len(spending.planned) == MOST_STEPS else ""
    st.markdown(
        f"- **Advanced, sound** (Kairouz, Oh, Viswanath 2015): {_from(sound)}.\n"
        f"- **Advanced, textbook** (ε√(8 k ln 1/δ)): {_from(textbook)}; with equal shares from "
        f"8 ln(1/δ) = {amount(spending.textbook_threshold)} questions on. At question "
        f"{drawn - len(spending.earlier):,}: {verdict} "
        f"It is drawn for comparison and decides nothing.\n- {DECIDES}{cut}"
    )


def _from(first: int | None) -> str:
    return "not below naive adding in this list" if first is None else f"below naive adding from question {first:,} on"


def families(spending: Spending) -> None:
    """What people who stand or fall together are promised by the whole list."""
    with st.container(border=True, key="card_family"):
        left, right = st.columns([1, 2.2], gap="medium", vertical_alignment="center")
        session.widget_starts_at("budget_family", FAMILY)
        size = int(left.slider("A family of so many", 1, LARGEST_FAMILY, key="budget_family", persist_state="session"))
        naive, exact = (spending.for_group(size, accountant=name) for name in ("basic", "exact"))
        alone = float(spending.spent("basic")[-1])
        same = at_most(naive) == at_most(exact)
        tighter = "" if same else f", and ε {at_most(exact)} by the exact loss of this noise at the same δ"
        right.markdown(
            f"**Epsilon is a promise to one person: ε {at_most(alone)} once all is answered.** A family of {size} that "
            f"is in the table or out of it together is promised ε {at_most(naive)} by adding up{tighter} "
            "(group privacy)."
        )
