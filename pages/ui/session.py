"""What one browser session holds: scenario, table, what may be shown. Nobody else touches st.session_state."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace
from typing import TypeVar

import streamlit as st

from dpengine.accuracy import ContributionBias, Guess, contribution_bias, guess_from_rows
from dpengine.data import Contributions, Schema, Table, load_sample, sample_names
from dpengine.errors import DPEngineError, IntakeError, ScenarioError
from dpengine.plan import PlannedQuery
from dpengine.privacy import Guarantee, Neighbors
from dpengine.queries import Query
from dpengine.queries.part import Integers
from dpengine.scenario import Scenario
from pages.ui.first_plan import first_plan

_Exact = TypeVar("_Exact")
MOST_PLANS = 20


def scenario() -> Scenario:
    """The plan of this session: from the address at first, else a ready-made one on a built-in table."""
    if "scenario" not in st.session_state:
        st.session_state.scenario = _scenario_of_address()
    return st.session_state.scenario  # type: ignore[no-any-return]


def _scenario_of_address() -> Scenario:
    link = st.query_params.get("plan")
    if link:
        try:
            return Scenario.from_link(link)
        except ScenarioError as error:
            notice(str(error) + " A ready-made plan is shown instead.")
    return first_plan("rand_hie")


def replace_scenario(new: Scenario) -> None:
    """Keep a changed plan, in the session and in the address; what may be shown is decided anew for each table."""
    old = scenario()
    if new.schema != old.schema or new.table_name != old.table_name:
        _keep_plan(old)
        for key in ("question", "exact_shown"):
            st.session_state.pop(key, None)
        _forget_what_was_shown()
    st.session_state.scenario = new
    write_address()


def _keep_plan(plan: Scenario) -> None:
    """Keep a table's plan while another table is in use; of many, those left last."""
    plans = st.session_state.setdefault("plans", {})
    plans.pop((plan.table_name, plan.schema), None)
    plans[plan.table_name, plan.schema] = plan
    while len(plans) > MOST_PLANS:
        del plans[next(iter(plans))]


def _kept_plan(table_name: str, schema: Schema) -> Scenario | None:
    """The plan that this session made for a table under these declarations."""
    plan = scenario()
    if (plan.table_name, plan.schema) == (table_name, schema):
        return plan
    return st.session_state.get("plans", {}).get((table_name, schema))  # type: ignore[no-any-return]


def plan_left() -> Scenario | None:
    """The plan of a table used before, where the one in use has no questions and that one has some of its own."""
    plans = [] if scenario().queries else list(st.session_state.get("plans", {}).values())
    left = plans[-1] if plans else None
    ready_made = left is not None and left.table_name in sample_names() and left == first_plan(left.table_name)
    return left if left is not None and left.queries and not ready_made else None


def write_address() -> None:
    """Put the plan into the address, so that a reload or a bookmark brings it back."""
    link = scenario().to_link()
    if st.query_params.get("plan") != link:
        st.query_params["plan"] = link


def table() -> Table | None:
    """The rows that the plan is about, if this session has them: a built-in table, or the one that was brought."""
    brought = st.session_state.get("table")
    if brought is not None and brought.schema == scenario().schema:
        return brought  # type: ignore[no-any-return]
    return _built_in_table(scenario().table_name) if is_built_in() else None


@st.cache_resource(max_entries=8, show_spinner="Reading the built-in table")
def _built_in_table(name: str) -> Table:
    return load_sample(name)[0]


def is_built_in() -> bool:
    """Whether the plan is about a public, built-in table, under the schema that it ships with."""
    plan = scenario()
    return plan.table_name in sample_names() and plan.schema == built_in_schema(plan.table_name)


@st.cache_data(max_entries=8)
def built_in_schema(name: str) -> Schema:
    """The ready-made schema of a built-in table."""
    return _built_in_table(name).schema


def bring_table(new: Table, neighbors: Neighbors) -> None:
    """Take in an uploaded table: its exact values start hidden, its questions are those of its own plan, if any."""
    forget_table()
    kept = _kept_plan(new.schema.name, new.schema)
    plan = kept or scenario()
    st.session_state.table = new
    st.session_state.exact_shown = False
    replace_scenario(
        Scenario(
            table_name=new.schema.name,
            schema=new.schema,
            neighbors=neighbors,
            queries=kept.queries if kept else (),
            budget=plan.budget,
            rule=plan.rule,
        )
    )


def open_built_in(name: str) -> None:
    """Switch to a built-in table and the plan that this session made for it, at first the ready-made one."""
    forget_table()
    ready_made = first_plan(name)
    replace_scenario(_kept_plan(name, ready_made.schema) or ready_made)


def forget_table() -> None:
    """Remove an uploaded table, and everything computed from it, from this server's memory."""
    brought = st.session_state.pop("table", None)
    if brought is not None:
        brought.close()
    _forget_what_was_shown()


def forget_everything() -> None:
    """End this session's memory, its table first."""
    forget_table()
    st.session_state.clear()


def _forget_what_was_shown() -> None:
    shown = {"guesses", "kept_released", "kept_refused", "kept_least_epsilon"}
    for key in [name for name in st.session_state if name in shown or str(name).endswith("_own")]:
        del st.session_state[key]


def exact_shown() -> bool:
    """Whether exact values may be drawn: yes for built-in tables, no for others until the curator says so."""
    return bool(st.session_state.setdefault("exact_shown", is_built_in())) and table() is not None


def show_exact(*, shown: bool) -> None:
    """Show or hide exact values."""
    st.session_state.exact_shown = shown


def question_index() -> int:
    """Which planned question the pages talk about."""
    return min(int(st.session_state.get("question", 0)), max(len(scenario().queries) - 1, 0))


def choose_question(index: int) -> None:
    """Talk about another question."""
    st.session_state.question = index


def keep_query(planned: PlannedQuery) -> None:
    """Put a changed question back in its place in the plan."""
    replace_scenario(scenario().with_query_at(question_index(), planned))


def remembered(key: str, value: object) -> object:
    """A value that survives a change of page, `value` at first."""
    return st.session_state.setdefault("kept_" + key, value)


def remember(key: str, value: object) -> None:
    """Keep a value beyond a change of page."""
    st.session_state["kept_" + key] = value


def enter(page: str) -> None:
    """Forget what a page said about the last thing done there, once another one is open."""
    if remembered("page", page) != page:
        remember("loading_stopped", None)
    remember("page", page)


def notice(text: str) -> None:
    """Queue a sentence for the top of the next page."""
    st.session_state.setdefault("notices", []).append(text)


def take_notices() -> list[str]:
    """The queued sentences, once."""
    return list(st.session_state.pop("notices", []))


def attempt(action: object) -> bool:
    """Run an action and turn an engine error into a notice; says whether it went well."""
    try:
        action()  # type: ignore[operator]
    except DPEngineError as error:
        notice(str(error))
        return False
    return True


def widget_starts_at(key: str, value: object) -> None:
    """The first value of a widget; later runs keep what the person chose."""
    st.session_state.setdefault(key, value)


def widget_starts_over(key: str, value: object, *, owner: object) -> None:
    """The first value of a widget, and its value again whenever it comes to belong to another owner."""
    if remembered(f"{key}_owner", owner) != owner:
        set_widget(key, value)
    remember(f"{key}_owner", owner)
    widget_starts_at(key, value)


def widget_value(key: str) -> float:
    """What a widget holds now."""
    return st.session_state[key]  # type: ignore[no-any-return]


def set_widget(key: str, value: object) -> None:
    """Move a widget before it is drawn."""
    st.session_state[key] = value


def widget_stays_within(key: str, options: Sequence[object]) -> None:
    """Forget what a menu of another table holds, before the menu of this one is drawn."""
    held = st.session_state.get(key)
    if isinstance(held, list):
        st.session_state[key] = [value for value in held if value in options]
    elif held is not None and held not in options:
        del st.session_state[key]


def copy_widget(source: str, target: str) -> None:
    """Give one widget the value of another, when the other was moved."""
    st.session_state[target] = st.session_state[source]


def follow_question(key: str) -> None:
    """Talk about the question that a selector points at."""
    choose_question(int(st.session_state[key]))


def required_table() -> Table:
    """The rows, where a page has made sure that they are here."""
    if (current := table()) is None:
        raise IntakeError("The rows of this table are not here. Bring it again on the Data page.")
    return current


def widget_held(key: str) -> object:
    """What a widget holds, None where it has not been drawn."""
    return st.session_state.get(key)


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


def keep_rule(rule: str) -> None:
    """Put the rule by which an account adds up into the plan."""
    replace_scenario(replace(scenario(), rule=rule))


def keep_budget(changed: Scenario, budget: Guarantee) -> None:
    """Put changed shares and a changed budget into the plan."""
    replace_scenario(replace(changed, budget=budget))


@st.cache_data(max_entries=8)
def built_in_guess(name: str) -> Guess:
    """The exact size of the first question's answer on a built-in table, which is public."""
    plan = first_plan(name)
    return guess_from_rows(plan.queries[0].query, plan.schema, plan.neighbors, _built_in_table(name))
