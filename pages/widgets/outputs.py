"""What a page shows: charts with their numbers, sentences, notices and errors, with hostile names made harmless."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from typing import Literal

import pandas as pd
import streamlit as st
from pandas.io.formats.style import Styler
from streamlit.delta_generator import DeltaGenerator

from dpengine.charts import PALETTES, Chart, Numbers, Palette
from dpengine.errors import DPEngineError
from dpengine.reports import comma_separated, spreadsheet_file
from pages import session
from pages.widgets.escaping import unmarked

NO_DOWNLOAD = "Downloads are off while exact values are shown. Hide them first."
FEW_ROWS = 5
LOW = 205
"""Pixels of a picture beside which others stand, so that a laptop's first screen holds them and their words."""
CHART_CONFIG = {
    "displaylogo": False,
    "modeBarButtons": [["toImage"]],
    "toImageButtonOptions": {"format": "svg", "filename": "epsilon-explorer"},
    "responsive": True,
}


def palette() -> Palette:
    """The colors of the screen's own theme."""
    kind = st.context.theme.type
    return PALETTES["dark" if kind == "dark" else "light"]


def chart(place: DeltaGenerator, picture: Chart, *, key: str, height: int | Literal["content"] = "content") -> None:
    """Draw a chart with its description for screen readers; lower than it was made where a height is given."""
    place.plotly_chart(picture.figure, theme=None, key=key, alt=picture.alt, config=CHART_CONFIG, height=height)


def numbers_behind(
    pictures: Sequence[Numbers] | Callable[[], Sequence[Numbers]],
    *,
    key: str,
    exact: bool | None = None,
    label: str = "Show the numbers behind the pictures",
) -> None:
    """The numbers of the pictures as tables with a download, built only when somebody asks for them.

    `exact`: whether they may be exact values of real people, which stay on the screen; else the session says so.
    """
    if not st.toggle(label, key=key):
        return
    for position, picture in enumerate(pictures() if callable(pictures) else pictures):
        st.caption(unmarked(picture.alt))
        table(picture, key=f"{key}_{position}", exact=exact)


def table(picture: Numbers, *, key: str, shown: Styler | None = None, exact: bool | None = None) -> None:
    """The numbers of one picture, with a download that no spreadsheet takes for formulas.

    `shown` is the same table as people read it; the download keeps every digit. `exact`: as above.
    """
    frame = pd.DataFrame({name: list(column) for name, column in picture.numbers.items()})
    st.dataframe(frame if shown is None else shown, height=220 if len(frame) > FEW_ROWS else "content", hide_index=True)
    if session.shows_real_people() if exact is None else exact:
        st.caption(NO_DOWNLOAD)
        return
    text = comma_separated(list(picture.numbers), frame.itertuples(index=False))
    st.download_button(
        "Download as CSV", spreadsheet_file(text), file_name="numbers.csv", mime="text/csv", key=key, on_click="ignore"
    )


def finding(text: str, detail: str = "") -> None:
    """The page's title: what was found, then how."""
    st.title(text, anchor=False)
    if detail:
        st.markdown(f":gray[{detail}]")


@contextmanager
def card(place: DeltaGenerator, title: str, subtitle: str, *, key: str) -> Iterator[DeltaGenerator]:
    """A white card with a heading and one quiet line below it; `key` is unique on the page."""
    box = place.container(border=True, height="stretch", key=f"card_{key}")
    box.markdown(f"## {title}\n:gray[{subtitle}]", anchors=False)
    yield box


def notices() -> None:
    """The sentences that wait for this page."""
    for text in session.take_notices():
        st.warning(unmarked(text))


@contextmanager
def sentences_for_errors() -> Iterator[None]:
    """Show an engine error as its sentence; the rest of the page stays."""
    try:
        yield
    except DPEngineError as error:
        st.error(unmarked(str(error)))
