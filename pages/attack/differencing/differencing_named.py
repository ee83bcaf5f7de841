"""A clinic that answers counts and refuses rows: two counts, one of which leaves out one person by name."""

from __future__ import annotations

import streamlit as st
from streamlit.delta_generator import DeltaGenerator

from dpengine.attacks import DifferencingRules, noisy_counts
from dpengine.attacks.clinic import GROWN_UP, HIS_AGE, NAMED, mumps_cases, trait_counts
from dpengine.charts.attacks import differencing_charts, protected_charts
from dpengine.charts.attacks.protected_charts import NoisyCells
from dpengine.formatting import amount, upper_of_100
from pages import session
from pages.lesson.lesson import Shown, choice, dial, picture_and_words, whole_number
from pages.widgets import outputs
from pages.widgets.computed import formula

KEY = "differencing_named"
CASES = "SELECT count(*) FROM clinic\nWHERE age > {age} AND disease = 'mumps'"
ROW = "SELECT disease FROM clinic\nWHERE age = 22"
EVERYBODY = "SELECT count(*) FROM clinic\nWHERE sickle_cell_trait"
OTHERS = EVERYBODY + "\nAND name <> 'John Ramos'"
MOST_EPSILON = 10.0
NOISE = (
    formula("The upper limit for any attacker, for a fair coin", r"\frac{e^{\varepsilon}}{1+e^{\varepsilon}}")
    + "Each count gets whole-number Laplace noise for ε. The second count never holds the person who is left out, so "
    "one ε limits what both say about that person; of everybody else they may say twice as much (2ε). Source: "
    "Kairouz, Oh and Viswanath 2015, section 2."
)


def shown() -> Shown:
    """What is refused, what two counts reveal, and the same two counts with noise."""
    return VIEWS[choice("Look at", list(VIEWS), key=f"{KEY}_look")]()


def _refused() -> Shown:
    age = whole_number(st.container(), "Older than", key=f"{KEY}_age", span=(20, 60), start=GROWN_UP)
    cases = mumps_cases(older_than=age)
    left, right = st.columns(2, gap="medium")
    younger = HIS_AGE - 1
    _asked(
        left,
        f"Answered: {cases} people",
        CASES.format(age=age),
        f"Older than {younger}, it is {mumps_cases(older_than=younger)}: one more, and that is {NAMED}.",
    )
    _asked(right, "Refused", ROW, f"One patient alone is {HIS_AGE}, {NAMED}: the answer would be his disease.")
    return Shown(finding=f"The count of {cases} is answered, the row of one is refused")


def _asked(place: DeltaGenerator, heading: str, sql: str, why: str) -> None:
    box = place.container(border=True, key=f"card_{KEY}_{'row' if sql == ROW else 'count'}")
    box.markdown(f"**{heading}**")
    box.code(sql, language="sql", wrap_lines=True)
    box.markdown(why)


def _exact() -> Shown:
    trait = trait_counts()
    place, words = picture_and_words(f"{KEY}_exact")
    picture = differencing_charts.subtraction(
        everybody=trait.everybody, others=trait.others, person=NAMED, subtracted=True, palette=outputs.palette()
    )
    outputs.chart(place, picture, key=f"{KEY}_exact_chart")
    for heading, sql in (("First count", EVERYBODY), ("Second count", OTHERS)):
        words.markdown(f"**{heading}**")
        words.code(sql, language="sql", wrap_lines=True)
    words.markdown(f"Both counts are answered. Their difference is {trait.everybody - trait.others}: {NAMED} has it.")
    return Shown(finding=f"Two answered counts reveal {NAMED}'s sickle cell trait", pictures=(picture,))


def _noisy() -> Shown:
    trait, day = trait_counts(), int(str(session.remembered(f"{KEY}_day", 1)))
    epsilon = dial(f"{KEY}_epsilon", start=0.5, most=MOST_EPSILON)
    published = noisy_counts(trait, epsilon=epsilon, seed=day)
    limit = upper_of_100(DifferencingRules(epsilon=epsilon).knowing_the_others)
    place, words = picture_and_words(f"{KEY}_noisy")
    view = NoisyCells(
        labels=["everybody", f"without {NAMED}"],
        exact=[trait.everybody, trait.others],
        published=list(published),
        candidates=(0, 1),
        unit="people with the trait",
    )
    picture = protected_charts.noisy_cells(view, outputs.palette())
    outputs.chart(place, picture, key=f"{KEY}_noisy_chart")
    everybody, others = published
    subtracted = f"{everybody} − {others if others >= 0 else f'({others})'} = **{everybody - others}**"
    words.markdown(
        f"{subtracted.replace('-', '−')}; without noise it is 1. An attacker who thinks "
        f"it 50:50, even knowing everybody else, is right in at most **{limit} out of 100** cases."
    )
    words.button("Draw again", key=f"{KEY}_again", on_click=session.remember, args=(f"{KEY}_day", day + 1))
    finding = f"ε = {amount(epsilon)}: at most {limit} out of 100 guesses are right"
    return Shown(finding=finding, pictures=(picture,), computed=NOISE)


VIEWS = {"Count or row": _refused, "Two counts": _exact, "With noise": _noisy}
