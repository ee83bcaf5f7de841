"""What a person declares about an uploaded file without looking at the data; nothing is pre-filled from it."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field

import streamlit as st
from streamlit.delta_generator import DeltaGenerator

from dpengine.data import (
    Column,
    ColumnGuess,
    Labels,
    Preview,
    PrivacyUnit,
    Schema,
    TextColumn,
    sample_labels,
    sample_names,
)
from dpengine.errors import DPEngineError, IntakeError
from dpengine.privacy import Neighbors
from dpengine.seen_text import look
from pages import session
from pages.plan.table import column_fields, column_words, typed_before, unit_form
from pages.plan.table.column_fields import BLIND
from pages.plan.table.typed_before import Typed
from pages.plan.table.unit_form import Doubt
from pages.widgets.escaping import unmarked

SHEET = 25
_MOST_NAMED = 4
_MOST_ROWS = 10**12
_EMPTY: Mapping[str, object] = {
    "form_sheet": 1,
    "table_name": "",
    **unit_form.EMPTY,
    "neighbors": Neighbors.ADD_REMOVE,
    "people": None,
    "about_rows": None,
    "about_people": None,
}
_FOR_OTHER_COLUMNS: Mapping[str, object] = {"form_sheet": 1, **unit_form.EMPTY}
_PROMISES: Mapping[Neighbors, str] = {
    Neighbors.ADD_REMOVE: "hide whether a person is in the table at all (added or removed; their number is private)",
    Neighbors.REPLACE_ONE: "hide a person's values (replaced; the number of people is public)",
}
_AS_BEFORE = "What was declared last is filled in, because this file's columns have the same names: check it."
_NOT_SURE = (
    "Not sure? Keep this: it also hides that somebody is there. The other fits where the number of people is public "
    "anyway, as with the pupils of a school."
)


@dataclass(frozen=True, slots=True, kw_only=True)
class Declaration:
    """The public facts of a file, what is promised to the people in it, and roughly how many there are."""

    schema: Schema
    neighbors: Neighbors
    labels: Labels
    rows: int | None = None
    people: int | None = None


@dataclass(frozen=True, slots=True)
class _Unready:
    """What is not declared yet, and the columns that contradict themselves, by where that is marked."""

    missing: list[str] = field(default_factory=list)
    contradictory: dict[str, list[str]] = field(default_factory=dict)

    @property
    def sentence(self) -> str:
        """Each of both once; empty where nothing stands in the way."""
        said = [f"Still to declare: {_first_few(self.missing, '; ')}."] if self.missing else []
        said += [
            f"Correct what is marked {where}: {_first_few(names, ', ')}." for where, names in self.contradictory.items()
        ]
        return " ".join(said)


def declaration(read: Preview, *, suggested_name: str, owner: object) -> Declaration | str:
    """Draw the form; what it declares, or the sentence that says what is missing or contradicts itself."""
    _start_over_for(read, typed_before.of(owner))
    unready = _Unready()
    st.markdown(
        f"**What could each value be at least and at most, for anybody, {BLIND}?** "
        ":gray[Kinds are guesses from the first rows: correct them. Nothing else is filled in from your file.]"
    )
    if before := session.remembered("form_as_before", ""):
        st.markdown(f"**{before}**")
    shown = _shown_lines(len(read.columns))
    lines = ((i, _row(i, one, unready, shown=i in shown)) for i, one in enumerate(read.columns))
    kept = {i: column for i, column in lines if column is not None}
    column_words.draw(dict(enumerate(read.names)), shown=shown)
    texts = [column.name for column in kept.values() if isinstance(column, TextColumn)]
    unit = unit_form.draw(read, texts, _doubts(read), unready.missing)
    left, right = st.columns([5, 7], gap="medium")
    with right:
        neighbors, people = _promise(unready.missing)
    with left:
        name = _name(suggested_name)
        rows, about_people = _size(unit, neighbors)
    if unit is None or unready.sentence:
        return unready.sentence
    try:
        schema = _readable(Schema(name=name, columns=tuple(kept.values()), unit=unit, people=people))
        labels = column_words.declared(kept, schema, before=session.scenario())
        return Declaration(schema=schema, neighbors=neighbors, labels=labels, rows=rows, people=about_people)
    except DPEngineError as error:
        return _capitalized(str(error))


def _doubts(read: Preview) -> list[Doubt]:
    """The columns that may name people, texts first; one without any value in the first rows is not asked about."""
    kinds = [
        (i, one, session.widget_held(f"kind_{i}"))
        for i, one in enumerate(read.columns)
        if read.sample is None or read.sample.blanks(one.name) < read.sample.rows
    ]
    texts = [(i, one) for i, one, kind in kinds if kind == "text"]
    numbers = [(i, one) for i, one, kind in kinds if kind == "number" and one.rows_each]
    return [Doubt(name=one.name, place=i, rows_each=one.rows_each) for i, one in (*texts, *numbers)]


def fill(read: Preview, schema: Schema, neighbors: Neighbors, labels: Labels) -> None:
    """Type a whole declaration into the form; columns that it does not know are left out."""
    column_fields.filled_in()
    column_words.filled_in()
    session.remember("form_guesses", ())
    session.remember("form_as_before", "")
    known = {
        column.name: column_fields.typed(column) | column_words.typed(labels, column.name) for column in schema.columns
    }
    for i, name in enumerate(read.names):
        _set_row(i, {"kind": "leave out"} | known.get(name, {}))
    session.set_widget("form_sheet", 1)
    session.set_widget("table_name", "" if _is_practice(schema.name) else schema.name)
    for key, value in unit_form.typed(schema.unit).items():
        session.set_widget(key, value)
    session.set_widget("neighbors", neighbors)
    session.set_widget("people", schema.people)
    for key, number in zip(("about_rows", "about_people"), session.size_of(schema), strict=True):
        session.set_widget(key, number)


def _start_over_for(read: Preview, kept: Typed) -> None:
    """The form for other columns: what was typed for the same file, else the current plan's declarations."""
    names, before = read.names, session.remembered("form_names", None)
    if before == names:
        if session.remembered("form_owner", None) != kept.owner:
            session.remember("form_owner", kept.owner)
            _say_whose_declarations()
        _guess_again(read)
        return
    same_file = isinstance(before, tuple) and session.remembered("form_owner", None) == kept.owner
    if same_file and isinstance(before, tuple):
        guesses = session.remembered("form_guesses", ())
        typed_before.keep(kept, before, guesses if isinstance(guesses, tuple) else ())
    session.remember("form_names", names)
    session.remember("form_owner", kept.owner)
    plan = session.scenario()
    known = {column.name for column in plan.schema.columns} <= set(names)
    if known and not kept.columns:
        fill(read, plan.schema, plan.neighbors, plan.spoken)
        if session.table() is not None:
            _say_whose_declarations()
        return
    _fill_in(read, kept, _FOR_OTHER_COLUMNS if same_file else _EMPTY)


def _say_whose_declarations() -> None:
    """Another file of the same columns begins with what was declared last, but for its name."""
    session.set_widget("table_name", "")
    session.remember("form_as_before", _AS_BEFORE)


def _fill_in(read: Preview, kept: Typed, first: Mapping[str, object]) -> None:
    """What was typed for columns of these names; the others are guessed and empty."""
    session.remember("form_guesses", _guesses(read))
    session.remember("form_as_before", "")
    for i, column in enumerate(read.columns):
        _set_row(i, {"kind": column.kind} | kept.columns.get(column.name, {}))
    for key, value in {**first, **typed_before.unit(kept, read.names)}.items():
        session.set_widget(key, value)


def _guess_again(read: Preview) -> None:
    """The same columns read otherwise, say with a decimal comma, look otherwise: a kind that is a guess follows."""
    before, now = session.remembered("form_guesses", ()), _guesses(read)
    if not isinstance(before, tuple) or not before:
        return
    for i, (old, new) in enumerate(zip(before, now, strict=True)):
        if old != new and session.widget_held(f"kind_{i}") == old:
            session.set_widget(f"kind_{i}", new)
    session.remember("form_guesses", now)


def _guesses(read: Preview) -> tuple[str, ...]:
    return tuple(column.kind for column in read.columns)


def _set_row(i: int, typed: Mapping[str, object]) -> None:
    for name, value in {**column_fields.FIELDS, **typed}.items():
        session.set_widget(f"{name}_{i}", value)


def _shown_lines(count: int) -> range:
    """The columns whose lines are drawn: all, or for a wide table one sheet of the form, which keeps what it holds."""
    if count <= SHEET:
        return range(count)
    left, right = st.columns([3, 5], vertical_alignment="center")
    with left:
        sheet = st.pagination(-(-count // SHEET), key="form_sheet", persist_state="session")
    shown = range(SHEET * (sheet - 1), min(SHEET * sheet, count))
    right.caption(f"columns {shown.start + 1} to {shown.stop} of {count}; the other sheets keep what you typed")
    return shown


def _row(i: int, guess: ColumnGuess, unready: _Unready, *, shown: bool) -> Column | None:
    """One column's line; what it lacks is `missing`, what contradicts itself is said below it."""
    if shown:
        column_fields.draw(i, guess.name, seen=guess.categories)
    try:
        return column_fields.declared(i, guess.name)
    except IntakeError as unfinished:
        unready.missing.append(str(unfinished))
    except DPEngineError as error:
        if shown:
            st.error(unmarked(_capitalized(str(error))))
        where = "above" if shown else f"on sheet {i // SHEET + 1}"
        unready.contradictory.setdefault(where, []).append(f"'{guess.name}'")
    return None


def _name(suggested: str) -> str:
    typed = st.text_input("Name of the table", key="table_name", placeholder=suggested, persist_state="session")
    return str(typed or "").strip() or suggested


def _size(unit: PrivacyUnit | None, neighbors: Neighbors) -> tuple[int | None, int | None]:
    """Roughly how many rows and people there are: a public guess, which errors of means and shares depend on.

    Where the number of people is public, it is declared, and nobody is asked to guess it, too.
    """
    several, public = unit is None or unit.identifier is not None, neighbors is Neighbors.REPLACE_ONE
    if public and not several:
        return None, None
    left, right = st.columns(2, vertical_alignment="bottom")
    rows = _about(left, "Rows, roughly" if several else "Rows (people), roughly", "about_rows")
    people = _about(right, "People, roughly", "about_people") if several and not public else None
    st.caption("A guess that may be public; do not count them. Errors of means and shares depend on it.")
    return rows, people


def _about(place: DeltaGenerator, label: str, key: str) -> int | None:
    typed = place.number_input(
        label,
        value=None,
        min_value=1,
        max_value=_MOST_ROWS,
        step=1,
        key=key,
        placeholder="such as 10000",
        persist_state="session",
    )
    return None if typed is None else int(typed)


def what_to_hide(key: str, *, on_change: Callable[[], None] | None = None) -> Neighbors:
    """Which relation the answers are about, in plain words."""
    asked, both = "What should the answers hide?", list(_PROMISES)
    return st.radio(
        asked, both, format_func=_PROMISES.__getitem__, key=key, on_change=on_change, persist_state="session"
    )


def _promise(missing: list[str]) -> tuple[Neighbors, int | None]:
    neighbors = what_to_hide("neighbors")
    if neighbors is Neighbors.ADD_REMOVE:
        st.caption(_NOT_SURE)
        return neighbors, None
    people = st.number_input(
        "Number of people, as it is publicly known",
        value=None,
        step=1,
        key="people",
        placeholder="do not count the rows",
        persist_state="session",
    )
    if people is None:
        missing.append("the public number of people")
    return neighbors, None if people is None else int(people)


def _readable(schema: Schema) -> Schema:
    """The same, where its name, columns and values are taken for no others."""
    if _is_practice(schema.name):
        raise IntakeError(f"'{schema.name}' is the name of a practice table: give your table another name.")
    schema.require_read_apart()
    return schema


def _is_practice(name: str) -> bool:
    """Whether a reader takes it for one of ours, by its name or the words for it."""
    ours = (one for sample in sample_names() for one in (sample, sample_labels(sample).table))
    return look(name.replace("_", " ")) in {look(one.replace("_", " ")) for one in ours}


def _first_few(named: Sequence[str], between: str) -> str:
    more = len(named) - _MOST_NAMED
    return between.join(named[:_MOST_NAMED]) + (f"{between}and {more} more" if more > 0 else "")


def _capitalized(sentence: str) -> str:
    return sentence[:1].upper() + sentence[1:]
