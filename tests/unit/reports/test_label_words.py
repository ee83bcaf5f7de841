"""A label asks in the table's own words, and says beside them what was charged."""

from __future__ import annotations

from pathlib import Path

import pytest

from dpengine.data import ColumnLabel, Comparison, Labels, Phrase
from dpengine.ledger import History
from dpengine.queries import CountQuery, MeanQuery, Query
from dpengine.release import release
from dpengine.reports import privacy_label, privacy_label_text
from tests.examples.kept import history_of, hostile_schema
from tests.examples.ledgers import asking, ledger_at, opened, people

ILL = Comparison("ill", "=", value=True)
WORDS = Labels(columns=(ColumnLabel("age", "age <b>in</b> years"),), phrases=(Phrase(ILL, "are in bed"),))


@pytest.mark.parametrize(
    ("query", "in_words", "by_names"),
    [
        (CountQuery(ILL), "How many rows are of people who are in bed?", "How many rows have ill = yes?"),
        (MeanQuery("age"), "What is the average age <b>in</b> years?", "What is the average age?"),
    ],
)
def test_a_label_speaks_words_and_names(tmp_path: Path, query: Query, in_words: str, by_names: str) -> None:
    table = people()
    account = opened(ledger_at(tmp_path / "b.db"), table)
    release(asking(0.5, query), table, account, request_id="one")
    history = History.of(account)
    text = privacy_label_text(history, "one", labels=WORDS)
    assert f"Question: {in_words}\n" in text
    assert f"By its names: {by_names}\n" in text
    page = privacy_label(history, "one", labels=WORDS)
    assert "By its names" in page
    assert "<b>in" not in page
    without = privacy_label_text(history, "one")
    assert f"Question: {by_names}\n" in without
    assert "By its names" not in without + privacy_label(history, "one", labels=Labels())


def test_a_label_asks_with_the_whole_names_of_columns() -> None:
    """Two that are cut, or differ in the middle, would read alike."""
    first, second = (f"{'x' * 55}{place}{'y' * 55}" for place in ("_one_", "_two_"))
    schema = hostile_schema((first, second, "color", "red", "green"))
    history = history_of(schema)
    asked = [privacy_label_text(history, line.entry.request_id) for line in history.lines if line.entry.noisy]
    assert any(f" average {second}" in text for text in asked)
