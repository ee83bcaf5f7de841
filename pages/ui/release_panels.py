"""The pieces of the release page: opening an account, the price, the button, the answer, the history."""

from __future__ import annotations

import pandas as pd
import streamlit as st

from dpengine.charts import answer_charts, at_most, billionths
from dpengine.ledger import Account, Charge, Release
from dpengine.plan import PlannedQuery
from dpengine.privacy import Guarantee
from dpengine.scenario import Scenario
from pages.ui import accounts, outputs, session, wording
from pages.ui.names import code, spreadsheet_safe, unmarked

CONFIDENCE = 0.95
RULES = {
    "basic": "epsilons add up (basic): simple, best for few questions",
    "concentrated": "rhos add up (concentrated): goes further with many small questions; needs a delta above 0",
}


def title(planned: PlannedQuery | None, account: Account | None) -> str:
    """The answer that was just released, or what is left."""
    shown = accounts.released_for(planned)
    if shown is not None and shown.answer_is_number:
        return f"The answer: {wording.released_number(shown, CONFIDENCE)}"
    if shown is not None:
        together = at_most(shown.half_width(CONFIDENCE, simultaneous=True))
        return f"The answer: {len(shown.labels)} counts, all within ±{together} {shown.unit}"
    if account is None:
        return "Nothing has been released from this table"
    return f"{wording.left(account)} of {wording.spendable(account.granted)} is left to spend"


def missing_table() -> None:
    """The plan is here but the rows are not."""
    st.info(
        f"The plan is about {code(session.scenario().table_name)}, whose rows this session does not hold. "
        "Bring the table again on the **Data** page: the same content finds its budget again."
    )


def open_account() -> None:
    """What an account would fix for ever, and the button that opens it."""
    plan, practice = session.scenario(), session.is_built_in()
    with st.container(border=True, key="card_open"):
        st.markdown(
            f"#### Open {'a practice' if practice else 'an'} account\n"
            f"Before anything leaves, an account fixes for this table the budget **{wording.guarantee(plan.budget)}** "
            f"(change it on the **Budget** page) and the promise: *{plan.neighbors.sentence}* It protects: "
            f"{wording.unit_line(plan)}. "
            + ("It is practice data: you may start over." if practice else "It never grows, and it outlives restarts.")
        )
        if _lacks_delta(plan):
            st.markdown(
                "**The plan asks for Gaussian noise, and this budget has no δ.** Such questions will be refused: give "
                "the budget a δ on the **Budget** page first, or choose Laplace noise on the **Trade-off** page."
            )
        rule = st.radio("How charges add up", list(RULES), format_func=RULES.__getitem__, key="account_rule")
        if st.button("Open the account", type="primary", key="open_account"):
            session.keep_rule(str(rule))
            if session.attempt(accounts.open_planned):
                st.rerun()
            outputs.notices()


def _lacks_delta(plan: Scenario) -> bool:
    return not plan.budget.delta and any(planned.mechanism == "gaussian" for planned in plan.queries)


def price(planned: PlannedQuery, account: Account) -> None:
    """The question, its cost, what would be left, and what to do if it does not fit."""
    schema = session.scenario().schema
    charge = account.cost(planned, schema)
    st.markdown(f"**{wording.asked(planned)}** {wording.clamping(planned.query, schema)}")
    st.markdown(
        f"It costs **{charge}**; **{_left_beside(charge, account)}** is left. "
        f":gray[{unmarked(wording.sensitivity_line(planned, schema, account.neighbors))}]"
    )
    if not account.fits(planned, schema):
        st.markdown(f"**It does not fit.** {_what_would_fit(account, charge)}")
    elif accounts.asked_before(planned, account):
        st.markdown("You already have an answer to this question. Asking again draws new noise, and **costs again**.")


def _left_beside(charge: Charge, account: Account) -> str:
    return wording.spendable(account.remaining) if charge.delta else wording.left(account)


def _what_would_fit(account: Account, charge: Charge) -> str:
    left = account.remaining
    if not isinstance(left, Guarantee):
        return "Give it a smaller epsilon on the **Trade-off** page."
    if left.epsilon == 0:
        return "Nothing is left: this table answers no more questions."
    if charge.delta > left.delta and charge.epsilon <= left.epsilon:
        smaller = ", or give it a smaller δ" if left.delta else ""
        return f"On the **Trade-off** page, choose Laplace noise, which needs no δ{smaller}."
    return f"On the **Trade-off** page, give it ε {billionths(left.epsilon)} or less."


def release_button(planned: PlannedQuery, account: Account) -> None:
    """The only button that lets an answer out; its request id stands for this rendering, not for a click."""
    request = accounts.request_id(planned, account)
    if st.button("Release this answer", type="primary", key=f"release_{request}"):
        accounts.ask(planned, account, request)
        st.rerun()


def answer(planned: PlannedQuery) -> None:
    """The answer that this session released last to this question, or why it was refused."""
    refused = accounts.refused_for(planned)
    if refused:
        st.error("**Refused.** " + unmarked(refused))
    shown = accounts.released_for(planned)
    if shown is None:
        return
    with st.container(border=True, key="card_answer"):
        st.markdown(f"#### {wording.asked(shown.planned_query)}")
        _numbers(shown)
        st.markdown(f"Charged: **{shown.charge}**. This answer is in the history below; reading it again is free.")


def _numbers(shown: Release) -> None:
    if shown.answer_is_number:
        st.markdown(f"## {wording.released_number(shown, CONFIDENCE)}")
        st.markdown(wording.interval_sentence(shown, CONFIDENCE))
    else:
        picture = answer_charts.cells(
            labels=shown.labels,
            values=shown.values,
            half_width=shown.half_width(CONFIDENCE, simultaneous=True),
            confidence=CONFIDENCE,
            unit=shown.unit,
            palette=outputs.palette(),
        )
        outputs.chart(st.container(), picture, key="released_cells")
        st.markdown(unmarked(picture.alt))
        outputs.numbers_behind([picture], key="released_numbers")
    if shown.can_only_count and min(shown.values) < 0:
        st.markdown(
            "A count below zero is the noise, not a mistake: the true number is small. Setting it to zero costs "
            "nothing, and neither does rounding, because they look at no row (post-processing)."
        )


def history(account: Account) -> None:
    """Everything that was ever released from this account."""
    released = account.releases()
    st.markdown(f"#### History: {len(released)} answer{'' if len(released) == 1 else 's'} released")
    if not released:
        return
    frame = pd.DataFrame([_row(item) for item in reversed(released)])
    st.dataframe(frame, hide_index=True)
    safe = frame.map(spreadsheet_safe)
    st.download_button("Download as CSV", safe.to_csv(index=False), file_name="releases.csv", on_click="ignore")


def _row(item: Release) -> dict[str, object]:
    return {
        "when (UTC)": f"{item.time:%Y-%m-%d %H:%M}",
        "question": wording.asked(item.planned_query).replace("`", ""),
        "answer, 95 of 100": wording.released_number(item, CONFIDENCE)
        if item.answer_is_number
        else wording.released_cells(item, CONFIDENCE),
        "charged": str(item.charge),
    }


def terms(account: Account) -> None:
    """What the account promises, and starting over where it is only practice."""
    kind = "Practice account" if account.practice else "Account"
    st.markdown(
        f":gray[{kind} on {code(account.table_name)}: budget {wording.guarantee(account.budget)}, {account.rule} rule. "
        f"{account.neighbors.sentence} Spent so far: {wording.spendable(account.spent)}.]"
    )
    if account.practice and st.button("Start this practice account over", key="restart_account"):
        session.attempt(accounts.restart_practice)
        st.rerun()
