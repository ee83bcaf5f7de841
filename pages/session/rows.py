"""The rows that this session may read, and what of them may be shown."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from typing import TypeVar

import streamlit as st

from dpengine.accuracy import ContributionBias, Guess, contribution_bias, guess_from_rows
from dpengine.data import Contributions, Labels, Schema, Table, load_sample
from dpengine.data.files.file_form import UNSAID, FileForm
from dpengine.errors import IntakeError
from dpengine.privacy import Neighbors
from dpengine.queries import Query
from dpengine.queries.part import Integers
from dpengine.scenario import Lost, Redeclared, Scenario, redeclared
from pages.serving.layers import uploads
from pages.serving.once import Once
from pages.session.first_plan import first_plan
from pages.session.granted import budget_came_along, budget_was_left, table_of
from pages.session.kept import call_nothing, notice
from pages.session.lent import give_back
from pages.session.lost import keep_lost, lost_of
from pages.session.plan import TABLE_CHANGES, forget_what_was_shown, kept_plan, replace_scenario, scenario

_Exact = TypeVar("_Exact")
_ANY = b"within one session"


def table() -> Table | None:
    """The rows that the plan is about, if this session has them: a built-in table, or the one that was brought."""
    brought, plan = st.session_state.get("table"), scenario()
    if brought is not None and not brought.closed and brought.schema == plan.schema:
        return brought  # type: ignore[no-any-return]
    return built_in_table(plan.table_name) if plan.built_in else None


def table_form() -> FileForm | None:
    """How the file of these rows is written, None where they are not here."""
    rows = table()
    if rows is None:
        return None
    return UNSAID if rows.built_in else st.session_state.get("table_form")


@Once
def built_in_table(name: str) -> Table:
    """A table that ships with the program, read once for all sessions; each page asks for it several times."""
    with st.spinner("Reading the built-in table"):
        return load_sample(name)[0]


def is_built_in() -> bool:
    """Whether the plan is about a public, built-in table, under the schema that it ships with."""
    return scenario().built_in


def bring_table(new: Table, neighbors: Neighbors, form: FileForm, labels: Labels) -> None:
    """Take in an uploaded table: its exact values start hidden, its questions are those of its own plan, if any.

    Of a table that was declared otherwise before, the questions that hold come along, and the others are kept apart.
    """
    plan, before = _continued(new.schema)
    _leave(unless=new)
    _free()
    found = redeclared(replace(plan, labels=Labels()), new.schema, neighbors, before=before)
    st.session_state.table, st.session_state.table_form = new, form
    uploads.hold(new.close)
    st.session_state.exact_shown = False
    replace_scenario(replace(found.plan, labels=labels), before=plan, came_from=found.came_from)
    if table_of(plan) != table_of(found.plan):
        budget_came_along(found.plan)
    keep_lost(found.plan, found.lost)
    if found.lost:
        notice(_left_behind(found))


def hide_instead(neighbors: Neighbors) -> None:
    """Let answers about a built-in table hide the other thing; questions that do not hold then are kept apart."""
    plan = scenario()
    found = redeclared(plan, plan.schema, neighbors, before=lost_of(plan))
    replace_scenario(found.plan, before=plan, came_from=found.came_from)
    keep_lost(found.plan, found.lost)
    if found.lost:
        notice(_left_behind(found))


def _continued(schema: Schema) -> tuple[Scenario, tuple[Lost, ...]]:
    """The plan that goes on with this table, and what it has lost so far; of another table's, no question.

    Declared as it was before, it has its questions again, and what is planned for this table now stays.
    """
    now = scenario()
    plan = kept_plan(schema.name, schema) or now
    if now.table_name == schema.name and not now.built_in:
        plan = replace(plan, budget=now.budget, rule=now.rule)
    if plan.table_name != schema.name or plan.built_in:
        return replace(plan, queries=()), ()
    return plan, lost_of(plan)


def _left_behind(found: Redeclared) -> str:
    stay, one = len(found.plan.queries), len(found.lost) == 1
    return (
        f"Under the new declarations, {'one question does' if one else f'{len(found.lost)} questions do'} not hold any "
        f"more ({stay} came along). The Questions page says why, and lets you correct {'it' if one else 'them'}."
    )


def open_built_in(name: str) -> None:
    """Switch to a built-in table and the plan that this session made for it, at first the ready-made one."""
    forget_table()
    ready_made = first_plan(name)
    plan = kept_plan(name, ready_made.schema) or ready_made
    replace_scenario(plan, before=plan)


def forget_table() -> None:
    """Remove an uploaded table, and everything computed from it, from this server's memory."""
    _leave()
    _free()


def _leave(*, unless: Table | None = None) -> None:
    """Other rows may come under this name: no budget was planned for them, unless they are the same ones."""
    brought: Table | None = st.session_state.get("table")
    if brought is not None and (unless is None or unless.fingerprint(_ANY) != brought.fingerprint(_ANY)):
        budget_was_left(brought.schema.name)


def _free() -> None:
    brought = st.session_state.pop("table", None)
    forget_what_was_shown()
    if brought is not None:
        brought.close()


def forget_everything() -> None:
    """End this session's memory, whatever happens to its table; what a browser still says of that is about none."""
    try:
        give_back()
        _free()
    finally:
        changes = st.session_state[TABLE_CHANGES]
        st.session_state.clear()
        st.session_state[TABLE_CHANGES] = changes
        call_nothing()


def exact_shown() -> bool:
    """Whether exact values may be drawn: yes for built-in tables, no for others until the curator says so."""
    return bool(st.session_state.setdefault("exact_shown", is_built_in())) and table() is not None


def shows_real_people() -> bool:
    """Whether exact values of a table that was brought may be on the screen: what is taken away may hold them."""
    return st.session_state.get("table") is not None and bool(st.session_state.get("exact_shown"))


def key_of_table(name: str) -> str:
    """The key of a widget about the table in use, another one after each change of it.

    A browser that has not heard of a table sends along what it held for the one before: of this one it says nothing.
    """
    changes = st.session_state.get(TABLE_CHANGES, 0)
    return f"{name}_{changes}" if changes else name


def show_exact(*, shown: bool) -> None:
    """Show or hide exact values."""
    st.session_state.exact_shown = shown


def required_table() -> Table:
    """The rows, where a page has made sure that they are here."""
    if (current := table()) is None:
        raise IntakeError("The rows of this table are not here. Bring it again on the Data page.")
    return current


def exact_guess(query: Query) -> Guess:
    """The exact size of an answer, for the curator who may see it."""
    plan = scenario()
    return _once("guess", query, lambda rows: guess_from_rows(query, plan.schema, plan.neighbors, rows))


def exact_scores(query: Query) -> Integers:
    """The exact scores of the candidates of a choice, for the curator who may see them."""
    part = query.parts(scenario().schema, scenario().neighbors)[0]
    return _once("scores", query, lambda rows: part.exact(rows.run(part.aggregate)))


def exact_bias(query: Query) -> ContributionBias:
    """The exact answer with the bounds on each person's rows and without, for the curator who may see it."""
    plan = scenario()
    return _once("bias", query, lambda rows: contribution_bias(query, plan.schema, plan.neighbors, rows))


def exact_contributions() -> Contributions:
    """How many people have how many rows, for the curator who may see it."""
    return _once("contributions", None, lambda rows: rows.contributions())


def _once(kind: str, query: Query | None, read: Callable[[Table], _Exact]) -> _Exact:
    """Something exact, read once a session and never shared; forgotten with the table."""
    plan = scenario()
    known = st.session_state.setdefault("guesses", {})
    key = (kind, query, plan.schema, plan.neighbors)
    if key not in known:
        known[key] = read(required_table())
    return known[key]  # type: ignore[no-any-return]


@st.cache_data(max_entries=8)
def built_in_guess(name: str) -> Guess:
    """The exact size of the first question's answer on a built-in table, which is public."""
    plan = first_plan(name)
    return guess_from_rows(plan.queries[0].query, plan.schema, plan.neighbors, built_in_table(name))
