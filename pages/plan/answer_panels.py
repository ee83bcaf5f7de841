"""What is shown once an answer has left: its number or numbers, how wrong they may be, and what they leave out."""

from __future__ import annotations

import html
from collections.abc import Sequence

import numpy as np
import pandas as pd
import streamlit as st
from pandas.io.formats.style import Styler
from streamlit.delta_generator import DeltaGenerator

from dpengine.charts.accuracy import answer_charts
from dpengine.formatting import beside, ends_beside, in_signs, measure_of
from dpengine.ledger import Account, Estimate
from dpengine.plan import PlannedQuery
from pages import session
from pages.phrasing import charge_words, released_words
from pages.phrasing.released_words import CONFIDENCE
from pages.plan import accounts, label_panels
from pages.question import bias_words, uninformative
from pages.widgets import outputs
from pages.widgets.escaping import unmarked


def answer(planned: PlannedQuery, account: Account) -> None:
    """The newest answer to this question, whenever it was released, with its price."""
    shown = accounts.released_for(planned, account)
    if shown is None:
        return
    with st.container(border=True, key="card_answer"):
        _numbers(shown.estimate)
        _what_it_leaves_out(shown.estimate)
        st.markdown(f"Charged: **{charge_words.signs(shown.charge)}**. {charge_words.left(account)}")
        st.markdown(
            f":gray[Released on {shown.time:%Y-%m-%d %H:%M} UTC. {unmarked(charge_words.reasons(shown))} "
            f"{charge_words.other_rule(shown)}]"
        )
        label_panels.label_download(account, shown, labels=session.scenario().spoken, key="label_of_shown")


def refusal(planned: PlannedQuery) -> None:
    """Why this very question was refused last, if it was."""
    refused = accounts.refused_for(planned)
    if refused:
        st.error("**Refused.** " + unmarked(in_signs(refused)))


def _numbers(known: Estimate) -> None:
    """One number with its interval or many in a picture, tidied up as the person likes."""
    place = st.container()
    tidy = tidied(known, key="answer")
    with place:
        if known.answer_is_number:
            if not known.is_choice:
                intervals([("the answer", tidy)], key="answer")
            came_from = released_words.origin(tidy, known, CONFIDENCE)
            line = unmarked(released_words.headline(tidy, CONFIDENCE) + came_from)
            st.markdown(f"**{line}.** {unmarked(released_words.meaning(tidy, CONFIDENCE))}")
        else:
            cells(tidy, key="answer")
        _below_zero(known)


def intervals(named: Sequence[tuple[str, Estimate]], *, key: str) -> None:
    """Numbers as dots in their intervals, under their names."""
    measure = measure_of(named[0][1].query, named[0][1].schema)
    rows = []
    for label, known in named:
        (lower,), (upper,) = released_words.bounds(known, CONFIDENCE)
        ends = measure.times * float(lower), measure.times * float(upper)
        value = measure.times * float(np.asarray(known.answer))
        rows.append(answer_charts.Answered(label=label, value=value, lower=ends[0], upper=ends[1]))
    unit = html.escape(measure.answers, quote=False)
    picture = answer_charts.numbers(rows, confidence=CONFIDENCE, unit=unit, palette=outputs.palette())
    outputs.chart(st.container(), picture, key=f"intervals_{key}")


def tidied(known: Estimate, *, key: str) -> Estimate:
    """Switches for what costs nothing; each is shown only where it would change something."""
    broken, beyond = known.has_broken_counts, known.oversteps(CONFIDENCE)
    if not broken and not beyond:
        return known
    row = st.container(horizontal=True)
    rounded = broken and row.toggle("Round to whole numbers", key=f"rounded_{key}")
    least, largest = known.limits
    upper = beyond and largest < released_words.bounds(known, CONFIDENCE)[1].max()
    label = "No less than zero" if least == 0.0 and not upper else "Within the public bounds"
    clamped = beyond and row.toggle(label, key=f"clamped_{key}")
    _free(row)
    return known.tidied(rounded=rounded, clamped=clamped)


def _free(row: DeltaGenerator) -> None:
    row.markdown(":gray[Free: it looks at no row (post-processing).]")


def _what_it_leaves_out(known: Estimate) -> None:
    """What says nothing, what was cut, and what the caps on rows and groups leave out."""
    cut = "" if known.is_choice else uninformative.of_release(known, released_words.bounds(known, CONFIDENCE))
    for words in (cut, bias_words.said(known.query, known.schema)):
        if words:
            st.markdown(words)


def _below_zero(known: Estimate) -> None:
    if known.can_only_count and min(known.values) < 0:
        st.markdown(
            "A count below zero comes from the noise: the true number is small. Setting it to zero is free, and so is "
            "rounding: neither looks at a row (post-processing)."
        )
    elif known.can_only_count and min(released_words.bounds(known, CONFIDENCE)[0]) < 0:
        st.markdown("Where an interval of a count reaches below zero, it may be cut there: that costs nothing.")


def cells(known: Estimate, *, key: str) -> None:
    """Many numbers as a chart and as a table, with intervals that hold for all of them at once."""
    measure, (lower, upper) = measure_of(known.query, known.schema), released_words.bounds(known, CONFIDENCE)
    picture = answer_charts.cells(
        labels=known.labels,
        values=measure.times * np.asarray(known.values),
        ends=(measure.times * lower, measure.times * upper),
        confidence=CONFIDENCE,
        unit=html.escape(measure.answers, quote=False),
        palette=outputs.palette(),
    )
    left, right = st.columns([2, 1], gap="medium")
    outputs.chart(left, picture, key=f"released_cells_{key}")
    drawn = f" {released_words.WIDTH_IS_DRAWN}" if len(known.parts) > 1 else ""
    left.markdown(unmarked(f"{picture.alt} {released_words.all_at_once(known)}{drawn}"))
    with right:
        outputs.table(picture, key=f"released_numbers_{key}", shown=_as_read(known, CONFIDENCE))


def _as_read(known: Estimate, confidence: float) -> Styler:
    """A row for each number, with the ends that hold for all of them at once; columns sort by the numbers themselves.

    Of equal numbers with unequal intervals all are read as the widest deserves.
    """
    measure = measure_of(known.query, known.schema)
    released = f"released, {measure.answers}" if measure.answers else "released"
    lower, upper = (measure.times * ends for ends in released_words.bounds(known, confidence))
    columns = {released: measure.times * np.asarray(known.values), "from": lower, "to": upper}
    frame = pd.DataFrame({known.query.cell: list(known.labels), **columns})
    texts: dict[str, dict[object, str]] = {name: {} for name in columns}
    narrow_first = np.argsort(upper - lower, kind="stable")
    for value, low, high in np.stack(list(columns.values()), axis=1)[narrow_first].tolist():
        least, most = ends_beside(value, low, high)
        texts[released][value], texts["from"][low], texts["to"][high] = beside(value, (high - low) / 2), least, most
    return frame.style.format({name: read.__getitem__ for name, read in texts.items()})
