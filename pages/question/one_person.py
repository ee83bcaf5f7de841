"""How far one person moves an answer, and why: each noisy part, both relations, and what one person could move far."""

from __future__ import annotations

from dataclasses import replace
from functools import singledispatch

from dpengine.accuracy import largest_shift
from dpengine.data import Schema, TextColumn
from dpengine.errors import DPEngineError
from dpengine.formatting import amount, at_most, error_in, measure_of, unit_after
from dpengine.plan import PlannedQuery
from dpengine.privacy import Neighbors
from dpengine.queries import (
    AnyPart,
    HistogramQuery,
    ModeQuery,
    QuantileQuery,
    Query,
    SeveralProportionsQuery,
    StatisticalQueries,
    declared_number,
)
from dpengine.queries.forms import (
    ByGroup,
    ChoiceForm,
    CountForm,
    RatioForm,
    SumForm,
    VarianceForm,
    over_the_same_rows,
)
from dpengine.queries.sensitivity.sentences import relation_apart
from dpengine.reports.declared import columns_asked
from dpengine.scenario import Scenario
from pages.phrasing.wording import COUNT_WORDS, listed
from pages.question import guesses
from pages.widgets.escaping import unmarked

PART_WORDS = {
    "centered sum": "a sum",
    "centered sums": "sums",
    "centered count": "a sum of zeros and ones",
    "centered counts": "sums of zeros and ones",
    "count": "a count",
    "sum of squares": "a sum of squares",
}
_RELATIONS = {Neighbors.ADD_REMOVE: "added or removed", Neighbors.REPLACE_ONE: "replaced"}


def because(planned: PlannedQuery, scenario: Scenario) -> str:
    """Why one person moves each noisy part only so far, and what each part costs."""
    parts = planned.parts(scenario.schema, scenario.neighbors)
    if len(parts) == 1:
        return f":gray[{unmarked(parts[0].sensitivity.because)}]"
    shares = planned.shares(scenario.schema, scenario.neighbors)
    costs = [_cost(part, float(share)) for part, share in zip(parts, shares, strict=True)]
    sentences, relation = relation_apart([part.sensitivity.because for part in parts])
    reasons = [f"{part.name.capitalize()}: {why}" for part, why in zip(parts, sentences, strict=True)]
    lines = "  \n".join(f":gray[{unmarked(line)}]" for line in [*reasons, relation] if line)
    return f"Takes {COUNT_WORDS[len(parts)]} noisy answers: {listed(costs)}.  \n{lines}"


def _cost(part: AnyPart, epsilon: float) -> str:
    return f"{called(part)} ({float(part.share) * 100:.0f}% of epsilon: {amount(epsilon)})"


def called(part: AnyPart) -> str:
    """A noisy part in plain words."""
    return PART_WORDS.get(part.name, part.name)


def under_both_relations(query: Query, scenario: Scenario) -> str:
    """A small table: by how much one person moves the answer, added or removed, and replaced."""
    lines = ["| If one person is … | the answer changes by at most |", "|---|---|"]
    for relation, words in _RELATIONS.items():
        marked = f"**{words}** (this plan)" if relation is scenario.neighbors else words
        lines.append(f"| {marked} | {_moved(query, scenario.schema, relation)} |")
    return "\n".join(lines)


def _moved(query: Query, schema: Schema, neighbors: Neighbors) -> str:
    try:
        parts = query.parts(schema, neighbors)
    except DPEngineError:
        return "cannot be asked"
    if declared_number(query, replace(schema, people=schema.people or 1), neighbors):
        return "nothing: their number is public then"
    if len(parts) > 1:
        return listed([f"{called(part)}: {at_most(part.sensitivity.l1)}" for part in parts])
    measure = measure_of(query, schema)
    moved = at_most(measure.times * parts[0].sensitivity.l1)
    together = " in total" if parts[0].coordinates > 1 else ""
    unit = unmarked(unit_after(measure.errors, moved).strip())
    what = f"each {query.falls_short_in}: " if isinstance(query, ChoiceForm) else ""
    return f"{what}**{moved}** {unit}{together}".rstrip()


def of_text(planned: PlannedQuery, scenario: Scenario) -> str:
    """What noise does where a condition is about text, of which one value may be one person; else nothing."""
    query, schema = planned.query, scenario.schema
    asked = set(columns_asked(query))
    texts = any(isinstance(column, TextColumn) and column.name in asked for column in schema.columns)
    if not texts or declared_number(query, schema, scenario.neighbors):
        return ""
    parts = planned.parts(schema, scenario.neighbors)
    if len(parts) > 1:
        moved = listed([f"{called(part)} by at most **{at_most(part.sensitivity.l1)}**" for part in parts])
    elif isinstance(query, ChoiceForm):
        moved = f"each {query.falls_short_in} by at most **{at_most(parts[0].sensitivity.l1)}**"
    else:
        this = "this count" if isinstance(query, CountForm) and parts[0].coordinates == 1 else "this answer"
        moved = f"{this} by at most {_moved(query, schema, scenario.neighbors)}"
    return (
        f"A name may single out one person. One person changes {moved} all the same, and the noise hides that, to the "
        f"degree set by ε = {amount(planned.guarantee.epsilon)}."
    )


@singledispatch
def jump(query: Query, scenario: Scenario) -> str:
    """Why an answer that one person could move far is taken apart or chosen; nothing to say for most."""
    raise TypeError(query)


@jump.register
def _(query: CountForm | SumForm, scenario: Scenario) -> str:
    return ""


@jump.register
def of_ratio(query: RatioForm | VarianceForm, scenario: Scenario) -> str:
    """Why what is divided by a private count gets a noisy count as well."""
    schema = scenario.schema
    parts, guess = query.parts(schema, scenario.neighbors), guesses.before_typing(query)
    if len(parts) == 1:
        if parts[0].coordinates > 1:
            return "The number of people is public here, so no noisy count of them is needed."
        return "The number of people is public here, so one noisy answer is enough."
    if isinstance(query, RatioForm):
        guess = replace(guess, answer=query.ends(parts)[-1])
    grouped = isinstance(query, ByGroup)
    measure, what = measure_of(query, schema), f"the {query.noun}{' of a group' if grouped else ''}"
    if parts[0].coordinates > 1 and over_the_same_rows(query):
        what = f"each {query.noun}"
    alone, among = (
        unmarked(error_in(measure, largest_shift(query, parts, size))) for size in (replace(guess, records=0.0), guess)
    )
    each = " in a group" if grouped else ""
    size = guess.records / parts[1].coordinates
    among_rows = f"in a group of {size:,.0f} rows" if each else f"among {size:,.0f} rows"
    source = "as declared" if guesses.follows_from_table(query) and not each else "say"
    return (
        f"**With few people, one person could change {what} a lot**: by up to {alone}{each}; {among_rows}, {source}, "
        f"by up to {among}. How many values count is private. So noise is added to "
        f"{listed([called(part) for part in parts])}, each of which one person changes only a little, and {what} is "
        "worked out from them."
    )


@jump.register
def _(query: QuantileQuery, scenario: Scenario) -> str:
    column = scenario.schema.number(query.column)
    unit = f" {unmarked(column.unit)}" if column.unit else ""
    return (
        f"**One person could change this value a lot**, from {amount(column.lower, 6)} to "
        f"{amount(column.upper, 6)}{unit} if half of the values lie at each end. So it gets no noise. One value is "
        "selected, more likely the closer it is to the wanted place in the sorted list (exponential mechanism); one "
        "person shifts that place only a little."
    )


@jump.register
def _(query: ModeQuery, scenario: Scenario) -> str:
    return (
        "Every count gets noise, and only the name of the largest is published (report noisy max). It costs the same "
        "for any number of values."
    )


@jump.register
def _(query: StatisticalQueries, scenario: Scenario) -> str:
    count = len(query.conditions)
    return "" if count == 1 else f"{_in_all(count, 'counts')}; adding cells up afterwards is free."


@jump.register
def _(query: SeveralProportionsQuery, scenario: Scenario) -> str:
    divided = of_ratio(query, scenario)
    count = len(query.conditions)
    return divided if count == 1 else f"{_in_all(count, 'shares')}.\n\n{divided}"


def _in_all(count: int, what: str) -> str:
    return (
        f"**One person may be in all {count}**, so {count} {what} together change by {count} times as much as one. "
        "A histogram costs less, as its cells exclude each other"
    )


@jump.register
def _(query: HistogramQuery, scenario: Scenario) -> str:
    return "A row lies in one cell only, so all cells together cost as much as one count."
