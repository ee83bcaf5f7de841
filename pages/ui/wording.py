"""Sentences of more than one page: plain words first, the term of art once, in brackets."""

from __future__ import annotations

from dpengine.accounting import MOST_REPETITIONS
from dpengine.accuracy import TextbookBounds
from dpengine.beliefs import Odds
from dpengine.charts import amount, at_most, beside, billionths, interval, lower_of_100, tiny, upper_of_100
from dpengine.data import Schema
from dpengine.ledger import Account, Release
from dpengine.mechanisms import DiscreteLaplaceMechanism
from dpengine.plan import PlannedQuery
from dpengine.privacy import ConcentratedEvent, Guarantee, Neighbors
from dpengine.queries import MeanQuery, Query, SumQuery, question
from dpengine.scenario import Scenario
from pages.ui import session
from pages.ui.names import code, unmarked

EXACT_SHOWN = "Settings that you choose after seeing exact values are not covered by the promise."
EPSILON_PROTECTS = "Epsilon protects people, not columns: questions about the same people share one budget."
DELTA_MEANS = "delta: how much more often than epsilon allows anything may happen"


def table_title(plan: Scenario, *, built_in: bool) -> str:
    """The table's name, and whether it is public practice data."""
    return code(plan.table_name) + (" · practice data" if built_in else "")


def unit_line(plan: Scenario) -> str:
    """Who is protected."""
    unit = plan.schema.unit
    people = (
        f"{plan.schema.people:,} people, " if plan.schema.people and plan.neighbors is Neighbors.REPLACE_ONE else ""
    )
    if unit.identifier is None:
        return f"{people}every row is another person"
    return (
        f"{people}{code(unit.identifier)} names the person; at most {unit.rows} row{'s' if unit.rows > 1 else ''} each"
    )


def budget_line(plan: Scenario, account: Account | None) -> str:
    """What is left of the budget, or what is planned while no account is open."""
    if session.table() is None:
        return "Bring the table again to see what is left of its budget."
    if account is None:
        return f"Budget planned: {guarantee(plan.budget)}. Nothing spent."
    kind = "Practice budget, shared by all who use this server" if account.practice else "Budget"
    return f"{kind}: **{left(account)}** left of {spendable(account.granted)}"


def guarantee(promise: Guarantee) -> str:
    """Epsilon, and delta where there is one."""
    return f"ε {billionths(promise.epsilon)}" + (f", δ {tiny(promise.delta)}" if promise.delta else "")


def left(account: Account) -> str:
    """What is left, in what the rule counts; a delta that nothing has spent is not worth a word."""
    remaining, spent = account.remaining, account.spent
    if not isinstance(remaining, Guarantee) or not isinstance(spent, Guarantee):
        return spendable(remaining)
    delta = f", δ {tiny(remaining.delta)}" if spent.delta else ""
    return f"ε {billionths(remaining.epsilon)}{delta}"


def spendable(value: Guarantee | ConcentratedEvent) -> str:
    """An amount of budget, in the currency of its rule."""
    return f"ρ {billionths(value.rho)}" if isinstance(value, ConcentratedEvent) else guarantee(value)


def asked(planned: PlannedQuery) -> str:
    """The question with a capital letter and a question mark, names as code."""
    text = question(planned.query, code)
    return text[0].upper() + text[1:] + "?"


def numbered(plan: Scenario, index: int) -> str:
    """A question with its place in the list, for choosing."""
    return f"Question {index + 1} of {len(plan.queries)}: {asked(plan.queries[index])}"


def sensitivity_line(planned: PlannedQuery, schema: Schema, neighbors: Neighbors) -> str:
    """Why one person moves the answer only so far, for each noisy part."""
    parts = planned.parts(schema, neighbors)
    if len(parts) == 1:
        return parts[0].sensitivity.because
    items = " and a ".join(
        f"{part.name} ({float(part.share) * 100:.0f} % of ε, one person moves it by {amount(part.sensitivity.l1)})"
        for part in parts
    )
    return f"It costs two noisy answers: a {items}."


def odds(odds_of_attacker: Odds) -> str:
    """The risk for one person, as odds; rounded away from privacy."""
    with_data, without = odds_of_attacker.with_data / 100, odds_of_attacker.without_data / 100
    return (
        f"Over all answers: if one person's record is in the table, **at most {upper_of_100(with_data)} of 100** such "
        f"answers would make an attacker believe so; if it is not, **at least {lower_of_100(without)} of 100** would."
    )


def itemized(planned: PlannedQuery, schema: Schema, neighbors: Neighbors) -> str:
    """What each noisy part of a question costs; nothing to say where there is only one."""
    parts, shares = planned.parts(schema, neighbors), planned.shares(schema, neighbors)
    if len(parts) == 1:
        return ""
    costs = (
        f"a {part.name} ({float(part.share) * 100:.0f} % of ε: {amount(float(share))})"
        for part, share in zip(parts, shares, strict=True)
    )
    return f"Costs two answers: {' and '.join(costs)}."


def noise_line(planned: PlannedQuery, schema: Schema, neighbors: Neighbors) -> str:
    """Which noise, and how large, in the unit of each part."""
    pairs = zip(planned.parts(schema, neighbors), planned.mechanisms(schema, neighbors), strict=True)
    if planned.mechanism == "laplace":
        sizes = [
            amount(noise.scale * part.step) for part, noise in pairs if isinstance(noise, DiscreteLaplaceMechanism)
        ]
        return f"Laplace noise of scale {' and '.join(sizes)}."
    sizes = [amount(noise.standard_deviation * part.step) for part, noise in pairs]
    return f"Gaussian noise of standard deviation {' and '.join(sizes)}."


def delta_and_noise(planned: PlannedQuery) -> str:
    """What is added to the epsilon of a question whose noise is not Laplace's."""
    if planned.mechanism == "laplace":
        return ""
    return f" :gray[Gaussian noise, δ\u00a0{tiny(planned.guarantee.delta)}]"


def clamping(query: Query, schema: Schema) -> str:
    """What is done to each value of a sum or a mean before it is added; nothing to say for counts."""
    if not isinstance(query, SumQuery | MeanQuery):
        return ""
    column = schema.number(query.column)
    unit = f" {unmarked(column.unit)}" if column.unit else ""
    return f"Each value is cut to {amount(column.lower, 6)} to {amount(column.upper, 6)}{unit} first."


def repetitions_line(
    *, epsilon: float, budget: float, naive: int, advanced: int, exact: int, first_gain: int | None
) -> str:
    """How often a question could be asked, added up naively, by the sound advanced rule, and exactly."""
    line = _by_shares(epsilon=epsilon, budget=budget, naive=naive, advanced=advanced, first_gain=first_gain)
    return f"{line} The exact loss of this noise allows **{_times(exact)}**." if exact > max(naive, advanced) else line


def _by_shares(*, epsilon: float, budget: float, naive: int, advanced: int, first_gain: int | None) -> str:
    left_words = f"of the ε {billionths(budget)} that is left"
    if naive == 0:
        return f"One such question costs ε {epsilon:g}, more than is left: ε {billionths(budget)}."
    line = f"Naive adding allows **{_times(naive)}** such questions {left_words}"
    if advanced > naive:
        return f"{line}, advanced adding **{_times(advanced)}**."
    if first_gain is None:
        return f"{line}; advanced adding does not allow more."
    if first_gain > naive:
        return f"{line}; advanced adding would help from question {first_gain:,} on."
    return f"{line}; advanced adding spends less from question {first_gain:,} on, but does not allow one more."


def _times(count: int) -> str:
    return f"{count:,}" if count < MOST_REPETITIONS else f"at least {MOST_REPETITIONS:,}"


def released_number(released: Release, confidence: float) -> str:
    """A single released answer with its interval."""
    value, (lower, upper) = float(released.answer), _bounds(released, confidence)
    above, below = upper - value, value - lower
    unit = f" {released.unit}" if released.unit else ""
    if abs(above - below) <= 1e-6 * max(above, below):
        return f"{beside(value, above)} ± {at_most(above)}{unit}"
    lowest, highest = interval(lower, upper)
    return f"{beside(value, (upper - lower) / 2)}{unit} ({lowest} to {highest})"


def interval_sentence(released: Release, confidence: float) -> str:
    """What the interval of a single answer means."""
    lower, upper = _bounds(released, confidence)
    lowest, highest = interval(lower, upper)
    unit = f" {released.unit}" if released.unit else ""
    return (
        f"In {confidence * 100:g} of 100 such releases the exact answer lies in the interval; here it reaches from "
        f"**{lowest}** to **{highest}{unit}**. It covers the privacy noise only, not the "
        "chance of who is in the table."
    )


def _bounds(released: Release, confidence: float) -> tuple[float, float]:
    lower, upper = released.interval(confidence)
    return float(lower), float(upper)


def released_cells(released: Release, confidence: float) -> str:
    """A released list of counts, for one cell of a table; the interval holds for all of them at once."""
    values = zip(released.labels, released.values, strict=True)
    cells = "; ".join(f"{label} {amount(float(value), 6)}" for label, value in values)
    return f"{cells}; all ± {at_most(released.half_width(confidence, simultaneous=True))} {released.unit}"


def whose_eyes() -> str:
    """Who may see the exact value beside which this stands."""
    return "public practice data" if session.is_built_in() else "for your eyes only"


def bounds_table(bounds: TextbookBounds, unit: str) -> str:
    """What theory says about Laplace noise, beside the exact values and those of the released noise."""
    rows = _bounds_of_one(bounds) + (_bounds_of_many(bounds) if bounds.coordinates > 1 else ())
    lines = [f"| {what} | at most {form} = {at_most(a)} | {amount(b)} | {amount(c)} |" for what, form, a, b, c in rows]
    scale = f"{amount(bounds.scale)} {unit}"
    heading = f"| Laplace noise of scale b = {scale} | bound from theory | Laplace curve | the noise really released |"
    return "\n".join([heading, "|---|---|---|---|", *lines])


Row = tuple[str, str, float, float, float]


def _bounds_of_one(bounds: TextbookBounds) -> tuple[Row, ...]:
    curve = bounds.tail_bound(3.0)
    return (("chance of an error above 3b", "e⁻³", curve, curve, bounds.released_tail(3.0)),)


def _bounds_of_many(bounds: TextbookBounds) -> tuple[Row, ...]:
    count = bounds.coordinates
    largest = bounds.largest_error_bound, bounds.largest_error, bounds.released_largest_error
    tails = bounds.largest_tail_bound(3.0), bounds.largest_tail(3.0), bounds.released_largest_tail(3.0)
    return (
        (f"largest of {count} errors, on average", f"b (ln {count} + 1)", *largest),
        (f"chance that the largest exceeds b ln {count} + 3b", "e⁻³", *tails),
    )
