"""Second act: the bits put together again, by a linear program and by trying every table."""

from __future__ import annotations

import math
from dataclasses import dataclass

from streamlit.delta_generator import DeltaGenerator

from dpengine.attacks import Watch
from dpengine.attacks.reconstruction import (
    LEAST_SQUARES,
    LINEAR_PROGRAM,
    MISLEADING,
    RANDOM,
    Exhausted,
    GroupCounts,
    Reconstruction,
    reconstruct,
    try_everything,
)
from dpengine.charts import Chart
from dpengine.charts.attacks import reconstruction_charts
from dpengine.formatting import amount
from dpengine.queries.sensitivity.sentences import agreeing
from pages.attack.reconstruction import reconstruction_settings as settings
from pages.attack.reconstruction.reconstruction_settings import KEY
from pages.lesson import pickers
from pages.lesson.lesson import Shown, choice, picture_and_words, whole_number
from pages.plan.work_panel import result_of
from pages.widgets import outputs
from pages.widgets.computed import formula

METHODS = ("A linear program, in seconds", "Every possible table")
ASKED = {"every group": None, "8 per person": 8, "4 per person": 4, "2 per person": 2}
LEAST_TRIED, MOST_TRIED, TRIED_FIRST, SMALL = 4, 16, 12, 150


@dataclass(frozen=True, slots=True, kw_only=True)
class BothWays:
    """What the two fast attackers made of the same counts."""

    program: Reconstruction
    squares: Reconstruction


def attack() -> Shown:
    """The act, with the attacker that is chosen."""
    share = settings.share()
    if choice("Which attacker?", METHODS, key=f"{KEY}_method") == METHODS[0]:
        return _fast(share)
    return _exhaustive(share)


def _fast(share: float) -> Shown:
    place, words = picture_and_words(f"{KEY}_fast", picture=1.8)
    sizes = settings.sizes(place)
    counts = settings.counts(sizes, share, settings.error(words))
    found = both_ways(counts, settings.day())
    if found is None:
        return Shown(finding="Putting the counts together …")
    picture = reconstruction_charts.recovered(
        secret=found.program.secret, guessed=found.program.guessed, palette=outputs.palette()
    )
    outputs.chart(place, picture, key=f"{KEY}_fast_chart")
    right, squares = (int(one.right.sum()) for one in (found.program, found.squares))
    words.markdown(
        f"| recovered from {counts.questions:,} counts | of {counts.people} |\n|---|---|\n"
        f"| linear program | **{right}** |\n"
        f"| least squares (misses squared) | {squares} |\n"
        f"| pure chance, the same answer for all: about | {counts.chance * counts.people:.0f} |"
    )
    words.markdown(
        f"The attack fades where errors reach about {amount(math.sqrt(counts.people))} people (standard deviation; "
        f"now {amount(counts.noise.standard_deviation)}). The more counts are published, the larger the errors must be "
        "to stop it. The squares show one draw."
    )
    if squares > right:
        words.markdown(SUITED)
    settings.draw_again(words)
    finding = f"{right} of {counts.people} yes/no secrets recovered from counts alone"
    return Shown(finding=finding, pictures=(picture,), computed=FADES)


SUITED = (
    "Here least squares does better: it suits errors with a limit. The linear program suits those with long tails, as "
    "in step 3."
)
FADES = (
    formula("The attack fades where errors reach, for n people, about", r"\sqrt{n}")
    + "The linear program finds numbers from 0 to 1, one for each person, whose counts miss the published ones by the "
    "least in total, and rounds them. Sources: Dinur and Nissim 2003; Dwork, McSherry and Talwar 2007."
)


def both_ways(counts: GroupCounts, seed: int) -> BothWays | None:
    """The same counts put together by both; off the page's thread, None while it runs or where it was stopped."""

    def solved(watch: Watch) -> BothWays:
        program, squares = (
            reconstruct(counts, seed=seed, decoder=decoder, watch=watch) for decoder in (LINEAR_PROGRAM, LEAST_SQUARES)
        )
        return BothWays(program=program, squares=squares)

    return result_of((counts, seed), solved, key=f"{KEY}_fast_result", words="Solving the linear program")


def _exhaustive(share: float) -> Shown:
    place, words = picture_and_words(f"{KEY}_every", picture=1.4)
    left, right = place.columns(2)
    people = whole_number(left, "People", key=f"{KEY}_tried", span=(LEAST_TRIED, MOST_TRIED), start=TRIED_FIRST)
    most = whole_number(right, "Largest error E", key=f"{KEY}_tried_error", span=(0, 4), start=1)
    asked = ASKED[pickers.pills(words, "Groups that were counted", tuple(ASKED), key=f"{KEY}_tried_asked")]
    errors = pickers.pills(words, "Errors", (MISLEADING, RANDOM), key=f"{KEY}_tried_errors")
    questions = None if asked is None else asked * people
    found = try_everything(
        people=people, most=most, share=share, questions=questions, errors=errors, seed=settings.day()
    )
    pictures = _squares_and_bars(place, found, people)
    farthest = int(found.wrong[-1])
    fitting = len(found.wrong)
    words.markdown(
        f"**{fitting:,} of {found.tables:,}** tables {agreeing(fitting, 'contradict')} no count. The squares show one "
        f"of them, picked at random. The worst of them is wrong about **{farthest} of {people}** people.\n\n"
        f"{_proof(found, people, most)}"
    )
    settings.draw_again(words)
    finding = f"{fitting:,} of {found.tables:,} tables left; the worst is wrong about {farthest} people"
    return Shown(finding=finding, pictures=pictures, computed="Source: Dinur and Nissim 2003, the exponential attack.")


def _squares_and_bars(place: DeltaGenerator, found: Exhausted, people: int) -> tuple[Chart, Chart]:
    """One of the tables that are left, and how wrong all of them are."""
    palette = outputs.palette()
    squares = reconstruction_charts.recovered(
        secret=found.found.secret, guessed=found.found.guessed, palette=palette, height=SMALL
    )
    bars = reconstruction_charts.tables_left(
        wrong=found.wrong, people=people, guarantee=found.guarantee, palette=palette
    )
    outputs.chart(place, squares, key=f"{KEY}_every_chart")
    outputs.chart(place, bars, key=f"{KEY}_left_chart")
    return squares, bars


def _proof(found: Exhausted, people: int, most: int) -> str:
    """What was proved before anything was drawn, and whether it held."""
    if found.guarantee is None:
        return (
            "Not every group was counted, so **nothing is proved** here: a table may fit these counts and be far from "
            "the truth. The proof needs all groups."
        )
    why = (
        f"Why: suppose a table is wrong about more than 2E = {2 * most} of the ill. Their group alone is then off by "
        "more than 2E, so by more than E from the published count, and the table is crossed out. The same for the "
        "healthy."
    )
    if found.guarantee >= people:
        return f"Proved: wrong about at most 4E = {found.guarantee}, which is no limit for {people} people. {why}"
    held = "✓ It held" if found.kept_guarantee else "✗ It was broken"
    return f"Proved: wrong about at most 4E = **{found.guarantee}** people, whatever the errors are. {held}. {why}"
