"""What a dial says once, whatever its epsilon: titles, scales, colors, and what others chose."""

from __future__ import annotations

from dataclasses import asdict
from typing import Any

from dpengine.charts import Palette
from dpengine.charts.accuracy.noise_charts import CURVES, WORLDS
from dpengine.deployments import DEPLOYMENTS
from dpengine.frames import EPSILONS, position
from pages.question.consequences import Detail
from pages.question.dial import axes, trade_off_axes
from pages.question.dial.drawn_frame import DialScales
from pages.question.dial.words import as_text
from pages.question.question_view import UNLIKELY, QuestionView

_DECADES = (0.01, 0.03, 0.1, 0.3, 1.0, 3.0, 10.0)
_HANDLES = {"error": "accepted error", "risk": "accepted belief"}


def header(question: QuestionView, scales: DialScales, *, key: str, detail: Detail, palette: Palette) -> dict[str, Any]:
    """For the browser; `key` tells dials apart, `detail` is the line below the finding."""
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
        "axes": scales.axes,
        "tradeOff": {
            "title": _error_title(question),
            "error": trade_off_axes.error_ticks(scales.span, question.measure.times),
            "risk": trade_off_axes.risk_ticks(scales.span),
            "handles": _HANDLES,
        },
    }


def quiet(question: QuestionView) -> str:
    """What the dots or the curve of the first picture are."""
    share = f"{question.confidence * 100:g}"
    if axes.kind(question) == "worst":
        return "for any rows: an upper limit on the answers that are worse"
    if axes.kind(question) == "named":
        return "a hundred likely answers as dots"
    each = f"values of a {question.planned.query.cell}" if question.coordinates > 1 else "answers"
    return f"likely {each} (noise distribution), {share}% in the band"


def believed_quiet(question: QuestionView) -> str:
    """Whose belief the second picture draws, and for which answers."""
    unlikely = f", for all but 1 in {1 / UNLIKELY:,.0f} answers" if question.planned.noise.needs_delta else ""
    return f"about one person (posterior belief){unlikely}"


def _error_title(question: QuestionView) -> str:
    unit = as_text(question.measure.errors)
    return f"error within, {unit}" if question.choice is None else f"short by at most, {unit}"
