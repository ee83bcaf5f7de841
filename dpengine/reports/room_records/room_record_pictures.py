"""The votes of a room as dots on one axis for all rounds, as SVG inside the page."""

from __future__ import annotations

import html
import math
from collections import Counter
from collections.abc import Iterator, Sequence

from dpengine.charts import PALETTES
from dpengine.formatting import amount
from dpengine.reports.room_records.room_record import VotesOfARound, reach, times_apart

INK = PALETTES["light"]
WIDTH, LEFT, RIGHT, ROW, FLOOR, TOP = 420, 22, 22, 116, 92, 26
_RADIUS, _PITCH = 5.0, 11.0
_LETTER = 'font-size="13"'


def votes_as_dots(rounds: Sequence[VotesOfARound]) -> str:
    """Each vote a dot at its epsilon, the middle half as a band, the median as a line; one row for each round.

    The axis is logarithmic, as the dial is.
    """
    ends = reach(tuple(rounds))
    rows = "".join(_round(one, number, ends) for number, one in enumerate(rounds))
    height = ROW * len(rounds) + 40
    return (
        f'<svg class="picture" viewBox="0 0 {WIDTH} {height}" role="img" aria-label="{html.escape(_said(rounds))}">'
        f"{rows}{_axis(ends, ROW * len(rounds))}</svg>"
    )


def _said(rounds: Sequence[VotesOfARound]) -> str:
    told = (
        f"Round {number}: {len(one.epsilons)} votes, median epsilon {amount(one.median)}, from "
        f"{amount(min(one.epsilons))} to {amount(max(one.epsilons))}, {amount(times_apart(one))} times apart"
        for number, one in enumerate(rounds, 1)
    )
    return "; ".join(told)


def _round(votes: VotesOfARound, number: int, ends: tuple[float, float]) -> str:
    floor, top = ROW * number + FLOOR, ROW * number + TOP
    lower, upper, middle = (_place(value, ends) for value in (votes.lower, votes.upper, votes.median))
    caption = f"Round {number + 1}: median ε {amount(votes.median)}"
    return (
        f'<rect x="{lower:.1f}" y="{top}" width="{max(upper - lower, 2.0):.1f}" height="{floor - top}" '
        f'fill="{INK.band}"/><g fill="{INK.with_person}">{"".join(_dots(votes, ends, floor, floor - top))}</g>'
        f'<path d="M{LEFT} {floor}H{WIDTH - RIGHT}" stroke="{INK.muted}"/>'
        f'<path d="M{middle:.1f} {top}V{floor}" stroke="{INK.text}" stroke-width="2" stroke-dasharray="4 3"/>'
        f'<text x="{LEFT}" y="{top - 8}" {_LETTER} font-weight="700" fill="{INK.text}">{caption}</text>'
    )


def _dots(votes: VotesOfARound, ends: tuple[float, float], floor: int, height: int) -> Iterator[str]:
    """Dots that would touch are stacked; high stacks draw closer, never above their row."""
    columns = Counter(round((_place(epsilon, ends) - LEFT) / _PITCH) for epsilon in votes.epsilons)
    pitch = min(_PITCH, height / max(columns.values()))
    radius = min(_RADIUS, max(pitch / 2, 1.5))
    for column, stacked in sorted(columns.items()):
        for place in range(stacked):
            x, y = LEFT + column * _PITCH, floor - (place + 0.5) * pitch
            yield f'<circle cx="{x:.1f}" cy="{y:.1f}" r="{radius:.2f}"/>'


def _axis(ends: tuple[float, float], y: int) -> str:
    """Powers of ten, and between them 2 and 5 where there are few."""
    first, last = (round(math.log10(end)) for end in ends)
    steps = (1, 2, 5) if last - first <= 3 else (1,)
    ticks = [step * 10.0**power for power in range(first, last + 1) for step in steps if step * 10.0**power <= ends[1]]
    figures = "".join(_tick(value, ends, y) for value in ticks)
    title = f'<text x="{WIDTH / 2}" y="{y + 32}" {_LETTER} text-anchor="middle" fill="{INK.muted}">ε, epsilon</text>'
    return figures + title


def _tick(value: float, ends: tuple[float, float], y: int) -> str:
    return (
        f'<text x="{_place(value, ends):.1f}" y="{y + 8}" {_LETTER} text-anchor="middle" fill="{INK.muted}">'
        f"{amount(value)}</text>"
    )


def _place(epsilon: float, ends: tuple[float, float]) -> float:
    low, high = (math.log10(end) for end in ends)
    return LEFT + (WIDTH - LEFT - RIGHT) * (math.log10(epsilon) - low) / (high - low)
