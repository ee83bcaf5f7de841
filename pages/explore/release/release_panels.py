"""The pieces of the release page before anything leaves: the price and the button."""

from __future__ import annotations

import streamlit as st

from dpengine.errors import DPEngineError
from dpengine.formatting import billionths
from dpengine.ledger import Account, Charge
from dpengine.plan import PlannedQuery
from dpengine.privacy import Guarantee
from dpengine.spending import what_fits
from pages import session
from pages.explore.release import asking_again, refusal_panels
from pages.phrasing import account_words, charge_words, in_full, released_words, wording
from pages.plan import accounts
from pages.plan.table import table_facts
from pages.question import consequences, guesses, uninformative
from pages.question.question_view import QuestionView
from pages.widgets import outputs
from pages.widgets.escaping import code, unmarked

_NEXT = (
    "What you can still do costs nothing: read the answers that were released, and download their privacy labels, the "
    "history and the brief of your plan. "
)
_STARTS_OVER = "A practice account may be started over, below."
_RAISED = (
    "The curator can raise the budget below: that is a decision about everybody in the table, and it is recorded with "
    "its reason. What was spent stays spent."
)


def title(planned: PlannedQuery | None, account: Account | None) -> str:
    """The refusal or the answer that the question has, or what is left."""
    if planned is not None and account is not None and is_refused(planned, account):
        return _refused(planned, account)
    shown = accounts.released_for(planned, account)
    if shown is not None:
        said = unmarked(released_words.headline(shown, released_words.CONFIDENCE))
        return f"The answer says nothing: {said}" if uninformative.answers_nothing(shown) else f"The answer: {said}"
    if session.table() is None:
        return f"The rows of {code(session.scenario().table_name)} are not here"
    if account is None:
        unread = accounts.is_ledger_unreadable()
        return "The ledger cannot be read now" if unread else "Nothing has been released from this table"
    if charge_words.nothing_left(account):
        return charge_words.all_spent(account)
    return wording.left_of(account)


def is_refused(planned: PlannedQuery, account: Account) -> bool:
    """Whether a refusal is what there is to say: it does not fit, and was pressed for or has no answer from before."""
    if account.fits(planned, session.scenario().schema) or accounts.waiting_for(planned, account):
        return False
    return bool(accounts.refused_for(planned)) or accounts.released_for(planned, account) is None


def _refused(planned: PlannedQuery, account: Account) -> str:
    pressed = accounts.refused_for(planned)
    if charge_words.nothing_left(account):
        return f"Refused. {charge_words.all_spent(account)}" if pressed else charge_words.all_spent(account)
    return f"{'Refused' if pressed else 'It does not fit'}: this question {_costs_more(planned, account)}"


def _costs_more(planned: PlannedQuery, account: Account) -> str:
    charge = account.cost(planned, session.scenario().schema)
    return f"costs {charge_words.price(charge)}, and {_left_beside(charge, account)} is left"


def missing_table() -> None:
    """The plan is here but the rows are not."""
    st.info(
        "This session holds the plan without the table. Bring the table again on the **Data** page: the same content "
        "finds its budget and its answers again."
    )


def look_again() -> None:
    """Why nothing can be asked, and a press that looks once more."""
    outputs.notices()
    st.button("Look again", key="ledger_again")


def declare_people(account: Account) -> None:
    """Which number is missing, what the account holds, and the way to the form in which both are filled in."""
    people = account.terms.people
    with st.container(border=True, key="card_people"):
        st.markdown(account_words.missing_people(account, session.scenario()))
        if st.button("Declare it on the Data page", type="primary", key="declare_people"):
            session.set_widget("neighbors", account.neighbors)
            session.set_widget("people", people)
            table_facts.declare_again()
            st.switch_page("pages/explore/data/page.py")


def price(planned: PlannedQuery, account: Account) -> None:
    """The question, its cost, what would be left, and what to do if it does not fit."""
    plan = session.scenario()
    schema, other = plan.schema, account_words.difference(account, plan)
    if other:
        st.markdown(f"{other} So do the numbers on this page.")
    say_what_was_not_kept(planned)
    if accounts.waiting_for(planned, account):
        st.markdown(_paid(planned))
        return
    charge, fits = account.cost(planned, schema), account.fits(planned, schema)
    if not fits:
        st.markdown(_unfitting(planned, account, charge))
    if fits or not accounts.refused_for(planned):
        whole = "" if isinstance(account.granted, Guarantee) else f" of {wording.granted(account)}"
        costs = f"It costs **{charge_words.price(charge)}**; **{_left_beside(charge, account)}** is left{whole}."
        st.markdown(
            _again(planned, costs) if accounts.times_answered(planned, account) else _at_first(planned, account, costs)
        )
    if fits:
        refusal_panels.budget_strip(planned, account)


def _paid(planned: PlannedQuery) -> str:
    """A question that waits for its answer since it was charged: in another tab, or before the server stopped."""
    asked = wording.asked(planned, session.scenario().spoken)
    return (
        f"**{asked}** This is paid for already, and has no answer yet: something stopped, or it is still being worked "
        "out. **It costs nothing more.**"
    )


def say_what_differs(planned: PlannedQuery | None, account: Account) -> None:
    """That the rows came under another name, and, where no question would say so, that they are declared otherwise."""
    plan = session.scenario()
    if named := account_words.other_name(account, plan):
        st.info(named)
    if planned is None and (differs := account_words.mismatch(account, plan)):
        st.warning(differs)


def say_what_was_not_kept(planned: PlannedQuery | None) -> None:
    """That the dial was left at something that the plan has not taken over; nothing to say where they agreed."""
    left, asked = session.remembered("left_on_the_dial", None), planned.guarantee if planned else None
    if not isinstance(left, tuple) or left[0] != session.question_mark() or left[1] == left[2] or left[2] != asked:
        return
    st.markdown(
        f"**On Trade-off you left the dial at {wording.guarantee(left[1])} without keeping it.** The plan, and so this "
        f"page, asks for {wording.guarantee(left[2])}."
    )


def _at_first(planned: PlannedQuery, account: Account, costs: str) -> str:
    """The question, its price, and why one person moves the answer only so far."""
    schema = session.scenario().schema
    why = unmarked(wording.sensitivity_line(planned, schema, account.neighbors))
    expected = _expected(planned, account) if account.fits(planned, schema) else ""
    plan = session.scenario()
    asked = f"**{wording.asked(planned, plan.spoken)}**{in_full.beside(planned, plan)}"
    return f"{asked} {wording.clamping(planned.query, schema)}\n\n{costs} {expected}:gray[{why}]"


def _expected(planned: PlannedQuery, account: Account) -> str:
    """How far off the answer may be, before it is paid for: from public numbers alone, as on the Trade-off page.

    Nothing where that cannot be said, as with a guess that makes no sense: the Trade-off page says why.
    """
    question = QuestionView(
        planned=planned,
        plan=accounts.as_charged(session.scenario()),
        guess=guesses.public(planned, session.question_index()),
        center=None,
        confidence=released_words.CONFIDENCE,
        prior=0.5,
        delta=planned.guarantee.delta,
        balance=accounts.balance(account),
        guessed=guesses.was_typed(planned),
        size=guesses.size_of(planned),
    )
    try:
        return f"**{unmarked(consequences.finding(question))}.** "
    except DPEngineError:
        return ""


def _again(planned: PlannedQuery, costs: str) -> str:
    """What is asked, and its price; why it costs that stands beside the answer above."""
    plan = session.scenario()
    asked = f"**{wording.asked(planned, plan.spoken)}**{in_full.beside(planned, plan)}"
    return f"{asked} You already have an answer to this. Asking again draws new noise: it **costs again**. {costs}"


def _left_beside(charge: Charge, account: Account) -> str:
    left = account.remaining
    return wording.guarantee(left) if charge.delta and isinstance(left, Guarantee) else wording.left(account)


def _unfitting(planned: PlannedQuery, account: Account, charge: Charge) -> str:
    if charge_words.nothing_left(account):
        return f"**{charge_words.all_spent(account)}** {_NEXT}{_STARTS_OVER if account.practice else _RAISED}"
    return f"**It does not fit.** Nothing is charged. {_what_would_fit(planned, account, charge)}"


def _what_would_fit(planned: PlannedQuery, account: Account, charge: Charge) -> str:
    left = account.remaining
    if not isinstance(left, Guarantee):
        return _smaller(planned, account)
    if charge.delta > left.delta and charge.epsilon <= left.epsilon:
        smaller = ", or give it a smaller δ" if left.delta else ""
        return f"On the **Trade-off** page, choose Laplace noise, which needs no δ{smaller}."
    if asking_again.has_a_box(planned, account):
        return f"Ask again at ε {billionths(left.epsilon)} or less."
    return f"On the **Trade-off** page, give it ε {billionths(left.epsilon)} or less."


def _smaller(planned: PlannedQuery, account: Account) -> str:
    """The largest epsilon that fits under a rule that counts rho, found in what the ledger has left."""
    schema = session.scenario().schema
    found = next(what_fits(planned, schema, account.neighbors, balance=accounts.balance(account)), None)
    if found is None:
        return "Too little is left for this question, however small its epsilon. Another table has a budget of its own."
    epsilon = billionths(found.guarantee.epsilon)
    if asking_again.has_a_box(planned, account):
        return f"Ask again at ε {epsilon} or less."
    return f"On the **Trade-off** page, give it ε {epsilon} or less."


FETCH = "Fetch the answer that was paid for"


def release_button(planned: PlannedQuery, account: Account) -> None:
    """The only button that lets an answer out, off while it would be refused; its request id is of this rendering.

    With each answer it is another one, and with each charge that waits: a press in a tab that has not seen the newest
    shows that, and asks nothing.
    """
    refused = account_words.mismatch(account, session.scenario())
    if refused:
        st.error("**Refused.** " + unmarked(refused))
        return
    request, times = accounts.request_id(planned, account), accounts.times_answered(planned, account)
    paid, key = accounts.waiting_for(planned, account), f"release_{times}_{request}"
    label = FETCH if paid else "Ask again, and pay again" if times else "Release this answer"
    kind, reason = "secondary" if times else "primary", None if paid else _why_off(planned, account)
    if st.button(label, type=kind, key=key, disabled=bool(reason), help=reason):  # type: ignore[arg-type]
        accounts.ask(planned, account, request)
        st.rerun()


def _why_off(planned: PlannedQuery, account: Account) -> str | None:
    if charge_words.nothing_left(account):
        return charge_words.all_spent(account)
    if account.fits(planned, session.scenario().schema):
        return None
    return f"This question {_costs_more(planned, account)}."
