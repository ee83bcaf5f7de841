"""The frames as bytes: a header that says where what stands, then small whole numbers; made once for a question."""

from __future__ import annotations

import json
import struct
from collections.abc import Mapping, Sequence
from dataclasses import asdict
from typing import Any

import numpy as np
from numpy.typing import NDArray

from dpengine.charts import Palette
from dpengine.charts.accuracy.noise_charts import CURVES, WORLDS
from dpengine.deployments import DEPLOYMENTS
from dpengine.frames import COLUMNS, EPSILONS, POINTS, position
from dpengine.losses.arrays import Array
from pages.question.consequences import Detail
from pages.question.dial import axes
from pages.question.dial.frames import Film, Seen, height
from pages.question.dial.words import as_text
from pages.question.question_view import UNLIKELY, QuestionView

FULL, MOST_AIR = 65535, 1.35
_HEAD = struct.Struct("<I")
_DECADES = (0.01, 0.03, 0.1, 0.3, 1.0, 3.0, 10.0)
_HANDLES = {"error": "accepted error", "risk": "accepted belief"}
_KINDS: Mapping[str, Any] = {"u1": np.uint8, "u2": np.uint16, "f4": np.float32}


def packed(film: Film, question: QuestionView, *, key: str, detail: Detail, palette: Palette) -> bytes:
    """All frames of a question for the browser. `key` tells dials apart, `detail` is the line below the finding."""
    arrays = {name: (kind, _column(film, name)) for name, kind in _COLUMNS.items()}
    places, body = {}, b""
    for name, (kind, values) in arrays.items():
        raw = np.ascontiguousarray(values, dtype=_KINDS[kind]).tobytes()
        places[name] = [kind, len(body), values.size]
        body += raw + b"\0" * (-len(raw) % 4)
    header = _header(film, question, key=key, detail=detail, palette=palette) | {
        "arrays": places,
        "widths": {name: values.shape[1] if values.ndim > 1 else 1 for name, (_, values) in arrays.items()},
    }
    head = _padded(json.dumps(header | {"start": 10**9}))
    text = _padded(json.dumps(header | {"start": _HEAD.size + len(head)}), length=len(head))
    return _HEAD.pack(len(text)) + text + body


def _padded(text: str, length: int = 0) -> bytes:
    """JSON that ends where numbers of four bytes may begin."""
    raw = text.encode()
    return raw + b" " * (length - len(raw) if length else -len(raw) % 4)


def _header(film: Film, question: QuestionView, *, key: str, detail: Detail, palette: Palette) -> dict[str, Any]:
    names = film.steps[0].words.keys()
    return {
        "key": key,
        "detail": [as_text(detail.before), as_text(detail.after)],
        "noise": detail.noise,
        "quiet": quiet(question),
        "whose": believed_quiet(question),
        "kind": axes.kind(question),
        "worlds": WORLDS[question.plan.neighbors],
        "curves": CURVES[question.plan.neighbors],
        "colors": asdict(palette),
        "prior": question.prior,
        "places": [position(epsilon) for epsilon in EPSILONS],
        "labels": [f"{epsilon:g}" for epsilon in EPSILONS],
        "ticks": [{"at": position(one), "text": f"{one:g}"} for one in _DECADES],
        "others": [
            {"at": position(one.epsilon), "text": f"{one.short}: ε {one.epsilon:g} for {one.unit}"}
            for one in DEPLOYMENTS
            if EPSILONS[0] <= one.epsilon <= EPSILONS[-1]
        ],
        "axes": film.axes,
        "tradeOff": {
            "title": _error_title(question),
            "error": axes.error_ticks(film.span, question.measure.times),
            "risk": axes.risk_ticks(film.span),
            "handles": _HANDLES,
        },
        "words": {name: [step.words[name] for step in film.steps] for name in names},
    }


def quiet(question: QuestionView) -> str:
    """What the dots or the curve of the first picture are."""
    share = f"{question.confidence * 100:g}"
    if axes.kind(question) == "worst":
        return "whatever the rows: at most so many of 100 are worse"
    if axes.kind(question) == "named":
        return "each dot: 1 of 100 likely answers"
    each = "values of a group" if question.coordinates > 1 else "answers"
    return f"each dot: 1 of 100 likely {each}; band: {share}"


def _error_title(question: QuestionView) -> str:
    unit = as_text(question.measure.errors)
    return f"error within, {unit}" if question.choice is None else f"short by at most, {unit}"


def frame_of(film: Film, step: Seen) -> dict[str, Any]:
    """One frame by itself, for an epsilon that lies between the steps of the dial, in the form that scripts read."""
    known = {axis["reach"]: axis for axis in film.axes}
    own = height(step.frame)
    axis = known.get(step.frame.bell.reach) or axes.answers_axis(step.question, step.frame, own)
    axis = axis | {"top": max(axis["top"], own)}
    values = {name: _values(step, name, film, _top(step, axis["top"])) for name in _COLUMNS if name != "axis"}
    scalars = ("top", "shift", "error", "risk", "price")
    return {
        "place": position(step.question.epsilon),
        "label": f"{step.question.epsilon:.12g}",
        "axis": axis,
        "full": FULL,
        "words": dict(step.words),
    } | {name: float(value[0]) if name in scalars else _plain(value) for name, value in values.items()}


def _plain(values: NDArray[Any]) -> list[float]:
    return [round(float(value), 6) for value in values]


_COLUMNS: Mapping[str, str] = {
    "axis": "u1",
    "top": "f4",
    "heights": "u2",
    "dots": "u1",
    "band": "f4",
    "shift": "f4",
    "least": "u2",
    "most": "u2",
    "after": "f4",
    "error": "f4",
    "risk": "f4",
    "price": "f4",
}


def _column(film: Film, name: str) -> NDArray[Any]:
    tops = [_top(step, film.axes[film.axis_of(step)]["top"]) for step in film.steps]
    rows = [_values(step, name, film, top) for step, top in zip(film.steps, tops, strict=True)]
    return np.array(rows) if len(rows[0]) != 1 else np.array([row[0] for row in rows])


def believed_quiet(question: QuestionView) -> str:
    """Whose belief the second picture draws, and for which answers."""
    unlikely = f", for all but 1 in {1 / UNLIKELY:,.0f} answers" if question.planned.mechanism == "gaussian" else ""
    return f"about one person, before and after{unlikely}"


def _top(step: Seen, highest: float) -> float:
    """How many dots high the picture of a frame is: as high as the highest on its axis, but never much too high."""
    return min(highest, MOST_AIR * height(step.frame))


def _values(step: Seen, name: str, film: Film, top: float) -> NDArray[Any]:
    """One kind of number of one frame, as the script draws it: shares of an axis, beliefs and heights of FULL."""
    one = step.frame
    if name in {"axis", "top"}:
        return np.array([film.axis_of(step) if name == "axis" else top])
    if name in {"least", "most"}:
        return _whole(one.least if name == "least" else one.most)
    if name == "heights":
        return _whole(np.minimum((one.bell.heights if len(one.bell.heights) else np.zeros(POINTS)) / top, 1.0))
    return _small(step, name, film)


def _whole(shares: Array) -> Array:
    """Shares as whole numbers of FULL."""
    return np.asarray(np.rint(shares * FULL))


def _small(step: Seen, name: str, film: Film) -> NDArray[Any]:
    one, worst = step.frame, axes.kind(step.question) == "worst"
    width = one.bell.reach if worst else 2.0 * one.bell.reach
    start = 0.0 if worst else 0.5
    found: Mapping[str, Sequence[float]] = {
        "dots": (*one.bell.dots, *(0,) * (COLUMNS - len(one.bell.dots))),
        "band": [min(max(start + end / width, 0.0), 1.0) for end in one.bell.band],
        "shift": [one.shift / width],
        "after": one.after,
        "error": [film.span.error(step.error)],
        "risk": [film.span.risk(one.after[1])],
        "price": [step.price],
    }
    return np.array(found[name])
