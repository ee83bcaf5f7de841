"""What may leave the table, at what price: one button, one charge, one answer."""

from __future__ import annotations

import streamlit as st

from pages import session
from pages.explore.release import asking_again, refusal_panels, release_panels, waiting_panels
from pages.phrasing import account_words, wording
from pages.plan import account_panels, accounts, answer_panels, downloads, entry, history_panels
from pages.plan.table import table_facts
from pages.question import choices
from pages.widgets import outputs

entry.require_curator()
heading = st.container()
planned = choices.question(st.container(), key="release_question")
account, offered = accounts.current(), None
if session.table() is None:
    release_panels.missing_table()
elif account is None and accounts.is_ledger_unreadable():
    release_panels.look_again()
elif account is None:
    table_facts.say_what_is_doubtful()
    release_panels.say_what_was_not_kept(planned)
    account_panels.open_account()
elif account_words.missing_people(account, session.scenario()):
    release_panels.declare_people(account)
elif planned is not None:
    refusal, in_the_way, answers, after = st.container(), st.container(), st.container(), st.container()
    with answers:
        answer_panels.answer(planned, account)
        all_answers = st.container()
    place = in_the_way if release_panels.is_refused(planned, account) else after
    with place.container(border=True, key="card_price"), outputs.sentences_for_errors():
        planned = asking_again.once_more(planned, account)
        with refusal:
            answer_panels.refusal(planned)
        release_panels.price(planned, account)
        release_panels.release_button(planned, account)
        offered = accounts.waiting_for(planned, account)
        refusal_panels.refused(planned, account)
    with all_answers:
        asking_again.together(planned, account)

with heading:
    outputs.finding(release_panels.title(planned, account), wording.EPSILON_PROTECTS)
    if account is not None:
        release_panels.say_what_differs(planned, account)
        table_facts.repeat_what_is_doubtful()
if account is not None:
    waiting_panels.waiting(account, besides=offered)
    history_panels.history(account, spoken=session.scenario().spoken)
    account_panels.terms(account)
if planned is not None:
    downloads.row(planned, key="release_take")
