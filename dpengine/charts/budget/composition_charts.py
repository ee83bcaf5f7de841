"""What many answers cost together: one line a rule, a mark where the reader stands and where something changes."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np
import plotly.graph_objects as go
from numpy.typing import NDArray

from dpengine.charts.budget.budget_charts import BurnLine, add_line
from dpengine.charts.drawing.line_names import name_lines
from dpengine.charts.drawing.theme import Chart, Palette, blank, note, upright
from dpengine.formatting.numbers import at_most

MOST_POINTS = 280
HEIGHT = 330
RUNS_AWAY, MOST_LEAVE, SEVERAL = 1.5, 2, 3
HALF_A_LINE, LONGEST_WORDS = 0.04, 0.3


@dataclass(frozen=True, slots=True, kw_only=True)
class Turn:
    """A number of answers at which something changes, and the words for it."""

    answers: int
    epsilon: float
    words: str
    color: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Totals:
    """Lines over 1, 2, ... answers, the number that the reader chose, and the turns worth a mark."""

    lines: Sequence[BurnLine]
    chosen: int
    turns: Sequence[Turn]

    @property
    def named(self) -> list[BurnLine]:
        """The same lines, each with its number at the chosen answers in its name, for a legend beside the picture."""
        return [replace(line, label=line.label + self._number(line)) for line in self.lines]

    def _number(self, line: BurnLine) -> str:
        value = float(line.spent[self.chosen - 1])
        return f": {at_most(value)}" if np.isfinite(value) else ""


def totals(view: Totals, palette: Palette) -> Chart:
    """Epsilon of all answers together over their number; a dot on every line at the chosen one.

    Of 1,000 numbers fewer than 300 are drawn, each line up to the next one's value: never below the truth. A
    legend with numbers is left to the page: inside, it would take the room of the lines on a phone.
    """
    answers = np.arange(1, len(view.lines[0].spent) + 1)
    top = _top([float(line.spent[-1]) for line in view.lines])
    figure = blank(
        palette,
        x_title="answers published",
        y_title="epsilon of all answers together",
        height=HEIGHT,
        x={"range": [0, 1.01 * len(answers)], "tickformat": ",d", "nticks": 6},
        y={"range": [0, top], "nticks": 6},
    )
    kept = _kept(len(answers), [view.chosen, *(turn.answers for turn in view.turns)])
    here = [(line, float(line.spent[view.chosen - 1])) for line in view.lines]
    inside = [(line, value) for line, value in here if np.isfinite(value)]
    for line in view.lines:
        add_line(figure, answers[kept], line.spent[kept], line)
    upright(figure, x=view.chosen, line={"color": palette.muted, "width": 1.5, "dash": "dot"})
    for line, value in inside:
        dot = {"size": 10, "color": line.color, "line": {"width": 1.5, "color": palette.background}}
        figure.add_scatter(
            x=[view.chosen], y=[value], mode="markers", marker=dot, hoverinfo="skip", showlegend=False, name=line.label
        )
    for place, turn in enumerate(turn for turn in view.turns if turn.epsilon <= top):
        _ring(figure, turn)
        height = top * (0.05 + 0.09 * place)
        if not _crossed(view, turn, height, room=HALF_A_LINE * top):
            _say(figure, turn, height=height, last=len(answers))
    name_lines(figure, palette)
    ends = "; ".join(f"{line.label} {at_most(value)}" for line, value in inside)
    alt = f"Epsilon of {view.chosen} answers together: {ends}."
    numbers: dict[str, NDArray[np.generic]] = {"answers": answers[kept]}
    numbers |= {line.label: line.spent[kept] for line in view.lines}
    return Chart(figure=figure, alt=alt, numbers=numbers)


def _top(ends: Sequence[float]) -> float:
    """A little above the highest end, of several lines the second highest; lines that run away leave the picture."""
    highest = sorted((end for end in ends if np.isfinite(end)), reverse=True)
    for leave in range(min(MOST_LEAVE, len(highest) - 2), 0, -1):
        if highest[leave - 1] > RUNS_AWAY * highest[leave] > 0.0:
            return 1.12 * highest[leave]
    return 1.12 * max([*highest[1 if len(highest) >= SEVERAL else 0 :], 0.0]) or 1.0


def _kept(count: int, always: Sequence[int]) -> NDArray[np.intp]:
    """Places of the numbers that are drawn."""
    some = np.linspace(0, count - 1, min(count, MOST_POINTS)).astype(np.intp)
    return np.union1d(some, np.array([number - 1 for number in always], dtype=np.intp))


def _crossed(view: Totals, turn: Turn, height: float, *, room: float) -> bool:
    """Whether a line passes through the words of a turn; the page says them too."""
    wide = LONGEST_WORDS * len(view.lines[0].spent)
    anchor, _ = _anchor(turn.answers / len(view.lines[0].spent))
    first = int(turn.answers - 1 - {"left": 0.0, "center": 0.5, "right": 1.0}[anchor] * wide)
    below = [line.spent[max(first, 0) : int(first + wide)] for line in view.lines]
    return any(bool(np.any(np.abs(values - height) < room)) for values in below)


def _ring(figure: go.Figure, turn: Turn) -> None:
    ring = {"size": 11, "symbol": "circle-open", "color": turn.color, "line": {"width": 2.5}}
    figure.add_scatter(
        x=[turn.answers], y=[turn.epsilon], mode="markers", marker=ring, hoverinfo="skip", showlegend=False
    )


def _anchor(place: float) -> tuple[str, int]:
    """On which side of their ring the words stand, by how far right it is."""
    return ("left", 6) if place < 0.35 else ("center", 0) if place < 0.75 else ("right", -6)


def _say(figure: go.Figure, turn: Turn, *, height: float, last: int) -> None:
    """The words below the ring, where no line passes."""
    anchor, shift = _anchor(turn.answers / last)
    note(
        figure,
        turn.words,
        x=turn.answers,
        y=height,
        color=turn.color,
        xanchor=anchor,
        xshift=shift,
        yanchor="middle",
    )
