"""Laws of the SQL subset: written and read back it is the same question, and WHERE means what SQL means."""

import random
from contextlib import closing
from datetime import date, timedelta
from itertools import combinations

import duckdb
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from sqlglot.dialects.duckdb import DuckDB

from dpengine.data import (
    And,
    Between,
    BooleanColumn,
    CategoryColumn,
    Comparison,
    DateColumn,
    IsMissing,
    Not,
    NumberColumn,
    OneOf,
    Or,
    PrivacyUnit,
    RowCount,
    Schema,
    TextColumn,
)
from dpengine.errors import RefusedQueryError
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
from tests.examples.tables import read_here

EXAMPLES = settings(max_examples=20, deadline=None)
KEYWORDS = sorted(
    {word.lower() for word in DuckDB.Tokenizer.KEYWORDS if word.isidentifier()}
    | {word for (word,) in duckdb.execute("SELECT keyword_name FROM duckdb_keywords()").fetchall()}
)
printable = st.text(st.characters(exclude_categories=("Cc", "Cs", "Cn", "Co", "Zl", "Zp", "Zs", "Cf")), min_size=1)
names = st.one_of(
    st.sampled_from(KEYWORDS),
    st.sampled_from(
        ["two words", 'a "quoted" one', "it's", "2nd", "größe", "İ", "--", "/*", ";", "Ａ", "a.b", "`x`", "$$"]
    ),
    printable.map(lambda text: text[:30].strip()).filter(lambda text: text and text.isprintable()),
)
letters = st.characters(exclude_categories=("Cc", "Cs"), include_characters="\t\n\r")
texts_of_cells = st.text(letters, max_size=6).map(str.strip).filter(bool)
listed = st.lists(texts_of_cells, min_size=1, max_size=4, unique=True)


@st.composite
def schemas(draw):
    """A schema with a column of each kind under hostile names, for people with several rows."""
    person, number, category, yes, day, note, table = draw(
        st.lists(names, min_size=7, max_size=7, unique_by=lambda name: name.casefold())
    )
    columns = (
        TextColumn(name=person),
        NumberColumn(name=number, lower=-5, upper=5),
        CategoryColumn(name=category, categories=tuple(draw(listed))),
        BooleanColumn(name=yes),
        DateColumn(name=day, earliest=date(1, 1, 1), latest=date(9999, 12, 31)),
        TextColumn(name=note),
    )
    return Schema(name=table, columns=columns, unit=PrivacyUnit(identifier=person, rows=3))


numbers = st.integers(-(10**30), 10**30) | st.floats(allow_nan=False, allow_infinity=False)
signs = st.sampled_from(["=", "!=", "<", "<=", ">", ">="])


def conditions(schema):
    """Conditions of every kind, four levels deep and more."""
    _, number, category, yes, day, note = (column.name for column in schema.columns)
    values = st.sampled_from(schema.columns[2].categories)
    leaves = st.one_of(
        st.builds(Comparison, st.just(number), signs, numbers),
        st.builds(OneOf, st.just(number), st.lists(numbers, min_size=1, max_size=3).map(tuple)),
        st.builds(Between, st.just(number), numbers, numbers),
        st.builds(Comparison, st.just(category), st.sampled_from(["=", "!="]), values),
        st.builds(OneOf, st.just(category), st.lists(values, min_size=1, max_size=3).map(tuple)),
        st.builds(Comparison, st.just(yes), st.sampled_from(["=", "!="]), st.booleans()),
        st.builds(Comparison, st.just(day), signs, st.dates()),
        st.builds(Between, st.just(day), st.dates(), st.dates()),
        st.builds(Comparison, st.just(note), st.sampled_from(["=", "!="]), texts_of_cells),
        st.builds(OneOf, st.just(note), listed.map(tuple)),
        st.builds(IsMissing, st.sampled_from([number, category, yes, day, note])),
    )
    several = lambda inner: st.lists(inner, min_size=1, max_size=3).map(tuple)  # noqa: E731
    return st.recursive(
        leaves,
        lambda inner: st.builds(Not, inner) | st.builds(And, several(inner)) | st.builds(Or, several(inner)),
        max_leaves=12,
    )


def questions(schema):
    """Every question that has a form in SQL."""
    _, number, category, yes, day, _ = (column.name for column in schema.columns)
    inner = conditions(schema)
    where = st.none() | inner
    by = st.sampled_from([(category,), (yes,), (category, yes), (yes, category)])
    shares = st.integers(0, 1000).map(lambda n: n / 1000)
    return st.one_of(
        st.builds(CountQuery, where),
        st.builds(CountPeopleQuery, where),
        *(st.builds(kind, st.just(number), where) for kind in (SumQuery, MeanQuery, VarianceQuery)),
        st.builds(QuantileQuery, st.just(number), quantile=shares, where=where),
        st.builds(ModeQuery, st.sampled_from([category, yes]), where),
        st.builds(HistogramQuery, st.sampled_from([category, yes]), where=where),
        st.builds(HistogramQuery, st.just(day), period=st.sampled_from(["month", "year"]), where=where),
        st.builds(GroupedCountQuery, by, where),
        *(st.builds(kind, st.just(number), by, where) for kind in (GroupedSumQuery, GroupedMeanQuery)),
        st.builds(GroupedProportionQuery, inner, by, where),
        st.builds(ProportionQuery, inner, where),
        st.builds(StatisticalQueries, st.lists(inner, min_size=1, max_size=3).map(tuple), where),
        st.builds(SeveralProportionsQuery, st.lists(inner, min_size=2, max_size=3).map(tuple), where),
    )


@EXAMPLES
@given(st.data())
def test_written_and_read_back_it_is_the_same_question(data):
    schema = data.draw(schemas())
    question = data.draw(questions(schema))
    text = to_sql(question, schema)
    assert parse_sql(text, schema) == question
    assert to_sql(parse_sql(text, schema), schema) == text


@settings(max_examples=5, deadline=None)
@given(st.data())
def test_another_question_is_another_text(data):
    schema = data.draw(schemas())
    asked = [data.draw(questions(schema)) for _ in range(4)]
    for one, other in combinations(asked, 2):
        assert (to_sql(one, schema) == to_sql(other, schema)) == (one == other)


def test_every_word_of_sql_may_be_a_name():
    """Each in a condition, a dozen at a time; of each dozen one names the table, one is averaged, one makes groups."""
    with duckdb.connect() as connection:
        for first in range(0, len(KEYWORDS), 12):
            dozen = (KEYWORDS * 2)[first : first + 12]
            table, number, yes = dozen[:3]
            others = [word for word in dozen if word != yes]
            numbers = [NumberColumn(name=word, lower=0, upper=1) for word in others]
            schema = Schema(name=table, columns=(BooleanColumn(name=yes), *numbers))
            where = And((Comparison(yes, "=", True), *(Comparison(word, ">", 0.5) for word in others)))
            question = GroupedMeanQuery(number, (yes,), where)
            text = to_sql(question, schema)
            assert parse_sql(text, schema) == question
            cells = ", ".join(f'"{word}" {"BOOLEAN" if word == yes else "DOUBLE"}' for word in dozen)
            connection.execute(f'CREATE OR REPLACE TABLE "{table}" ({cells})')
            assert connection.execute(text).fetchall() == [], "SQL itself reads the names as we write them"


ROWS = [
    (number, category, yes, day)
    for number in ("-5", "0.1", "2", "5")
    for category in ("a", "b", "it's")
    for yes in ("yes", "no")
    for day in ("2020-01-01", "2020-01-05", "2020-01-09")
]
DIRTY = [("", "a", "yes", "2020-01-01"), ("2", "", "no", "x"), ("nan", "zzz", "?", ""), ("7", "b", "", "2020-01-05")]
SCHEMA = Schema(
    name="t",
    columns=(
        NumberColumn(name="num", lower=-5, upper=5),
        CategoryColumn(name="cat", categories=("a", "b", "it's")),
        BooleanColumn(name="yes"),
        DateColumn(name="day", earliest=date(2020, 1, 1), latest=date(2020, 1, 9)),
    ),
)
days = st.integers(0, 10).map(lambda n: date(2019, 12, 31) + timedelta(days=n))
values = st.sampled_from([-5, 0.1, 2, 3, -1e3, 1e300])
texts = st.sampled_from(["a", "b", "it's"])
simple = st.recursive(
    st.one_of(
        st.builds(Comparison, st.just("num"), signs, values),
        st.builds(OneOf, st.just("num"), st.lists(values, min_size=1, max_size=3).map(tuple)),
        st.builds(Between, st.just("num"), values, values),
        st.builds(Comparison, st.just("cat"), st.sampled_from(["=", "!="]), texts),
        st.builds(OneOf, st.just("cat"), st.lists(texts, min_size=1, max_size=2).map(tuple)),
        st.builds(Comparison, st.just("yes"), st.sampled_from(["=", "!="]), st.booleans()),
        st.builds(Comparison, st.just("day"), signs, days),
        st.builds(Between, st.just("day"), days, days),
        st.builds(IsMissing, st.sampled_from(["num", "cat", "yes", "day"])),
    ),
    lambda inner: st.one_of(
        st.builds(Not, inner),
        st.builds(And, st.lists(inner, min_size=1, max_size=3).map(tuple)),
        st.builds(Or, st.lists(inner, min_size=1, max_size=3).map(tuple)),
    ),
    max_leaves=8,
)


def table_of(rows):
    return read_here("\n".join(["num,cat,yes,day", *map(",".join, rows)]).encode(), schema=SCHEMA)


@pytest.fixture(scope="module")
def clean():
    with closing(table_of(ROWS)) as with_rows:
        yield with_rows


@pytest.fixture(scope="module")
def dirty():
    with closing(table_of([*ROWS, *DIRTY])) as with_rows:
        yield with_rows


@pytest.fixture(scope="module")
def plain():
    """The rows without missing values in DuckDB alone, without any of our code."""
    with duckdb.connect() as connection:
        connection.execute("CREATE TABLE t (num DOUBLE, cat VARCHAR, yes BOOLEAN, day DATE)")
        connection.executemany("INSERT INTO t VALUES (?, ?, ?, ?)", ROWS)
        yield connection


def counted(table, text):
    question = parse_sql(text, SCHEMA)
    assert isinstance(question, CountQuery)
    return int(table.run(RowCount(where=question.where))[0])


@EXAMPLES
@given(simple)
def test_not_is_a_complement_through_sql(dirty, condition):
    where = to_sql(CountQuery(condition), SCHEMA).removeprefix("SELECT count(*) FROM t WHERE ")
    assert counted(dirty, "SELECT count(*) FROM t") == (total := len(ROWS) + len(DIRTY))
    chosen, left = (counted(dirty, f"SELECT count(*) FROM t WHERE {one}") for one in (where, f"NOT ({where})"))
    assert chosen + left == total


def test_plain_sql_loses_rows_where_ours_does_not(dirty):
    """The control: SQL's own NOT leaves out the rows where the value is missing."""
    with duckdb.connect() as connection:
        connection.execute("CREATE TABLE t AS SELECT unnest([1.0, 2.0, NULL]) AS num")
        two = [f"SELECT count(*) FROM t WHERE {where}" for where in ("num = 2", "NOT (num = 2)")]
        assert sum(connection.execute(text).fetchall()[0][0] for text in two) == 2
    assert sum(counted(dirty, text) for text in two) == len(ROWS) + len(DIRTY)


@EXAMPLES
@given(simple)
def test_where_nothing_is_missing_the_text_means_what_sql_means(clean, plain, condition):
    text = to_sql(CountQuery(condition), SCHEMA)
    assert plain.execute(text).fetchall() == [(counted(clean, text),)]


STATEMENTS = (
    "select count ( * ) from t where num = 2 and cat = 'a'",
    "select count ( * ) from t where not ( num between 1 and 2 or cat in ( 'a' , 'b' ) ) and yes",
    "select count ( * ) from t where day >= date '2020-01-05' or not yes is true and num <> 2",
    "select count ( * ) as x from t as x where x . num < 2 or ( cat not in ( 'a' ) and 1 > num )",
    "select count ( num ) from t where num is not null and not not yes = false",
)
WORDS = tuple(
    """select count ( * ) from t where num cat yes day and or not in is null = <> < > >= == != between 2 -5 0.1 'a'
    'b' true false '2020-01-05' date ( ) , . ; - + distinct all as x filter case when then else end "num" isnull
    notnull group by order asc like cast any limit within at only * . ! union join having /*c*/ --""".split()  # noqa: SIM905
)


def mutated(rng):
    """An accepted statement with a few of its words changed, put in, left out or exchanged."""
    words = rng.choice(STATEMENTS).split(" ")
    for _ in range(rng.choice([1, 1, 2, 2, 3, 4])):
        place = rng.randrange(len(words))
        match rng.randrange(4):
            case 0:
                words.insert(place, rng.choice(WORDS))
            case 1:
                words[place] = rng.choice(WORDS)
            case 2:
                words = words[:place] + words[place + 1 :] or words
            case _:
                other = rng.randrange(len(words))
                words[place], words[other] = words[other], words[place]
    return " ".join(words)


@pytest.mark.parametrize("seed, times", [(7, 700), pytest.param(8, 8000, marks=pytest.mark.slow)])
def test_of_damaged_statements_none_is_read_otherwise_than_sql_reads_it(clean, plain, seed, times):
    """A parser that drops a word in silence would answer another question: DuckDB must accept it, with this count."""
    rng, accepted = random.Random(seed), 0
    for _ in range(times):
        text = mutated(rng)
        try:
            question = parse_sql(text, SCHEMA)
        except RefusedQueryError:
            continue
        if isinstance(question, CountQuery):
            accepted += 1
            assert plain.execute(text).fetchall() == [(counted(clean, text),)], text
    assert accepted > 15, "the control: some damage leaves a question"
