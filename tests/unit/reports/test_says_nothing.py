"""An answer whose interval holds everything that is possible: its label says so before anything else about it."""

from __future__ import annotations

from pathlib import Path

from dpengine.ledger import History
from dpengine.queries import MeanQuery
from dpengine.release import release
from dpengine.reports import privacy_label, privacy_label_text
from dpengine.reports.answers import SAYS_NOTHING
from tests.examples.ledgers import asking, ledger_at, opened, people


def test_an_answer_that_says_nothing_is_called_so_before_anything_else_about_it(tmp_path: Path) -> None:
    ledger = ledger_at(tmp_path / "budget.db")
    table = people()
    account = opened(ledger, table, epsilon=100.0)
    release(asking(90.0, MeanQuery("age")), table, account, request_id="clear")
    account.charge("drowned", asking(0.00001, MeanQuery("age")))
    account.store_answer("drowned", [[0], [0]])
    history = History.of(account)
    said = f'<p class="note"><strong>{SAYS_NOTHING}</strong>'
    assert said in privacy_label(history, "drowned")
    assert f"\n{SAYS_NOTHING} In 95% of such releases" in privacy_label_text(history, "drowned")
    assert SAYS_NOTHING not in privacy_label(history, "clear")
