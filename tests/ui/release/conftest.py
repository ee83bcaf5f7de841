"""The release page on a ledger in which the account of its table is open already."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from streamlit.testing.v1 import AppTest

from pages.plan import accounts
from pages.session import rows
from pages.session.first_plan import first_plan

PLAN = first_plan("rand_hie")


@pytest.fixture
def opened(open_page: Callable[[str], AppTest]) -> AppTest:
    """The release page with its practice account, as its own button opens it."""
    table = rows.built_in_table(PLAN.table_name)
    accounts.ledger().open_account(table, PLAN.schema, neighbors=PLAN.neighbors, budget=PLAN.budget, rule=PLAN.rule)
    return open_page("explore/release")
