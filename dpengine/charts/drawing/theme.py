"""One look for every picture: a color for each meaning, for light and for dark screens."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np
import plotly.graph_objects as go
from numpy.typing import NDArray

FONT = '"Source Sans", sans-serif'
"""The page's own letters, which come with it: others differ from machine to machine, and labels would be cut off."""
FONT_SIZE = 14
HEIGHT = 235
_BARE = go.layout.Template(layout={"hovermode": "closest"})
"""In the place of Plotly's own looks, which are most of what a picture would send; this line is so without it, too."""
PLAIN_NUMBERS = {"exponentformat": "power", "minexponent": 6, "separatethousands": True}


@dataclass(frozen=True, slots=True, kw_only=True)
class Palette:
    """Colors by meaning; color-blind safe (Okabe and Ito 2008), the same meaning on every page."""

    text: str
    muted: str
    line: str
    background: str
    with_person: str
    without_person: str
    answers: str
    band: str
    sampling: str
    spent: str
    left: str
    attacker: str
    advanced: str
    exact: str
    moments: str


LIGHT = Palette(
    text="#1c2430",
    muted="#566173",
    line="#dfe4ea",
    background="#ffffff",
    with_person="#0072b2",
    without_person="#d98c00",
    answers="#9fb4c7",
    band="rgba(86,180,233,0.14)",
    sampling="#3a9bd6",
    spent="#d55e00",
    left="#009e73",
    attacker="#a2449b",
    advanced="#007c89",
    exact="#4b3fb5",
    moments="#7a6a00",
)
DARK = Palette(
    text="#e8ecf1",
    muted="#a6b0bd",
    line="#39424e",
    background="#1b222c",
    with_person="#56b4e9",
    without_person="#e69f00",
    answers="#8196ab",
    band="rgba(86,180,233,0.16)",
    sampling="#7cc7f2",
    spent="#ff8a3d",
    left="#2fc79a",
    attacker="#d58bd0",
    advanced="#3ec1cf",
    exact="#aba0ff",
    moments="#d9c84a",
)
PALETTES: Mapping[str, Palette] = {"light": LIGHT, "dark": DARK}


@dataclass(frozen=True, slots=True, kw_only=True)
class Numbers:
    """What a picture says in one sentence, and the numbers behind it (one array for each column)."""

    alt: str
    numbers: Mapping[str, Sequence[object] | NDArray[np.generic]]


@dataclass(frozen=True, slots=True, kw_only=True)
class Chart(Numbers):
    """A figure, the sentence that says what it shows, and the numbers behind it."""

    figure: go.Figure


def blank(
    palette: Palette,
    *,
    x_title: str,
    y_title: str,
    height: int = HEIGHT,
    left: int = 56,
    x: Mapping[str, object] | None = None,
    y: Mapping[str, object] | None = None,
) -> go.Figure:
    """An empty figure in the house look; both axes say quantity and unit."""
    axis = {
        "gridcolor": palette.line,
        "linecolor": palette.line,
        "zeroline": False,
        "ticklabeloverflow": "allow",
        "fixedrange": True,
        "tickfont": {"size": FONT_SIZE, "color": palette.muted},
        "title": {"font": {"size": FONT_SIZE, "color": palette.muted}, "standoff": 6},
    }
    layout = {
        "height": height,
        "margin": {"l": left, "r": 22, "t": 12, "b": 46, "autoexpand": False},
        "paper_bgcolor": palette.background,
        "plot_bgcolor": "rgba(0,0,0,0)",
        "font": {"family": FONT, "size": FONT_SIZE, "color": palette.text},
        "showlegend": False,
        "hovermode": "closest",
        "dragmode": False,
        "modebar": {"bgcolor": "rgba(0,0,0,0)", "color": palette.muted, "activecolor": palette.text},
        "xaxis": _merged(axis, x_title, {"showgrid": False} | dict(x or {})),
        "yaxis": _merged(axis, y_title, dict(y or {})),
    }
    return go.Figure(layout=layout | {"template": _BARE})


def _merged(axis: Mapping[str, object], title: str, more: Mapping[str, object]) -> dict[str, object]:
    look = axis["title"]
    named = dict(look) if isinstance(look, dict) else {}
    return {**axis, **more, "title": {**named, "text": title}}


def note(figure: go.Figure, text: str, *, x: float, y: float, color: str, **more: object) -> None:
    """A label inside the picture, beside what it names."""
    figure.add_annotation(x=x, y=y, text=text, showarrow=False, font={"size": FONT_SIZE, "color": color}, **more)


def upright(figure: go.Figure, *, x: float, line: Mapping[str, object]) -> None:
    """A line from the picture's bottom to its top; Plotly's own `add_vline` takes five times as long for the same."""
    figure.add_shape(type="line", x0=x, x1=x, y0=0, y1=1, xref="x", yref="y domain", line=line)


def level(figure: go.Figure, *, y: float, line: Mapping[str, object]) -> None:
    """A line from one side of the picture to the other."""
    figure.add_shape(type="line", x0=0, x1=1, y0=y, y1=y, xref="x domain", yref="y", line=line)
