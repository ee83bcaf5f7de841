"""The page: two promises, one picture, which is stronger, what was assumed, and what each of them says."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

import streamlit as st

from dpengine.charts.privacy import two_promises_charts
from dpengine.promises import Promise, Unsaid
from dpengine.promises.comparing import PromiseComparison, Stronger, compared
from dpengine.reports.evaluations import figures
from dpengine.reports.evaluations.promise_fields import FIELDS, PromiseField
from pages.access import roles
from pages.judge.two_promises.choosing import KEY, ChosenPair, chosen
from pages.lesson.lesson import picture_and_words
from pages.widgets import computed, outputs
from pages.widgets.escaping import unmarked

QUESTION = "Which of two promises is stronger, for the same person over the same days?"
ALMOST_ALWAYS = 99.0
"""Of 100 cases; the least odds of a promise with an epsilon of 4.6."""
_SUSPECTED = {"a family of four": "your family is in the data"}
_COMPUTED = (
    "Both losses are read at the same total δ, and again at the other promise's own where that is larger than a "
    "millionth. A promise is called stronger only where its largest loss is below the other's smallest, or where it "
    "loses less by every rule for adding up, and at no δ more. What differs by less than a thousandth counts as equal. "
    "Somebody replaced is one removed and one added: a group of two.\n\nSources: Dwork and Roth 2014, sections 2.3 "
    "and 3.5; Kairouz, Oh and Viswanath 2015; Kifer and Machanavajjhala 2011, section 2."
)


@roles.part
def show() -> None:
    """The whole page."""
    heading = st.container()
    what = chosen()
    found = compared(
        what.one,
        what.other,
        days=what.days,
        subject=figures.SUBJECTS[what.whom],
        one_events=what.one_events,
        other_events=what.other_events,
        devices=what.devices,
    )
    with heading:
        outputs.finding(unmarked(found.finding.removesuffix(".")), QUESTION)
    place, words = picture_and_words(KEY)
    picture = two_promises_charts.side_by_side(found, whom=what.whom, palette=outputs.palette())
    outputs.chart(place, picture, key=f"{KEY}_chart")
    words.markdown("\n\n".join(_beside(found, what)))
    st.caption(figures.TEN_TIMES)
    if found.assumed:
        st.markdown("## What was assumed\n" + _listed(found.assumed), anchors=False)
    st.markdown("## What each of them says", anchors=False)
    st.markdown(_fields(found, what))
    outputs.numbers_behind((picture,), key=f"{KEY}_numbers")
    computed.how(_COMPUTED, key=f"{KEY}_computed")
    st.page_link("pages/judge/promise/page.py", label="Change or type a promise: Judge a promise →")


def _beside(found: PromiseComparison, what: ChosenPair) -> Iterator[str]:
    """The odds of both, and why nobody can tell."""
    right = [
        f"in at most **{figures.right_at_most(total)} out of 100** cases under {unmarked(name)}"
        for name, total in zip(found.names, (found.first, found.second), strict=True)
        if total is not None
    ]
    if right:
        suspected = _SUSPECTED.get(what.whom, "you are in the data")
        yield (
            f"An attacker who thinks it 50:50 whether {suspected}, even knowing everybody else, can be right "
            f"{', and '.join(right)} (50 is pure chance)."
        )
        limits = [total.odds.with_data for total in (found.first, found.second) if total is not None]
        if found.stronger in (Stronger.FIRST, Stronger.SECOND) and min(limits) >= ALMOST_ALWAYS:
            yield "**Stronger is not strong:** under both, an attacker may be right almost always."
    if found.cannot:
        heading = "Needed first" if found.stronger is Stronger.MISSING else "Why nobody can tell"
        yield f"**{heading}**\n{_listed(found.cannot)}"


def _listed(sentences: Iterable[str]) -> str:
    return "\n".join(f"- {unmarked(sentence)}" for sentence in sentences)


def _fields(found: PromiseComparison, what: ChosenPair) -> str:
    """Every field in words, a row each; what both leave empty for the same reason stands below."""
    answers = [_answers(promise) for promise in (what.one, what.other)]
    lines = ["| asked | " + " | ".join(unmarked(name) for name in found.names) + " |", "|---|---|---|"]
    empty: dict[str, list[str]] = {}
    for name, field in FIELDS.items():
        one, other = (given[name] for given in answers)
        if isinstance(one, Unsaid) and one is other:
            empty.setdefault(one.value, []).append(field.short)
        else:
            lines.append(f"| {field.short} | {_cell(field, one)} | {_cell(field, other)} |")
    below = [f":gray[**{why[0].upper()}{why[1:]}, for both:** {', '.join(names)}.]" for why, names in empty.items()]
    return "\n\n".join(["\n".join(lines), *below])


def _cell(field: PromiseField, value: object) -> str:
    words = field.in_words(value)
    return f":gray[{words}]" if isinstance(value, Unsaid) else words


def _answers(promise: Promise) -> dict[str, object]:
    own = {name: getattr(promise, name) for name in promise.__dataclass_fields__}
    handling = promise.handling
    return own | {name: getattr(handling, name) for name in handling.__dataclass_fields__}
