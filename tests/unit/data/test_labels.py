"""Words for a table: what is said in place of names, and what is refused."""

from __future__ import annotations

import pytest

from dpengine.data import (
    BooleanColumn,
    ColumnLabel,
    Comparison,
    Labels,
    NumberColumn,
    Phrase,
    Schema,
    sample_labels,
    sample_names,
    sample_schema,
)
from dpengine.data.declared.conditions import And, IsMissing, Not
from dpengine.errors import InvalidParameterError
from dpengine.queries import CountPeopleQuery, CountQuery, GroupedProportionQuery, MeanQuery, ProportionQuery
from dpengine.queries.conditions_in_words import Labeled
from tests.running.cases import each

STAY, OLD = Comparison("hospital_stays", ">", 0), Comparison("age", ">=", 65)
LABELS = Labels(
    table="Study",
    columns=(ColumnLabel("age", "age in years"), ColumnLabel("cost", "medical costs")),
    phrases=(Phrase(STAY, "had a hospital stay"),),
)
CYRILLIC_AGE = "\u0430ge"
SAID = Labeled(LABELS, names=lambda name: f"<{name}>")


@each(
    "case",
    {
        "how many people had a hospital stay": CountPeopleQuery(STAY),
        "how many rows are of people who had a hospital stay": CountQuery(STAY),
        "how many people have age in years of at least 65": CountPeopleQuery(OLD),
        "how many people had a hospital stay and have age in years of at least 65": CountPeopleQuery(And((STAY, OLD))),
        "what is the average medical costs, among those who had a hospital stay": MeanQuery("cost", STAY),
        "what share had a hospital stay": ProportionQuery(STAY),
        "what share has age in years of at least 65 in each <town>": GroupedProportionQuery(OLD, ("town",)),
        "how many people have <town> = “A”": CountPeopleQuery(Comparison("town", "=", "A")),
        "how many people have not (<hospital_stays> > 0)": CountPeopleQuery(Not(STAY)),
        "how many people have age in years missing": CountPeopleQuery(IsMissing("age")),
    }.items(),
)
def test_questions_speak_the_tables_own_words(case: tuple[str, CountQuery]) -> None:
    words, query = case
    assert query.in_words(SAID) == words
    assert "age in years" not in query.in_words(), "The control: without labels, names."


@each(
    "words",
    ["", " age", "age\n", "a" * 61, "a  ge", "a\u00a0ge", "age\ufe0f", "\u034fage", "\u3164", "\u115f", "\u2800"],
)
def test_words_that_could_not_be_read_are_refused(words: str) -> None:
    with pytest.raises(InvalidParameterError):
        ColumnLabel("age", words)
    with pytest.raises(InvalidParameterError):
        Phrase(STAY, words)


def test_two_columns_are_not_called_alike() -> None:
    with pytest.raises(InvalidParameterError, match="labels"):
        Labels(columns=(ColumnLabel("a", "Age"), ColumnLabel("b", "age")))
    with pytest.raises(InvalidParameterError, match="columns"):
        Labels(columns=(ColumnLabel("a", "age"), ColumnLabel("a", "years")))
    with pytest.raises(InvalidParameterError, match="labels"):
        Labels(columns=(ColumnLabel("a", CYRILLIC_AGE), ColumnLabel("b", "age")))
    assert CYRILLIC_AGE != "age"


@each("disguise", ["age", "AGE", CYRILLIC_AGE])
def test_no_words_look_like_another_columns_name(disguise: str) -> None:
    schema = Schema(name="t", columns=(BooleanColumn(name="ill"), NumberColumn(name="age", lower=0, upper=99)))
    ill, old = (Comparison("ill", "=", value=True), Comparison("age", ">", 9))
    for labels in (Labels(columns=(ColumnLabel("ill", disguise),)), Labels(phrases=(Phrase(ill, disguise),))):
        with pytest.raises(InvalidParameterError, match="another column's name"):
            labels.require_told_apart(schema)
    Labels(columns=(ColumnLabel("age", disguise),), phrases=(Phrase(old, disguise),)).require_told_apart(schema)


@each("name", sample_names())
def test_the_words_of_a_practice_table_are_about_its_own_columns(name: str) -> None:
    labels, columns = sample_labels(name), {column.name for column in sample_schema(name).columns}
    assert labels.table
    assert {one.column for one in labels.columns} <= columns
    assert {one.condition.column for one in labels.phrases if isinstance(one.condition, Comparison)} <= columns
