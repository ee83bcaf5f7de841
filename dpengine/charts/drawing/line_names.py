"""Names of lines where they are drawn: each beside its line, where no other line, mark or word is."""

from __future__ import annotations

import textwrap
from dataclasses import dataclass

import numpy as np
import plotly.graph_objects as go
from numpy.typing import NDArray

from dpengine.charts.drawing.legends import legend_above
from dpengine.charts.drawing.theme import FONT_SIZE, Palette, note

Array = NDArray[np.float64]
NARROW, SAMPLES, OF_A_BAR, ANCHORS, COVERED = 250.0, 120, 12, 31, 100_000
"""Pixels of a picture on a phone, points of a line and of a bar that words keep away from, places tried for a name, and
what other words count for, which are never covered."""
SHARES = {"paper", "x domain", "y domain"}
LETTER, LINE, GAP, ROOM, LONGEST, NARROWER = 7.0, 18.0, 3.0, 9.0, 17, 9
"""Pixels of a letter, of a line of words, from a line to its name, around a name; letters before a break, as tried."""


@dataclass(frozen=True, slots=True)
class Words:
    """A name in lines, and its width and height in pixels."""

    text: str
    wide: float
    high: float

    @classmethod
    def of(cls, name: str, longest: int) -> Words:
        """The name, broken where its lines would be longer."""
        return cls._of_lines(textwrap.wrap(name, longest, break_long_words=False))

    @classmethod
    def written(cls, text: str) -> Words:
        """Words that are in the picture already."""
        return cls._of_lines(text.split("<br>"))

    @classmethod
    def _of_lines(cls, lines: list[str]) -> Words:
        return cls("<br>".join(lines), LETTER * max(map(len, lines)), LINE * len(lines))


class Canvas:
    """A picture of lines in pixels of a phone, and what is in it already."""

    def __init__(self, figure: go.Figure) -> None:
        layout = figure.layout
        self.layout, self.size = layout, np.array([NARROW, layout.height - layout.margin.t - layout.margin.b])
        ruled = (self._ruled(one) for one in layout.shapes if one.type == "line")
        self.drawn = np.concatenate([*(self.points(trace) for trace in figure.data), *ruled])
        self.boxes = [self._box_of(one) for one in layout.annotations]

    def points(self, trace: go.Scatter | go.Bar) -> Array:
        """A line as points close to each other, shape (n, 2), from the lower left corner; a bar from its foot up."""
        x, y = np.asarray(trace.x, dtype=np.float64), np.asarray(trace.y, dtype=np.float64)
        if trace.type == "bar":
            return self._placed(
                np.repeat(x, OF_A_BAR), np.outer(y, np.linspace(0.0, 1.0, OF_A_BAR)).ravel(), trace.yaxis
            )
        ends = self._placed(x, y, trace.yaxis)
        ends = ends[np.isfinite(ends).all(axis=1)]
        if len(ends) < 2 or "lines" not in (trace.mode or ""):
            return ends
        along = np.concatenate([[0.0], np.cumsum(np.hypot(*np.diff(ends, axis=0).T))])
        at = np.linspace(0.0, along[-1], SAMPLES)
        return np.stack([np.interp(at, along, ends[:, 0]), np.interp(at, along, ends[:, 1])], axis=1)

    def room_for(self, words: Words, own: Array) -> tuple[tuple[float, float], int] | None:
        """The middle of the name beside its own line, far from the others, and how much it covers; None without room.

        Where something has to be covered, it is as little as can be, and no other words.
        """
        inside = own[((own >= 0.0) & (own <= self.size)).all(axis=1)]
        if not len(inside):
            return None
        anchors = inside[np.unique(np.linspace(0, len(inside) - 1, ANCHORS).astype(int))]
        half = np.array([words.wide, words.high]) / 2.0
        beside = np.concatenate(
            [anchors + side * (half + GAP) for side in ((0, 1), (0, -1), (1, 1), (-1, 1), (1, -1), (-1, -1), (1, 0))]
        )
        fits = beside[((beside - half >= 0.0) & (beside + half <= self.size)).all(axis=1)]
        if not len(fits):
            return None
        covered, near = self._hits(fits, half), self._hits(fits, half + ROOM)
        best = np.lexsort((-fits[:, 0], near, covered))[0]
        across, up = fits[best]
        return None if covered[best] >= COVERED else ((float(across), float(up)), int(covered[best]))

    def keep(self, words: Words, middle: tuple[float, float]) -> None:
        """Let other words keep away from these."""
        self.boxes.append((np.array(middle), np.array([words.wide, words.high]) / 2.0))

    def _hits(self, middles: Array, half: Array) -> NDArray[np.int64]:
        """How many points of lines lie under words at each of these places; other words count far more."""
        across = np.abs(self.drawn[:, 0] - middles[:, :1]) < half[0]
        hits = np.count_nonzero(across & (np.abs(self.drawn[:, 1] - middles[:, 1:]) < half[1]), axis=1)
        for at, size in self.boxes:
            hits = hits + COVERED * (np.abs(at - middles) < half + size).all(axis=1)
        return np.asarray(hits)

    def _placed(self, x: Array, y: Array, yaxis: str | None) -> Array:
        across = _share(x, self.layout.xaxis, logarithmic=self.layout.xaxis.type == "log")
        axis = self.layout["yaxis" + (yaxis or "y")[1:]]
        low, high = axis.domain or (0.0, 1.0)
        up = low + (high - low) * _share(y, axis, logarithmic=axis.type == "log")
        return np.asarray(np.stack([across, up], axis=1) * self.size)

    def _ruled(self, shape: go.layout.Shape) -> Array:
        """A line from bottom to top, or from side to side."""
        along, ends = np.linspace(0.0, 1.0, SAMPLES), self.layout.xaxis.range
        if shape.x0 == shape.x1:
            place = np.full(SAMPLES, float(shape.x0))
            across = _share(place, self.layout.xaxis, logarithmic=self.layout.xaxis.type == "log")
            return np.asarray(np.stack([across, along], axis=1) * self.size)
        inside = ends[0] + along * (ends[1] - ends[0])
        return self._placed(
            10.0**inside if self.layout.xaxis.type == "log" else inside, np.full(SAMPLES, float(shape.y0)), shape.yref
        )

    def _box_of(self, one: go.layout.Annotation) -> tuple[Array, Array]:
        """The middle and half the size of words in the picture; what they stand at is already a logarithm."""
        words = Words.written(one.text)
        across = one.x if one.xref in SHARES else float(_share(np.array(one.x), self.layout.xaxis))
        up = one.y
        if one.yref not in SHARES:
            axis = self.layout["yaxis" + (one.yref or "y")[1:]]
            low, high = axis.domain or (0.0, 1.0)
            up = low + (high - low) * float(_share(np.array(one.y), axis))
        half = np.array([words.wide, words.high]) / 2.0
        sides = {"left": 1.0, "right": -1.0, "bottom": 1.0, "top": -1.0}
        middle = np.array([across, up]) * self.size + half * [sides.get(one.xanchor, 0.0), sides.get(one.yanchor, 0.0)]
        return middle + np.array([one.xshift or 0.0, one.yshift or 0.0]), half


def name_lines(figure: go.Figure, palette: Palette) -> None:
    """Write the name of each line beside it; the names that find no room stand above the picture."""
    canvas, left, axis = Canvas(figure), 0, figure.layout.xaxis
    for trace in figure.data:
        if trace.showlegend is False or not trace.name:
            continue
        own = canvas.points(trace)
        words = Words.of(trace.name, LONGEST)
        room = canvas.room_for(words, own)
        if room is None or room[1]:
            narrow = Words.of(trace.name, NARROWER)
            other = canvas.room_for(narrow, own)
            words, room = (narrow, other) if other and (room is None or other[1] < room[1]) else (words, room)
        if room is None:
            left += 1
            continue
        middle, covered = room
        canvas.keep(words, middle)
        trace.showlegend = False
        across, up = np.array(middle) / canvas.size
        look = {"yref": "paper", "xanchor": "center", "yanchor": "middle"}
        look |= {"bgcolor": palette.background} if covered else {}
        x = axis.range[0] + across * (axis.range[1] - axis.range[0])
        note(figure, words.text, x=x, y=float(up), color=_ink(trace, palette), **look)
    if left:
        legend_above(figure, palette)
        figure.layout.legend.font.size = FONT_SIZE


def _share(values: Array, axis: go.layout.XAxis, *, logarithmic: bool = False) -> Array:
    """Where values lie on their axis, 0 at its start and 1 at its end."""
    with np.errstate(divide="ignore", invalid="ignore"):
        values = np.log10(values) if logarithmic else values
    start, end = axis.range
    return np.asarray((values - start) / (end - start), dtype=np.float64)


def _ink(trace: go.Scatter | go.Bar, palette: Palette) -> str:
    """The line's own color, where words can be read in it."""
    color = (None if trace.type == "bar" else trace.line.color) or trace.marker.color
    return palette.muted if color in {palette.answers, palette.line, None} else str(color)
