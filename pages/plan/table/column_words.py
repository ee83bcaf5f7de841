"""What sentences call the columns of a table that somebody declares: proposed from the names, and theirs to correct."""

from __future__ import annotations

from collections.abc import Container, Iterator, Mapping
from dataclasses import replace

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

The last are typed as "1 = live in a city; 2 = live in a village".
"""
_NOT_ASKED = ("text", "leave out")
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
    fields = [field for i, name in names.items() if kinds[i] not in _NOT_ASKED for field in _fields(i, name, kinds[i])]
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
    others = tuple(one for one in before.spoken.phrases if one.condition not in said)
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
    if not isinstance(column, CategoryColumn):
        return {}
    said = dict.fromkeys(column.categories, "")
    longest_first = sorted(said, key=len, reverse=True)
    for part in filter(None, (one.strip() for one in _typed("each", i).split(";"))):
        value = next((one for one in longest_first if part.removeprefix(one).lstrip().startswith("=")), None)
        words = part.removeprefix(value or part).strip().removeprefix("=").strip()
        if value is None or not part.startswith(value) or not words:
            raise InvalidParameterError(f"words of {column.name}", part, "one of its values, then =, then words")
        said[value] = words
    return {Comparison(column.name, "=", value): words for value, words in said.items()}


def _has_yes(name: str) -> Condition:
    return Comparison(name, "=", value=True)


def _typed(field: str, i: int) -> str:
    return " ".join(str(session.widget_held(f"{field}_{i}") or "").split())


def typed(labels: Labels, name: str) -> dict[str, object]:
    """What somebody who gives a column these words would have typed."""
    each = (
        f"{one.condition.value} = {one.words}"
        for one in labels.phrases
        if isinstance(one.condition, Comparison)
        and (one.condition.column, one.condition.operator) == (name, "=")
        and isinstance(one.condition.value, str)
    )
    return {
        "words": labels.column(name) or "",
        "said": labels.phrase(_has_yes(name)) or "",
        "each": "; ".join(each),
    }
