"""From numbers to a frame: where everything is drawn, as shares of axes that the whole dial has in common."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from dpengine.frames import COLUMNS, POINTS, position
from dpengine.losses.arrays import Array
from pages.question.dial.axes import Axis
from pages.question.dial.dial_numbers import DialNumbers
from pages.question.dial.trade_off_axes import TradeOffSpan

FULL, MOST_AIR = 65535, 1.35
NUMBERS = ("top", "shift", "error", "risk", "price")
"""What a frame has one of."""


@dataclass(frozen=True, kw_only=True)
class DialScales:
    """What all frames of a dial have in common: an axis a reach, as high as the highest frame on it; one range."""

    axes: Sequence[Axis]
    span: TradeOffSpan

    @classmethod
    def of(cls, steps: Sequence[DialNumbers], prior: float) -> DialScales:
        """Those of all steps of a dial."""
        found: dict[float, Axis] = {}
        for step in steps:
            known = found.setdefault(step.axis["reach"], step.axis)
            found[step.axis["reach"]] = _as_high(known, step.axis)
        errors = [step.error for step in steps if step.error > 0.0] or [1.0]
        span = TradeOffSpan(least_error=min(errors), largest_error=max(errors), prior=prior)
        return cls(axes=list(found.values()), span=span)

    def axis_of(self, numbers: DialNumbers) -> Axis:
        """The axis that these are drawn on: their own where they lie between the steps and no step reaches as far."""
        own = numbers.axis
        known = next((axis for axis in self.axes if axis["reach"] == own["reach"]), own)
        return _as_high(known, own)


@dataclass(frozen=True, kw_only=True)
class DrawnFrame:
    """One frame as scripts draw it: `values` by kind are shares of an axis, and heights and beliefs of FULL."""

    epsilon: float
    axis: Axis
    values: Mapping[str, NDArray[Any]]
    words: Mapping[str, str]

    def as_json(self) -> dict[str, Any]:
        """By itself, for an epsilon that lies between the steps of the dial."""
        return {
            "place": position(self.epsilon),
            "label": f"{self.epsilon:.12g}",
            "axis": self.axis,
            "full": FULL,
            "words": dict(self.words),
        } | {name: float(one[0]) if name in NUMBERS else _plain(one) for name, one in self.values.items()}


def drawn(numbers: DialNumbers, scales: DialScales) -> DrawnFrame:
    """The frame of one epsilon."""
    axis, frame = scales.axis_of(numbers), numbers.frame
    top = min(axis["top"], MOST_AIR * numbers.axis["top"])
    heights = frame.bell.heights if len(frame.bell.heights) else np.zeros(POINTS)
    width = frame.bell.reach if axis["kind"] == "worst" else 2.0 * frame.bell.reach
    values: Mapping[str, Sequence[float] | Array] = {
        "top": [top],
        "heights": _whole(np.minimum(heights / top, 1.0)),
        "dots": (*frame.bell.dots, *(0,) * (COLUMNS - len(frame.bell.dots))),
        "band": [min(max(axis["middle"] + end / width, 0.0), 1.0) for end in frame.bell.band],
        "shift": [frame.shift / width],
        "least": _whole(frame.least),
        "most": _whole(frame.most),
        "after": frame.after,
        "error": [scales.span.error(numbers.error)],
        "risk": [scales.span.risk(frame.after[1])],
        "price": [numbers.price],
    }
    as_arrays = {name: np.asarray(value) for name, value in values.items()}
    return DrawnFrame(epsilon=numbers.epsilon, axis=axis, values=as_arrays, words=numbers.words)


def _as_high(known: Axis, own: Axis) -> Axis:
    return known | {"top": max(known["top"], own["top"])}


def _whole(shares: Array) -> Array:
    """Shares as whole numbers of FULL."""
    return np.asarray(np.rint(shares * FULL))


def _plain(values: NDArray[Any]) -> list[float]:
    return [round(float(value), 6) for value in values]
