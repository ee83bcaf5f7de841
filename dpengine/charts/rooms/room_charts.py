"""A room in pictures: its shared budget as it burns with what was refused, and what people answered at its end."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

import numpy as np
import plotly.graph_objects as go
from numpy.typing import NDArray

from dpengine.charts.budget.budget_charts import BurnLine, add_legend, add_line
from dpengine.charts.drawing.theme import FONT_SIZE, Chart, Palette, blank, level, note
from dpengine.formatting.numbers import amount, at_most

Array = NDArray[np.float64]
_LEAST_SHOWN, _HEADROOM, _HIGHEST = 5, 1.3, 2.5
HEIGHT, _ROOM_FOR_NAMES = 320, 250
_ALIKE = 0.99
"""Lines as near as this lie on one another."""
_ROOM_FOR_ANSWERS, _LEAST_DOTS, _DOTS_WIDE, _SMALLEST_DOT, _LARGEST_DOT = 400, 12, 420.0, 2.5, 12.0


@dataclass(frozen=True, slots=True, kw_only=True)
class RoomBurn:
    """Epsilon spent after each question by each rule; `refused` is what a refused one would have made of the naive
    sum, not a number for the others. `counted` is the rule that decides where that is another one.
    """

    naive: Array
    advanced: Array
    refused: Array
    budget: float
    counted: Array | None = None


def together(burn: RoomBurn, palette: Palette) -> Chart:
    """Two stepped lines towards the budget, a cross above it for each question that was refused."""
    count = len(burn.naive)
    tried = burn.refused[np.isfinite(burn.refused)]
    highest = max([burn.budget, *burn.naive[-1:], *burn.advanced[-1:], *tried]) * 1.08
    figure = blank(
        palette,
        x_title="questions asked in this room",
        y_title="epsilon spent",
        height=HEIGHT,
        x={"range": [0, max(count, _LEAST_SHOWN) + 0.8], "tickformat": ",d", **_ticks(count)},
        y={"range": [0, min(max(burn.budget * _HEADROOM, highest), burn.budget * _HIGHEST)], "nticks": 5},
    )
    questions = np.arange(1, count + 1)
    if count:
        for line in _lines(burn, palette):
            add_line(figure, questions, line.spent, line)
    _add_refused(figure, questions, burn, palette)
    level(figure, y=burn.budget, line={"color": palette.text, "width": 2})
    words = f"budget ε {amount(burn.budget)}"
    note(figure, words, x=0.01, xref="paper", y=burn.budget, yanchor="bottom", xanchor="left", color=palette.text)
    add_legend(figure, palette)
    numbers: dict[str, NDArray[np.generic]] = {
        "question": questions,
        "naive": burn.naive,
        "advanced": burn.advanced,
        "naive, had it been answered": burn.refused,
    }
    numbers |= {} if burn.counted is None else {"concentrated, the account's rule": burn.counted}
    numbers = numbers if count else {name: np.full(1, np.nan) for name in numbers}
    return Chart(figure=figure, alt=_alt(burn), numbers=numbers)


def _ticks(count: int) -> dict[str, object]:
    return {"dtick": 1} if count < 12 else {"nticks": 6}


def _lines(burn: RoomBurn, palette: Palette) -> Iterator[BurnLine]:
    """One line with one name where both lie on each other."""
    if burn.advanced[-1] < _ALIKE * burn.naive[-1]:
        yield BurnLine(label="advanced", spent=burn.advanced, color=palette.advanced, width=5.0)
    yield BurnLine(label="naive", spent=burn.naive, color=palette.spent)
    if burn.counted is not None:
        yield BurnLine(label="concentrated, the account's rule", spent=burn.counted, color=palette.moments)


def _add_refused(figure: go.Figure, questions: NDArray[np.int64], burn: RoomBurn, palette: Palette) -> None:
    no = np.isfinite(burn.refused)
    if no.any():
        figure.add_scatter(
            x=questions[no],
            y=burn.refused[no],
            mode="markers",
            name="refused",
            marker={"symbol": "x", "size": 11, "color": palette.attacker},
            hovertemplate="refused: naive would be %{y:.3~g}<extra></extra>",
        )


def _alt(burn: RoomBurn) -> str:
    count, refused = len(burn.naive), int(np.isfinite(burn.refused).sum())
    if not count:
        return f"No question yet. The budget is epsilon {amount(burn.budget)}."
    asked = f"{count} question{'s' if count > 1 else ''} asked, {refused} of them refused"
    return (
        f"{asked}: naive gives epsilon {at_most(float(burn.naive[-1]))}, advanced "
        f"{at_most(float(burn.advanced[-1]))}, of a budget of {amount(burn.budget)}."
    )


def choices(*, names: Sequence[str], given: Sequence[int], right: int, palette: Palette) -> Chart:
    """One dot for each person beside the answer that they gave; the right answer is marked."""
    marked = [f"<b>✓ {name}</b>" if place == right else name for place, name in enumerate(names)]
    most = max([*given, _LEAST_DOTS])
    figure = blank(
        palette,
        x_title="people who gave this answer",
        y_title="",
        height=30 * len(names) + 20,
        left=_ROOM_FOR_ANSWERS,
        x={"visible": False, "range": [0.3, most + 2.5]},
        y=_named(marked, palette),
    )
    figure.update_layout(margin={"t": 4, "b": 4})
    counted = {"text": [f"<b>{count}</b>" for count in given], "textposition": "middle right"}
    figure.add_scatter(
        x=[count + 0.6 for count in given],
        y=marked,
        mode="text",
        textfont={"color": palette.text},
        hoverinfo="skip",
        **counted,
    )
    size = max(_SMALLEST_DOT, min(_LARGEST_DOT, _DOTS_WIDE / most))
    for place, count in enumerate(given):
        color = palette.left if place == right else palette.answers
        figure.add_scatter(
            x=np.arange(1, count + 1),
            y=[marked[place]] * count,
            mode="markers",
            name=names[place],
            marker={"size": size, "color": color},
            hoverinfo="skip",
        )
    marks = [place == right for place in range(len(names))]
    numbers: dict[str, Sequence[object]] = {"answer": list(names), "given by": list(given), "right": marks}
    return Chart(figure=figure, alt=_said(names, given, right), numbers=numbers)


def _named(names: Sequence[str], palette: Palette) -> dict[str, object]:
    """An axis of names, the first on top."""
    look = {"showgrid": False, "tickfont": {"size": FONT_SIZE, "color": palette.text}}
    return {"type": "category", "categoryarray": list(names), "range": [len(names) - 0.4, -0.6], **look}


def _said(names: Sequence[str], given: Sequence[int], right: int) -> str:
    each = "; ".join(
        f"{name}{' (right)' if place == right else ''}: {count}"
        for place, (name, count) in enumerate(zip(names, given, strict=True))
    )
    return f"Answers of {sum(given)} people. {each}."


@dataclass(frozen=True, slots=True, kw_only=True)
class Bar:
    """A named length, as it is written, and its color."""

    name: str
    length: float
    words: str
    color: str


def bars(rows: Sequence[Bar], *, axis: str, palette: Palette, most: float | None = None) -> Chart:
    """Lengths to compare, the first on top; `most` is where the axis ends, else the longest decides."""
    names = [row.name for row in rows]
    longest = most or max(row.length for row in rows) or 1.0
    figure = blank(
        palette,
        x_title=axis,
        y_title="",
        height=52 * len(rows) + 60,
        left=_ROOM_FOR_NAMES,
        x={"range": [0, 1.14 * longest], "nticks": 6},
        y=_named(names, palette),
    )
    figure.add_bar(
        x=[row.length for row in rows],
        y=names,
        orientation="h",
        width=0.62,
        marker={"color": [row.color for row in rows]},
        hoverinfo="skip",
    )
    for place, row in enumerate(rows):
        words = f"<b>{row.words}</b>"
        note(figure, words, x=row.length + 0.01 * longest, y=place, xanchor="left", color=palette.text)
    alt = f"{axis}: " + "; ".join(f"{row.name} {row.words}" for row in rows) + "."
    return Chart(figure=figure, alt=alt, numbers={"which": names, axis: [row.length for row in rows]})
