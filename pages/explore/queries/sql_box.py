"""The SQL box beside the builder: it shows the builder's question, and takes one that the builder then shows."""

from __future__ import annotations

from dataclasses import dataclass, replace

import streamlit as st

from dpengine.data import Schema
from dpengine.errors import DPEngineError, RefusedQueryError
from dpengine.queries import Query, parse_sql, to_sql
from pages import session
from pages.explore.queries import builder_filling, refused_examples
from pages.widgets.escaping import unmarked

BOX, EXAMPLE = "sql_text", "sql_example"
_UNREAD = object()
_HELP = (
    "One SELECT of one figure: count(*), sum, avg, var_pop, median, mode, histogram, or percentile_cont(0.9) WITHIN "
    "GROUP (ORDER BY column). WHERE compares columns with constants: =, <>, <, IN, BETWEEN, IS NULL, AND, OR, NOT. "
    "avg(CASE WHEN condition THEN 1 ELSE 0 END) is a share; several of them, or several count(*) FILTER (WHERE "
    "condition), are asked at once. GROUP BY one or two columns with public values. Unlike in "
    "SQL, NOT and NOT IN also count rows whose value is missing. No row is read to understand it."
)


@dataclass(frozen=True, slots=True, kw_only=True)
class TypedSql:
    """What was typed, the question in it or why it was refused, and what the builder said when it was read."""

    text: str
    schema: Schema
    question: Query | str
    built: object = _UNREAD


def question(built: Query | str, schema: Schema) -> Query | str:
    """The question of the page: what was typed in SQL until the builder says something else, then the builder's."""
    typed = _typed(schema)
    if typed is not None and typed.built is _UNREAD:
        typed = replace(typed, built=built)
        session.remember("sql_typed", typed)
    if typed is not None and typed.built == built:
        unchanged = "Change what stands in the SQL box first." if typed.text else "Change it in the builder first."
        return typed.question if not isinstance(typed.question, str) else unchanged
    session.remember("sql_typed", None)
    return built


def show(built: Query | str, schema: Schema) -> None:
    """The box, what it says about the builder, and what is refused."""
    typed = _typed(schema)
    text, silent = (typed.text, "") if typed else _written(built, schema)
    session.set_widget(BOX, text)
    st.text_area(
        "The question in SQL",
        key=BOX,
        height=122,
        on_change=_read_typed,
        args=(schema,),
        help=_HELP,
        placeholder="SELECT …",
    )
    place = st.container(horizontal=True, vertical_alignment="center", gap="small")
    place.button("Use this SQL", key="sql_read", on_click=_read_box, args=(schema,))
    refused_examples.chosen(place, schema, key=EXAMPLE, on_change=lambda: _read_example(schema))
    if typed is None:
        st.markdown(f":gray[{silent}]" if silent else ":gray[This is the builder's question. Change it here or there.]")
    elif isinstance(typed.question, str):
        _refusal(typed.question, schema)
    elif typed.question == built:
        st.markdown(":gray[In use: the builder says the same.]")
    else:
        st.markdown("In use as it stands: **the builder cannot show all of it.** A change in the builder replaces it.")


def take(asked: Query, schema: Schema) -> None:
    """Put a question into both, the box and the builder; into the builder alone where SQL has no words for it."""
    try:
        _read(to_sql(asked, schema), schema)
    except RefusedQueryError:
        session.remember("sql_typed", None)
        builder_filling.fill(asked, schema)


def take_refused(asked: Query, schema: Schema, reason: str) -> None:
    """Put what still holds of a refused question into the builder; the page refuses it until something is changed."""
    session.remember("sql_typed", TypedSql(text="", schema=schema, question=reason))
    builder_filling.fill(asked, schema)


def is_refused(schema: Schema) -> bool:
    """Whether a text stands in the box that has no answer."""
    typed = _typed(schema)
    return typed is not None and isinstance(typed.question, str)


def _typed(schema: Schema) -> TypedSql | None:
    kept = session.remembered("sql_typed", None)
    return kept if isinstance(kept, TypedSql) and kept.schema == schema else None


def _written(built: Query | str, schema: Schema) -> tuple[str, str]:
    """The builder's question in SQL, or nothing and the sentence why."""
    if isinstance(built, str):
        return "", "The builder's question is not finished yet; then its SQL appears here."
    try:
        return to_sql(built, schema), ""
    except RefusedQueryError as error:
        return "", unmarked(str(error))


def _read_typed(schema: Schema) -> None:
    """A box that is empty asks nothing: it may be the browser's, which has not heard yet what the builder says."""
    if session.widget_held(BOX):
        _read_box(schema)


def _read_box(schema: Schema) -> None:
    _read(str(session.widget_held(BOX) or ""), schema)


def _read_example(schema: Schema) -> None:
    chosen = session.widget_held(EXAMPLE)
    session.set_widget(EXAMPLE, None)
    if chosen:
        _read(str(chosen), schema)


def _read(text: str, schema: Schema) -> None:
    """Keep what a text asks, and fill the builder with it; or why it cannot be answered."""
    try:
        asked = parse_sql(text, schema)
    except DPEngineError as error:
        session.remember("sql_typed", TypedSql(text=text, schema=schema, question=str(error)))
        return
    session.remember("sql_typed", TypedSql(text=text, schema=schema, question=asked))
    builder_filling.fill(asked, schema)


def _refusal(reason: str, schema: Schema) -> None:
    """What is wrong and why, and what to ask instead, ready to be asked where the reason names a question."""
    before, instead = _without_question(reason, schema)
    st.error(f"**Refused.** :gray[No row was read, and nothing was charged.]  \n{unmarked(before)}")
    if instead:
        st.code(instead, language="sql", wrap_lines=True)
    place = st.container(horizontal=True, gap="small")
    if instead:
        place.button("Ask that instead", key="sql_instead", on_click=_read, args=(instead, schema))
    place.button("Back to the builder's question", key="sql_back", on_click=session.remember, args=("sql_typed", None))


def _without_question(reason: str, schema: Schema) -> tuple[str, str]:
    """A reason, and the question that it ends with if there is one that can be asked."""
    start = reason.rfind("SELECT ")
    instead = reason[start:].removesuffix(".") if start >= 0 else ""
    try:
        parse_sql(instead, schema)
    except DPEngineError:
        return reason, ""
    return reason[:start], instead
