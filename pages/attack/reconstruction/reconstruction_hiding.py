"""Fourth act: people guessed wrong as the table grows, where the largest error stays, and where it keeps pace."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence

import numpy as np
import streamlit as st
from streamlit.delta_generator import DeltaGenerator

from dpengine.attacks import Watch
from dpengine.attacks.reconstruction import (
    MISLEADING,
    RANDOM,
    Curve,
    Growth,
    LargestError,
    against_people,
    share_guessed_wrong,
    worst_found,
    wrong_at_most,
)
from dpengine.charts import Chart
from dpengine.charts.attacks import hiding_charts, reconstruction_charts
from dpengine.charts.attacks.reconstruction_charts import Array, ShareLine, ShareView
from dpengine.formatting import amount
from dpengine.queries.sensitivity.sentences import agreeing
from pages.attack.reconstruction import reconstruction_settings as settings
from pages.attack.reconstruction.reconstruction_settings import FAIR, KEY
from pages.lesson import pickers
from pages.lesson.lesson import Shown, picture_and_words, whole_number
from pages.plan.work_panel import result_of
from pages.widgets import outputs
from pages.widgets.computed import formula

SMALLEST, RANDOM_TABLES, CHOSEN_TABLES = 16, (16, 64, 256), tuple(4**power for power in range(2, 11))
TICKS, STARTS, FIRST_START, TOP = (16, 256, 4096, 65_536, 1_048_576), (1, 2, 4), 2, 58.0
TRIED, FIRST_TRIED, ERRORS, DRAWS = (8, 12), 12, (0, 1, 2, 3), 20
POWERS = {"E stays {}": 0.0, "grows slowly": 0.25, "keeps pace": 0.5}
COMING = "The share guessed wrong appears here."
NO_PACE = (
    "As many counts as people. Only an error that doubles with four times the people goes on hiding a share. The slow "
    "one takes sixteen times."
)
CHOSEN_DRAWS = " Each point: draws with 65,536 people in all, or one draw of more."
RANDOM_DRAWS = " Whiskers: the least and the most of 6 draws; the linear program finds the secrets."
EVERY = formula("Proved: a table that contradicts no count is wrong about at most", "4E") + (
    f"A mark is the worst of {DRAWS} draws. Source: Dinur and Nissim 2003, the exponential attack."
)


def hiding() -> Shown:
    """The act, with the attacker that is chosen."""
    return VIEWS[pickers.pills(st.container(), "Attacker", tuple(VIEWS), key=f"{KEY}_hiding")]()


def _chosen() -> Shown:
    place, words = picture_and_words(f"{KEY}_chosen", picture=1.8)
    start, seed = _start(words), settings.day()
    waiting = f"Attacking up to {CHOSEN_TABLES[-1]:,} people"
    found = result_of(
        (start, seed), lambda watch: _chosen_shares(start, seed, watch), key=f"{KEY}_chosen_result", words=waiting
    )
    if found is None:
        place.markdown(COMING)
        return Shown(finding=f"{waiting} …")
    proved = np.array([wrong_at_most(people=people, most=start) / people for people in CHOSEN_TABLES])
    bound = ShareLine(label="proved: no more wrong", shares=proved, color=outputs.palette().exact, dash="dot")
    picture = _growing(CHOSEN_TABLES, (*_lines(start, [(shares, None, None) for shares in found]), bound))
    outputs.chart(place, picture, key=f"{KEY}_chosen_chart")
    words.markdown(NO_PACE)
    settings.draw_again(words)
    wrong = round(float(found[0][-1]) * CHOSEN_TABLES[-1])
    finding = f"E stays {start}: of {CHOSEN_TABLES[-1]:,} people, {wrong:,} {agreeing(wrong, 'are')} guessed wrong"
    return Shown(finding=finding, pictures=(picture,), computed=_explained(start) + CHOSEN_DRAWS)


def _chosen_shares(start: int, seed: int, watch: Watch) -> tuple[Array, ...]:
    """Shares guessed wrong from chosen groups, for each way in which E grows."""
    found = []
    for place, people in enumerate(CHOSEN_TABLES):
        watch.tell(place / len(CHOSEN_TABLES))
        found.append([share_guessed_wrong(people=people, most=rule.at(people), seed=seed) for rule in _rules(start)])
    return tuple(np.array(found).T)


def _random() -> Shown:
    place, words = picture_and_words(f"{KEY}_random", picture=1.8)
    start, seed = _start(words), settings.day()
    waiting = f"Attacking up to {RANDOM_TABLES[-1]} people"
    found = result_of(
        (start, seed), lambda watch: _random_curves(start, seed, watch), key=f"{KEY}_random_result", words=waiting
    )
    if found is None:
        place.markdown(COMING)
        return Shown(finding=f"{waiting} …")
    shares = [(1.0 - curve.averages, 1.0 - curve.most, 1.0 - curve.least) for curve in found]
    picture = _growing(RANDOM_TABLES, _lines(start, shares))
    outputs.chart(place, picture, key=f"{KEY}_random_chart")
    words.markdown(NO_PACE)
    settings.draw_again(words)
    wrong = amount(100.0 * float(shares[0][0][-1]), 2)
    finding = f"E stays {start}: {wrong}% of {RANDOM_TABLES[-1]} people are guessed wrong"
    return Shown(finding=finding, pictures=(picture,), computed=_explained(start) + RANDOM_DRAWS)


def _random_curves(start: int, seed: int, watch: Watch) -> tuple[Curve, ...]:
    """What the linear program makes of n random groups, for each way in which E grows."""
    rules = _rules(start)
    return tuple(
        against_people(RANDOM_TABLES, rule, each=1, share=FAIR, seed=seed, watch=watch.part(part / 3, (part + 1) / 3))
        for part, rule in enumerate(rules)
    )


def _explained(start: int) -> str:
    """How E grows, and what is proved of it."""
    return (
        formula("E that grows slowly, for n people", rf"\frac{{{start}}}{{2}} \sqrt[4]{{n}}")
        + formula("E that keeps pace", rf"\frac{{{start}}}{{4}} \sqrt{{n}}")
        + formula("Proved of n chosen groups, for any errors up to E: people guessed wrong, at most", "16 E^2 + 1")
        + "Where E is o(√n), o(n) people are guessed wrong, a share that goes to 0: proved for n chosen groups (Dwork "
        "and Yekhanin 2008) and for random ones, somewhat more than n (Dinur and Nissim 2003). Errors are drawn "
        "from -E to E, in whole people."
    )


def _start(words: DeltaGenerator) -> int:
    return pickers.stop(words, f"E among {SMALLEST} people", STARTS, key=f"{KEY}_hiding_start", start=FIRST_START)


def _rules(start: int) -> list[LargestError]:
    growths = (Growth(start=float(start), people=SMALLEST, power=power) for power in POWERS.values())
    return [LargestError(growth=growth) for growth in growths]


def _lines(start: int, shares: Sequence[tuple[Array, Array | None, Array | None]]) -> list[ShareLine]:
    palette = outputs.palette()
    looks = ((palette.attacker, "solid"), (palette.with_person, "dash"), (palette.without_person, "dashdot"))
    return [
        ShareLine(label=name.format(start), shares=mean, least=least, most=most, color=color, dash=dash)
        for name, (mean, least, most), (color, dash) in zip(POWERS, shares, looks, strict=True)
    ]


def _growing(tables: Sequence[int], lines: Sequence[ShareLine]) -> Chart:
    view = ShareView(
        at=np.array(tables, dtype=np.float64),
        x_title="people in the table (n), as many counts",
        y_title="guessed wrong, %",
        chance=FAIR,
        ticks=[tick for tick in TICKS if tick in tables] if len(tables) > 4 else (),
        top=TOP,
    )
    return reconstruction_charts.shares(view, lines, outputs.palette())


def _every_table() -> Shown:
    place, words = picture_and_words(f"{KEY}_worst", picture=1.8)
    people = whole_number(words, "People", key=f"{KEY}_worst_people", span=TRIED, start=FIRST_TRIED)
    seed = settings.day()
    worst = {
        f"errors {kind}": np.array(
            [worst_found(people=people, most=most, errors=kind, draws=DRAWS, seed=seed) for most in ERRORS], float
        )
        for kind in (MISLEADING, RANDOM)
    }
    picture = hiding_charts.worst_tables(people=people, worst=worst, palette=outputs.palette())
    outputs.chart(place, picture, key=f"{KEY}_worst_chart")
    words.markdown(
        "Every group is counted. Errors made to mislead can reach the proved limit of 4E; none passes it. An E far "
        "below the number of people hides few."
    )
    settings.draw_again(words)
    finding = f"Of {people} people, no table left gets more than 4E wrong"
    return Shown(finding=finding, pictures=(picture,), computed=EVERY)


VIEWS: Mapping[str, Callable[[], Shown]] = {
    "Fast, chosen groups": _chosen,
    "Fast, random groups": _random,
    "Every possible table": _every_table,
}
