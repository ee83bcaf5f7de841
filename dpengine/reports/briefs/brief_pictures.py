"""The pictures of a brief, as SVG inside the page: 100 likely answers as dots, a belief before and after."""

from __future__ import annotations

import html

import numpy as np

from dpengine.accuracy import ErrorLaw
from dpengine.charts import PALETTES
from dpengine.charts.accuracy.noise_charts import DOTS, stacked_dots
from dpengine.formatting import Measure, amount, at_most, out_of_100

INK = PALETTES["light"]
WIDTH, HEIGHT, FLOOR, TOP = 420, 170, 126, 14
NARROW = 300
_LARGEST_DOT, _LETTER = 4.2, 'font-size="13"'


def likely_answers(
    law: ErrorLaw, *, around: float, half_width: float, confidence: float, measure: Measure, one_sided: bool
) -> str:
    """One hundred equally likely answers around a public number; the band holds as many of 100 as were asked for.

    `half_width` is that of one number; a choice only falls short, so its errors begin at 0.
    """
    reach = max(float(law.quantile(0.985)), 1.15 * half_width, 3.0 * (law.grid_step or 0.0)) or 1.0
    errors = np.asarray(law.likely_errors(DOTS))
    inside = errors[np.abs(errors) <= reach]
    low = 0.0 if one_sided else -reach
    x, y, _ = stacked_dots(inside, span=reach - low, least=law.grid_step or 0.0)
    places = 20 + (WIDTH - 40) * (np.clip(x, low, reach) - low) / (reach - low)
    pitch = min(2 * _LARGEST_DOT, (FLOOR - TOP) / max(float(y.max(initial=1.0)), 1.0))
    radius = min(_LARGEST_DOT, pitch / 2) - 0.3
    dots = "".join(
        f'<circle cx="{place:.1f}" cy="{FLOOR - (row - 0.5) * pitch:.1f}" r="{radius:.2f}"/>'
        for place, row in zip(places, y, strict=True)
    )
    ends = [20 + (WIDTH - 40) * (error - low) / (reach - low) for error in (max(-half_width, low), 0.0, half_width)]
    written = amount(measure.times * around, measure.digits), at_most(measure.times * half_width)
    said = f"{len(inside)} out of 100 likely answers as dots; {confidence * 100:g}% lie within the colored band"
    return (
        f'<svg class="picture" viewBox="0 0 {WIDTH} {HEIGHT}" role="img" aria-label="{html.escape(said)}">'
        f'<rect x="{ends[0]:.1f}" y="{TOP - 12}" width="{ends[2] - ends[0]:.1f}" height="{FLOOR - TOP + 12}" '
        f'fill="{INK.band}"/><g fill="{INK.answers}">{dots}</g>'
        f'<path d="M20 {FLOOR}H{WIDTH - 20}" stroke="{INK.muted}"/>'
        f'<path d="M{ends[1]:.1f} {TOP - 12}V{FLOOR}" stroke="{INK.text}" stroke-dasharray="3 3"/>'
        f"{_ends(ends, written, one_sided)}{_axis(measure, around)}</svg>"
    )


def _ends(ends: list[float], written: tuple[str, str], one_sided: bool) -> str:  # noqa: FBT001  # drawn or not
    """The ends of the band in figures, and its middle, which gives way where there is no room for three."""
    (around, wide), color = written, INK.with_person
    middle = _text(ends[1], FLOOR + 16, around, INK.text)
    if one_sided:
        return middle + _text(ends[2], FLOOR + 16, wide, color)
    left, right = _text(ends[0], FLOOR + 16, f"−{wide}", color), _text(ends[2], FLOOR + 16, f"+{wide}", color)
    return left + middle + right


def _axis(measure: Measure, around: float) -> str:
    what = f"error, {measure.errors}" if around == 0.0 else f"answer, {measure.answers}"
    return _text(WIDTH / 2, FLOOR + 37, what, INK.muted)


def _text(x: float, y: float, words: str, color: str, width: int = WIDTH, room: float = 34.0) -> str:
    """Words around a place, moved inward by as much as they need."""
    inside = min(max(x, room), width - room)
    return (
        f'<text x="{inside:.1f}" y="{y}" {_LETTER} text-anchor="middle" fill="{color}">'
        f"{html.escape(words, quote=False)}</text>"
    )


def before_and_after(prior: float, after: tuple[float, float], written: tuple[str, str]) -> str:
    """One belief on a line from 0 to 100: where it stood, and how far the most telling answer may move it."""
    left, right = (_place(share) for share in after)
    at, width = _place(prior), max(right - left, 2.0)
    before, become = f"before: {out_of_100(prior)}", f"after: {written[0]} to {written[1]}"
    said = f"A belief of {out_of_100(prior)} out of 100 before the answer becomes {written[0]} to {written[1]}"
    ticks = "".join(_text(_place(share / 100), 92, str(share), INK.muted, NARROW, 12) for share in (0, 25, 50, 75, 100))
    return (
        f'<svg class="picture" viewBox="0 0 {NARROW} 98" role="img" aria-label="{html.escape(said)}">'
        f'<rect x="12" y="46" width="{NARROW - 24}" height="22" rx="3" fill="{INK.line}"/>'
        f'<rect x="{left:.1f}" y="46" width="{width:.1f}" height="22" fill="{INK.attacker}"/>'
        f'<path d="M{at:.1f} 40V74" stroke="{INK.text}" stroke-width="2.5"/>'
        f"{_text(at, 14, before, INK.text, NARROW, 3.8 * len(before))}"
        f"{_text((left + right) / 2, 33, become, INK.attacker, NARROW, 3.8 * len(become))}{ticks}</svg>"
    )


def _place(share: float) -> float:
    return 12 + (NARROW - 24) * share
