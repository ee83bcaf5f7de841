"""Exploring recalls; releasing reads; two tables share nothing."""

import numpy as np
import pytest

from dpengine.accuracy import guess_from_rows
from dpengine.data import Comparison, RowCount, StepCounts, Table
from dpengine.data.aggregates.exact_cache import MOST_ANSWERS, MOST_BYTES, ExactCache
from dpengine.data.engines import one_failure
from dpengine.data.engines.engine import Opened
from dpengine.errors import EngineError, RefusedQueryError
from dpengine.privacy import Neighbors
from dpengine.queries import MeanQuery
from tests.unit.data.reading import LINES, table_of


class Counting:
    """A real engine that counts how often it is asked about rows."""

    def __init__(self, engine):
        self.engine, self.asked = engine, 0

    def integers(self, expression):
        self.asked += expression is not one_failure._OF_NO_ROW
        return self.engine.integers(expression)

    def interrupt(self):
        self.engine.interrupt()

    def close(self):
        self.engine.close()


def counted():
    table = table_of(*LINES)
    opened = table._opened
    engine = Counting(opened.engine)
    again = Opened(engine=engine, rows=opened.rows, identity=opened.identity, report=opened.report)
    return Table(again, schema=table.schema), engine


ADULTS = RowCount(where=Comparison("age", ">=", 18))


def test_the_same_question_scans_the_rows_once():
    table, engine = counted()
    first, second = table.recall(ADULTS), table.recall(RowCount(where=Comparison("age", ">=", 18.0)))
    assert first.tolist() == second.tolist() == table.run(ADULTS).tolist()
    assert engine.asked == 2, "once to recall, once to run"
    table.recall(RowCount())
    assert engine.asked == 3


def test_a_release_always_reads():
    table, engine = counted()
    for _ in range(3):
        table.run(ADULTS)
    assert engine.asked == 3


def test_exploring_the_same_guess_again_reads_nothing():
    table, engine = counted()
    query = MeanQuery(column="age")
    first = guess_from_rows(query, table.schema, Neighbors.ADD_REMOVE, table)
    asked = engine.asked
    assert asked > 0
    assert guess_from_rows(query, table.schema, Neighbors.ADD_REMOVE, table) == first
    assert engine.asked == asked


def test_two_tables_over_the_same_rows_share_nothing():
    table, engine = counted()
    table.recall(ADULTS)
    Table(table._opened, schema=table.schema).recall(ADULTS)
    assert engine.asked == 2


def test_what_is_recalled_cannot_be_changed_by_who_got_it():
    table, _ = counted()
    answer = table.recall(ADULTS)
    answer[0] += 100
    assert table.recall(ADULTS).tolist() == table.run(ADULTS).tolist()


def test_a_refused_question_is_refused_and_an_error_is_not_remembered():
    table, engine = counted()
    with pytest.raises(RefusedQueryError):
        table.recall(RowCount(where=Comparison("nobody", "=", 1)))
    assert engine.asked == 0
    table.recall(ADULTS)
    table.close()
    with pytest.raises(EngineError):
        table.recall(ADULTS)


def test_the_memory_is_bounded_and_keeps_what_was_used_last():
    answers, read = ExactCache(), []

    def one(number, size=1):
        aggregate = StepCounts(column="x", fraction_bits=0, lower=0, upper=number)

        def scan():
            read.append(number)
            return np.zeros(size, dtype=np.int64)

        return answers.recall(aggregate, scan)

    for number in range(MOST_ANSWERS):
        one(number)
    one(0)
    one(MOST_ANSWERS)
    assert read == list(range(MOST_ANSWERS + 1))
    one(0)
    assert len(read) == MOST_ANSWERS + 1
    one(1)
    assert len(read) == MOST_ANSWERS + 2, "the least recently used had gone"
    one(1000, size=MOST_BYTES // 8)
    one(0)
    assert len(read) == MOST_ANSWERS + 4, "one answer as large as the bound leaves room for no other"
