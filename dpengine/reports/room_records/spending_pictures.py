"""How a room's budget was spent, question by question under both rules, as SVG inside the page."""

from __future__ import annotations

import html
from collections.abc import Sequence

from dpengine.charts import PALETTES
from dpengine.formatting import amount, at_most
from dpengine.queries.sensitivity.sentences import plural
from dpengine.reports.room_records.room_record import SpentInRoom

INK = PALETTES["light"]
WIDTH, HEIGHT, LEFT, RIGHT, TOP, FLOOR = 420, 190, 40, 124, 14, 156
_LETTER = 'font-size="13"'
_ALIKE, _HEADROOM, _BEYOND = 0.99, 1.14, 1.06
"""The last two as shares of the budget: how high the picture is, and where what was refused stands."""


def spending_stairs(spent: Sequence[SpentInRoom], budget: float) -> str:
    """Epsilon after each question by each rule, one line where they lie on one another; a cross for each refusal."""
    highest = _HEADROOM * max([budget, *(one.naive for one in spent)])
    last = spent[-1]
    alike = last.advanced >= _ALIKE * last.naive
    lines = [("naive, advanced" if alike else "naive", [one.naive for one in spent], INK.spent)]
    if not alike:
        lines.append(("advanced", [one.advanced for one in spent], INK.advanced))
    crosses = "".join(
        _cross(place, len(spent), _y(_BEYOND * budget, highest)) for place, one in enumerate(spent) if one.refused
    )
    said = html.escape(_said(spent, budget))
    return (
        f'<svg class="picture" viewBox="0 0 {WIDTH} {HEIGHT}" role="img" aria-label="{said}">'
        f'<path d="M{LEFT} {FLOOR}H{WIDTH - RIGHT}" stroke="{INK.muted}"/>{_budget(budget, highest)}'
        f"{''.join(_stair(*line, highest) for line in lines)}{crosses}"
        f'<text x="{LEFT}" y="{FLOOR + 26}" {_LETTER} fill="{INK.muted}">questions asked, 1 to {len(spent):,}</text>'
        "</svg>"
    )


def _stair(name: str, epsilons: Sequence[float], color: str, highest: float) -> str:
    steps = [f"M{LEFT} {FLOOR}"]
    for place, epsilon in enumerate(epsilons):
        steps.append(f"H{_x(place, len(epsilons)):.1f}V{_y(epsilon, highest):.1f}")
    steps.append(f"H{WIDTH - RIGHT}")
    y = _y(epsilons[-1], highest) + 4
    words = f'<text x="{WIDTH - RIGHT + 4}" y="{y:.1f}" {_LETTER} fill="{color}">{name}</text>'
    return f'<path d="{"".join(steps)}" fill="none" stroke="{color}" stroke-width="2"/>{words}'


def _budget(budget: float, highest: float) -> str:
    y = _y(budget, highest)
    return (
        f'<path d="M{LEFT} {y:.1f}H{WIDTH - RIGHT}" stroke="{INK.text}" stroke-dasharray="4 3"/>'
        f'<text x="{LEFT}" y="{y - 4:.1f}" {_LETTER} fill="{INK.text}">budget ε {amount(budget)}</text>'
    )


def _cross(place: int, count: int, y: float) -> str:
    x = _x(place, count) + (WIDTH - LEFT - RIGHT) / count / 2
    return f'<path d="M{x - 4:.1f} {y - 4:.1f}l8 8m0 -8l-8 8" stroke="{INK.attacker}" stroke-width="2" class="no"/>'


def _x(place: int, count: int) -> float:
    """Where the step of a question begins."""
    return LEFT + (WIDTH - LEFT - RIGHT) * place / count


def _y(epsilon: float, highest: float) -> float:
    return FLOOR - (FLOOR - TOP) * epsilon / highest


def _said(spent: Sequence[SpentInRoom], budget: float) -> str:
    refused = sum(one.refused for one in spent)
    naive, advanced = at_most(spent[-1].naive), at_most(spent[-1].advanced)
    return (
        f"{plural(len(spent), 'question')} asked, {refused} refused: naive epsilon {naive}, advanced {advanced}, of a "
        f"budget of {amount(budget)}."
    )
