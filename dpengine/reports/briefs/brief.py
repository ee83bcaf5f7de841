"""A policy brief of a plan: what one question would tell, what it would reveal and cost, as values without a look.

Everything in it is public: what was declared, what was typed, and mathematics. It has seen no row.
"""

from __future__ import annotations

import itertools
from dataclasses import dataclass

from dpengine import accuracy
from dpengine.beliefs import hiding_in_words, odds_out_of_100
from dpengine.data import Labels
from dpengine.errors import DPEngineError
from dpengine.formatting import (
    Measure,
    amount,
    answer_in,
    at_most,
    between_of_100,
    error_in,
    measure_of,
    tiny,
    tiny_at_most,
    upper_of_100,
)
from dpengine.plan import UNLIKELY, PlannedQuery, beliefs_after, right_at_most
from dpengine.plan.amounts import RULE_NAMES, Amounts, cost_of
from dpengine.privacy import Guarantee, Neighbors
from dpengine.privacy.amounts import ATTO, NANO
from dpengine.queries.conditions_in_words import Labeled
from dpengine.queries.forms import ChoiceForm
from dpengine.reports.briefs.brief_input import Explored, listed
from dpengine.reports.declared import declarations
from dpengine.reports.exact_answer import exact_answer_to
from dpengine.reports.labels.label import BELIEFS, RELATIONS, RULES, shown
from dpengine.reports.noise import PartNoise, noise_of
from dpengine.reports.quoting import LONGEST_SENTENCE, cut, one_line, whole
from dpengine.reports.who import in_groups, person_of

NOTHING_RELEASED = (
    "This is a plan: nothing was released. It contains no answer, no individual record and no exact private value."
)
PUBLIC = "The table is public practice data, so its exact values may stand here; no private data was read."
TIMES = (0.1, 0.3, 1.0, 3.0, 10.0)
MOST_COLUMNS, LONGEST_UNIT, LARGEST_EPSILON = 3, 18, 700.0


@dataclass(frozen=True, slots=True, kw_only=True)
class BriefQuestion:
    """One question of the plan: what it may cost, how wrong its answer may be, and what would be left after it."""

    number: int
    question: str
    cost: str
    error: str
    left: str
    in_focus: bool


@dataclass(frozen=True, slots=True, kw_only=True)
class Otherwise:
    """The question in focus at another epsilon."""

    epsilon: str
    error: str
    belief: str
    at_most: str
    chosen: bool


def asked_in_words(planned: PlannedQuery, labels: Labels) -> str:
    """The question with a capital letter and a question mark, in the table's own words; names are marked."""
    text = cut(planned.query.in_words(Labeled(labels, names=whole, words=one_line)), LONGEST_SENTENCE)
    return f"{text[:1].upper()}{text[1:]}?"


def measure_in_focus(explored: Explored) -> Measure:
    """How the numbers of the question in focus are read, whoever wrote their unit."""
    return _measure(explored.planned, explored).written(str, "units")


def _measure(planned: PlannedQuery, explored: Explored) -> Measure:
    return measure_of(planned.query, explored.plan.schema).written(lambda unit: one_line(unit, LONGEST_UNIT))


def finding(explored: Explored) -> str:
    """How far the answer may be off."""
    return f"{_off(explored)}{explored.assumed(explored.place)}"


def _off(explored: Explored) -> str:
    planned, share = explored.planned, f"{explored.confidence * 100:g}%"
    error = explored.half_width(planned, explored.place)
    if isinstance(planned.query, ChoiceForm):
        what = "in rank" if planned.query.falls_short_in == "rank" else "fewer than the most frequent value has"
        return f"{share} of answers would be off by at most {error_in(measure_in_focus(explored), error)} {what}"
    if error == 0.0:
        return f"{share} of answers would be exactly right"
    band = f"{explored.sign(planned).removesuffix('±')}{error_in(measure_in_focus(explored), error)}"
    count = explored.coordinates(planned)
    if count > 1:
        return f"In {share} of releases all {count:,} numbers would be off by at most {band}"
    return f"{share} of answers would be off by at most {band}"


def exactly(explored: Explored) -> str:
    """The answer that the noise of the question in focus is added to, as a released one says it."""
    return exact_answer_to(explored.planned.query, explored.plan.schema, explored.plan.neighbors)


def how_useful(explored: Explored) -> str:
    """The noise against the size of the answer, where somebody said how large that may be."""
    planned, guess = explored.planned, explored.guesses[explored.place]
    if isinstance(planned.query, ChoiceForm) or not guess.answers or not explored.judged(by_size=False):
        return ""
    typical = answer_in(measure_in_focus(explored), sum(guess.answers) / len(guess.answers))
    size = exactly(explored) if explored.public else "a guessed answer"
    size = f"{size}: {typical}" if len(guess.answers) == 1 else f"numbers of {typical} on average"
    return (
        f"{accuracy.usefulness(explored.law(planned, explored.place), guess.answers).sentence} (Compared with {size}.)"
    )


def beside_sampling(explored: Explored) -> str:
    """By how much privacy widens the interval that a sample has anyway, where that is known of a single number."""
    planned = explored.planned
    sampling = accuracy.sampling_error(planned.query, explored.guesses[explored.place])
    if sampling is None or explored.coordinates(planned) > 1 or not explored.judged(by_size=True):
        return ""
    without = sampling.quantile(explored.confidence)
    wider = accuracy.widening(explored.law(planned, explored.place), sampling, explored.confidence)
    return (
        f"If the table is a sample of a large population, {exactly(explored)} already has a sampling error of "
        f"±{error_in(measure_in_focus(explored), without)}; privacy noise widens that by {at_most(100.0 * wider, 2)}%."
    )


def odds_in_words(explored: Explored) -> str:
    """How well a person is hidden: in a word, and as the limit for any attacker."""
    limit = right_at_most(explored.planned)
    return (
        f"{hiding_in_words(limit)}. An attacker who thinks it 50:50 whether {BELIEFS[explored.plan.neighbors]}, even "
        f"knowing everybody else, can be right in at most {upper_of_100(limit)} out of 100 cases (50 is pure chance)."
    )


def belief_in_words(explored: Explored) -> str:
    """What the most telling answer does to a belief."""
    least, most = between_of_100(belief(explored))
    but = "" if not explored.planned.noise.needs_delta else f" (except in one answer in {amount(1 / UNLIKELY)})"
    return (
        f"Somebody who gave it {explored.prior * 100:g} out of 100 before may give it at most {most} afterwards, and "
        f"at least {least}{but}."
    )


def belief(explored: Explored) -> tuple[float, float]:
    """Least and largest belief after the answer in focus."""
    least, most = beliefs_after(explored.planned, explored.prior)
    return float(least), float(most)


def whole_plan(explored: Explored) -> str:
    """What all questions together cost and reveal, by adding up."""
    total, count = sum(_costs(explored), Amounts()), len(explored.plan.queries)
    both = Guarantee(epsilon=min(total.epsilon / NANO, LARGEST_EPSILON), delta=min(total.delta / ATTO, 1.0))
    most = upper_of_100(odds_out_of_100(both).with_data / 100)
    together = "This question, the only one of the plan," if count == 1 else f"All {count:,} questions together"
    return (
        f"{together} would cost {shown(total, explored.plan.rule)} of {shown(explored.budget, explored.plan.rule)}. "
        f"Over the whole plan, whatever it asks, such an attacker can be right in at most {most} out of 100 cases."
        + _earlier(explored)
    )


def _earlier(explored: Explored) -> str:
    """What was charged before comes on top of the plan."""
    spent = explored.spent
    return f" What was charged before, {shown(spent, explored.plan.rule)}, comes on top." if spent.rho else ""


def _costs(explored: Explored) -> list[Amounts]:
    plan = explored.plan
    return [cost_of(planned, plan.schema, plan.neighbors) for planned in plan.queries]


def questions(explored: Explored) -> tuple[BriefQuestion, ...]:
    """The questions that there is room for, each with what it leaves of the budget."""
    plan, costs = explored.plan, _costs(explored)
    totals = list(itertools.accumulate(costs, initial=explored.spent))[1:]
    return tuple(
        BriefQuestion(
            number=place + 1,
            question=asked_in_words(plan.queries[place], plan.spoken),
            cost=_cost(costs[place], plan.rule),
            error=_error_of(explored, place),
            left=_left(totals[place], explored),
            in_focus=place == explored.place,
        )
        for place in listed(plan, explored.place)
    )


def _cost(cost: Amounts, rule: str) -> str:
    """What the rule counts; a delta as a power of ten, rounded up."""
    first = shown(cost, rule).partition(",")[0]
    return f"{first}, δ {tiny_at_most(cost.delta / ATTO)}" if cost.delta and rule == "basic" else first


def _left(total: Amounts, explored: Explored) -> str:
    rule = explored.plan.rule
    if not total.within(explored.budget, rule):
        return "does not fit"
    return shown(total.left_of(explored.budget), rule).partition(",")[0]


def _error_of(explored: Explored, place: int) -> str:
    """In the unit of its answer; a guess that does not suit its question leaves it open."""
    planned = explored.plan.queries[place]
    try:
        error = error_in(_measure(planned, explored), explored.half_width(planned, place))
    except DPEngineError:
        return "unknown"
    return f"{explored.sign(planned)}{error}{explored.assumed(place)}"


def otherwise(explored: Explored) -> tuple[Otherwise, ...]:
    """What a smaller or larger epsilon would mean for the question in focus."""
    return tuple(_otherwise(explored, times) for times in TIMES if explored.planned.guarantee.epsilon * times >= 1e-4)


def _otherwise(explored: Explored, times: float) -> Otherwise:
    epsilon = explored.planned.guarantee.epsilon
    planned = explored.planned.at(epsilon if times == 1.0 else float(f"{epsilon * times:.3g}"))
    error = measure_in_focus(explored).times * explored.half_width(planned, explored.place)
    least, most = beliefs_after(planned, explored.prior)
    after = between_of_100((float(least), float(most)))
    most_right = upper_of_100(right_at_most(planned))
    return Otherwise(
        epsilon=f"{planned.guarantee.epsilon:.9g}",
        error=f"{explored.sign(planned)}{at_most(error)}",
        belief=" to ".join(after),
        at_most=most_right,
        chosen=times == 1.0,
    )


def promise(explored: Explored) -> tuple[tuple[str, str], ...]:
    """The label: who is protected, against what, by which numbers; names are marked."""
    plan, planned = explored.plan, explored.planned
    unit = plan.schema.unit
    people = plan.schema.people if plan.neighbors is Neighbors.REPLACE_ONE else None
    groups = in_groups(unit) if explored.coordinates(planned) > 1 else ""
    declared = declarations(planned.query, plan.schema, plan.spoken)
    more = len(declared) - MOST_COLUMNS
    bounds = "; ".join(declared[:MOST_COLUMNS]) + (f"; and {more} more columns" if more > 0 else "")
    return (
        ("Who is protected", person_of(unit, people, plan.spoken) + groups),
        ("Against what", f"{plan.neighbors.sentence} Neighbors: {RELATIONS[plan.neighbors]}."),
        ("Declarations", f"{bounds}." if bounds else "Nothing about columns: the question uses none."),
        ("Epsilon (ε)", f"{planned.guarantee.epsilon:.9g}"),
        ("Delta (δ)", _delta(planned)),
        ("Rule", f"{RULE_NAMES[plan.rule]} ({RULES[plan.rule]})"),
        *((f"Noise, {noise.part}", noise_in_words(noise)) for noise in noises(explored)),
    )


def _delta(planned: PlannedQuery) -> str:
    if not planned.noise.needs_delta:
        return "0, because this noise needs none"
    return tiny(planned.guarantee.delta)


def noises(explored: Explored) -> tuple[PartNoise, ...]:
    """The noise of each part of the answer in focus."""
    return noise_of(explored.planned, explored.plan.schema, explored.plan.neighbors)


def noise_in_words(noise: PartNoise) -> str:
    """One part's noise, and how far one person moves it."""
    moved = f"one person can change it by at most {noise.moved_in_words}"
    return f"{noise.mechanism}, {noise.kind} {noise.scale_in_words}; {moved}"
