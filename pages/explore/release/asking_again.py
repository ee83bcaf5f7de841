"""Measure, observe, remeasure: the answers to one question together, and what one more would bring."""

from __future__ import annotations

from dataclasses import replace

import streamlit as st

from dpengine import calibration
from dpengine.errors import RefusedQueryError
from dpengine.formatting import error_in, measure_of
from dpengine.ledger import (
    Account,
    Amounts,
    Combined,
    Estimate,
    Outlook,
    Release,
    answers_alike,
    combined,
    once_instead,
    outlook,
)
from dpengine.plan import PlannedQuery
from dpengine.queries.part import counted_alike
from pages import session
from pages.phrasing import charge_words, released_words, wording
from pages.phrasing.released_words import CONFIDENCE
from pages.plan import answer_panels, label_panels
from pages.plan.table import server_tables
from pages.question import uninformative
from pages.widgets import inputs, outputs
from pages.widgets.escaping import unmarked

_PLANNED = (
    "Each answer counts by how exact it is (inverse variance), and the interval comes from the combined distribution "
    "of their noise. **It is right if you had decided beforehand how often to ask.** If an earlier answer made you ask "
    "again, the interval holds the exact answer in fewer than 95% of cases (selection). Then take only the newest "
    "answer with its own interval, and stop asking."
)
_DRAWN = 8
"""Of more answers to one question the picture has the newest."""
_CHANGED = (
    " Each answer is about the rows that the table had at that moment. If they changed in between, the combined answer "
    "describes neither state."
)


def together(planned: PlannedQuery, account: Account) -> None:
    """All answers to this question as one, what they cost, and what asking once would have cost."""
    asked = _asked(planned, account)
    if len(asked) < 2:
        return
    with st.container(border=True, key="card_together"), outputs.sentences_for_errors():
        try:
            known = combined(asked)
        except RefusedQueryError as error:
            st.markdown(f"## You asked this {len(asked)} times\n{unmarked(error.reason)}")
            return
        _combined(known, account)


def _combined(known: Combined, account: Account) -> None:
    """What is best known now, what it cost, and the numbers themselves where there are many."""
    estimate, place = known.estimate, st.container()
    tidy = answer_panels.tidied(estimate, key="together")
    instead = ""
    if not uninformative.fills(estimate.query, estimate.schema, estimate.reach(CONFIDENCE)):
        once = _instead(once_instead(known), known.charge.amounts, known, account, "would have been")
        instead = f"{_no_better(known)}{once}"
    line = unmarked(released_words.headline(tidy, CONFIDENCE))
    caveats = _PLANNED + (_CHANGED if server_tables.in_use() else "")
    if estimate.answer_is_number:
        each = [
            (f"answer {number} of {len(known.releases)}", one.estimate) for number, one in enumerate(known.releases, 1)
        ]
        with place:
            answer_panels.intervals([*each[-_DRAWN:], ("together", tidy)], key="together")
    place.markdown(
        f"## You asked this {len(known.releases)} times: together {line}\n"
        f"Charged in total: **{charge_words.signs(known.charge)}**. {instead} :gray[{caveats}]"
    )
    if not estimate.answer_is_number and st.toggle("Show the combined numbers", key="show_together"):
        answer_panels.cells(tidy, key="together")
    label_panels.label_download(
        account,
        *known.releases,
        labels=session.scenario().spoken,
        key="label_of_together",
        words="Privacy label of the answers together",
    )


def _no_better(known: Combined) -> str:
    """Where the answers together are no more exact than one of them, whose interval is as narrow."""
    if known.is_narrower:
        return ""
    alone = known.counts_alone
    counts = f", so only the answer at {charge_words.signs(alone.charge)} counts" if alone else ""
    return (
        "**Their interval is no narrower than that of the most exact answer alone** (noise in whole steps, or answers "
        f"that are far noisier){counts}. "
    )


def once_more(planned: PlannedQuery, account: Account) -> PlannedQuery:
    """The epsilon of one more answer, and how exact all will be together, known before any draw.

    The first answer is asked for as it was planned. Nothing is promised of an answer that does not fit.
    """
    if not has_a_box(planned, account):
        return planned
    asked = _asked(planned, account)
    box, words = st.columns([1, 3], gap="medium", vertical_alignment="center")
    kept, mark = planned.guarantee.epsilon, session.question_mark()
    key = f"again_epsilon_{mark}"
    session.widget_starts_over(key, kept, owner=(account.id, mark, kept))
    again = planned.at(inputs.number(box, "Ask again at ε", key=key, start=kept))
    if not account.fits(again, session.scenario().schema):
        return again
    with words, outputs.sentences_for_errors():
        known = combined(asked)
        st.markdown(_outlook(known, outlook(known, again), account))
    return again


def has_a_box(planned: PlannedQuery, account: Account) -> bool:
    """Whether the epsilon of one more answer can be typed here: there is one to put it together with, and some left."""
    asked = _asked(planned, account)
    return bool(asked) and not asked[0].is_choice and not charge_words.nothing_left(account)


def _outlook(known: Combined, more: Outlook, account: Account) -> str:
    """How far off all answers will be together, their price, and that of a single one."""
    many = len(known.releases)
    so_far = "the answer so far" if many == 1 else f"the {many} answers so far"
    price = f"for **{charge_words.counted(more.total, known.charge.rule)}** in total"
    if uninformative.fills(known.estimate.query, known.estimate.schema, more.half_width):
        which = "the least certain group" if len(known.estimate.labels) > 1 else "the answer"
        return f"Even together with {so_far}, {price}, {which} **would say nothing**: the noise drowns it."
    within = unmarked(error_in(measure_of(known.estimate.query, known.estimate.schema), more.half_width))
    about = "about " if len(known.estimate.parts) > 1 else ""
    of_which = " for the least certain group," if about and len(known.estimate.labels) > 1 else ""
    narrows = "" if more.narrows else "**No narrower than now**: at this ε, one more answer would not help. "
    return (
        f"Together with {so_far}: {about}**±{within}**{of_which} in {CONFIDENCE * 100:g}% "
        f"of releases, {price}. {narrows}{_instead(more.once, more.total, known, account, 'would be')}"
    )


def _instead(once: PlannedQuery | None, total: Amounts, known: Combined, account: Account, would: str) -> str:
    """The price of one answer that is as exact, and its own error, which may be smaller: noise has whole steps.

    It may be higher than the `total` of all of them, where a whole step less takes more than they did.
    """
    if once is None:
        return "No single answer is as exact."
    price = wording.guarantee(once.guarantee).replace("ε ", "ε\u00a0")
    if account.rule != "basic":
        price = f"{price}, for {charge_words.signs(account.cost(once))}"
    tried = "; no smaller ε is tried" if once.guarantee.epsilon <= calibration.LOWEST_EPSILON else ""
    error = _error_of(once, known.estimate)
    if not (tried or account.cost(once).amounts.within(total, account.rule)):
        return f"No single answer is as exact for less: one at **{price}** {would} ({error})."
    return f"Asking once at **{price}** {would} at least as exact ({error}){tried}."


def _error_of(once: PlannedQuery, estimate: Estimate) -> str:
    """The error of that one answer, where all of them are known least."""
    noises = once.mechanisms(estimate.schema, estimate.neighbors)
    error = replace(estimate, noises=noises).reach(CONFIDENCE, cell=estimate.widest_cell(CONFIDENCE))
    about = "about " if len(estimate.parts) > 1 else ""
    return f"{about}±{unmarked(error_in(measure_of(estimate.query, estimate.schema), error))}"


def _asked(planned: PlannedQuery, account: Account) -> tuple[Release, ...]:
    """Every answer to this question that was counted as another one would be: with the same bounds, bins and values."""
    parts = planned.parts(session.scenario().schema, account.neighbors)
    asked = (release for release in account.releases() if release.query == planned.query)
    same = [release for release in asked if counted_alike(release.parts, parts)]
    return answers_alike(same, same[-1]) if same else ()
