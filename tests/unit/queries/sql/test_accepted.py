"""What the SQL subset accepts, and the question that each text asks."""

from datetime import date

import pytest

from dpengine.data import (
    And,
    Between,
    CategoryColumn,
    Comparison,
    DateColumn,
    IsMissing,
    Not,
    NumberColumn,
    OneOf,
    Or,
    Schema,
    sample_schema,
)
from dpengine.errors import InvalidParameterError, RefusedQueryError
from dpengine.queries import (
    CountPeopleQuery,
    CountQuery,
    GroupedCountQuery,
    GroupedMeanQuery,
    GroupedProportionQuery,
    GroupedSumQuery,
    HistogramQuery,
    MeanQuery,
    ModeQuery,
    ProportionQuery,
    QuantileQuery,
    SeveralProportionsQuery,
    StatisticalQueries,
    SumQuery,
    VarianceQuery,
    parse_sql,
    to_sql,
)
from tests.running.cases import each

PATIENTS = sample_schema("patients")
RAND = sample_schema("rand_hie")
FLU = Comparison("disease", "=", "flu")
OLD = Comparison("age", ">=", 65)
BIRTH = "date_of_birth"

PATIENT_QUESTIONS = {
    "SELECT count(*) FROM patients": CountQuery(),
    "SELECT count(*) FROM patients WHERE disease = 'mumps'": CountQuery(Comparison("disease", "=", "mumps")),
    "select COUNT(*) from Patients where age between 20 and 30 and not (sex = 'female')": CountQuery(
        And((Between("age", 20, 30), Not(Comparison("sex", "=", "female"))))
    ),
    "SELECT count(*) AS n FROM PATIENTS AS p WHERE p.AGE >= 65;": CountQuery(OLD),
    'SELECT count(*) "how many" FROM "Patients" WHERE "Patients"."Age" >= 65 ; ;': CountQuery(OLD),
    "FROM patients SELECT count(*) WHERE 65 <= age": CountQuery(OLD),
    "SELECT (count((*))) FROM patients WHERE ((age) >= (65))": CountQuery(OLD),
    "SELECT count(*) -- everybody; DROP TABLE patients\nFROM patients /* WHERE age = 3 */": CountQuery(),
    "SELECT count(*) FROM patients WHERE disease != 'flu'": CountQuery(Comparison("disease", "!=", "flu")),
    "SELECT count(*) FROM patients WHERE disease <> 'flu'": CountQuery(Comparison("disease", "!=", "flu")),
    "SELECT count(*) FROM patients WHERE NOT disease = 'flu'": CountQuery(Not(FLU)),
    "SELECT count(*) FROM patients WHERE age > -3 AND age < 1e2 AND age <= .5 AND age = 5.": CountQuery(
        And(
            (
                Comparison("age", ">", -3),
                Comparison("age", "<", 100.0),
                Comparison("age", "<=", 0.5),
                Comparison("age", "=", 5.0),
            )
        )
    ),
    "SELECT count(*) FROM patients WHERE 100 > age": CountQuery(Comparison("age", "<", 100)),
    "SELECT count(*) FROM patients WHERE age = 1 OR age = 2 AND sex = 'male'": CountQuery(
        Or((Comparison("age", "=", 1), And((Comparison("age", "=", 2), Comparison("sex", "=", "male")))))
    ),
    "SELECT count(*) FROM patients WHERE (age = 1 OR age = 2) AND sex = 'male'": CountQuery(
        And((Or((Comparison("age", "=", 1), Comparison("age", "=", 2))), Comparison("sex", "=", "male")))
    ),
    "SELECT count(*) FROM patients WHERE disease IN ('flu', 'mumps')": CountQuery(OneOf("disease", ("flu", "mumps"))),
    "SELECT count(*) FROM patients WHERE disease NOT IN ('flu')": CountQuery(Not(OneOf("disease", ("flu",)))),
    "SELECT count(*) FROM patients WHERE age NOT BETWEEN 1 AND 2": CountQuery(Not(Between("age", 1, 2))),
    "SELECT count(*) FROM patients WHERE age IS NULL": CountQuery(IsMissing("age")),
    "SELECT count(*) FROM patients WHERE age IS NOT NULL": CountQuery(Not(IsMissing("age"))),
    "SELECT count(*) FROM patients WHERE date_of_birth < DATE '1990-01-31'": CountQuery(
        Comparison(BIRTH, "<", date(1990, 1, 31))
    ),
    "SELECT count(*) FROM patients WHERE date_of_birth BETWEEN '1990-01-31' AND '1991-02-01'": CountQuery(
        Between(BIRTH, date(1990, 1, 31), date(1991, 2, 1))
    ),
    "SELECT count(age) FROM patients WHERE disease = 'flu'": CountQuery(And((FLU, Not(IsMissing("age"))))),
    "SELECT count(*) FROM patients WHERE disease = 'flu' AND TRUE": CountQuery(And((FLU,))),
    "SELECT sum(age) FROM patients": SumQuery("age"),
    "SELECT avg(age) FROM patients": MeanQuery("age"),
    "SELECT avg(age) FROM patients WHERE disease = 'flu'": MeanQuery("age", FLU),
    "SELECT var_pop(age) FROM patients WHERE disease = 'flu'": VarianceQuery("age", FLU),
    "SELECT median(age) FROM patients WHERE disease = 'flu'": QuantileQuery("age", where=FLU),
    "SELECT percentile_cont(0.9) WITHIN GROUP (ORDER BY age) FROM patients": QuantileQuery("age", quantile=0.9),
    "SELECT percentile_cont(0.9) WITHIN GROUP (ORDER BY age ASC) FROM patients": QuantileQuery("age", quantile=0.9),
    "SELECT quantile_cont(age, 0.25) FROM patients": QuantileQuery("age", quantile=0.25),
    "SELECT mode(disease) FROM patients WHERE age >= 65": ModeQuery("disease", OLD),
    "SELECT mode() WITHIN GROUP (ORDER BY disease) FROM patients": ModeQuery("disease"),
    "SELECT disease, count(*) FROM patients GROUP BY disease": GroupedCountQuery(("disease",)),
    "SELECT count(*) FROM patients WHERE age >= 65 GROUP BY disease": GroupedCountQuery(("disease",), OLD),
    "SELECT sex, count(*), disease FROM patients GROUP BY disease, sex": GroupedCountQuery(("disease", "sex")),
    "SELECT sex AS who, sum(age) FROM patients GROUP BY sex": GroupedSumQuery("age", ("sex",)),
    "SELECT avg(age) FROM patients WHERE disease = 'flu' GROUP BY sex": GroupedMeanQuery("age", ("sex",), FLU),
    "SELECT sex, avg(CASE WHEN age >= 65 THEN 1 ELSE 0 END) FROM patients WHERE disease = 'flu' GROUP BY sex": (
        GroupedProportionQuery(OLD, ("sex",), FLU)
    ),
    "SELECT histogram(disease) FROM patients": HistogramQuery("disease"),
    "SELECT date_trunc('month', admission), count(*) FROM patients GROUP BY date_trunc('month', admission)": (
        HistogramQuery("admission", period="month")
    ),
    "SELECT count(*) FROM patients WHERE age >= 65 GROUP BY date_trunc('YEAR', admission)": HistogramQuery(
        "admission", period="year", where=OLD
    ),
    "SELECT avg(CASE WHEN disease = 'flu' THEN 1.0 ELSE 0.0 END) FROM patients WHERE age >= 65": ProportionQuery(
        FLU, OLD
    ),
    "SELECT avg(CASE WHEN disease = 'flu' THEN 1 ELSE 0 END) AS share FROM patients": ProportionQuery(FLU),
    "SELECT count(*) FILTER (WHERE disease = 'flu'), count(*) FILTER (WHERE age >= 65) FROM patients": (
        StatisticalQueries((FLU, OLD))
    ),
    "SELECT avg(CASE WHEN disease = 'flu' THEN 1.0 ELSE 0.0 END), avg((CASE WHEN age >= 65 THEN 1 ELSE 0 END)) AS old "
    "FROM patients WHERE age >= 65": SeveralProportionsQuery((FLU, OLD), OLD),
    "SELECT count(*) FILTER (WHERE disease = 'flu') AS a FROM patients WHERE age >= 65": StatisticalQueries(
        (FLU,), OLD
    ),
}
STUDY_QUESTIONS = {
    "SELECT count(DISTINCT person) FROM rand_hie": CountPeopleQuery(),
    "SELECT count(DISTINCT (Person)) FROM rand_hie WHERE hospital_stays > 0": CountPeopleQuery(
        Comparison("hospital_stays", ">", 0)
    ),
    "SELECT count(*) FROM rand_hie WHERE female": CountQuery(Comparison("female", "=", value=True)),
    "SELECT count(*) FROM rand_hie WHERE NOT female": CountQuery(Not(Comparison("female", "=", value=True))),
    "SELECT count(*) FROM rand_hie WHERE female IS NOT FALSE": CountQuery(Not(Comparison("female", "=", value=False))),
    "SELECT count(*) FROM rand_hie WHERE FALSE <> female": CountQuery(Comparison("female", "!=", value=False)),
    "SELECT count(*) FROM rand_hie WHERE year = '1'": CountQuery(Comparison("year", "=", "1")),
    "SELECT female, count(*) FROM rand_hie GROUP BY female": GroupedCountQuery(("female",)),
}
QUESTIONS = [(PATIENTS, *one) for one in PATIENT_QUESTIONS.items()] + [(RAND, *one) for one in STUDY_QUESTIONS.items()]


@each("schema, text, question", QUESTIONS)
def test_a_text_asks_its_question(schema, text, question):
    assert parse_sql(text, schema) == question
    assert parse_sql(text, schema) == parse_sql(text, schema)


@each("schema, text, question", QUESTIONS)
def test_a_question_is_written_as_sql_that_asks_it(schema, text, question):
    written = to_sql(question, schema)
    assert parse_sql(written, schema) == question
    assert to_sql(parse_sql(written, schema), schema) == written


def test_sql_is_written_as_people_write_it():
    one = And((Or((FLU, Not(OLD))), Not(OneOf("sex", ("male",))), Between(BIRTH, date(1990, 1, 1), date(1999, 1, 1))))
    assert to_sql(CountQuery(one), PATIENTS) == (
        "SELECT count(*) FROM patients WHERE (disease = 'flu' OR NOT (age >= 65)) AND sex NOT IN ('male') "
        "AND date_of_birth BETWEEN DATE '1990-01-01' AND DATE '1999-01-01'"
    )
    assert to_sql(GroupedMeanQuery("age", ("sex", "race"), OLD), PATIENTS) == (
        "SELECT sex, race, avg(age) FROM patients WHERE age >= 65 GROUP BY sex, race"
    )


def test_names_that_are_words_of_sql_or_odd_are_quoted():
    names = ("select", "group", "Upper", "two words", 'a "quoted" one', "2nd", "größe", "date")
    schema = Schema(name="order", columns=tuple(NumberColumn(name=name, lower=0, upper=9) for name in names))
    for name in names:
        text = to_sql(SumQuery(name, Comparison(name, ">", 3)), schema)
        assert text.startswith('SELECT sum("')
        assert ' FROM "order" WHERE "' in text
        assert parse_sql(text, schema) == SumQuery(name, Comparison(name, ">", 3))
    assert parse_sql('select sum(UPPER) from "ORDER" where GRÖSSE = 1 and DATE = 2', schema) == SumQuery(
        "Upper", And((Comparison("größe", "=", 1), Comparison("date", "=", 2)))
    )


@each(
    "question, schema, because",
    [
        (HistogramQuery("age", edges=(0, 60, 120)), PATIENTS, "no place for edges"),
        (QuantileQuery("age", candidates=(20, 40)), PATIENTS, "no place for candidates"),
        (CountPeopleQuery(), PATIENTS, r"every row is one person.*count\(\*\)"),
        (CountQuery(FLU), RAND, "no column 'disease'"),
        (SumQuery("name"), PATIENTS, "not declared as a number"),
        (ProportionQuery(Comparison("age", "=", "old")), PATIENTS, "cannot be compared with 'old'"),
        (CountQuery(OneOf("age", tuple(range(1000)) + tuple(range(1000)))), PATIENTS, "more than 1,000"),
        (CountQuery(OneOf("age", tuple(float(n) + 1e15 for n in range(1000)))), PATIENTS, "at most 20,000"),
    ],
)
def test_a_question_without_a_form_in_sql_says_so(question, schema, because):
    with pytest.raises(RefusedQueryError, match=because):
        to_sql(question, schema)


def test_a_category_that_sql_cannot_spell_has_no_form():
    schema = Schema(name="t", columns=(CategoryColumn(name="c", categories=("a\x00b", "é\nü")),))
    with pytest.raises(RefusedQueryError, match="control character"):
        to_sql(CountQuery(Comparison("c", "=", "a\x00b")), schema)
    assert parse_sql(to_sql(CountQuery(Comparison("c", "=", "é\nü")), schema), schema) is not None


def test_a_date_column_is_asked_by_texts_of_dates():
    schema = Schema(name="t", columns=(DateColumn(name="d", earliest=date(1, 1, 1), latest=date(9999, 12, 31)),))
    question = CountQuery(Comparison("d", "=", date(1, 1, 1)))
    assert to_sql(question, schema) == "SELECT count(*) FROM t WHERE d = DATE '0001-01-01'"
    assert parse_sql("SELECT count(*) FROM t WHERE '0001-01-01' = d", schema) == question


@each("text", [None, 3, b"SELECT count(*) FROM patients"])
def test_a_text_is_a_text(text):
    with pytest.raises(InvalidParameterError, match=r"^text must be"):
        parse_sql(text, PATIENTS)
    with pytest.raises(InvalidParameterError, match=r"^schema must be"):
        parse_sql("SELECT count(*) FROM patients", "patients")  # type: ignore[arg-type]
    with pytest.raises(InvalidParameterError, match=r"^query must be"):
        to_sql("SELECT count(*) FROM patients", PATIENTS)  # type: ignore[arg-type]
