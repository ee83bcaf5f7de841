"""Third act: the same attack against noise that keeps a total epsilon."""

from __future__ import annotations

from dataclasses import dataclass

import streamlit as st

from dpengine.attacks import Watch
from dpengine.attacks.reconstruction import (
    GAUSSIAN,
    LAPLACE,
    LEAST_SQUARES,
    Budget,
    GroupCounts,
    Reconstruction,
    ReconstructionBill,
    Runs,
    bill,
    noise_for_budget,
    reconstruct,
    repeated,
    sampling_error,
)
from dpengine.charts.attacks import reconstruction_charts
from dpengine.formatting import amount, at_most, lower_of_100, upper_of_100
from dpengine.privacy import Guarantee
from pages.attack.reconstruction import reconstruction_settings as settings
from pages.attack.reconstruction.reconstruction_curves import VIEWS, against
from pages.attack.reconstruction.reconstruction_settings import KEY
from pages.lesson import pickers
from pages.lesson.lesson import Shown, dial, picture_and_words
from pages.plan.work_panel import result_of
from pages.widgets import outputs

KINDS = {"Laplace, ε in equal shares": LAPLACE, "Gaussian, δ = 10⁻⁶": GAUSSIAN}
ONE_DAY = "Day by day"
DELTA, DAYS, MOST_EPSILON, MUCH_LESS = 1e-6, 20, 1000.0, 0.8


@dataclass(frozen=True, slots=True, kw_only=True)
class Days:
    """The first day's picture, what the two attackers reached on all days, and the bill."""

    first: Reconstruction
    program: Runs
    squares: Runs
    cost: ReconstructionBill


def epsilon() -> Shown:
    """The act, in the view that is chosen."""
    share = settings.share()
    total = dial(f"{KEY}_epsilon", start=1.0, most=MOST_EPSILON)
    left, right = st.columns([1.25, 1.0])
    view = pickers.pills(left, "Show", (ONE_DAY, *VIEWS), key=f"{KEY}_view")
    kind = KINDS[pickers.pills(right, "Noise", tuple(KINDS), key=f"{KEY}_kind")]
    sizes = settings.sizes_held()
    budget = Budget(guarantee=Guarantee(epsilon=total, delta=DELTA), kind=kind)
    noise = noise_for_budget(budget.guarantee, questions=sizes[1], kind=kind)
    counts = settings.counts(sizes, share, noise)
    if view == ONE_DAY:
        return _day_by_day(counts, total)
    return against(view, counts, budget)


def _day_by_day(counts: GroupCounts, total: float) -> Shown:
    place, words = picture_and_words(f"{KEY}_days", picture=1.2)
    seed = settings.day()

    def attacked(watch: Watch) -> Days:
        return _attacked(counts, seed, watch)

    found = result_of((counts, seed), attacked, key=f"{KEY}_days_result", words=f"Attacking on {DAYS} days")
    if found is None:
        return Shown(finding=f"Attacking {counts.questions:,} counts at a total ε of {amount(total)} …")
    picture = reconstruction_charts.recovered(
        secret=found.first.secret, guessed=found.first.guessed, palette=outputs.palette(), height=190
    )
    outputs.chart(place, picture, key=f"{KEY}_days_chart")
    place.markdown(f"The squares show one day more. {_own_bit(found.program)}")
    place.markdown(_sizes(counts))
    words.markdown(_reached(found, counts))
    words.markdown(_bill(found.cost, counts))
    settings.another_day(words)
    average = amount(100 * found.program.average)
    finding = f"Total ε = {amount(total)}: {average} of 100 bits recovered, {_beside_chance(found.program, counts)}"
    return Shown(finding=finding, pictures=(picture,))


def _attacked(counts: GroupCounts, seed: int, watch: Watch) -> Days:
    program = repeated(counts, runs=DAYS, seed=seed, watch=watch)
    squares = repeated(counts, runs=DAYS, seed=seed, decoder=LEAST_SQUARES)
    cost = bill(counts.noise, questions=counts.questions, delta=DELTA)  # type: ignore[arg-type]
    return Days(first=reconstruct(counts, seed=seed, watch=watch), program=program, squares=squares, cost=cost)


def _beside_chance(runs: Runs, counts: GroupCounts) -> str:
    """Some luck, good or bad, is no sign of anything."""
    chance = amount(100 * counts.chance)
    return f"{chance} by chance alone" if runs.interval()[0] > counts.chance else f"no better than chance ({chance})"


def _own_bit(runs: Runs) -> str:
    outcome = runs.outcome
    low, high = outcome.interval()
    return (
        f"Your own bit was recovered on **{outcome.successes} of {outcome.trials}** days: independent trials, so your "
        f"risk lies between {lower_of_100(low)} and {upper_of_100(high)} of 100 (95% interval, exact)."
    )


def _reached(found: Days, counts: GroupCounts) -> str:
    rows = "| recovered, of 100 bits | average | usual day |\n|---|---|---|\n"
    for name, runs, mark in (("linear program", found.program, "**"), ("least squares", found.squares, "")):
        low, high = runs.interval()
        between = f"{lower_of_100(low)} to {upper_of_100(high)}"
        rows += f"| {name} | {mark}{amount(100 * runs.average)}{mark} | {between} |\n"
    bound = upper_of_100(found.program.outcome.bound)
    return (
        f"{rows}| chance | {amount(100 * counts.chance)} | |\n| most for any attacker | {bound} | |\n\n"
        f"{DAYS} days each. On the usual day (median) it is a number in this range: such ranges hold 95 times in 100."
    )


def _bill(cost: ReconstructionBill, counts: GroupCounts) -> str:
    smaller = cost.exact < MUCH_LESS * cost.naive
    less = " Many small shares tell less than one answer with all of ε, so any attacker is closer to chance." * smaller
    return (
        f"The {counts.questions:,} counts together cost ε = {at_most(cost.naive)} added up, {at_most(cost.advanced)} "
        f"by the advanced rule, **{at_most(cost.exact)}** exactly (all at δ = 10⁻⁶).{less}"
    )


def _sizes(counts: GroupCounts) -> str:
    return (
        f"Noise of each count: ±{amount(counts.noise.standard_deviation)} people (standard deviation), "
        f"{amount(counts.relative_noise)} √n. The sampling error of a count of all {counts.people}: "
        f"±{amount(sampling_error(counts))}."
    )
