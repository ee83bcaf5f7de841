"""What a condition is said as holds for the same people when it is read aloud as logic."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from itertools import product

import pytest

from dpengine.data import And, Comparison, Condition, Labels, Not, NumberColumn, OneOf, Or, Phrase, Schema, TextColumn
from dpengine.privacy import Neighbors
from dpengine.queries import StatisticalQueries
from dpengine.queries.conditions_in_words import Labeled, holding, in_words

ONE, TWO, THREE = (Comparison(name, ">", 0) for name in ("stays", "visits", "income"))
SCHEMA = Schema(name="t", columns=(TextColumn(name="name"), NumberColumn(name="stays", lower=0, upper=9)))
WORDS = {
    "no words": Labels(),
    "words for one": Labels(phrases=(Phrase(ONE, "had a stay"),)),
    "words for two": Labels(phrases=(Phrase(ONE, "had a stay"), Phrase(TWO, "saw a doctor"))),
    "words with an or": Labels(phrases=(Phrase(ONE, "had a stay or two"), Phrase(TWO, "saw a doctor or nurse"))),
    "words for a whole": Labels(phrases=(Phrase(Or((ONE, TWO)), "had a stay or saw a doctor"),)),
}


def combined(parts: tuple[Condition, ...]) -> Iterator[Condition]:
    yield from parts
    yield from map(Not, parts)
    for pair in product(parts, parts):
        yield from (And(pair), Or(pair))


def holds(condition: Condition, case: tuple[bool, ...]) -> bool:
    if isinstance(condition, Not):
        return not holds(condition.condition, case)
    if isinstance(condition, And | Or):
        each = [holds(one, case) for one in condition.conditions]
        return all(each) if isinstance(condition, And) else any(each)
    return case[(ONE, TWO, THREE).index(condition)]


ALL = tuple(combined(tuple(combined((ONE, TWO, THREE)))))
CASES = list(product((False, True), repeat=3))


def read(words: str, labels: Labels) -> tuple[bool, ...]:
    """For whom they hold as logic is read aloud: "and" binds closer than "or", brackets closer still."""
    for phrase in labels.phrases:
        parts = [one.column for one in getattr(phrase.condition, "conditions", [phrase.condition])]
        words = words.replace(phrase.words, f"({' or '.join(parts)})")
    parsed = ast.parse(words.replace("have ", "").replace(" > 0", ""), mode="eval").body
    return tuple(_true(parsed, case) for case in CASES)


def _true(read_as: ast.expr, case: tuple[bool, ...]) -> bool:
    if isinstance(read_as, ast.Name):
        return case[[one.column for one in (ONE, TWO, THREE)].index(read_as.id)]
    if isinstance(read_as, ast.UnaryOp):
        return not _true(read_as.operand, case)
    assert isinstance(read_as, ast.BoolOp)
    each = [_true(one, case) for one in read_as.values]
    return all(each) if isinstance(read_as.op, ast.And) else any(each)


@pytest.mark.parametrize("said", list(WORDS))
def test_words_read_as_logic_hold_for_whom_the_condition_holds(said: str) -> None:
    assert len(ALL) > 1000
    labels = WORDS[said]
    quote = Labeled(labels)
    wrong = [
        holding(condition, quote)
        for condition in ALL
        if read(holding(condition, quote), labels) != tuple(holds(condition, case) for case in CASES)
    ]
    assert wrong == []


def test_what_holds_if_either_does_stands_in_brackets() -> None:
    """Also within somebody's own words, which may say "or" themselves."""
    phrased = Labeled(WORDS["words with an or"])
    assert holding(And((ONE, THREE)), phrased) == "(had a stay or two) and have income > 0"
    either = And((ONE, Or((TWO, THREE))))
    words = holding(either, Labeled(WORDS["words for one"]))
    assert words == "had a stay and have (visits > 0 or income > 0)"
    both = holding(Or((And((ONE, TWO)), THREE)), Labeled(WORDS["words for one"]))
    assert both == "have (stays > 0 and visits > 0) or income > 0"


@pytest.mark.parametrize("text", ["x and age > 3", "x”, “y", "[x](y)", "x, y", "Ann Lee"])
def test_a_text_that_looks_like_a_condition_stands_in_quotation_marks(text: str) -> None:
    """With the table's words and without: no text that somebody typed reads as a second condition."""
    quoted = f"“{text.replace('“', '““').replace('”', '””')}”"
    named = Comparison("name", "=", text)
    assert in_words(named) == in_words(named, Labeled(Labels())) == f"name = {quoted}"
    assert in_words(OneOf("name", (text, "Ann"))) == f"name among {quoted}, Ann"
    (first, _) = StatisticalQueries((named, ONE)).parts(SCHEMA, Neighbors.ADD_REMOVE)[0].labels
    assert first == f"name = {quoted}"


def test_constants_that_look_alike_are_said_apart() -> None:
    """A zero width space, and a Cyrillic capital."""
    said = {in_words(Comparison("name", "=", name)) for name in ("Anna", "Anna\u200b", "\u0410nna")}
    assert said == {"name = Anna", "name = “Anna⟨U+200B⟩”", "name = “\u0410⟨U+0410⟩nna”"}
