"""Conditions that the SQL subset refuses: each with a word of its reason, and one repaired as its control."""

import logging
import sys

import pytest

from dpengine.data import CategoryColumn, NumberColumn, Schema, sample_schema
from dpengine.errors import RefusedQueryError
from dpengine.queries import parse_sql
from tests.running.cases import each

PATIENTS = sample_schema("patients")
COUNT = "SELECT count(*) FROM patients"

CONDITIONS = [
    ("age = age", "Two columns", "age = 22"),
    ("nobody = 1", "no column 'nobody'", "age = 1"),
    ("\u0430ge = 1", "no column", "age = 1"),
    ("other.age = 1", "not 'other'", "patients.age = 1"),
    ("name < 'Ada'", "no order", "name = 'Ada'"),
    ("name BETWEEN 'A' AND 'B'", "no order", "name IN ('A', 'B')"),
    ("name = 3", "'name' is text", "name = '3'"),
    ("name = ' Ada'", "without the spaces around them", "name = 'Ada'"),
    ("name = ''", "counts as missing", "name IS NULL"),
    (f"name = '{'x' * 1001}'", "at most 1,000", f"name = '{'x' * 1000}'"),
    ("name LIKE 'A%'", "Patterns", "name = 'Ada'"),
    ("disease = 'measles'", "not a category", "disease = 'mumps'"),
    ("disease > 'flu'", "no order", "disease = 'flu'"),
    ("zip = 02138", "not a category", "zip = '02138'"),
    ("age = '22'", "is a number", "age = 22"),
    ("age = TRUE", "is a number", "age = 1"),
    ("age = NULL", "IS NULL", "age IS NULL"),
    ("age IN (1, NULL)", "IS NULL", "age IN (1)"),
    ("age = 1e999", "too large", "age = 1e99"),
    ("age = " + "9" * 5000, "too large", "age = 9"),
    ("age = 0x1F", "cannot be read", "age = 31"),
    ("age = 1 + 1", "arithmetic", "age = 2"),
    ("age - 1 = 3", "arithmetic", "age = 4"),
    ("age = - - 1", "arithmetic", "age = 1"),
    ("age % 2 = 0", "arithmetic", "age IN (0, 2)"),
    ("abs(age) = 3", "arithmetic", "age IN (3, -3)"),
    ("year(admission) = 2024", "compare the column with dates", "admission >= '2024-01-01'"),
    ("length(name) = 3", "'length' cannot be answered", "age = 3"),
    ("random() < 0.5", "'rand.*' cannot be answered", "age < 5"),
    ("CAST(age AS text) = '3'", "cast", "age = 3"),
    ("age::text = '3'", "cast", "age = 3"),
    ("admission = '2024-02-30'", "not a date", "admission = '2024-02-29'"),
    ("admission = '20240229'", "not a date", "admission = '2024-02-29'"),
    ("admission = TIMESTAMP '2024-02-29'", "'TIMESTAMP' is not part", "admission = DATE '2024-02-29'"),
    ("admission = current_date", "is not part of the SQL", "admission = '2024-02-29'"),
    ("age = DATE '2024-02-29'", "is a number", "age = 29"),
    ("disease LIKE 'f%'", "Patterns", "disease IN ('flu')"),
    ("disease ~ 'f'", "Patterns", "disease IN ('flu')"),
    ("disease SIMILAR TO 'f'", "Patterns", "disease IN ('flu')"),
    ("regexp_matches(disease, 'f')", "cannot be answered", "disease = 'flu'"),
    ("age IN (SELECT age FROM patients)", "query within a query", "age IN (22)"),
    ("age = (SELECT max(age) FROM patients)", "query within a query", "age = 22"),
    ("EXISTS (SELECT 1)", "query within a query", "age = 22"),
    ("age > ALL (SELECT 1)", "ALL ask several", "age > 1"),
    ("age > ANY (SELECT 1)", "query within a query", "age > 1"),
    ("age IN ()", "at least one", "age IN (1)"),
    ("age IN disease", "list of constants", "age IN (1)"),
    ("age BETWEEN 1 AND age", "count, sum", "age BETWEEN 1 AND 2"),
    ("3 BETWEEN 1 AND age", "constant", "age >= 3"),
    ("age BETWEEN SYMMETRIC 3 AND 1", "cannot be read|count, sum", "age BETWEEN 1 AND 3"),
    ("age BETWEEN 1 2", "cannot be read", "age BETWEEN 1 AND 2"),
    ("age IN (, 2)", "cannot be read", "age IN (2)"),
    ("age = 1 NOT", "cannot be read", "NOT age = 1"),
    ("age NOT = 1", "cannot be read", "age <> 1"),
    ("!(age = 1)", "'!' is not part", "NOT (age = 1)"),
    ("(age, age) = (1, 2)", "count, sum", "age = 1 AND age = 2"),
    ("age = 1 = TRUE", "count, sum|constant", "age = 1"),
    ("(age = 1) IS TRUE", "column with constants", "age = 1"),
    ("age IS DISTINCT FROM 3", "NOT \\(column = value\\)", "NOT (age = 3)"),
    ("age", "'age' alone is no condition", "age = 1"),
    ("TRUE", "constant", "age = 1"),
    ("1 = 1", "constant", "age = 1"),
    ("TRUE AND TRUE", "constant", "age = 1 AND TRUE"),
    ("age = 1 AND FALSE", "constant", "age = 1 AND TRUE"),
    ("age = 1 OR TRUE", "constant", "age = 1 OR FALSE"),
    ("CASE WHEN age = 1 THEN TRUE ELSE FALSE END", "CASE is answered only as a share", "age = 1"),
    ("disease = 'flu' COLLATE nocase", "'COLLATE' is not part", "disease = 'flu'"),
    ("disease = 'f' || 'lu'", "arithmetic", "disease = 'flu'"),
    ("disease = 'f' 'lu'", "cannot be read", "disease = 'flu'"),
    ("disease = $$flu$$", "is not part|count, sum", "disease = 'flu'"),
    ("disease = E'flu'", "is not part|count, sum", "disease = 'flu'"),
    ("disease = ?", "'?' is not part|is not part", "disease = 'flu'"),
    ("disease = :d", "is not part", "disease = 'flu'"),
    ("disease = ['flu']", "is not part", "disease = 'flu'"),
    ("disease = {{x}}", "is not part", "disease = 'flu'"),
    ('disease = "flu"', "Two columns|no column", "disease = 'flu'"),
    ("age = 1 AND", "cannot be read as SQL near line 1", "age = 1"),
    ("age = 1)", "cannot be read", "(age = 1)"),
    ("", "cannot be read", "age = 1"),
    ("disease = 'flu", "never closed", "disease = 'flu'"),
    ("age = 1 /* ", "never closed", "age = 1 /* */"),
    ("age = 1\x00", "control character", "age = 1"),
    ("disease = '\x1b[2J'", "control character", "disease = 'flu'"),
    ("(" * 41 + "age = 1" + ")" * 41, "too deep", "(" * 30 + "age = 1" + ")" * 30),
    ("NOT " * 4000 + "age = 1", "too deep", "NOT " * 30 + "age = 1"),
    ("NOT " * 31 + "age = 1", "more than 30 levels", "NOT " * 30 + "age = 1"),
    ("(NOT " * 40 + "age = 1" + ")" * 40, "deep", "(NOT " * 30 + "age = 1" + ")" * 30),
    ("CASE WHEN " * 1500 + "age = 1", "deep|cannot be read", "age = 1"),
    ("age = 1" + " OR age = 1" * 200, "more than 200 comparisons", "age = 1" + " OR age = 1" * 199),
    ("age = 1" + " " * 20_000, "at most 20,000", "age = 1" + " " * 2_000),
]


@each("condition, because, repaired", CONDITIONS)
def test_it_is_refused_with_its_reason_and_accepted_when_repaired(condition, because, repaired, caplog, capfd):
    with pytest.raises(RefusedQueryError, match=f"(?s){because}") as refused:
        parse_sql(f"{COUNT} WHERE {condition}", PATIENTS)
    assert parse_sql(f"{COUNT} WHERE {repaired}", PATIENTS) is not None
    reason = refused.value.reason
    assert reason.isprintable(), "no marks for a terminal, no line of the text"
    assert 20 < len(reason) < 500
    assert reason.endswith(".")
    assert caplog.record_tuples == []
    assert capfd.readouterr() == ("", "")


def test_what_is_too_deep_does_not_depend_on_who_asks():
    """A parser walks by recursion: the same text is read, or refused, at the bottom of a deep stack too."""
    deepest = f"{COUNT} WHERE " + "(NOT " * 30 + "age = 1" + ")" * 30

    def from_below(levels):
        return from_below(levels - 1) if levels else parse_sql(deepest, PATIENTS)

    assert parse_sql(deepest, PATIENTS) == from_below(sys.getrecursionlimit() - 400)


def test_a_hostile_name_is_quoted_in_the_reason():
    hostile = "<b>bold</b> [link](http://x) \u202e"
    schema = Schema(
        name="t", columns=(CategoryColumn(name="a'b", categories=("x",)), NumberColumn(name="n", lower=0, upper=1))
    )
    with pytest.raises(RefusedQueryError) as refused:
        parse_sql(f'SELECT sum("{hostile}") FROM t', schema)
    assert repr(hostile) in refused.value.reason
    assert "\u202e" not in refused.value.reason
    with pytest.raises(RefusedQueryError) as refused:
        parse_sql('SELECT sum("' + "x" * 10_000 + '") FROM t', schema)
    assert len(refused.value.reason) < 300


def test_nothing_is_logged_by_the_parser(caplog):
    """sqlglot logs what it falls back on, with the text: no such text reaches it. The control: a log line is seen."""
    logging.getLogger("sqlglot").warning("seen")
    assert len(caplog.records) == 1
