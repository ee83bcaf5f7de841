"""Third act: the same attack against noise that keeps a total epsilon."""

from __future__ import annotations

import math
from dataclasses import dataclass

import streamlit as st
from streamlit.delta_generator import DeltaGenerator

from dpengine.attacks import Watch
from dpengine.attacks.reconstruction import (
    GAUSSIAN,
    LAPLACE,
    LEAST_SQUARES,
    Budget,
    GroupCounts,
    ReconstructionBill,
    Runs,
    bill,
    noise_for_budget,
    reconstruct,
    repeated,
)
from dpengine.charts import Chart
from dpengine.charts.attacks import reconstruction_charts
from dpengine.formatting import amount, at_most, lower_of_100, upper_of_100
from dpengine.privacy import Guarantee
from pages.attack.reconstruction import reconstruction_settings as settings
from pages.attack.reconstruction.reconstruction_attack import FADES
from pages.attack.reconstruction.reconstruction_curves import VIEWS, against
from pages.attack.reconstruction.reconstruction_settings import KEY
from pages.lesson import pickers
from pages.lesson.lesson import Shown, dial, picture_and_words
from pages.plan.work_panel import result_of
from pages.widgets import outputs

KINDS = {"Laplace, ε in equal shares": LAPLACE, "Gaussian, δ = 10⁻⁶": GAUSSIAN}
DRAWS_VIEW = "Draw by draw"
DELTA, DRAWS, MOST_EPSILON, MUCH_LESS = 1e-6, 20, 1000.0, 0.8


@dataclass(frozen=True, slots=True, kw_only=True)
class Draws:
    """What the two attackers reached in all draws, and what the counts cost."""

    program: Runs
    squares: Runs
    cost: ReconstructionBill


def epsilon() -> Shown:
    """The act, in the view that is chosen."""
    share = settings.share()
    total = dial(f"{KEY}_epsilon", start=1.0, most=MOST_EPSILON)
    left, right = st.columns([1.25, 1.0])
    view = pickers.pills(left, "Show", (DRAWS_VIEW, *VIEWS), key=f"{KEY}_view")
    kind = KINDS[pickers.pills(right, "Noise", tuple(KINDS), key=f"{KEY}_kind")]
    sizes = settings.sizes_held()
    budget = Budget(guarantee=Guarantee(epsilon=total, delta=DELTA), kind=kind)
    noise = noise_for_budget(budget.guarantee, questions=sizes[1], kind=kind)
    counts = settings.counts(sizes, share, noise)
    if view == DRAWS_VIEW:
        return _draw_by_draw(counts, total)
    return against(view, counts, budget)


def _draw_by_draw(counts: GroupCounts, total: float) -> Shown:
    """One draw as soon as it is there, then what all draws come to."""
    waiting = f"Attacking {counts.questions:,} counts at a total ε of {amount(total)} …"
    place, words = picture_and_words(f"{KEY}_days", picture=1.2)
    place.markdown(_sizes(counts))
    picture = _one_draw(counts, place)
    if picture is None:
        return Shown(finding=waiting)
    seed = settings.day()
    found = result_of(
        (counts, seed),
        lambda watch: _attacked(counts, seed, watch),
        key=f"{KEY}_days_result",
        words=f"Attacking {DRAWS} other draws",
    )
    if found is None:
        words.markdown(f"The squares show one draw. What the attack reaches in {DRAWS} others appears here.")
        return Shown(finding=waiting, pictures=(picture,))
    place.markdown(f"The squares show one more draw. {_own_bit(found.program)}")
    words.markdown(_reached(found, counts))
    words.markdown(_bill(found.cost, counts))
    settings.draw_again(words)
    average = amount(100 * found.program.average)
    finding = f"Total ε = {amount(total)}: {average}% recovered, {_beside_chance(found.program, counts)}"
    return Shown(finding=finding, pictures=(picture,), computed=FADES)


def _one_draw(counts: GroupCounts, place: DeltaGenerator) -> Chart | None:
    """The attack on one draw, as squares; None while it is on its way."""
    seed = settings.day()
    found = result_of(
        (counts, seed),
        lambda watch: reconstruct(counts, seed=seed, watch=watch),
        key=f"{KEY}_draw_result",
        words="Attacking one draw",
    )
    if found is None:
        return None
    picture = reconstruction_charts.recovered(
        secret=found.secret, guessed=found.guessed, palette=outputs.palette(), height=190
    )
    outputs.chart(place, picture, key=f"{KEY}_days_chart")
    return picture


def _attacked(counts: GroupCounts, seed: int, watch: Watch) -> Draws:
    program = repeated(counts, runs=DRAWS, seed=seed, watch=watch.part(0.0, 0.6))
    squares = repeated(counts, runs=DRAWS, seed=seed, decoder=LEAST_SQUARES, watch=watch.part(0.6, 0.8))
    cost = bill(counts.noise, questions=counts.questions, delta=DELTA)  # type: ignore[arg-type]
    return Draws(program=program, squares=squares, cost=cost)


def _beside_chance(runs: Runs, counts: GroupCounts) -> str:
    """Some luck, good or bad, is no sign of anything."""
    chance = amount(100 * counts.chance)
    return f"{chance}% by chance alone" if runs.interval()[0] > counts.chance else f"no better than chance ({chance}%)"


def _own_bit(runs: Runs) -> str:
    outcome = runs.outcome
    low, high = outcome.interval()
    return (
        f"Say you are the first of these people: your secret was recovered in **{outcome.successes} of "
        f"{outcome.trials}** draws, so your risk is between {lower_of_100(low)} and {upper_of_100(high)} out of 100 "
        "(95% interval)."
    )


def _reached(found: Draws, counts: GroupCounts) -> str:
    rows = "| recovered, % of secrets | average | 95% interval of the median |\n|---|---|---|\n"
    for name, runs, mark in (("linear program", found.program, "**"), ("least squares", found.squares, "")):
        low, high = runs.interval()
        between = f"{lower_of_100(low)} to {upper_of_100(high)}"
        rows += f"| {name} | {mark}{amount(100 * runs.average)}{mark} | {between} |\n"
    bound = upper_of_100(found.program.outcome.bound)
    return (
        f"{rows}| chance | {amount(100 * counts.chance)} | |\n| upper limit for any attacker | {bound} | |\n\n"
        f"{DRAWS} draws each: other secrets, groups and noise every time."
    )


def _bill(cost: ReconstructionBill, counts: GroupCounts) -> str:
    smaller = cost.exact < MUCH_LESS * cost.naive
    less = (
        " Many small shares reveal less than one answer with all of ε, so any attacker is closer to chance." * smaller
    )
    return (
        f"The {counts.questions:,} counts together cost ε = {at_most(cost.naive)} naive (just added up), "
        f"{at_most(cost.advanced)} advanced, **{at_most(cost.exact)}** exact (all at δ = 10⁻⁶).{less}"
    )


def _sizes(counts: GroupCounts) -> str:
    """How much noise stops this attack, how much this epsilon gives, and whether such counts still say anything."""
    noise, people = counts.noise.standard_deviation, counts.people
    useless = (
        f" **Everybody is safe, and counts about {people} people are useless: publish fewer.**"
        if noise >= people
        else ""
    )
    return (
        f"This attack fades once a count carries about ±{amount(math.sqrt(people))} people of noise. At "
        f"this total ε each carries **±{amount(noise)}** (standard deviation).{useless}"
    )
