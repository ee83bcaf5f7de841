"""What the SQL subset refuses: each with a word of its reason, and the same statement repaired as its control."""

from dataclasses import replace

import pytest

from dpengine.data import sample_schema
from dpengine.errors import RefusedQueryError
from dpengine.queries import parse_sql
from tests.running.cases import each

PATIENTS = replace(sample_schema("patients"), name="t")
RAND = replace(sample_schema("rand_hie"), name="t")
COUNT = "SELECT count(*) FROM t"
AVERAGE = "SELECT avg(age) FROM t"
BY_SEX = "SELECT count(*) FROM t GROUP BY sex"
BY_MONTH = "SELECT count(*) FROM t GROUP BY date_trunc('month', admission)"
SHARE = "SELECT avg(CASE WHEN age > 3 THEN 1 ELSE 0 END) FROM t"
QUANTILE = "SELECT percentile_cont(0.9) WITHIN GROUP (ORDER BY age) FROM t"

REFUSED = [
    # rows and values of single persons
    ("SELECT disease FROM t WHERE age = 22", "individual people.*GROUP BY disease", BY_SEX),
    ("SELECT age FROM t", r"individual people.*avg\(age\)", AVERAGE),
    ("SELECT name FROM t", r"'name' is declared as text.*count\(\*\)", COUNT),
    ("SELECT admission FROM t", "individual people.*date_trunc", BY_MONTH),
    ("SELECT disease AS d, age FROM t", "individual people", COUNT),
    ("SELECT disease, count(*) FROM t", "individual people", BY_SEX),
    ("SELECT * FROM t", "rows themselves", COUNT),
    ("SELECT t.* FROM t", "rows themselves", COUNT),
    ("SELECT *, count(*) FROM t", "rows themselves", COUNT),
    ("FROM t", "rows themselves", COUNT),
    ("SELECT DISTINCT disease FROM t", "rare one gives a person away", BY_SEX),
    ("SELECT DISTINCT count(*) FROM t", "SELECT DISTINCT", COUNT),
    ("SELECT disease FROM t GROUP BY disease", "values that occur", BY_SEX),
    ("SELECT min(age) FROM t", "one person's own value", QUANTILE),
    ("SELECT max(age) FROM t", "one person's own value", QUANTILE),
    ("SELECT any_value(name) FROM t", "individual people", COUNT),
    ("SELECT array_agg(age) FROM t", "individual people", AVERAGE),
    ("SELECT string_agg(name, ',') FROM t", "individual people", COUNT),
    # figures whose movement by one person nobody has declared
    ("SELECT avg(name) FROM t", "not declared as a number with bounds", AVERAGE),
    ("SELECT sum(disease) FROM t", "not declared as a number with bounds", "SELECT sum(age) FROM t"),
    ("SELECT avg(age * 2) FROM t", "arithmetic", AVERAGE),
    ("SELECT sum(-age) FROM t", "arithmetic", "SELECT sum(age) FROM t"),
    ("SELECT count(*) + 1 FROM t", "arithmetic", COUNT),
    ("SELECT count(*) / 2 FROM t", "arithmetic", COUNT),
    ("SELECT sum(DISTINCT age) FROM t", "one person may decide", "SELECT sum(age) FROM t"),
    ("SELECT sum(CAST(age AS int)) FROM t", "cast", "SELECT sum(age) FROM t"),
    ("SELECT variance(age) FROM t", "var_pop", "SELECT var_pop(age) FROM t"),
    ("SELECT var_samp(age) FROM t", "var_pop", "SELECT var_pop(age) FROM t"),
    ("SELECT stddev(age) FROM t", "square root", "SELECT var_pop(age) FROM t"),
    ("SELECT corr(age, age) FROM t", "'corr' cannot be answered", AVERAGE),
    ("SELECT upper(name) FROM t", "'upper' cannot be answered", COUNT),
    ("SELECT my_function(age) FROM t", "'my_function' cannot be answered", AVERAGE),
    (
        "SELECT percentile_cont(1.5) WITHIN GROUP (ORDER BY age) FROM t",
        r"quantile must be a number in \[0, 1\]",
        QUANTILE,
    ),
    ("SELECT percentile_cont(0.9) WITHIN GROUP (ORDER BY age DESC) FROM t", "from small to large", QUANTILE),
    ("SELECT percentile_cont(0.9) WITHIN GROUP (ORDER BY age, age) FROM t", "one column", QUANTILE),
    ("SELECT median(disease) FROM t", "not declared as a number", "SELECT median(age) FROM t"),
    ("SELECT mode(age) FROM t", "no public list of values", "SELECT mode(disease) FROM t"),
    ("SELECT histogram(age) FROM t", "no public list of values", "SELECT histogram(disease) FROM t"),
    ("SELECT avg(CASE WHEN age > 3 THEN 100 ELSE 0 END) FROM t", "bounds are known", SHARE),
    ("SELECT avg(CASE WHEN age > 3 THEN 1 END) FROM t", "bounds are known", SHARE),
    ("SELECT avg(CASE WHEN age > 3 THEN 1 WHEN age > 2 THEN 1 ELSE 0 END) FROM t", "bounds are known", SHARE),
    ("SELECT avg(CASE age WHEN 3 THEN 1 ELSE 0 END) FROM t", "bounds are known", SHARE),
    ("SELECT count(DISTINCT name) FROM t", "every row is one person", COUNT),
    ("SELECT count(1) FROM t", r"Write count\(\*\)", COUNT),
    ("SELECT count() FROM t", r"Write count\(\*\)", COUNT),
    ("SELECT 1 FROM t", "constant", COUNT),
    ("SELECT mean(age) FROM t", r"written avg\(column\)", AVERAGE),
    ("SELECT stddev_pop(age) FROM t", "square root", "SELECT var_pop(age) FROM t"),
    ("SELECT percentile_disc(0.9) WITHIN GROUP (ORDER BY age) FROM t", "one person's own", QUANTILE),
    ("SELECT quantile(age, 0.9) FROM t", "one person's own", QUANTILE),
    ("SELECT avg(sex = 'male') FROM t", "for the share", SHARE),
    ("SELECT count_if(age > 3) FROM t", "into WHERE", "SELECT count(*) FROM t WHERE age > 3"),
    ("SELECT sum(CASE WHEN age > 3 THEN 1 ELSE 0 END) FROM t", "into WHERE", SHARE),
    ("SELECT date_trunc('month', admission) FROM t", "in GROUP BY, with count", BY_MONTH),
    ("SELECT year(admission), count(*) FROM t GROUP BY year(admission)", "date_trunc", BY_MONTH),
    ("SELECT t.sex, count(*) FROM t AS p GROUP BY p.sex", "called 'p' in this question", BY_SEX),
    # several questions in one
    ("SELECT count(*), avg(age) FROM t", "own charge", COUNT),
    (
        "SELECT count(*) FILTER (WHERE age > 3), count(*) FROM t",
        "own charge",
        "SELECT count(*) FILTER (WHERE age > 3) FROM t",
    ),
    (SHARE.replace(" FROM", ", avg(age) FROM"), "or only shares", SHARE),
    (SHARE.replace(" FROM", ", count(*) FILTER (WHERE age > 3) FROM"), "or only shares", SHARE),
    (SHARE.replace(" FROM", ", avg(CASE WHEN age > 3 THEN 2 ELSE 0 END) FROM"), "CASE is answered only", SHARE),
    ("SELECT avg(age) FILTER (WHERE age > 3) FROM t", "FILTER", "SELECT avg(age) FROM t WHERE age > 3"),
    ("SELECT count(DISTINCT name) FILTER (WHERE age > 3) FROM t", "FILTER", COUNT),
    ("SELECT count(*) FROM t UNION ALL SELECT count(*) FROM t", "by itself", COUNT),
    ("SELECT count(*) FROM t EXCEPT SELECT 1", "by itself", COUNT),
    ("SELECT count(*) FROM t; SELECT count(*) FROM t", "several statements", COUNT),
    ("SELECT count(*) FROM t; DROP TABLE t", "several statements", COUNT),
    ("SELECT count(*) FROM t /* hi */ ; -- \n DROP TABLE t", "several statements", COUNT),
    # other statements
    ("INSERT INTO t VALUES (1)", "INSERT would change", COUNT),
    ("update t set age = 1", "UPDATE would change", COUNT),
    ("DELETE FROM t", "DELETE would change", COUNT),
    ("DROP TABLE t", "DROP would change", COUNT),
    ("CREATE TABLE x AS SELECT * FROM t", "CREATE would change", COUNT),
    ("COPY t TO 'rows.csv'", "COPY reads files", COUNT),
    ("ATTACH 'other.db'", "ATTACH reads files", COUNT),
    ("INSTALL httpfs", "INSTALL reads files", COUNT),
    ("PRAGMA database_list", "PRAGMA gives orders to the engine", COUNT),
    ("SET memory_limit = '1TB'", "SET gives orders to the engine", COUNT),
    ("EXPLAIN SELECT count(*) FROM t", "EXPLAIN gives orders to the engine", COUNT),
    ("SUMMARIZE t", "SUMMARIZE gives orders to the engine", COUNT),
    ("CALL pragma_version()", "CALL gives orders to the engine", COUNT),
    ("VALUES (1)", "no noise can hide a row", COUNT),
    ("WITH x AS (SELECT * FROM t) SELECT count(*) FROM x", "would use exact values", COUNT),
    ("hello", "begins with SELECT", COUNT),
    ("'SELECT count(*) FROM t'", "begins with SELECT", COUNT),
    # tables
    ("SELECT count(*) FROM voters", "Only the table 't'", COUNT),
    ("SELECT count(*) FROM main.t", "not 'main.t'", COUNT),
    ("SELECT count(*) FROM information_schema.tables", "Only the table", COUNT),
    ("SELECT count(*) FROM 'rows.csv'", "Only the table", COUNT),
    ("SELECT count(*) FROM read_csv('rows.csv')", "Files, functions and queries", COUNT),
    ("SELECT count(*) FROM (SELECT * FROM t)", "Files, functions and queries", COUNT),
    ("SELECT count(*) FROM t, t", "join", COUNT),
    ("SELECT count(*) FROM t JOIN t AS p ON 1 = 1", "join", COUNT),
    ("SELECT count(*) FROM t NATURAL JOIN voters", "join", COUNT),
    ("SELECT count(*) FROM t " + "JOIN t " * 500, "join", COUNT),
    ("SELECT count(*) FROM t TABLESAMPLE 10%", "sample", COUNT),
    ("SELECT count(*) FROM t USING SAMPLE 10%", "join|sample", COUNT),
    ("SELECT count(*) FROM t AS p(a, b)", "count, sum", "SELECT count(*) FROM t AS p"),
    ("SELECT count(*) FROM \u03c4", "Only the table 't'", COUNT),
    ("SELECT count(*)", "Say which table", COUNT),
    ("SELECT version()", "Say which table", COUNT),
    ("SELECT", "Say which table", COUNT),
    # clauses
    ("SELECT count(*) FROM t LIMIT 1", "LIMIT", COUNT),
    ("SELECT count(*) FROM t OFFSET 1", "LIMIT", COUNT),
    ("SELECT count(*) FROM t FETCH FIRST 1 ROWS ONLY", "LIMIT", COUNT),
    ("SELECT count(*) FROM t ORDER BY 1", "order is an answer without noise", COUNT),
    ("SELECT disease, count(*) FROM t GROUP BY disease ORDER BY disease", "Leave it out", BY_SEX),
    ("SELECT disease, count(*) FROM t GROUP BY disease HAVING count(*) > 5", "exact value", BY_SEX),
    ("SELECT count(*) FROM t HAVING count(*) > 5", "exact value", COUNT),
    ("SELECT count(*) OVER () FROM t", "row is a person", COUNT),
    ("SELECT count(*) FROM t QUALIFY 1 = 1", "row is a person", COUNT),
    ("SELECT count(*) INTO x FROM t", "store exact values without noise", COUNT),
    ("SELECT count(*) FROM t FOR UPDATE", "'FOR' is not part|'for' is not part", COUNT),
    # groups
    ("SELECT age, count(*) FROM t GROUP BY age", "no public list of values", BY_SEX),
    ("SELECT count(*) FROM t GROUP BY name", "reveal who is there", BY_SEX),
    ("SELECT count(*) FROM t GROUP BY admission", "date_trunc", BY_MONTH),
    ("SELECT count(*) FROM t GROUP BY date_trunc('day', admission)", "'day' is not answered", BY_MONTH),
    ("SELECT count(*) FROM t GROUP BY date_trunc('month', admission, 'UTC')", "date_trunc", BY_MONTH),
    ("SELECT count(*) FROM t GROUP BY date_trunc('month', age)", "'age' by 'month'", BY_MONTH),
    ("SELECT sum(age) FROM t GROUP BY date_trunc('month', admission)", "only count", BY_MONTH),
    (
        "SELECT date_trunc('month', admission), count(*) FROM t GROUP BY date_trunc('year', admission)",
        "GROUP BY does not name",
        BY_MONTH,
    ),
    ("SELECT race, count(*) FROM t GROUP BY disease", "GROUP BY does not name", BY_SEX),
    ("SELECT sex, disease AS sex, count(*) FROM t GROUP BY sex", "GROUP BY does not name", BY_SEX),
    ("SELECT count(*) FROM t GROUP BY 1", "constant", BY_SEX),
    ("SELECT count(*) FROM t GROUP BY ALL", "ALL ask several", BY_SEX),
    ("SELECT count(*) FROM t GROUP BY ROLLUP (sex)", "ROLLUP", BY_SEX),
    ("SELECT count(*) FROM t GROUP BY sex, sex", "one or two different", BY_SEX),
    ("SELECT count(*) FROM t GROUP BY sex, race, disease", "one or two", BY_SEX),
    ("SELECT median(age) FROM t GROUP BY sex", "With GROUP BY only", "SELECT avg(age) FROM t GROUP BY sex"),
    (
        "SELECT count(*), avg(age) FROM t GROUP BY sex",
        "one figure for each group",
        "SELECT avg(age) FROM t GROUP BY sex",
    ),
    ("SELECT count(age) FROM t GROUP BY sex", r"write count\(\*\)", BY_SEX),
]


@each("text, because, repaired", REFUSED)
def test_it_is_refused_with_its_reason_and_accepted_when_repaired(text, because, repaired, caplog, capfd):
    with pytest.raises(RefusedQueryError, match=f"(?s){because}") as refused:
        parse_sql(text, PATIENTS)
    assert parse_sql(repaired, PATIENTS) is not None
    reason = refused.value.reason
    assert reason.isprintable(), "no marks for a terminal, no line of the text"
    assert 20 < len(reason) < 500
    assert reason.endswith(".")
    assert caplog.record_tuples == []
    assert capfd.readouterr() == ("", "")


@each("text", ["", "  \n", ";", ";;", "-- nothing\n", "/* nothing */"])
def test_an_empty_text_asks_nothing(text):
    with pytest.raises(RefusedQueryError, match=r"no question yet. Try SELECT count\(\*\) FROM t"):
        parse_sql(text, PATIENTS)


@each(
    "text, because, repaired",
    [
        ("SELECT count(DISTINCT year) FROM t", r"count\(DISTINCT person\)", "SELECT count(DISTINCT person) FROM t"),
        ("SELECT count(DISTINCT person, year) FROM t", "DISTINCT", "SELECT count(DISTINCT person) FROM t"),
        (
            "SELECT person, count(*) FROM t GROUP BY person",
            "reveal who is there",
            "SELECT year, count(*) FROM t GROUP BY year",
        ),
        ("SELECT count(*) FROM t WHERE person = '1'", "is the identifier", "SELECT count(*) FROM t WHERE year = '1'"),
        ("SELECT count(*) FROM t WHERE female = 'yes'", "true or false", "SELECT count(*) FROM t WHERE female = TRUE"),
        ("SELECT count(*) FROM t WHERE income IS TRUE", "is a number", "SELECT count(*) FROM t WHERE female IS TRUE"),
    ],
)
def test_people_with_several_rows(text, because, repaired):
    with pytest.raises(RefusedQueryError, match=because):
        parse_sql(text, RAND)
    assert parse_sql(repaired, RAND) is not None
