import threading
from dataclasses import replace

import duckdb
import ibis
import numpy as np
import pyarrow as pa
import pytest

from dpengine.data import (
    And,
    BinCounts,
    Comparison,
    Condition,
    FixedPointSum,
    Not,
    NumberColumn,
    Or,
    PeopleCount,
    RowCount,
    Schema,
    Table,
    load_sample,
)
from dpengine.data.aggregates.predicates import satisfies
from dpengine.data.aggregates.stored_rows import StoredRows
from dpengine.data.engines.duckdb_engine import DuckDBEngine
from dpengine.errors import EngineError, IntakeError, RefusedQueryError
from tests.examples.tables import cells_here, shared_sample
from tests.unit.data.reading import LINES, table_of

SECRET = b"a server's secret"


def test_answers_are_exact_64_bit_integers_of_the_right_shape():
    table = table_of(*LINES)
    answer = table.run(BinCounts(column="age", fraction_bits=0, edges=(0, 40, 80)))
    assert (answer.dtype, answer.shape, answer.tolist()) == (np.int64, (2,), [1, 1])


def test_an_empty_selection_gives_zeros():
    table = table_of(*LINES)
    nobody = Comparison("age", ">", 500)
    assert table.run(RowCount(where=nobody)).tolist() == [0]
    assert table.run(PeopleCount(where=nobody)).tolist() == [0]
    assert table.run(FixedPointSum(column="age", fraction_bits=0, lower=0, upper=120, where=nobody)).tolist() == [0]
    assert table.run(BinCounts(column="age", fraction_bits=0, edges=(0, 40, 80), where=nobody)).tolist() == [0, 0]


def adults(steps):
    """People above any of so many ages below 31."""
    return Or(tuple(Comparison("age", ">", 30 - i / 1000) for i in range(steps)))


def deepest():
    """Thirty levels with seven conditions each, as wide and as deep at once as a condition may be."""
    condition: Condition = adults(1)
    for level in range(28):
        kind = And if level % 2 else Or
        condition = Not(condition) if level % 5 == 4 else kind((condition, *adults(7).conditions))
    return condition


def test_every_condition_that_may_be_asked_can_be_answered():
    table = table_of(*LINES)
    assert table.run(RowCount(where=adults(200))).tolist() == [2]
    assert table.run(RowCount(where=deepest())).shape == (1,)


@pytest.mark.parametrize("kind", [And, Or])
def test_what_is_joined_does_not_grow_deeper_than_a_parser_can_take(kind):
    table = table_of(*LINES)
    wide = satisfies(kind(adults(500).conditions), StoredRows.of(table.schema))
    assert str(ibis.to_sql(wide, dialect="duckdb")).count("CAST") >= 500


def test_a_sum_that_fits_in_64_bits_never_wraps_and_one_that_cannot_is_refused_before_any_row():
    schema = Schema(name="far", columns=(NumberColumn(name="x", lower=0, upper=2**60),))
    table = table_of("x", *[str(2**60)] * 4, schema=schema)
    limit = 2**36
    assert table.run(FixedPointSum(column="x", fraction_bits=0, lower=0, upper=limit)).tolist() == [4 * limit]
    with pytest.raises(RefusedQueryError, match="too far from 0"):
        table.run(FixedPointSum(column="x", fraction_bits=0, lower=0, upper=limit + 1))


@pytest.mark.parametrize("lower, upper", [(-1e99, 1e100), (-1e-99, 1e-99), (1e9, 1e9 + 2), (-0.3, 0.1)])
def test_sums_are_exact_on_the_grid_of_the_widest_and_the_narrowest_column(lower, upper):
    column = NumberColumn(name="x", lower=lower, upper=upper)
    values = [lower, upper, (lower + upper) / 2, lower / 3, upper / 7, 0.0, -1.7e308, 1.7e308]
    table = table_of("x", *map(repr, values), schema=Schema(name="t", columns=(column,)))
    first, last = column.on_grid(lower), column.on_grid(upper)
    steps = [column.on_grid(min(max(value, lower), upper)) for value in values]
    asked = FixedPointSum(column="x", fraction_bits=column.fraction_bits, lower=first, upper=last, center=first)
    assert table.run(asked).tolist() == [sum(step - first for step in steps)]
    edges = (first, (first + last) // 2, last)
    halves = [sum(edges[0] <= s < edges[1] for s in steps), sum(edges[1] <= s <= edges[2] for s in steps)]
    binned = BinCounts(column="x", fraction_bits=column.fraction_bits, edges=edges, clamp=True)
    assert table.run(binned).tolist() == halves


@pytest.mark.parametrize("total, kept", [(2**63 - 1, 2**63 - 1), (2**70, 2**63 - 1), (-(2**70), -(2**63)), (5, 5)])
def test_a_total_beyond_64_bits_ends_there(monkeypatch, total, kept):
    """An error would tell two neighbors apart for sure; a total that is cut off moves no further than it did."""
    table = table_of(*LINES)
    monkeypatch.setattr(DuckDBEngine, "integers", lambda self, expression: [{"cell": 0, "total": total}])
    assert table.run(RowCount()).tolist() == [kept]


def test_the_repr_tells_neither_rows_nor_counts():
    table = table_of(*LINES)
    told = repr(table) + str(table) + repr(table.intake_report)
    assert "people" in told
    assert not any(secret in told for secret in ("ann", "bob", "31", "missing=", "rows_read="))
    assert table.intake_report.rows_read == 3, "the control: the counts are there for the curator"


def test_two_tables_share_nothing():
    first, second = table_of(*LINES), table_of(*LINES[:2])
    assert (first.run(RowCount())[0], second.run(RowCount())[0]) == (3, 1)
    second.close()
    assert first.run(RowCount()).tolist() == [3]


def test_a_closed_table_answers_nothing():
    table = table_of(*LINES)
    table.close()
    table.close()
    with pytest.raises(EngineError):
        table.run(RowCount())


def test_many_threads_get_the_same_answers():
    table, _ = shared_sample("rand_hie")
    asked = [RowCount(where=Comparison("age", ">", limit)) for limit in range(0, 60, 10)]
    expected = [table.run(one).tolist() for one in asked]
    found = {}

    def ask(thread):
        found[thread] = [table.run(one).tolist() for one in asked]

    threads = [threading.Thread(target=ask, args=(i,)) for i in range(6)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert found == dict.fromkeys(range(6), expected)


def test_only_samples_are_built_in():
    assert not table_of(*LINES).built_in
    assert load_sample("anes_1996")[0].built_in


def test_a_missing_column_is_an_intake_error_that_says_what_the_file_has():
    cells = cells_here("\n".join(LINES).encode())
    height = NumberColumn(name="height", lower=0, upper=2)
    listing = "has no column 'height'; it has 'name', 'age', 'city'."
    with pytest.raises(IntakeError, match=f"{listing} Is the header line missing\\?$"):
        Table.of_cells(cells, schema=Schema(name="t", columns=(height,)))
    with pytest.raises(IntakeError, match=f"{listing}$"):
        Table.of_cells(cells, schema=Schema(name="t", columns=(height, replace(height, name="age"))))


class TestFingerprint:
    def test_the_same_content_is_found_again_under_another_declaration(self):
        other = Schema(name="renamed", columns=(NumberColumn(name="age", lower=18, upper=65, unit="years"),))
        assert table_of(*LINES).fingerprint(SECRET) == table_of(*LINES, schema=other).fingerprint(SECRET)

    def test_order_quotes_line_ends_and_delimiter_do_not_matter(self):
        plain = table_of(*LINES).fingerprint(SECRET)
        assert table_of(LINES[0], *reversed(LINES[1:])).fingerprint(SECRET) == plain
        assert table_of("city,name,age", "Rome,ann,31", "Oslo,bob,64", "Rome,cy,").fingerprint(SECRET) == plain
        assert table_of(*(line.replace(",", ";") for line in LINES), delimiter=";").fingerprint(SECRET) == plain
        assert (
            table_of("name,age,city\r", '"ann",31 , Rome\r', "bob,64,Oslo\r", 'cy,"",Rome\r').fingerprint(SECRET)
            == plain
        )

    @pytest.mark.parametrize(
        "changed",
        [
            LINES[:-1],
            (*LINES, LINES[1]),
            (*LINES[:3], "cy,1,Rome"),
            ("name,age,city,note", "ann,31,Rome,", "bob,64,Oslo,", "cy,,Rome,"),
            ("name,age,city", "an,n31,Rome", "bob,64,Oslo", "cy,,Rome"),
            ("nam,age,city", *LINES[1:]),
        ],
    )
    def test_any_change_of_the_content_shows(self, changed):
        schema = Schema(name="t", columns=(NumberColumn(name="age", lower=0, upper=120),))
        plain = table_of(*LINES, schema=schema).fingerprint(SECRET)
        assert table_of(*changed, schema=schema).fingerprint(SECRET) != plain

    def test_undeclared_columns_are_part_of_it(self):
        schema = Schema(name="t", columns=(NumberColumn(name="age", lower=0, upper=120),))
        changed = [line.replace("bob", "rob") for line in LINES]
        assert table_of(*changed, schema=schema).fingerprint(SECRET) != table_of(*LINES, schema=schema).fingerprint(
            SECRET
        )

    def test_it_is_keyed(self):
        table = table_of(*LINES)
        assert table.fingerprint(SECRET) == table.fingerprint(SECRET) != table.fingerprint(b"another secret")
        assert len(table.fingerprint(SECRET)) == 64


class TestEngine:
    def test_errors_of_the_engine_quote_no_cell(self):
        secret = ibis.table({"x": "string"}, name="secrets")
        engine = DuckDBEngine()
        engine.keep("secrets", ibis.table({"x": "string"}, name="arriving"), arriving=_one_cell("diagnosis: mumps"))
        with pytest.raises(duckdb.Error, match="mumps"):
            duckdb.execute("SELECT CAST('diagnosis: mumps' AS INTEGER)").fetchall()
        with pytest.raises(EngineError) as caught:
            engine.integers(secret.select(total=secret.x.cast("int64")))
        assert "mumps" not in str(caught.value)
        assert caught.value.__cause__ is None
        assert caught.value.__context__ is None

    @pytest.mark.parametrize(
        "sql",
        [
            "SELECT * FROM read_csv('/etc/passwd')",
            "SELECT * FROM '/etc/passwd'",
            "COPY (SELECT 1) TO 'escape.csv'",
            "ATTACH 'escape.db'",
            "INSTALL httpfs",
            "SET enable_external_access = true",
            "SET memory_limit = '40GB'",
            "SELECT * FROM python_variable",
        ],
    )
    def test_it_is_closed_to_files_the_network_and_python(self, sql):
        python_variable = _one_cell("x")
        assert python_variable.num_rows == 1
        engine = DuckDBEngine()
        assert engine._connection.execute("SELECT 1").fetchone() == (1,)
        with pytest.raises(duckdb.Error):
            engine._connection.execute(sql)

    def test_it_never_spills_to_disk(self):
        names = ("temp_directory", "threads", "memory_limit")
        settings = ", ".join(f"CAST(current_setting('{name}') AS VARCHAR)" for name in names)
        rows = DuckDBEngine()._connection.execute(f"SELECT {settings}").fetchall()
        assert rows == [("", "2", "3.7 GiB")]


def _one_cell(text):
    return pa.table({"x": [text]})
