"""The form that opens a room: everything has a start that works, and one button stands at the end."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from datetime import timedelta
from hashlib import sha256

import streamlit as st
from streamlit.delta_generator import DeltaGenerator

from dpengine.errors import DPEngineError
from dpengine.formatting import billionths
from dpengine.plan import PlannedQuery
from dpengine.scenario import Scenario
from dpengine.workshop import STEPS, Room
from dpengine.workshop.room import LONGEST_TITLE, MOST_DAYS
from pages import session
from pages.phrasing import in_full, wording
from pages.plan import account_panels
from pages.room import state, steps
from pages.room.hosting import fitting_words, paying, promised, words
from pages.room.hosting.draft import Draft
from pages.room.hosting.paying import Payer
from pages.widgets import number_box, outputs
from pages.widgets.escaping import LONGEST, plain, short, unmarked, whole
from pages.widgets.inputs import DELTA_HELP
from pages.widgets.options import apart

TITLE, DAYS = "Our workshop", 7
PROTECTS = 1.0
"""The budget of a practice table that nobody has chosen: what it protects can be seen at the end of the hour."""
EACH = "host_each"
"""The box of one price for all questions."""
USE = "Ten to fifty people with phones, one table, one budget."
OPENED = {
    True: f"{USE} As it stands here, it can be opened.",
    False: f"{USE} The budget is real: say whether they may spend it.",
}
"""For a practice table, and for one of real people."""

STRANGERS = (
    "It is unwise to let strangers spend a real budget: anybody with the code joins under any name, and what they ask "
    "is charged for good."
)


def show(rooms: Sequence[Room]) -> Room | None:
    """Ask for what a room needs; the room, once it is open."""
    outputs.finding("Open a room", OPENED[session.is_built_in()])
    try:
        payer = paying.payer(rooms)
    except DPEngineError as missing:
        st.error(unmarked(str(missing)))
        if isinstance(missing, paying.NobodyPaysError):
            st.page_link(missing.page, label=missing.label)
        return None
    plan = session.scenario()
    left, right = st.columns([3, 2])
    with left, st.container(border=True, key="card_host_asked"):
        draft = _more(_asked(plan, payer), payer)
    with right, st.container(border=True, key="card_host_terms"):
        latest = rooms[0].id if rooms else 0
        paid = replace(_paid(draft, payer), trusted=payer.practice or _trusted(latest, payer))
        return _opened(paid, payer, latest=latest)


def _asked(plan: Scenario, payer: Payer) -> Draft:
    """The title, the table, its questions, the steps."""
    title = st.text_input(
        "What is it about?", TITLE, max_chars=LONGEST_TITLE, key="host_title", persist_state="session"
    )
    table, link = st.columns([3, 1.3], vertical_alignment="center")
    table.markdown(f"**The table:** {wording.table_title(plan, built_in=payer.practice)}")
    link.page_link("pages/explore/data/page.py", label="Another table →")
    st.markdown("**People may ask**")
    asked = tuple(one for place, one in enumerate(plan.queries) if _ticked(place, one))
    if not plan.queries:
        st.page_link("pages/explore/queries/page.py", label="This plan has no questions yet: add some →")
    chosen = st.pills(
        "The steps, in this order",
        STEPS,
        selection_mode="multi",
        default=STEPS,
        format_func=apart(STEPS, lambda name: steps.STEPS[name].title),
        key="host_steps",
        wrap=True,
        persist_state="session",
    )
    in_order = tuple(step for step in STEPS if step in chosen)
    promise, unread = promised.chosen()
    return Draft(title=title.strip() or TITLE, plan=plan, asked=asked, steps=in_order, promise=promise, unread=unread)


def _ticked(place: int, planned: PlannedQuery) -> bool:
    each = _price_of_each()
    epsilon = each if each and each > 0.0 else planned.guarantee.epsilon
    plan = session.scenario()
    label = f"{wording.asked(planned, plan.spoken)}{in_full.beside(planned, plan)} :gray[ε {billionths(epsilon)}]"
    return st.checkbox(label, value=True, key=f"host_ask_{place}_{sha256(repr(planned.query).encode()).hexdigest()}")


def _more(draft: Draft, payer: Payer) -> Draft:
    """What most rooms leave as it is."""
    with st.expander("More: own counts, the dial, how many people, how long"):
        protected = draft.plan.schema.unit.identifier
        names = [column.name for column in draft.plan.schema.columns if column.name != protected]
        session.widget_stays_within("host_columns", names)
        columns = st.multiselect(
            "People may also count rows by these columns",
            names,
            format_func=apart(names, short),
            key="host_columns",
            help="They build a condition of their own on their phones; it is charged like any other question.",
        )
        if cut := [whole(name) for name in columns if len(name) > LONGEST]:
            st.caption(f"In full: {', '.join(cut)}.")
        places = range(len(draft.asked))
        session.widget_stays_within("host_dialed", places)
        dialed = st.selectbox(
            "The dial is about",
            places,
            format_func=apart(places, lambda place: plain(wording.asked(draft.asked[place], draft.plan.spoken))),
            key="host_dialed",
        )
        left, right = st.columns(2)
        people = _people(left, draft)
        label, most = "Days until it is deleted", MOST_DAYS
        days = number_box.kept(right, label, key="host_days", start=DAYS, min_value=1, max_value=most, step=1)
    return replace(draft, columns=tuple(columns), dialed=dialed or 0, people=people, days=int(days))


def _people(place: DeltaGenerator, draft: Draft) -> float | None:
    """How many people the table is about; of a public one also how often each stands in it."""
    session.widget_starts_over("host_people", paying.people(), owner=(draft.plan.table_name, draft.plan.schema))
    people = place.number_input(
        "People in the table, if that is public", value=None, key="host_people", step=None, format="%.6g"
    )
    if said := paying.entries():
        st.markdown(f":gray[{said}]")
    return people


def _paid(draft: Draft, payer: Payer) -> Draft:
    """The budget and its rule, where no account has fixed them, and the cap."""
    st.markdown("**The budget that all share**")
    choice = paying.chosen(payer)
    if choice == paying.AS_IT_IS and payer.account is not None:
        budget, rule = payer.account.budget, payer.account.rule
        draft = replace(draft, epsilon=budget.epsilon, delta=budget.delta, rule=rule)
    else:
        draft = _budgeted(draft)
    left, right = st.columns(2)
    each = left.number_input(
        "Each question costs ε", value=None, key=EACH, step=None, format="%.6g", placeholder="as planned"
    )
    cap = right.number_input(
        "Each person may spend ε", value=None, key="host_cap", step=None, format="%.6g", placeholder="no cap"
    )
    return replace(draft, each=each, cap=cap, choice=choice)


def _trusted(latest: int, payer: Payer) -> bool:
    """Whether the host trusts whoever comes with a real budget; off at first for each room, and for each budget."""
    st.caption(STRANGERS)
    key = session.key_of_table(f"host_trusted_{latest}_{payer.shown}")
    return st.checkbox("I know the people: they may spend this real budget", key=key)


def _budgeted(draft: Draft) -> Draft:
    """The boxes of the budget, at first the plan's if somebody chose it, and again when the plan has another one."""
    plan = draft.plan
    first = PROTECTS if session.is_starting_budget(plan) else plan.budget.epsilon
    starts = {"host_epsilon": first, "host_delta": plan.budget.delta, "host_rule": plan.rule}
    for key, value in starts.items():
        session.widget_starts_over(key, value, owner=(plan.table_name, plan.schema, plan.budget, plan.rule))
    left, right = st.columns(2)
    epsilon = left.number_input("Budget ε", value=None, key="host_epsilon", step=None, format="%.6g")
    delta = right.number_input("Budget δ", value=None, key="host_delta", step=None, format="%.1e", help=DELTA_HELP)
    origin = session.budget_origin(plan)
    came = f"The budget of {wording.guarantee(plan.budget)} {origin}." if origin else ""
    if said := f"{came}{account_panels.large_delta(delta or 0.0)}".strip():
        st.caption(said)
    draft = replace(draft, epsilon=epsilon, delta=delta, each=_price_of_each())
    return replace(draft, rule=account_panels.chosen_rule(_costs(draft), key="host_rule"))


def _price_of_each() -> float | None:
    """The one price of all questions as it was typed, before its box is drawn."""
    typed = session.widget_held(EACH)
    return typed if isinstance(typed, float) else None


def _costs(draft: Draft) -> list[str] | None:
    """What the questions of the room cost under each rule; none while a box holds what cannot be, as is said below."""
    try:
        return account_panels.costs(draft.filled_in, "This room")
    except DPEngineError:
        return None


def _opened(draft: Draft, payer: Payer, *, latest: int) -> Room | None:
    """What fits, what is wrong, and the button, which opens one room however often it is pressed.

    Other terms of a real budget have another button: a press that comes along with what was typed was not shown them.
    """
    pressed = st.container()
    said = st.container()
    day = state.rooms().now() + timedelta(days=draft.days)
    st.caption(f"Everything said in the room is deleted on {words.written(day)}. What was charged stays charged.")
    terms = () if payer.practice else (draft.epsilon, draft.delta, draft.rule, draft.each, draft.cap, draft.choice)
    key = session.key_of_plan(f"host_open_{latest}_{payer.shown}_{terms}")
    asks = pressed.button("Open the room", type="primary", key=key, width="stretch", disabled=not draft.trusted)
    try:
        if draft.problem:
            said.error(unmarked(draft.problem))
            return None
        said.markdown(fitting_words.sentence(draft.fits(payer)))
        return _open(draft, payer) if asks and draft.trusted else None
    except DPEngineError as refused:
        said.error(unmarked(str(refused)))
    return None


def _open(draft: Draft, payer: Payer) -> Room:
    setting = draft.setting(payer)
    return state.rooms().open(setting, paying.account(payer, setting.plan, str(draft.choice)))
