"""Where the account of a table and the plan differ, and what somebody in several editions of it is promised."""

from __future__ import annotations

from dpengine.errors import AccountMismatchError
from dpengine.ledger import Account
from dpengine.ledger.entries.terms import PEOPLE
from dpengine.privacy import Neighbors
from dpengine.scenario import Scenario
from pages.phrasing import wording
from pages.widgets.escaping import code

REPLACED = "replacing one person (their number is public)"
_RELATIONS = {
    Neighbors.ADD_REMOVE: "adding or removing one person (their number is private)",
    Neighbors.REPLACE_ONE: REPLACED,
}


def difference(account: Account | None, plan: Scenario) -> str:
    """One sentence where the account promises something else than the plan says; nothing to say where they agree."""
    if account is None or account.neighbors is plan.neighbors:
        return ""
    return (
        f"**The account of this table hides {_RELATIONS[account.neighbors]}; your plan says "
        f"{_RELATIONS[plan.neighbors]}.** Releases follow the account."
    )


def other_name(account: Account, plan: Scenario) -> str:
    """That these rows have come under another name than before, and have their account all the same."""
    if account.table_name == plan.table_name:
        return ""
    return (
        f"You brought these rows as {code(plan.table_name)}. They have this account, opened for "
        f"{code(account.table_name)}: another name gives them no second budget."
    )


def missing_people(account: Account, plan: Scenario) -> str:
    """What is missing where the account needs a public number of people that the table does not name now."""
    if account.neighbors is not Neighbors.REPLACE_ONE or plan.schema.people is not None:
        return ""
    return (
        f"**The public number of people is missing.** This table's account hides {REPLACED}: it was opened for "
        f"{account.terms.people:,} people. Your table is declared without that number, and nothing is released until "
        "it is declared as the account says."
    )


def mismatch(account: Account, plan: Scenario) -> str:
    """Why the account answers nothing about the table as it is declared now; nothing to say where it does."""
    try:
        account.terms.require_schema(plan.schema)
    except AccountMismatchError as error:
        if error.term == PEOPLE:
            return _other_people(error.opened_with, error.asked_for)
        return (
            f"The account of these rows was opened for {error.opened_with}; the table is now declared with "
            f"{error.asked_for}, so nothing is released and nothing is charged. If the account is right, declare the "
            "table as it says, on the Data page. If the declaration is right, keep it: what was released so far "
            "protects people only as the account says, an account cannot be corrected, and these rows give no further "
            "answer."
        )
    return ""


def _other_people(opened_with: object, declared: object) -> str:
    """What holds where another number of people is declared than the one that the account counts with for good."""
    return (
        f"This table's account was opened for {opened_with} people; the table is now declared with {declared}. What "
        f"was released stays protected. The account can only be used with {opened_with}, declared on the Data page: "
        f"another number would be another promise. If {opened_with} is wrong, its shares and means are off by as much."
    )


def editions(account: Account) -> str:
    """What people who were in earlier editions of the table too are promised; nothing to say for a first one."""
    earlier = account.lineage()[:-1]
    if not earlier:
        return ""
    names = wording.listed([f"{code(one.table_name)} ({one.opened:%Y-%m-%d})" for one in earlier])
    who = "both" if len(earlier) == 1 else "all of them"
    whole = wording.guarantee(account.promised_over_editions())
    return f"This table may hold the same people as {names}. Somebody who is in {who} is promised the sum: {whole}."
