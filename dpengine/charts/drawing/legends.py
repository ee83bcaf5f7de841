"""What stands around the pictures of lessons: their height, and names above them."""

from __future__ import annotations

import plotly.graph_objects as go

from dpengine.charts.drawing.theme import FONT_SIZE, Palette

LESSON_HEIGHT = 300
"""In pixels."""


def legend_above(figure: go.Figure, palette: Palette) -> None:
    """The names of the traces, above the picture; where they need several lines, the picture makes room.

    Written into the layout, part by part: Plotly's `update_layout` takes six times as long.
    """
    place = {"orientation": "h", "x": 0, "y": 1.0, "yanchor": "bottom", "itemclick": False, "itemdoubleclick": False}
    font = {"size": FONT_SIZE, "color": palette.text}
    layout = figure.layout
    layout.showlegend, layout.legend = True, {**place, "font": font, "bgcolor": "rgba(0,0,0,0)"}
    layout.margin.t, layout.margin.autoexpand = 34, True
