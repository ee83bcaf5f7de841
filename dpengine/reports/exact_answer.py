"""What noise is added to and an interval is for: not always what somebody would compute from the file."""

from __future__ import annotations

from dpengine.data import Schema
from dpengine.formatting import amount
from dpengine.ledger import Estimate, Release
from dpengine.privacy import Neighbors
from dpengine.queries import (
    Query,
    SumQuery,
)
from dpengine.queries.forms import ByGroup, ChoiceForm, OfNumbers, RatioForm, VarianceForm, is_of_people
from dpengine.queries.sensitivity.sentences import agreeing, plural
from dpengine.queries.total import counts_everybody
from dpengine.reports.quoting import LONGEST_UNIT, one_line


def exact_answer(known: Estimate | Release) -> str:
    """The answer that the noise was added to, as `exact_answer_to` says it."""
    return exact_answer_to(known.query, known.schema, known.neighbors)


def exact_answer_to(query: Query, schema: Schema, neighbors: Neighbors) -> str:
    """The answer that noise is added to, with everything that is done to the rows first; no markdown in it.

    "the exact answer" where nothing is; nothing in it comes from a row.
    """
    done = done_first(query, schema, neighbors)
    if len(query.parts(schema, neighbors)[0].labels) == 1:
        return f"the answer that the table gives once {done}" if done else "the exact answer"
    return f"all answers that the table gives once {done}" if done else "all exact answers"


def done_first(query: Query, schema: Schema, neighbors: Neighbors) -> str:
    """What is done to the rows before they are counted or added up, as the words after "once"; empty where nothing."""
    return " and ".join([*_cut(query, schema), *_capped(query, schema), *_divided(query, schema, neighbors)])


def _cut(query: Query, schema: Schema) -> list[str]:
    """The bounds of each value."""
    if not isinstance(query, OfNumbers) or isinstance(query, ChoiceForm):
        return []
    column = schema.number(query.column)
    unit = f" {one_line(column.unit, LONGEST_UNIT)}" if column.unit else ""
    return [f"values are cut to {amount(column.lower, 6)} to {amount(column.upper, 6)}{unit}"]


def _capped(query: Query, schema: Schema) -> list[str]:
    """How many rows of a person count, and in how many groups."""
    if schema.one_row_each or is_of_people(query):
        return []
    unit, by_group = schema.unit, isinstance(query, ByGroup)
    groups = [f"in at most {plural(unit.groups, 'group')}"] if by_group and unit.groups else []
    each = [f"at most {unit.rows_per_group} in each group"] if by_group and unit.rows_per_group else []
    caps = f" ({', '.join([*groups, *each])})" if groups or each else ""
    return [f"at most {plural(unit.rows, 'row')} of a person{caps} {agreeing(unit.rows, 'count')}"]


def _divided(query: Query, schema: Schema, neighbors: Neighbors) -> list[str]:
    """The declared number of people, where the answer takes it for the true one."""
    people = schema.people
    if isinstance(query, RatioForm | VarianceForm) and len(query.parts(schema, neighbors)) == 1:
        return [f"all is divided by the declared {people:,} people"]
    if isinstance(query, SumQuery):
        column = schema.number(query.column)
        if counts_everybody(column, query.where, schema, neighbors):
            return [f"their number is taken to be the declared {people:,}"]
    return []
