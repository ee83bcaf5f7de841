"""What is done to the rows first, and what bounds on them do to the answer, for the curator's eyes only."""

from __future__ import annotations

from dpengine.data import Schema
from dpengine.formatting import amount, measure_of
from dpengine.queries import Query
from dpengine.queries.forms import ByGroup, is_of_people
from dpengine.reports import done_first
from pages import session
from pages.phrasing import wording
from pages.question.question_view import QuestionView
from pages.widgets.escaping import unmarked


def given(question: QuestionView, number: str) -> str:
    """The answer that noise is added to, as it is read, with everything that is done to the rows first."""
    done = done_first(question.planned.query, question.plan.schema, question.plan.neighbors)
    eyes = f":gray[({wording.whose_eyes()})]"
    return f"The table gives **{number}** once {unmarked(done)} {eyes}" if done else f"Exact answer **{number}** {eyes}"


def around(query: Query, schema: Schema) -> str:
    """That an error is told around the capped answer; empty where no cap applies."""
    if schema.one_row_each or is_of_people(query):
        return ""
    caps = "caps on rows and groups drop" if _groups(query, schema) else "cap on rows drops"
    return f"The error is measured from the capped answer. What the {caps} comes on top."


def said(query: Query, schema: Schema) -> str:
    """What the caps leave out, as far as the reader may know; where that is seen to be nothing, this alone."""
    known = line(query)
    if known and not session.exact_bias(query).largest:
        return known
    return f"{around(query, schema)} {known}".strip()


def line(query: Query) -> str:
    """How many rows the bounds drop, and how far that moves the answer; empty where there is no bound or no look."""
    schema = session.scenario().schema
    if schema.one_row_each or is_of_people(query) or not session.exact_shown():
        return ""
    rows, read = schema.unit.rows, session.exact_contributions()
    bias, eyes = session.exact_bias(query), f":gray[(exact; {wording.whose_eyes()})]"
    groups = _groups(query, schema)
    cap = f"Counting at most {rows} row{'s' if rows > 1 else ''} per person"
    dropped = f"drops **{amount(100.0 * read.dropped_share(rows))}%** of the rows" if read.dropped(rows) else ""
    if groups:
        groups += f" (the cap on rows alone {dropped})," if dropped else ","
        cap, dropped = f"{cap}{groups}", ""
    if not bias.largest:
        idle = "does not change this answer" if groups else "drops no row here"
        return f"{cap} {f'{dropped}, but does not change this answer' if dropped else idle} {eyes}."
    kept = f"{dropped} and changes" if dropped else "changes"
    if len(bias.bounded) == 1:
        measure = measure_of(query, schema)
        before, now = (measure.answer(float(ends[0]), 6) for ends in (bias.unbounded, bias.bounded))
        exact = f"the exact answer from {before} to **{now}**"
    else:
        most = f"one of them by **{amount(bias.largest)}**"
        exact = f"the exact answers by {amount(100.0 * bias.relative)}% in total, {most}"
    return f"{cap} {kept} {exact} {eyes}. A larger epsilon does not undo that."


def _groups(query: Query, schema: Schema) -> str:
    """The caps on groups, in words, where an answer by group is held to any."""
    unit, caps = schema.unit, []
    if not isinstance(query, ByGroup):
        return ""
    if unit.groups:
        caps.append(f", in at most {unit.groups} group{'s' if unit.groups > 1 else ''}")
    if unit.rows_per_group:
        caps.append(f", with at most {unit.rows_per_group} row{'s' if unit.rows_per_group > 1 else ''} in each")
    return "".join(caps)
