"""The small pictures of a label, as SVG inside the page: odds as dots, the budget as a bar, an interval as a line."""

from __future__ import annotations

import math
from collections.abc import Iterator

from dpengine.charts import PALETTES
from dpengine.plan.amounts import COUNTED
from dpengine.reports.answers import Cell
from dpengine.reports.labels.label import PrivacyLabel

INK = PALETTES["light"]
_PITCH, _RADIUS = 9, 3.2


def dots(filled: int, color: str, said: str) -> str:
    """Ten times ten dots, so many of them filled; `said` is read out instead."""
    circles = "".join(_dot(place, color if place < filled else "") for place in range(100))
    size = 10 * _PITCH
    return f'<svg class="dots" viewBox="0 0 {size} {size}" role="img" aria-label="{said}">{circles}</svg>'


def _dot(place: int, color: str) -> str:
    x, y = (place % 10 + 0.5) * _PITCH, (place // 10 + 0.5) * _PITCH
    look = f'fill="{color}"' if color else f'fill="none" stroke="{INK.muted}" stroke-width=".8"'
    return f'<circle cx="{x}" cy="{y}" r="{_RADIUS}" {look}/>'


def at_most_dots(percent: float) -> int:
    """Whole dots, never fewer than the number."""
    return min(100, math.ceil(percent))


def budget_bar(label: PrivacyLabel) -> str:
    """What was spent before or else, what this answer cost, and what was left, as shares of the budget."""
    before, this = _shares(label)
    spent = "was spent before" if label.answers == 1 else "was spent on other answers"
    by = "this answer" if label.answers == 1 else f"these {label.answers} answers"
    pieces = _bar(((before, INK.spent, 0.55), (this, INK.attacker, 1.0), (1.0 - before - this, INK.left, 0.28)))
    return (
        '<svg class="bar" viewBox="0 0 1000 34" preserveAspectRatio="none" role="img" '
        f'aria-label="Of the budget, {100 * before:.3g}% {spent}, {100 * this:.3g}% by {by}">'
        f"{''.join(pieces)}</svg>"
    )


def _bar(pieces: tuple[tuple[float, str, float], ...]) -> Iterator[str]:
    start = 0.0
    for share, color, opacity in pieces:
        width = max(share, 0.0) * 1000
        yield f'<rect x="{start:.2f}" y="0" width="{width:.2f}" height="34" fill="{color}" fill-opacity="{opacity}"/>'
        start += width


def _shares(label: PrivacyLabel) -> tuple[float, float]:
    """By what the rule counts first: epsilon, or rho; of a budget that was used in full they add up to 1."""
    name = COUNTED[label.rule][0]
    granted, spent = getattr(label.line.granted, name), getattr(label.line.spent, name)
    this = getattr(label.charged, name)
    return (spent - this) / granted, this / granted


def interval_line(cell: Cell) -> str:
    """The interval with the answer on it; nothing for a choice."""
    if cell.lower is None or cell.upper is None or isinstance(cell.value, str) or cell.upper <= cell.lower:
        return ""
    place = 40 + 920 * min(1.0, max(0.0, (cell.value - cell.lower) / (cell.upper - cell.lower)))
    line = f'stroke="{INK.with_person}" stroke-width="5"'
    return (
        '<svg class="interval" viewBox="0 0 1000 40" preserveAspectRatio="none" aria-hidden="true">'
        f'<path d="M40 20H960M40 4V36M960 4V36" {line} fill="none"/>'
        f'<rect x="{place - 9:.2f}" y="2" width="18" height="36" fill="{INK.text}"/></svg>'
    )
