"""What others chose: real deployments on one ruler of epsilons, in groups by what their epsilon covers."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import plotly.graph_objects as go

from dpengine.charts.drawing.legends import legend_above
from dpengine.charts.drawing.theme import Chart, Palette, blank, note, upright
from dpengine.deployments import MODELS, SCOPES, Deployment
from dpengine.formatting.numbers import amount

SHORTEST, LONGEST = 0.01, 100.0
ROW = 17
"""Pixels of one deployment; a group's heading takes as much."""
_LABELS, _AROUND = 180, 82
_DECADES = (0.01, 0.1, 1.0, 10.0, 100.0)
_SYMBOLS = {"central": "circle", "local": "diamond-open"}


def ruler(deployments: Sequence[Deployment], *, epsilon: float, near: Sequence[Deployment], palette: Palette) -> Chart:
    """One row for each deployment with a mark at its epsilon; a line where the reader stands, `near` ones in bold.

    Marks show whether noise is added by the curator (central) or on each device (local).
    """
    rows = _rows(deployments)
    figure = blank(
        palette,
        x_title="ε, for the unit in its heading",
        y_title="",
        height=ROW * (len(rows) + 1) + _AROUND,
        left=_LABELS,
        x=_scale(epsilon),
        y={
            "type": "category",
            "categoryorder": "array",
            "categoryarray": rows[::-1],
            "range": [-1.5, len(rows) - 0.4],
            "tickvals": [one.short for one in deployments],
            "ticktext": [f"<b>{one.short}</b>" if one in near else one.short for one in deployments],
            "showgrid": True,
            "ticklen": 0,
        },
    )
    for model in MODELS:
        _marks(figure, [one for one in deployments if one.model == model], model, palette)
    for words in SCOPES.values():
        if words in rows:
            left = {"xref": "paper", "xanchor": "left", "xshift": 4 - _LABELS, "bgcolor": palette.background}
            note(figure, f"<b>{words}</b>", x=0.0, y=len(rows) - 1 - rows.index(words), color=palette.muted, **left)
    _here(figure, epsilon, palette)
    legend_above(figure, palette)
    return Chart(figure=figure, alt=_alt(deployments, epsilon, near), numbers=_numbers(deployments))


def _rows(deployments: Sequence[Deployment]) -> list[str]:
    """From the top: each group's heading, then its deployments from the smallest epsilon to the largest."""
    rows: list[str] = []
    for scope, words in SCOPES.items():
        members = sorted((one for one in deployments if one.scope == scope), key=lambda one: one.epsilon)
        rows += [words, *(one.short for one in members)] if members else []
    return rows


def _scale(epsilon: float) -> dict[str, object]:
    ends = (min(SHORTEST, epsilon), max(LONGEST, epsilon))
    return {
        "type": "log",
        "range": [float(np.log10(ends[0])), float(np.log10(ends[1]))],
        "tickvals": _DECADES,
        "ticktext": [f"{decade:g}" for decade in _DECADES],
        "showgrid": True,
    }


def _marks(figure: go.Figure, ones: Sequence[Deployment], model: str, palette: Palette) -> None:
    color = {"central": palette.text, "local": palette.advanced}[model]
    names = {"central": "a curator adds the noise (central)", "local": "each device does (local)"}
    figure.add_scatter(
        x=[one.epsilon for one in ones],
        y=[one.short for one in ones],
        mode="markers",
        name=names[model],
        marker={"size": 11, "symbol": _SYMBOLS[model], "color": color, "line": {"width": 2.4, "color": color}},
        customdata=[[one.name, one.by, one.year, one.unit, one.span] for one in ones],
        hovertemplate="<b>%{customdata[0]}</b>, %{customdata[1]} %{customdata[2]}<br>ε %{x}, %{customdata[4]}<br>"
        "protects %{customdata[3]}<extra></extra>",
    )


def _here(figure: go.Figure, epsilon: float, palette: Palette) -> None:
    upright(figure, x=epsilon, line={"color": palette.muted, "width": 2, "dash": "dash"})
    left = epsilon > np.sqrt(SHORTEST * LONGEST)
    side: dict[str, object] = {"xanchor": "right" if left else "left", "xshift": -5 if left else 5}
    side |= {"yref": "paper", "yanchor": "bottom", "bgcolor": palette.background}
    note(figure, f"yours: ε {amount(epsilon)}", x=float(np.log10(epsilon)), y=0.0, color=palette.text, **side)


def _alt(deployments: Sequence[Deployment], epsilon: float, near: Sequence[Deployment]) -> str:
    beside = " and ".join(f"{one.short} at ε {amount(one.epsilon, 4)}" for one in near)
    least, most = (amount(end([one.epsilon for one in deployments]), 4) for end in (min, max))
    return (
        f"{len(deployments)} deployments on a scale of ε, from {least} to {most}, in groups by what each protects; "
        f"beside yours, ε {amount(epsilon)}: {beside}."
    )


def _numbers(deployments: Sequence[Deployment]) -> dict[str, list[object]]:
    return {
        "deployment": [one.name for one in deployments],
        "ε": [one.epsilon for one in deployments],
        "δ": [one.delta for one in deployments],
        "protects": [one.unit for one in deployments],
        "for": [one.span for one in deployments],
        "noise": [one.model for one in deployments],
    }
