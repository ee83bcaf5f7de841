"""Whether a new table is an earlier one again: the same rows in another form, or a new edition of the same people."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

import streamlit as st

from dpengine.ledger import Account
from dpengine.queries.sensitivity.sentences import plural
from dpengine.seen_text import drawn
from pages import session
from pages.phrasing import wording
from pages.plan import accounts
from pages.widgets.escaping import code, listed
from pages.widgets.options import apart

NO_EDITION = 0
"""The answer that a table continues no account."""
UNKNOWN, UNSURE = -1, "I do not know"
"""The answer of somebody who does not know: the newest account that it may continue is continued."""
NOT_COMPARED = (
    "Another column names the person there, or other things are hidden (that somebody is there, or only their values), "
    "so no sum can be promised. About somebody who is in both, the answers of both tables tell something."
)
CHOICES = (
    "Choose first. **Yes**: this account has a budget of its own, and everybody can read what somebody in both tables "
    "is promised in total. **No**: this account stands for itself. **I do not know** is taken as yes."
)
_MOST_NAMED = 2


@dataclass(frozen=True, slots=True)
class EditionChoice:
    """The account that a new one continues, or none, and all those about which somebody has said what they know."""

    continues: Account | None = None
    beside: tuple[Account, ...] = ()


FIRST = EditionChoice()
"""The table is nobody's edition."""


def chosen() -> EditionChoice | None:
    """Ask where the ledger gives a reason to; None until it is answered."""
    alike, others = accounts.lookalikes(), accounts.of_real_people()
    _named(alike)
    earlier = {account.id: account for account in accounts.editions_before()}
    if others:
        st.markdown(f"{_answered_before(others)}{_not_compared(others, earlier)}")
    answer = _edition_before(earlier) if earlier else NO_EDITION
    if answer is None:
        return None
    continued = earlier.get(max(earlier) if answer == UNKNOWN else answer)
    summed = {one.id for one in continued.lineage()} if continued else set()
    answered = earlier if answer == NO_EDITION else summed
    unasked = [one for one in reversed(others) if one.id not in answered and one not in alike]
    apart = [one for one in (*alike, *unasked) if one.id not in summed]
    return None if apart and not _are_others(apart) else EditionChoice(continued, others)


def _named(alike: Sequence[Account]) -> None:
    """The accounts that these rows may have already, and the way to go on in them."""
    for account in alike[:_MOST_NAMED]:
        st.warning(
            f"**Are these the rows of {code(account.table_name)} in another form?** That table is declared much like "
            "this one. If they are, bring its file as it was then, and spend what is left of its budget, "
            f"{wording.left(account)}. With other rows it is a new edition: say so below. A new account promises the "
            "same people a second budget on top."
        )


def _are_others(apart: Sequence[Account]) -> bool:
    """What a person has to say before a fresh budget is opened for what may be the same people: about these alone."""
    names = listed([account.table_name for account in apart[:_MOST_NAMED]])
    more = ", nor in another of these tables" if len(apart) > _MOST_NAMED else ""
    return st.checkbox(
        f"I know that nobody in this table is in {names}{more}", key=_key_about("account_other_people", apart)
    )


def _key_about(name: str, asked: Iterable[Account]) -> str:
    """The key of a widget whose answer is about these accounts, and says nothing where there is another one."""
    return session.key_of_table(f"{name}_{'_'.join(str(account.id) for account in asked)}")


def _answered_before(others: Sequence[Account]) -> str:
    """The tables of these accounts, the newest first, and how many answers from them there are."""
    names = listed([account.table_name for account in reversed(others)])
    answers = sum(account.count_answers() for account in others)
    released = f"{plural(answers, 'answer')} released so far" if answers else "nothing released so far"
    return f"**This server answers about other tables of people, too:** {names}, with {released}."


def _not_compared(others: Sequence[Account], earlier: Mapping[int, Account]) -> str:
    """Why some of these are not among those that can be continued; one that is continued already is in their sum."""
    summed = {one.id for account in earlier.values() for one in account.lineage()}
    apart = [account.table_name for account in reversed(others) if account.id not in summed]
    if not apart:
        return ""
    which = f"**Of these,** {listed(apart)} **cannot be chosen below.** " if earlier else ""
    return f" {which}:gray[{NOT_COMPARED}]"


def _edition_before(earlier: Mapping[int, Account]) -> int | None:
    """The number of the account that this table continues, `NO_EDITION` or `UNKNOWN`; None until somebody chose.

    That it continues one, for sure or to be on the safe side, says nothing of the others; "no" is said of all.
    """
    options = [NO_EDITION, *earlier, UNKNOWN]
    key = _key_about("account_edition", earlier.values())
    session.widget_stays_within(key, options)
    st.markdown(
        "Answers from this table tell something more about somebody who is in both, so for that person the costs add "
        "up."
    )
    number = st.selectbox(
        "Could somebody be in this table and in an earlier one?",
        options,
        index=None,
        placeholder="Choose before you open",
        format_func=apart(options, lambda number: UNSURE if number == UNKNOWN else _edition(earlier.get(number))),
        key=key,
    )
    if number is None:
        st.markdown(CHOICES)
    elif number == NO_EDITION:
        st.markdown("This account stands for itself. If somebody is in both after all, both budgets count.")
    else:
        cautious = _as_if_yes(earlier) if number == UNKNOWN else ""
        one = earlier[max(earlier) if cautious else number]
        st.markdown(
            f"{cautious}About somebody who is in both, the answers of both tables may "
            f"then tell more: in total, up to **{wording.guarantee(accounts.promised_with(one))}**. "
            "The budget of the earlier table stays as it is, and what it released stays released."
        )
    return number


def _as_if_yes(earlier: Mapping[int, Account]) -> str:
    """What not knowing is taken for; of several tables before, the ledger continues one."""
    newest = code(earlier[max(earlier)].table_name)
    which = "that" if len(earlier) == 1 else "the newest, that"
    return f"**Taken as yes, to be on the safe side:** the account continues {which} of {newest}. "


def _edition(account: Account | None) -> str:
    if account is None:
        return "No, nobody is in both"
    budget = wording.guarantee(account.budget)
    return f"Yes, in {drawn(account.table_name)}, too (opened {account.opened:%Y-%m-%d}, budget {budget})"
