"""Sentences of more than one page: plain words first, the term of art once, in brackets."""

from __future__ import annotations

from collections.abc import Sequence

from dpengine.accounting import MOST_REPETITIONS
from dpengine.data import Labels, Schema, sample_labels, sample_names
from dpengine.formatting import amount, at_least, at_most, billionths, error_in, measure_of_parts, tiny
from dpengine.ledger import Account
from dpengine.mechanisms import (
    ExponentialMechanism,
    ReportNoisyMax,
)
from dpengine.mechanisms.released import PURE_NOISE
from dpengine.plan import PlannedQuery
from dpengine.privacy import ConcentratedEvent, Guarantee, Neighbors
from dpengine.queries import AnyPart, Query
from dpengine.queries.conditions_in_words import Labeled
from dpengine.queries.forms import OfNumbers
from dpengine.scenario import Scenario
from pages import session
from pages.widgets.escaping import code, unmarked, whole

EXACT_SHOWN = "Settings that you choose after seeing exact values are not covered by the promise."
EPSILON_PROTECTS = "Epsilon protects people, not columns: questions about the same people share one budget."
COUNT_WORDS = {2: "two", 3: "three"}
DELTA_MEANS = (
    "Delta (δ) comes on top: any event may be more likely than epsilon allows by up to this much, so an answer that "
    "gives somebody away for sure has at most this chance."
)


def table_title(plan: Scenario, *, built_in: bool) -> str:
    """The table's name, and whether it is public practice data."""
    return called(plan.spoken, plan.table_name) + (" · practice data" if built_in else "")


def column(labels: Labels, name: str) -> str:
    """What a column is called: by its label, else by its name as code."""
    words = labels.column(name)
    return unmarked(words) if words else code(name)


def called(labels: Labels, name: str) -> str:
    """What a table is called: by its label, else by its name as code."""
    return unmarked(labels.table) if labels.table else code(name)


def labels_of(account: Account) -> Labels:
    """The words for the table of an account that anybody may look at: practice tables ship with theirs."""
    known = account.practice and account.table_name in sample_names()
    return sample_labels(account.table_name) if known else Labels()


def unit_line(plan: Scenario) -> str:
    """Who is protected."""
    unit = plan.schema.unit
    people = (
        f"{plan.schema.people:,} people, " if plan.schema.people and plan.neighbors is Neighbors.REPLACE_ONE else ""
    )
    if unit.identifier is None:
        return f"{people}every row is another person"
    counted = "one row counts" if unit.rows == 1 else f"{unit.rows} rows count"
    words = plan.spoken.column(unit.identifier)
    same = unmarked(words) if words else whole(unit.identifier)
    return f"{people}rows with the same {same} are one person, of whom at most {counted}"


def group_limits(plan: Scenario) -> str:
    """In how many groups, and with how many rows in each, a person counts in answers by group, where that is held."""
    unit, held = plan.schema.unit, []
    if unit.groups:
        held.append(f"in at most {unit.groups} group{'s' if unit.groups > 1 else ''}")
    if unit.rows_per_group:
        held.append(f"with at most {unit.rows_per_group} row{'s' if unit.rows_per_group > 1 else ''} in each")
    return f"; in answers by group a person counts {', '.join(held)}" if held else ""


def budget_line(plan: Scenario, account: Account | None) -> str:
    """What is left of the budget, or what is planned while no account is open."""
    if session.table() is None:
        return "Bring its rows on the **Data** page to see what is left, and to release answers."
    if account is None:
        return f"Budget, as planned: {guarantee(plan.budget)}. Nothing spent."
    kind = "Practice budget, shared by all who use this server" if account.practice else "Budget"
    return f"{kind}: **{left(account)}** left of {granted(account)}"


def guarantee(promise: Guarantee) -> str:
    """Epsilon, and delta where there is one."""
    return f"ε {billionths(promise.epsilon)}" + (f", δ {tiny(promise.delta)}" if promise.delta else "")


def left(account: Account) -> str:
    """What is left, in what the rule counts; a delta that nothing has spent is not worth a word."""
    remaining, spent = account.remaining, account.spent
    if not isinstance(remaining, Guarantee) or not isinstance(spent, Guarantee):
        return _rho_left(remaining)
    delta = f", δ {tiny(remaining.delta)}" if spent.delta else ""
    return f"ε {billionths(remaining.epsilon)}{delta}"


def left_of(account: Account) -> str:
    """What is left, and of how much, for a title."""
    return f"{left(account)} is left of {granted(account)}"


def granted(account: Account) -> str:
    """The whole budget, in what the rule counts; of rho also as it was set."""
    whole = account.granted
    if not isinstance(whole, Guarantee):
        return f"{_rho_left(whole)} ({guarantee(account.budget)})"
    return f"ε {billionths(whole.epsilon)}" + (f" (δ {tiny(whole.delta)})" if whole.delta else "")


def _rho_left(value: Guarantee | ConcentratedEvent) -> str:
    """Four digits of what is left or granted of rho, rounded down: its billionths say nothing to a reader."""
    return f"ρ {at_least(value.rho, 4)}" if isinstance(value, ConcentratedEvent) else guarantee(value)


def spent(value: Guarantee | ConcentratedEvent) -> str:
    """An amount that was spent, in the currency of its rule; never below the truth."""
    return f"ρ {at_most(value.rho, 4)}" if isinstance(value, ConcentratedEvent) else guarantee(value)


def said_of(labels: Labels) -> Labeled:
    """How sentences on a page name columns and conditions: by their labels, else by names as code."""
    return Labeled(labels, names=whole, words=unmarked)


def asked(planned: PlannedQuery, labels: Labels) -> str:
    """The question with a capital letter and a question mark, in the table's own words."""
    text = planned.query.in_words(said_of(labels))
    return text[0].upper() + text[1:] + "?"


def numbered(plan: Scenario, index: int) -> str:
    """A question with its place in the list, for choosing."""
    return f"Question {index + 1} of {len(plan.queries)}: {asked(plan.queries[index], plan.spoken)}"


def sensitivity_line(planned: PlannedQuery, schema: Schema, neighbors: Neighbors) -> str:
    """Why one person moves the answer only so far, for each noisy part."""
    parts = planned.parts(schema, neighbors)
    if len(parts) == 1:
        return parts[0].sensitivity.because
    items = [
        f"{named(part)} ({float(part.share) * 100:.0f}% of ε, "
        f"one person can change it by at most {at_most(part.sensitivity.l1)})"
        for part in parts
    ]
    return f"It takes {COUNT_WORDS[len(parts)]} noisy answers: {listed(items)}."


SUSPECTED = {
    Neighbors.ADD_REMOVE: "whether one person is in the table",
    Neighbors.REPLACE_ONE: "which of two records is one person's",
}
"""What an attacker may want to know."""


def odds(most: str, neighbors: Neighbors) -> str:
    """The risk for one person, as the limit for any attacker out of 100."""
    return (
        f"An attacker who thinks it 50:50 {SUSPECTED[neighbors]}, even knowing everybody else, can be right in at most "
        f"**{most} out of 100** cases (50 is pure chance)."
    )


def itemized(planned: PlannedQuery, schema: Schema, neighbors: Neighbors) -> str:
    """What each noisy part of a question costs; nothing to say where there is only one."""
    parts, shares = planned.parts(schema, neighbors), planned.shares(schema, neighbors)
    if len(parts) == 1:
        return ""
    costs = [
        f"{named(part)} ({float(part.share) * 100:.0f}% of ε: {amount(float(share))})"
        for part, share in zip(parts, shares, strict=True)
    ]
    return f"Takes {COUNT_WORDS[len(parts)]} noisy answers: {listed(costs)}."


def named(part: AnyPart) -> str:
    """The name of a noisy part with its article; of many at once it needs none."""
    return part.name if part.coordinates > 1 else f"a {part.name}"


def listed(words: Sequence[str]) -> str:
    """Words with commas and a last "and".

    >>> listed(["a"]), listed(["a", "b", "c"])
    ('a', 'a, b and c')
    """
    return " and ".join([", ".join(words[:-1]), words[-1]] if len(words) > 1 else words)


def noise_line(planned: PlannedQuery, schema: Schema, neighbors: Neighbors) -> str:
    """Which noise, and how large, in the unit of each part; or how an answer is chosen."""
    parts, mechanisms = planned.parts(schema, neighbors), planned.mechanisms(schema, neighbors)
    chosen = mechanisms[0]
    if isinstance(chosen, ExponentialMechanism | ReportNoisyMax):
        return _choosing(chosen, parts[0].step)
    measure = measure_of_parts(parts, planned.query, schema)
    scales = (planned.noise.size(noise) * part.step for part, noise in zip(parts, mechanisms, strict=True))
    sizes = listed([error_in(measure, scale, amount) for scale in scales])
    return f"{planned.noise.label} noise of {planned.noise.size_is} {sizes}."


def _choosing(mechanism: ExponentialMechanism | ReportNoisyMax, step: float) -> str:
    scale = amount((1.0 if mechanism.monotone else 2.0) * mechanism.score_sensitivity / mechanism.epsilon * step)
    if isinstance(mechanism, ReportNoisyMax):
        return f"Every count gets exponential noise of scale {scale}, and the largest wins (report noisy max)."
    return f"A value whose rank is {scale} rows worse is e ≈ 2.72 times less likely (exponential mechanism)."


def cells(query: Query) -> str:
    """What several answers at once are."""
    return f"{query.noun}s"


def delta_and_noise(planned: PlannedQuery) -> str:
    """What is added to the epsilon of a question whose noise is not the usual one."""
    if planned.noise is PURE_NOISE:
        return ""
    delta = f", δ\u00a0{tiny(planned.guarantee.delta)}" if planned.noise.needs_delta else ""
    return f" :gray[{planned.noise.label} noise{delta}]"


def clamping(query: Query, schema: Schema) -> str:
    """What is done to each value of a number before it is used; nothing to say for counts."""
    if not isinstance(query, OfNumbers):
        return ""
    column = schema.number(query.column)
    unit = f" {unmarked(column.unit)}" if column.unit else ""
    return f"Each value is cut to {amount(column.lower, 6)} to {amount(column.upper, 6)}{unit} first."


def repetitions_line(*, budget: str, naive: int, advanced: int, exact: int, first_gain: int | None) -> str:
    """How often a question that fits could be asked, added up naively, by the sound advanced rule, and exactly.

    `budget` says of what, such as "the ε 2.9 that is left".
    """
    line = _by_shares(budget=budget, naive=naive, advanced=advanced, first_gain=first_gain)
    return f"{line} The exact rule allows **{times(exact)}**." if exact > max(naive, advanced) else line


def _by_shares(*, budget: str, naive: int, advanced: int, first_gain: int | None) -> str:
    line = f"The naive rule allows **{times(naive)}** such questions of {budget}"
    if advanced > naive:
        return f"{line}, the advanced rule **{times(advanced)}**."
    if first_gain is None:
        return f"{line}; the advanced rule does not allow more."
    if first_gain > naive:
        return f"{line}; the advanced rule would help from question {first_gain:,} on."
    return f"{line}; the advanced rule costs less from question {first_gain:,} on, but does not allow one more."


def times(count: int) -> str:
    """How often something fits, which is counted up to a million."""
    return f"{count:,}" if count < MOST_REPETITIONS else f"at least {MOST_REPETITIONS:,}"


def whose_eyes() -> str:
    """Who may see the exact value beside which this stands."""
    return "public practice data" if session.is_built_in() else "for your eyes only"
