"""The picture of an evaluation, as SVG inside the page: how often an attacker of one person can be right over time."""

from __future__ import annotations

import html
from collections.abc import Sequence

from dpengine.charts import PALETTES
from dpengine.charts.privacy.promise_charts import LossRow
from dpengine.reports.evaluations.figures import SUBJECTS, right_at_best, right_at_most

INK = PALETTES["light"]
WIDTH, RIGHT, ROW, TOP, BAR, LETTER = 420, 84, 20, 18, 13, 7.0
"""In the units of the picture, the last one as wide as a letter of 13."""


def rising_odds(rows: Sequence[LossRow]) -> str:
    """A bar for each stretch of time from pure chance to what it allows; pale from where it may end at best."""
    whom = next(iter(SUBJECTS))
    told = [(row.heading.split(" (", maxsplit=1)[0], row.totals[whom]) for row in rows if row.totals]
    said = "; ".join(f"{words}: at most {right_at_most(total)}" for words, total in told)
    left, floor = 8 + LETTER * max(len(words) for words, _ in told), TOP + ROW * len(told)
    bars = []
    for place, (words, total) in enumerate(told):
        top = TOP + ROW * place + (ROW - BAR) / 2
        best, most = (_place(odds.with_data, left) for odds in (total.least_odds, total.odds))
        ends = right_at_best(total), right_at_most(total)
        bars.append(
            f'{_text(left - 6, top + 11, words, INK.text, anchor="end")}<rect x="{left}" y="{top}" '
            f'width="{most - left:.1f}" height="{BAR}" fill="{INK.attacker}" fill-opacity=".32"/><rect x="{left}" '
            f'y="{top}" width="{best - left:.1f}" height="{BAR}" fill="{INK.attacker}"/>'
            f"{_text(most + 5, top + 11, ends[1] if ends[0] == ends[1] else '–'.join(ends), INK.attacker, weight=700)}"
        )
    ticks = "".join(_text(_place(at, left), floor + 16, str(at), INK.muted, anchor="middle") for at in (50, 75, 100))
    return (
        f'<svg class="picture" viewBox="0 0 {WIDTH} {floor + 20}" role="img" '
        f'aria-label="{html.escape(f"Attackers of one person are right out of 100 cases: {said}")}">'
        f"{_text(left, 12, '50: pure chance', INK.muted)}{''.join(bars)}"
        f'<path d="M{left} {TOP - 2}V{floor + 2}H{WIDTH - RIGHT}" stroke="{INK.text}" fill="none"/>{ticks}</svg>'
    )


def _place(percent: float, left: float) -> float:
    return left + (WIDTH - left - RIGHT) * (max(percent, 50.0) - 50.0) / 50.0


def _text(x: float, y: float, words: str, color: str, *, anchor: str = "start", weight: int = 400) -> str:
    return (
        f'<text x="{x:.1f}" y="{y}" font-size="13" text-anchor="{anchor}" font-weight="{weight}" fill="{color}">'
        f"{html.escape(words, quote=False)}</text>"
    )
