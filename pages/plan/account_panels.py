"""An account on the screen: what it fixes when it is opened, what it promises since, and how its budget is raised."""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial

import streamlit as st

from dpengine.formatting import upper_of_100
from dpengine.ledger import Account, TopUp
from dpengine.ledger.entries.topup import LONGEST_REASON
from dpengine.plan.amounts import RULE_NAMES
from dpengine.privacy import Guarantee, Neighbors
from dpengine.scenario import Scenario
from pages import session
from pages.phrasing import account_words, charge_words, wording
from pages.plan import accounts, edition_choice
from pages.widgets import number_box, outputs
from pages.widgets.escaping import unmarked

_LARGE_DELTA = 1e-3
"""Of a thousand people one may be given away: above this the promise is hardly one."""
RULES = {
    "basic": "naive: epsilons are just added up; simple, best for few questions",
    "concentrated": "concentrated: one number ρ for each answer is added up; goes further with many small questions; "
    "needs a delta above 0",
}


def open_account() -> None:
    """What an account would fix for ever, and the button that opens it."""
    plan, practice = session.scenario(), session.is_built_in()
    with st.container(border=True, key="card_open"):
        st.markdown(f"## Open {'a practice' if practice else 'an'} account\n{_fixed(plan, practice=practice)}")
        if _lacks_delta(plan):
            st.markdown(
                "**The plan asks for Gaussian noise, and this budget has no δ.** Such questions will be refused: give "
                "the budget a δ on the **Budget** page first, or choose Laplace noise on the **Trade-off** page."
            )
        session.widget_starts_over("account_rule", plan.rule, owner=(plan.table_name, plan.schema, plan.rule))
        rule = chosen_rule(costs(plan), key="account_rule")
        chosen = edition_choice.FIRST if practice else edition_choice.chosen()
        key = session.key_of_plan("open_account")
        if st.button("Open the account", type="primary", key=key, disabled=chosen is None):
            session.keep_rule(rule)
            if chosen is not None and _opened(chosen):
                st.rerun()
            outputs.notices()


def _opened(chosen: edition_choice.EditionChoice) -> bool:
    return session.attempt(partial(accounts.open_planned, chosen.continues, beside=chosen.beside))


def costs(plan: Scenario, whose: str = "Your plan") -> list[str]:
    """What each rule says about the questions of a plan; raises InvalidParameterError where no budget is like that."""
    return [charge_words.of_plan(plan, rule, whose) for rule in RULES]


def chosen_rule(captions: Sequence[str] | None, *, key: str, index: int = 0) -> str:
    """How the charges of an account add up; below each rule what the questions cost under it, where that is known."""
    label, names = "The account's rule", list(RULES)
    return str(st.radio(label, names, index, format_func=RULES.__getitem__, captions=captions, key=key))


def _fixed(plan: Scenario, *, practice: bool) -> str:
    """The terms of an account in five lines, and what may change of them."""
    if practice:
        afterwards = "it is practice data: you may start over, under other terms."
    else:
        afterwards = (
            f"its rule, whose rows{_and_people(plan)} and what answers hide cannot be changed. The budget "
            "can only be raised, with a reason that everybody reads."
        )
    large = large_delta(plan.budget.delta)
    return (
        "Every answer is charged to it. Opening it costs nothing, and fixes:  \n"
        f"**Budget:** {wording.guarantee(plan.budget)}, {_who_set_the_budget(plan)}.{large}  \n"
        f"**Whose rows:** {wording.unit_line(plan)}{wording.group_limits(plan)}.  \n"
        f"**Answers hide** {plan.neighbors.sentence.removeprefix('Answers hide ')}  \n"
        f"**Afterwards:** {afterwards}"
    )


def large_delta(delta: float) -> str:
    """What such a δ means for one person; usual ones are far below 1 divided by the number of people."""
    if delta < _LARGE_DELTA:
        return ""
    return (
        " **Its δ is large:** an answer may give somebody away for sure with a chance of up to "
        f"{upper_of_100(delta)} out of 100. Usual is far below 1 divided by the number of people."
    )


def _and_people(plan: Scenario) -> str:
    """The public number of people, with which an account counts for good."""
    public = plan.neighbors is Neighbors.REPLACE_ONE and plan.schema.people is not None
    return f", the number of people ({plan.schema.people:,} people, as declared)" if public else ""


def _who_set_the_budget(plan: Scenario) -> str:
    if session.is_starting_budget(plan):
        return "the starting budget of this practice table: until you press, you may change it on the **Budget** page"
    origin = session.budget_origin(plan)
    return f"which {origin}" if origin else "set on the **Budget** page"


def _lacks_delta(plan: Scenario) -> bool:
    return not plan.budget.delta and any(planned.noise.needs_delta for planned in plan.queries)


def terms(account: Account) -> None:
    """What the account promises, how its budget came to be, and starting over where it is only practice."""
    kind, rule = "Practice account" if account.practice else "Account", RULE_NAMES[account.rule]
    table = wording.called(wording.labels_of(account), account.table_name)
    st.markdown(
        f":gray[{kind} on {table}: budget {wording.guarantee(account.budget)}, {rule} rule. "
        f"{account.neighbors.sentence} Spent so far: {wording.spent(account.spent)}.]"
    )
    for line in (*map(_raised, account.top_ups()), account_words.editions(account)):
        if line:
            st.markdown(f":gray[{line}]")
    if account.practice:
        _start_over(account)
    else:
        _raise_budget(account)


def _start_over(account: Account) -> None:
    """What is lost, how charges shall add up from then on, and the button."""
    count = account.count_answers()
    lost = "The answer" if count == 1 else f"All {count:,} answers"
    with st.popover("Start this practice account over", key=f"start_over_{account.id}"):
        if count:
            st.markdown(f"**{lost} of this practice account will be deleted**, for everybody on this server.")
        rule = chosen_rule(costs(session.scenario()), key="restart_rule", index=list(RULES).index(account.rule))
        if st.button("Start over", key=session.key_of_plan(f"restart_account_{account.id}_{count}")):
            session.keep_rule(rule)
            if session.attempt(accounts.restart_practice):
                st.rerun()
            outputs.notices()


def _raised(top_up: TopUp) -> str:
    return (
        f"Raised on {top_up.time:%Y-%m-%d %H:%M} (UTC) to a total of {wording.guarantee(top_up.budget)}: "
        f"{unmarked(top_up.reason)}"
    )


def _raise_budget(account: Account) -> None:
    """A larger total for a reason; it stays visible for ever, and nothing of it can be taken back.

    Another total has another button: a press that comes along with what was typed was not shown what it promises.
    """
    budget = account.budget
    owner = (account.id, budget)
    with st.expander("Raise the budget", key=_key("raise", owner)):
        left, right = st.columns(2)
        epsilon = number_box.kept(
            left, "New total ε", key=_key("top_up_epsilon", owner), start=budget.epsilon, step=None, format="%.6g"
        )
        delta = number_box.kept(
            right, "New total δ", key=_key("top_up_delta", owner), start=budget.delta, step=None, format="%.2e"
        )
        reason = st.text_input(
            "Reason, for everybody to read", key=_key("top_up_reason", owner), max_chars=LONGEST_REASON
        )
        with outputs.sentences_for_errors():
            total = Guarantee(epsilon=epsilon, delta=delta)
            st.markdown(_promised(total, instead=budget))
            if not account.practice:
                st.caption("A room that is open keeps the budget that it was opened with.")
            key = f"{_key('top_up', owner)}_{total.epsilon!r}_{total.delta!r}"
            if st.button("Raise the total, for everybody to see", key=key):
                _raise_to(total, reason, account)


def _promised(total: Guarantee, *, instead: Guarantee) -> str:
    """What a new total says to the people in the table."""
    if total == instead:
        return f"The total is {wording.guarantee(instead)} now. Type a larger one, and why."
    return (
        f"Everybody in the table is then promised **{wording.guarantee(total)}** instead of "
        f"{wording.guarantee(instead)}, for all that was and will be released. The new total and your reason stay in "
        "the ledger for ever, and every report shows them."
    )


def _raise_to(total: Guarantee, reason: str, account: Account) -> None:
    if not reason.strip():
        st.error(f"Say why, in 1 to {LONGEST_REASON} characters: everybody will read it.")
        return
    account.top_up(total, reason=reason)
    st.rerun()


def _key(name: str, owner: tuple[int, Guarantee]) -> str:
    """A widget of its own for each account and each total, so that a second click asks for nothing more."""
    number, budget = owner
    return f"{name}_{number}_{budget.epsilon!r}_{budget.delta!r}"
