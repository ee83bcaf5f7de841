"""What sentences call the columns of a table that somebody declares: proposed from the names, and theirs to correct."""

from __future__ import annotations

import re
from collections.abc import Container, Iterator, Mapping
from dataclasses import replace
from datetime import date

import streamlit as st

from dpengine.data import (
    LONGEST_LABEL,
    BooleanColumn,
    CategoryColumn,
    Column,
    ColumnLabel,
    Comparison,
    Condition,
    Labels,
    NumberColumn,
    Phrase,
    Schema,
    proposed_label,
)
from dpengine.errors import InvalidParameterError
from dpengine.scenario import Scenario
from dpengine.seen_text import look
from pages import session
from pages.widgets.escaping import spoken

FIELDS: Mapping[str, object] = {"words": "", "said": "", "each": ""}
"""The words of a column, of those who have yes in it, and of those with each value; empty is as proposed, and nothing.

The last are typed as "1 = live in a city; 2 = live in a village", those of a number as "> 0 = had a hospital stay".
"""
_COMPARED = re.compile(r"(<=|>=|<|>|=) ?(-?\d+(?:\.\d+)?(?:e[+-]?\d+)?) ?= ?(\S.*)")
_SIGNS = str.maketrans({"≤": "<=", "≥": ">="})
_ACROSS, _FROM_FILES = 3, "column_words_from_files"
_WHAT_FOR = (
    ":gray[Questions, pictures and reports say these words; SQL keeps the names. A column's own box may stay empty: "
    "then the gray words are said. A box with an example may stay empty, too: then nothing is.]"
)


def draw(names: Mapping[int, str], *, shown: Container[int]) -> None:
    """A field for the words of each column, by its place in the form, behind a line to open.

    Of those that are not `shown` only where there are some: words that came in a file are never used unread.
    """
    names = {i: name for i, name in names.items() if i in shown or any(_typed(field, i) for field in FIELDS)}
    kinds = {i: str(session.widget_held(f"kind_{i}")) for i in names}
    fields = [field for i, name in names.items() if kinds[i] != "leave out" for field in _fields(i, name, kinds[i])]
    if not fields:
        return
    filled = any(session.widget_held(key) for key, _, _ in fields)
    files = session.remembered(_FROM_FILES, 0)
    with st.expander("What should sentences call each column?", expanded=filled, key=f"column_words_{files}"):
        st.markdown(_WHAT_FOR)
        for begin in range(0, len(fields), _ACROSS):
            for place, (key, label, hint) in zip(st.columns(_ACROSS), fields[begin : begin + _ACROSS], strict=False):
                most = None if key.startswith("each_") else LONGEST_LABEL
                place.text_input(label, key=key, placeholder=hint, max_chars=most, persist_state="session")


def filled_in() -> None:
    """Words come in from a file: the line that hides them is another one, and so begins open."""
    session.remember(_FROM_FILES, int(str(session.remembered(_FROM_FILES, 0))) + 1)


def _fields(i: int, name: str, kind: str) -> Iterator[tuple[str, str, str]]:
    yield f"words_{i}", spoken(name), proposed_label(name) or name
    if kind == "boolean":
        yield f"said_{i}", f"{spoken(name)}: those with yes", "for example: had a hospital stay"
    if kind == "category":
        yield f"each_{i}", f"{spoken(name)}: those with each value", "for example: A = live in a city; B = on a farm"
    if kind == "number":
        yield (
            f"each_{i}",
            f"{spoken(name)}: those above, below or at a number",
            "for example: > 0 = had a stay",
        )


def declared(columns: Mapping[int, Column], schema: Schema, *, before: Scenario) -> Labels:
    """The words of these columns; InvalidParameterError where two have the same, or one has another's name.

    What the plan `before` says of conditions that have no field here is said as long as those mean the same.
    """
    typed = {column.name: _typed("words", i) for i, column in columns.items()}
    words = {name: own or _proposed(name, typed) for name, own in typed.items()}
    said = {condition: one for i, column in columns.items() for condition, one in _said(i, column).items()}
    labels = Labels(
        columns=tuple(ColumnLabel(name, one) for name, one in words.items() if one != name),
        phrases=tuple(Phrase(condition, one) for condition, one in said.items() if one),
    )
    labels.require_told_apart(schema)
    numbers = {column.name for column in columns.values() if isinstance(column, NumberColumn)}
    asked = (one for one in before.spoken.phrases if one.condition not in said)
    others = tuple(one for one in asked if not _has_a_field(one.condition, numbers))
    return labels.with_phrases_of(replace(before.spoken, phrases=others), was=before.schema, now=schema)


def _proposed(name: str, typed: Mapping[str, str]) -> str:
    """The name as words, or the name itself where somebody could take those for another column's."""
    word = proposed_label(name)
    others = {said or proposed_label(other) for other, said in typed.items() if other != name}
    taken = {look(one) for one in others | typed.keys() - {name}}
    return word if word.isprintable() and look(word) and look(word) not in taken else name


def _said(i: int, column: Column) -> dict[Condition, str]:
    """The words for each condition that has a field here; empty for one that was left empty."""
    if isinstance(column, BooleanColumn):
        return {_has_yes(column.name): _typed("said", i)}
    if isinstance(column, NumberColumn):
        return dict(_compared(column.name, part) for part in _parts(i))
    if not isinstance(column, CategoryColumn):
        return {}
    said = dict.fromkeys(column.categories, "")
    longest_first = sorted(said, key=len, reverse=True)
    for part in _parts(i):
        value = next((one for one in longest_first if part.removeprefix(one).lstrip().startswith("=")), None)
        words = part.removeprefix(value or part).strip().removeprefix("=").strip()
        if value is None or not part.startswith(value) or not words:
            raise InvalidParameterError(f"words of {column.name}", part, "one of its values, then =, then words")
        said[value] = words
    return {Comparison(column.name, "=", value): words for value, words in said.items()}


def _parts(i: int) -> Iterator[str]:
    """What was typed between semicolons for a column."""
    return filter(None, (one.strip() for one in _typed("each", i).split(";")))


def _compared(name: str, part: str) -> tuple[Condition, str]:
    """The comparison of a number, and its words."""
    found = _COMPARED.fullmatch(part.translate(_SIGNS))
    if found is None:
        raise InvalidParameterError(f"words of {name}", part, "<, >, <=, >= or =, a number, then =, then words")
    return Comparison(name, found[1], float(found[2])), found[3]


def _has_a_field(condition: Condition, numbers: Container[str]) -> bool:
    """Whether words for it are typed in the box of a number."""
    return isinstance(condition, Comparison) and condition.column in numbers and condition.operator != "!="


def _has_yes(name: str) -> Condition:
    return Comparison(name, "=", value=True)


def _typed(field: str, i: int) -> str:
    return " ".join(str(session.widget_held(f"{field}_{i}") or "").split())


def typed(labels: Labels, name: str) -> dict[str, object]:
    """What somebody who gives a column these words would have typed."""
    about = [one for one in labels.phrases if isinstance(one.condition, Comparison) and one.condition.column == name]
    each = filter(None, map(_as_typed, about))
    return {
        "words": labels.column(name) or "",
        "said": labels.phrase(_has_yes(name)) or "",
        "each": "; ".join(each),
    }


def _as_typed(phrase: Phrase) -> str:
    """The words of a value or of a comparison with a number, as in their box; empty for any other condition."""
    condition = phrase.condition
    if not isinstance(condition, Comparison) or isinstance(condition.value, bool | date) or condition.operator == "!=":
        return ""
    if isinstance(condition.value, str):
        return f"{condition.value} = {phrase.words}" if condition.operator == "=" else ""
    return f"{condition.operator} {repr(condition.value).removesuffix('.0')} = {phrase.words}"
