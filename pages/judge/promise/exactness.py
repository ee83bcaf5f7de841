"""How exact: the error of one count at the same promise, by a curator and by everybody alone."""

from __future__ import annotations

import streamlit as st

from dpengine.errors import InvalidParameterError
from dpengine.formatting import at_most
from dpengine.promises import stated
from dpengine.promises.count_errors import COUNTED, MOST_COUNTED, CountNoise, count_error
from pages.judge.promise.hand import KEY, Hand
from pages.lesson.lesson import choice
from pages.widgets import inputs
from pages.widgets.escaping import unmarked

COUNT, PEOPLE = 1_000, 100_000
_WHO = {"central": "by a curator, who holds the data (central)", "local": "by each person alone (local)"}


def show(held: Hand) -> None:
    """A count that the person names, and what noise does to it in both ways."""
    if held.promise is None:
        return
    counted = choice("What is counted", COUNTED, key=f"{KEY}_counted")
    left, right = st.columns(2)
    count = inputs.whole(
        left, f"About how large the count of {counted} is", key=f"{KEY}_count", start=COUNT, most=MOST_COUNTED
    )
    start = stated(held.promise.people) or PEOPLE
    people = inputs.whole(
        right, "How many people the data are about", key=f"{KEY}_people_counted", start=start, most=MOST_COUNTED
    )
    try:
        error = count_error(held.promise, count=count, people=people, counted=counted)
    except InvalidParameterError as refused:
        st.error(unmarked(str(refused)))
        return
    noises = {"central": error.by_curator, "local": error.by_everybody}
    lines = [_line(model, noise, counted, own=held.promise.model == model) for model, noise in noises.items()]
    st.markdown("\n".join([f"| Noise added | 95% interval around {count:,} | how |", "|---|---|---|", *lines]))
    if error.between:
        st.markdown(error.between)


def _line(model: str, noise: CountNoise, counted: str, *, own: bool) -> str:
    width = "–" if noise.half_width is None else f"**±{at_most(noise.half_width)}** {counted}"
    who = f"**{_WHO[model]}**: as promised" if own else _WHO[model]
    return f"| {who} | {width} | {noise.because} |"
