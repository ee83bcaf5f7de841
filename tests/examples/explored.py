"""Plans to write briefs of: the built-in ones, many cells, many questions, names that mean harm, long names."""

from __future__ import annotations

from datetime import date

from dpengine.accuracy import guess_from_rows, guess_without_rows
from dpengine.data import CategoryColumn, NumberColumn, OneOf, Schema, Table
from dpengine.plan import PlannedQuery
from dpengine.privacy import Guarantee, Neighbors
from dpengine.queries import (
    GroupedMeanQuery,
    HistogramQuery,
    MeanQuery,
    ModeQuery,
    QuantileQuery,
    Query,
    VarianceQuery,
)
from dpengine.reports import Explored, listed
from dpengine.scenario import Scenario
from tests.examples.kept import hostile_schema

DAY = date(2026, 1, 2)
LONG = ("P " * 50 + "Q", "W" * 118, "漢" * 118, *(f"{number} {'W' * 100}" for number in range(40)))
FINE = Guarantee(epsilon=0.123456789, delta=1.2345e-9)


def explored(plan: Scenario, place: int = 0, *, rows: Table | None = None, **more: object) -> Explored:
    """A question in focus; guesses from the rows of a public table, or from the declaration alone."""
    around = plan.schema, plan.neighbors
    queries = {at: plan.queries[at].query for at in listed(plan, place)}
    guesses = {
        at: guess_without_rows(query, plan.schema) if rows is None else guess_from_rows(query, *around, rows)
        for at, query in queries.items()
    }
    return Explored(plan=plan, place=place, guesses=guesses, day=DAY, public=rows is not None, **more)  # type: ignore[arg-type]


def cells_plan(cells: int) -> Scenario:
    """A histogram with so many bins, and a question about so many categories."""
    schema = Schema(
        name="visits",
        columns=(
            NumberColumn(name="age", lower=0, upper=120, unit="years"),
            CategoryColumn(name="county", categories=tuple(f"county {number}" for number in range(cells))),
        ),
    )
    edges = tuple(120.0 * edge / cells for edge in range(1, cells))
    asked: tuple[Query, ...] = (HistogramQuery("age", edges), HistogramQuery("county"))
    return plan_of(schema, asked, Guarantee(epsilon=0.5))


def named_plan(names: tuple[str, ...], *, rule: str = "basic") -> Scenario:
    """Twice six kinds of questions with these names, with Gaussian noise where that may be."""
    schema = hostile_schema(names)
    _, number, category = (column.name for column in schema.columns)
    where = OneOf(category, schema.columns[2].categories)  # type: ignore[union-attr]
    asked: tuple[Query, ...] = (
        VarianceQuery(number, where),
        MeanQuery(number, where),
        GroupedMeanQuery(number, (category,)),
        HistogramQuery(category),
        QuantileQuery(number, 0.5, where=where),
        ModeQuery(category),
    )
    return plan_of(schema, asked * 2, FINE, rule=rule)


def plan_of(schema: Schema, asked: tuple[Query, ...], guarantee: Guarantee, *, rule: str = "basic") -> Scenario:
    """A plan of these questions; with a delta, all but choices have Gaussian noise."""
    planned = tuple(
        PlannedQuery(query=query, guarantee=guarantee, mechanism="gaussian")
        if guarantee.delta and not isinstance(query, QuantileQuery | ModeQuery)
        else PlannedQuery(query=query, guarantee=Guarantee(epsilon=guarantee.epsilon))
        for query in asked
    )
    return Scenario(
        table_name=schema.name,
        schema=schema,
        neighbors=Neighbors.ADD_REMOVE,
        queries=planned,
        budget=Guarantee(epsilon=3.0, delta=1e-6),
        rule=rule,
    )
