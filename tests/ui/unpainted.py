"""Pictures in pages whose words and numbers a test reads: a figure is painted once somebody looks at it.

Plotly takes longer for the pictures of most pages than all else does. Every chart is painted by its contract, and every
page's in the walk through all pages.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from functools import partial, reduce
from types import SimpleNamespace
from typing import Any

import plotly.graph_objects as go
import pytest

from dpengine.charts import Chart, theme
from pages.ui import outputs

NOTHING = go.Figure()
"""What hangs in the place of a figure at which nobody looks."""
_UNREADABLE = "The figure is not painted yet: read what its to_plotly_json gives."
Stroke = Callable[[go.Figure], object]


class Unpainted:
    """A figure as it was ordered: what is added to it, and what is set in a part of it, is done once it is painted."""

    def __init__(self, **layout: object) -> None:
        self._layout = layout
        self._strokes: list[Stroke] = []
        self._figure: go.Figure | None = None

    def __getattr__(self, name: str) -> Any:
        if name.startswith("_"):
            raise AttributeError(name)
        if self._figure is None and name == "layout":
            return _Part(self, ("layout",))
        if self._figure is None and name.startswith(("add_", "update_")):
            return lambda *given, **named: self.later(lambda figure: getattr(figure, name)(*given, **named))
        return getattr(self.painted(), name)

    def later(self, stroke: Stroke) -> None:
        """Do this to the figure once it is painted, or at once where it is."""
        if self._figure is None:
            self._strokes.append(stroke)
        else:
            stroke(self._figure)

    def painted(self) -> go.Figure:
        """The figure itself."""
        if self._figure is None:
            self._figure = go.Figure(**self._layout)
            for stroke in self._strokes:
                stroke(self._figure)
        return self._figure


class _Part:
    """A part of a figure that is not painted yet; it can be set, not read: `to_plotly_json` paints."""

    __slots__ = ("_figure", "_path")
    __hash__ = None  # type: ignore[assignment]

    def __init__(self, figure: Unpainted, path: tuple[str, ...]) -> None:
        object.__setattr__(self, "_figure", figure)
        object.__setattr__(self, "_path", path)

    def __getattr__(self, name: str) -> _Part:
        return _Part(self._figure, (*self._path, name))

    def __setattr__(self, name: str, value: object) -> None:
        self._figure.later(lambda figure: setattr(reduce(getattr, self._path, figure), name, value))

    def __call__(self, *given: object, **named: object) -> Any:
        return reduce(getattr, self._path, self._figure.painted())(*given, **named)

    def __eq__(self, other: object) -> bool:
        raise TypeError(_UNREADABLE)

    def __bool__(self) -> bool:
        raise TypeError(_UNREADABLE)


def hang_unpainted(monkeypatch: pytest.MonkeyPatch) -> None:
    """From here on, pages hang their pictures unpainted, with all their words."""
    monkeypatch.setattr(theme, "go", SimpleNamespace(Figure=Unpainted))
    monkeypatch.setattr(outputs, "chart", partial(_hung, outputs.chart))


def _hung(hang: Callable[..., None], place: object, picture: Chart, **look: object) -> None:
    unseen = isinstance(picture.figure, Unpainted)
    hang(place, replace(picture, figure=NOTHING) if unseen else picture, **look)
