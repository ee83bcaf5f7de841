"""Third act, seen from afar: recovered shares against noise, against the number of counts, and as the table grows."""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping
from dataclasses import dataclass

from dpengine.attacks import Watch
from dpengine.attacks.reconstruction import (
    LEAST_SQUARES,
    LINEAR_PROGRAM,
    Budget,
    Curve,
    GroupCounts,
    Growth,
    NoiseRule,
    ReconstructionBill,
    against_noise,
    against_people,
    against_questions,
    bill,
    noise_of_size,
    sampling_error,
)
from dpengine.charts import Chart
from dpengine.charts.attacks import reconstruction_charts
from dpengine.charts.attacks.reconstruction_charts import ShareLine, ShareView
from dpengine.formatting import amount, at_most
from pages.attack.reconstruction import reconstruction_settings as settings
from pages.attack.reconstruction.reconstruction_attack import FADES
from pages.attack.reconstruction.reconstruction_settings import KEY
from pages.lesson import pickers
from pages.lesson.lesson import Shown, picture_and_words
from pages.plan.work_panel import result_of
from pages.widgets import outputs
from pages.widgets.computed import formula

SIZES = (0.1, 0.25, 0.5, 1.0, 2.0, 4.0, 16.0, 64.0)
PRICED = (1, 3, 4, 6)
STEPS = (0.5, 1.0, 2.0, 4.0, 8.0)
TABLES, FIRST_TABLE, FIRST_NOISE, EACH = (128, 256, 512), 32, 4.0, 8
DELTA = 1e-6
GROWS = (
    formula("Noise that grows slowly, for n people, is like", r"\sqrt[4]{n}")
    + formula("Noise that grows faster is like", r"\sqrt{n}")
    + "Source: Dinur and Nissim 2003."
)
WHISKERS = "Whiskers: the least and the most of 6 draws; the median draw lies between them in 96.8% of such pictures."


@dataclass(frozen=True, slots=True, kw_only=True)
class Priced:
    """Both attackers over the same sizes of noise, and the bills of some of them."""

    program: Curve
    squares: Curve
    bills: tuple[ReconstructionBill, ...]


def against(view: str, counts: GroupCounts, budget: Budget) -> Shown:
    """The view of this name."""
    return VIEWS[view](counts, budget)


def _noise(counts: GroupCounts, budget: Budget) -> Shown:
    seed = settings.day()
    known = (counts.people, counts.questions, counts.share, budget.kind, seed)
    found = result_of(
        known,
        lambda watch: _priced(counts, budget.kind, seed, watch),
        key=f"{KEY}_noise_result",
        words="Attacking at eight sizes of noise",
    )
    if found is None:
        return Shown(finding="Attacking at eight sizes of noise …")
    place, words = picture_and_words(f"{KEY}_noise", picture=1.7)
    picture = _noise_picture(found, counts)
    outputs.chart(place, picture, key=f"{KEY}_noise_chart")
    fades = amount(math.sqrt(counts.people))
    words.markdown(_prices(found, counts.people))
    words.markdown(
        f"Where the attack works, the total ε (at δ = 10⁻⁶) is large. Noise that defeats it is about ±{fades} people "
        "(standard deviation), and so is the sampling error."
    )
    words.caption(WHISKERS)
    return Shown(
        finding=f"The attack fades where the noise reaches {fades} people", pictures=(picture,), computed=FADES
    )


def _priced(counts: GroupCounts, kind: str, seed: int, watch: Watch) -> Priced:
    program = against_noise(counts, SIZES, seed=seed, kind=kind, watch=watch.part(0.0, 0.8))
    squares = against_noise(counts, SIZES, seed=seed, kind=kind, decoder=LEAST_SQUARES, watch=watch.part(0.8, 1.0))
    noises = (noise_of_size(SIZES[place] * math.sqrt(counts.people), kind=kind) for place in PRICED)
    bills = tuple(bill(noise, questions=counts.questions, delta=DELTA) for noise in noises)
    return Priced(program=program, squares=squares, bills=bills)


def _noise_picture(found: Priced, counts: GroupCounts) -> Chart:
    palette = outputs.palette()
    sampling = sampling_error(people=counts.people, share=counts.share) / math.sqrt(counts.people)
    view = ShareView(
        at=found.program.at,
        x_title="noise of each count, in square roots of n",
        y_title="recovered, %",
        chance=counts.chance,
        ticks=SIZES,
        marks=(
            (counts.relative_noise, f"your dial: {amount(counts.relative_noise)}", palette.with_person),
            (sampling, "sampling error", palette.sampling),
        ),
    )
    lines = (
        _recovered(LINEAR_PROGRAM, found.program, palette.attacker),
        _recovered(LEAST_SQUARES, found.squares, palette.without_person, dash="dash"),
        ShareLine(
            label="upper limit for any attacker", shares=found.program.bounds, color=palette.exact, dash="dashdot"
        ),
    )
    return reconstruction_charts.shares(view, lines, palette)


def _prices(found: Priced, people: int) -> str:
    rows = "".join(
        f"| ±{amount(SIZES[at] * math.sqrt(people))} | {amount(100 * found.program.averages[at])} "
        f"| {at_most(cost.naive)} | {at_most(cost.exact)} |\n"
        for at, cost in zip(PRICED, found.bills, strict=True)
    )
    return f"| noise, people | recovered, % | ε, naive | ε, exact |\n|---|---|---|---|\n{rows}"


def _questions(counts: GroupCounts, budget: Budget) -> Shown:
    seed = settings.day()
    found = result_of(
        (counts, budget, seed),
        lambda watch: _kept_noise_and_kept_total(counts, budget, seed, watch),
        key=f"{KEY}_questions_result",
        words="Asking more and more",
    )
    if found is None:
        return Shown(finding="Asking more and more …")
    place, words = picture_and_words(f"{KEY}_questions", picture=1.7)
    picture = _questions_picture(found, counts)
    outputs.chart(place, picture, key=f"{KEY}_questions_chart")
    last = f"{found[0].at[-1]:,.0f}"
    noise, total = (amount(100 * curve.averages[-1]) for curve in found)
    words.markdown(
        f"**Each count keeps its noise** (±{amount(counts.noise.standard_deviation)}): with {last} counts the "
        f"attacker recovers {noise}%, and the total ε grows with every count.\n\n"
        f"**The total ε stays the same**: more counts, more noise in each; the attacker recovers {total}%.\n\n"
        "So the limit must be on the total, as in the ledger of this project. Turn the dial up to see the lines part."
    )
    words.caption(WHISKERS)
    finding = f"{last} counts: {noise}% recovered at equal noise, {total}% at equal total ε"
    return Shown(finding=finding, pictures=(picture,))


def _kept_noise_and_kept_total(counts: GroupCounts, budget: Budget, seed: int, watch: Watch) -> tuple[Curve, Curve]:
    asked = [int(step * counts.people) for step in STEPS]
    return (
        against_questions(counts, asked, seed=seed, watch=watch.part(0.0, 0.5)),
        against_questions(counts, asked, seed=seed, rule=budget, watch=watch.part(0.5, 1.0)),
    )


def _questions_picture(found: tuple[Curve, Curve], counts: GroupCounts) -> Chart:
    palette = outputs.palette()
    view = ShareView(
        at=found[0].at,
        x_title="counts published",
        y_title="recovered, %",
        chance=counts.chance,
        marks=((float(counts.questions), "as in step 1", palette.with_person),),
    )
    lines = (
        _recovered("each count keeps its noise", found[0], palette.attacker),
        _recovered("the total ε stays the same", found[1], palette.left, dash="dash"),
    )
    return reconstruction_charts.shares(view, lines, palette)


def _people(counts: GroupCounts, budget: Budget) -> Shown:
    place, words = picture_and_words(f"{KEY}_growth", picture=1.7)
    largest = pickers.stop(words, "Largest table, people", TABLES, key=f"{KEY}_largest", start=TABLES[0])
    tables = tuple(size for size in settings.PEOPLE if size <= largest)
    seed = settings.day()
    found = result_of(
        (largest, counts.share, budget, seed),
        lambda watch: _growing(tables, counts.share, budget, seed, watch),
        key=f"{KEY}_growth_result",
        words="Attacking larger and larger tables",
    )
    if found is None:
        place.markdown(f"The attack on tables of up to {largest} people appears here.")
        return Shown(finding="Attacking larger and larger tables …")
    picture = _growth_picture(found, counts)
    outputs.chart(place, picture, key=f"{KEY}_growth_chart")
    first, last = (amount(100 * (1.0 - found[0].averages[end]), 2) for end in (0, -1))
    words.markdown(
        f"**Noise that only doubles with sixteen times the people** (from ±{FIRST_NOISE:g} at {FIRST_TABLE} people "
        f"on): from {FIRST_TABLE} to {largest} people the wrong share goes from {first}% to {last}%, and on to 0 "
        "(blatantly non-private).\n\n"
        "**Noise that doubles with four times the people**: the wrong share stays. **The dial's total ε**: near chance "
        "at every size, if ε is small."
    )
    words.caption(WHISKERS)
    finding = f"Too little noise: among {largest} people only {last}% of secrets stay hidden"
    return Shown(finding=finding, pictures=(picture,), computed=GROWS)


def _growing(
    tables: tuple[int, ...], share: float, budget: Budget, seed: int, watch: Watch
) -> tuple[Curve, Curve, Curve]:
    slow, root = (Growth(start=FIRST_NOISE, people=FIRST_TABLE, power=power) for power in (0.25, 0.5))
    rules: tuple[NoiseRule, ...] = (slow, root, budget)
    first, second, third = (
        against_people(tables, rule, each=EACH, share=share, seed=seed, watch=watch.part(part / 3, (part + 1) / 3))
        for part, rule in enumerate(rules)
    )
    return first, second, third


def _growth_picture(found: tuple[Curve, Curve, Curve], counts: GroupCounts) -> Chart:
    palette = outputs.palette()
    view = ShareView(
        at=found[0].at,
        x_title=f"people in the table (n), with {EACH} counts for each",
        y_title="wrong, %",
        chance=1.0 - counts.chance,
        top=70.0,
    )
    lines = (
        _wrong("noise that grows slowly", found[0], palette.attacker),
        _wrong("noise that grows faster", found[1], palette.without_person, dash="dash"),
        _wrong("the dial's total ε", found[2], palette.left, dash="dot"),
    )
    return reconstruction_charts.shares(view, lines, palette)


def _recovered(label: str, curve: Curve, color: str, *, dash: str = "solid") -> ShareLine:
    return ShareLine(label=label, shares=curve.averages, color=color, dash=dash, least=curve.least, most=curve.most)


def _wrong(label: str, curve: Curve, color: str, *, dash: str = "solid") -> ShareLine:
    shares, least, most = (1.0 - values for values in (curve.averages, curve.most, curve.least))
    return ShareLine(label=label, shares=shares, color=color, dash=dash, least=least, most=most)


VIEWS: Mapping[str, Callable[[GroupCounts, Budget], Shown]] = {
    "Against noise": _noise,
    "Against counts": _questions,
    "Against table size": _people,
}
