"""Steps on randomized response: one survey answers many counts at one price, and what several facts cost."""

from __future__ import annotations

import numpy as np

from dpengine.accuracy.lessons.one_survey import (
    AGES,
    PLACES,
    GroupCount,
    all_facts_standard_error,
    counts_of_groups,
    invented_people,
    one_fact_standard_error,
)
from dpengine.charts.privacy import survey_charts
from dpengine.charts.tables import line_charts
from dpengine.charts.tables.line_charts import Line, LineView
from dpengine.formatting import amount, at_most
from dpengine.mechanisms import RandomizedResponse
from pages.lesson import pickers
from pages.lesson.check import Answer, Check
from pages.lesson.lesson import Shown, dial, picture_and_words, whole_number
from pages.widgets import outputs
from pages.widgets.computed import formula

KEY = "randomized_response"
PEOPLE, SEED, EVERYTHING = 2_000, 9, 100.0
ANY_AGE, ANY_PLACE = "any age", "anywhere"


def one_survey() -> Shown:
    """The count of any group, its interval and the truth, from one report a person."""
    epsilon = dial(f"{KEY}_survey_epsilon", start=1.0)
    place, words = picture_and_words(f"{KEY}_survey", picture=1.6)
    left, right = place.columns([3, 2])
    age = pickers.pills(left, "Smokers of which age?", (AGES[0], ANY_AGE, *AGES[1:]), key=f"{KEY}_survey_age")
    where = pickers.pills(right, "Living where?", (ANY_PLACE, *PLACES), key=f"{KEY}_survey_place")
    rng = np.random.default_rng(SEED)
    survey = invented_people(PEOPLE, rng)
    reports = RandomizedResponse.from_epsilon(epsilon).simulate(survey.smokes, rng)
    counts = counts_of_groups(survey, reports, epsilon=epsilon)
    wanted = (AGES.index(age) if age in AGES else None, PLACES.index(where) if where in PLACES else None)
    chosen = next(one for one in counts if (one.age, one.place) == wanted)
    picture = survey_charts.groups(counts, chosen, outputs.palette())
    outputs.chart(place, picture, key=f"{KEY}_survey_chart")
    low, near, high = (f"{count:,}".replace("-", "−") for count in (chosen.lower, round(chosen.estimate), chosen.upper))
    words.markdown(
        f"{PEOPLE:,} invented people each said once, behind coins, whether they smoke. Age and place are "
        "public.\n\n"
        f"**{_smokers(chosen)}**: {near} estimated, 95% interval **{low} to {high}**; in truth {chosen.truth:,} of "
        f"{chosen.people:,}.\n\n"
        f"All {len(counts)} counts come from the same reports (post-processing), so **ε stays {amount(epsilon)}**. "
        "Small groups have relatively wide intervals."
    )
    finding = f"{_smokers(chosen)}: {low} to {high}, and ε stays {amount(epsilon)}"
    if chosen.lower < 0 and chosen.upper > chosen.people:
        finding = f"{_smokers(chosen)}: at ε = {amount(epsilon)} the reports say nothing"
    return Shown(finding=finding, pictures=(picture,), computed=OF_SURVEY)


OF_SURVEY = (
    formula("The estimate, from y reports of yes among m people", r"\frac{y-m(1-\gamma)}{2\gamma-1}")
    + formula(
        "Its standard error, the same however many smoke", r"\sqrt{m}\,\frac{e^{\varepsilon/2}}{e^{\varepsilon}-1}"
    )
    + "γ is the chance that a report is true. As a share of the group it falls like one over the square root of m. The "
    "interval takes 1.96 standard errors, and what one report more would change, to either side: at least 95% for each "
    "group by itself, by the exact law of the coins. One fixed draw; moving the dial keeps it. An end below 0 is no "
    "mistake. Sources: Warner 1965; post-processing, Dwork and Roth 2014, Proposition 2.1."
)


def _smokers(group: GroupCount) -> str:
    """Whom a count counts: "Smokers under 25 in town"."""
    of_age = "" if group.age is None else f" {AGES[group.age]}"
    where = "" if group.place is None else (" in town", " in the country")[group.place]
    return f"Smokers{of_age}{where}" if of_age or where else "All smokers"


FACTS = np.arange(1.0, 6.0)


def several_facts() -> Shown:
    """The error of a count over the number of facts that share one epsilon."""
    epsilon = dial(f"{KEY}_facts_epsilon", start=1.0, most=20.0)
    place, words = picture_and_words(f"{KEY}_facts", picture=1.5)
    count = whole_number(place, "Facts asked of each person", key=f"{KEY}_facts_count", span=(2, len(FACTS)), start=3)
    view = LineView(at=FACTS, x_title="facts asked", y_title="standard error, percentage points", here=float(count))
    drawn = _fact_lines(count, epsilon)
    picture = line_charts.lines(view, drawn, outputs.palette())
    outputs.chart(place, picture, key=f"{KEY}_facts_chart")
    alone = float(drawn[0].values[0])
    one, together = (at_most(line.here) if line.here <= EVERYTHING else "over 100" for line in drawn)
    words.markdown(
        f"Each fact has its own coins, and their ε add up: within ε = {amount(epsilon)}, {count} facts get "
        f"**{amount(epsilon / count)}** each. One fact beside public ones costs its ε once.\n\n"
        f"Of {PEOPLE:,} people, the share with one fact has a standard error of **{one} points**; the share with all "
        f"{count}, up to **{together}**. Asked as one question, that would be {at_most(alone)}."
    )
    finding = f"{count} facts within ε = {amount(epsilon)}: {amount(drawn[0].here / alone)} times the error of one"
    return Shown(finding=finding, pictures=(picture,), computed=OF_FACTS)


def _fact_lines(count: int, epsilon: float) -> list[Line]:
    """The error of the share with one fact, and with all of them, as so many of 100."""
    palette = outputs.palette()
    ways = (
        ("one fact", one_fact_standard_error, palette.advanced),
        ("all facts at once, at most", all_facts_standard_error, palette.attacker),
    )
    return [
        Line(
            label=label,
            values=np.array([100.0 * error(PEOPLE, int(facts), epsilon=epsilon) / PEOPLE for facts in FACTS]),
            here=100.0 * error(PEOPLE, count, epsilon=epsilon) / PEOPLE,
            color=color,
        )
        for label, error, color in ways
    ]


OF_FACTS = (
    formula(
        "The standard error of one fact's share, k facts asked",
        r"\sqrt{\tfrac{v}{m}},\quad "
        r"v=\frac{e^{\varepsilon/k}}{(e^{\varepsilon/k}-1)^2}",
    )
    + formula("That of all k at once, at most", r"\sqrt{\tfrac{(1+v)^k-1}{m}}")
    + "m is the number of people. All at once: each person counts as the product of the estimates of the own facts, "
    "whose coins are independent; the largest error is reached where everybody has all facts. Sources: Warner 1965; "
    "Goodman 1960; the epsilons add up, Dwork and Roth 2014, Theorem 3.16."
)
CHECK = Check(
    question="A survey by randomized response at ε = 1 is in. You count the smokers, then those under 25, then those "
    "in town: ten groups. What did each person pay?",
    answers=(
        Answer(
            text="ε = 10: ten counts, one ε each, added up.",
            feedback="That is the bill of a curator who draws new noise for each of ten overlapping counts. Here no "
            "coin is tossed again: all ten are computed from the same reports.",
        ),
        Answer(
            text="ε = 1: what is computed from the reports costs nothing more.",
            feedback="Each person reported once, at ε = 1. Counting the reports in another way is post-processing.",
            right=True,
        ),
        Answer(
            text="ε = 0.1 for each group, so 1 in total.",
            feedback="The total is right, but nothing is shared out: every one of the ten counts uses whole reports at "
            "ε = 1. An eleventh would cost nothing either.",
        ),
        Answer(
            text="ε = 3: smoking, age and place are three facts.",
            feedback="Three facts, each behind coins at ε = 1, would cost 3. Here only smoking is; age and place are "
            "public, so nothing hides them.",
        ),
    ),
)
