"""A room attacks, in pictures: answers whose average closes in, and invented people whose secrets are opened."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
import plotly.graph_objects as go
from numpy.typing import NDArray

from dpengine.attacks.on_answers import WornDown
from dpengine.charts.drawing.theme import Chart, Palette, blank, level, note
from dpengine.formatting.numbers import amount

Bits = NDArray[np.bool_]
HEIGHT, MOST_POINTS, _FEWEST, _BROAD = 320, 400, 8, 0.25
_SIDE, _GAP, _ROOM_FOR_WORDS, _TILE = 16, 4, 2.2, 17


def closing_in(view: WornDown, palette: Palette) -> Chart:
    """Each answer a dot, those that were told larger; their average a line; the public count level through it.

    Of more than MOST_POINTS answers some are left out of the picture, and none of the average.
    """
    count = len(view.values)
    numbers = np.unique(np.linspace(1, count, MOST_POINTS).astype(int))
    values, averages = view.values[numbers - 1], view.averages[numbers - 1]
    figure = blank(
        palette,
        x_title="answers to the same question",
        y_title="people",
        height=HEIGHT,
        x={"range": [0, max(count, _FEWEST) * 1.05], "tickformat": ",d", "nticks": 6},
        y={"range": _around(view), "nticks": 5},
    )
    drawn = numbers > view.told
    for chosen, color, size in ((~drawn, palette.with_person, 9), (drawn, palette.answers, 5)):
        figure.add_scatter(
            x=numbers[chosen],
            y=values[chosen],
            mode="markers",
            marker={"size": size, "color": color},
            hoverinfo="skip",
        )
    figure.add_scatter(
        x=numbers,
        y=averages,
        mode="lines+markers",
        line={"color": palette.attacker, "width": 3},
        marker={"size": 9.0 * (numbers == count), "color": palette.attacker},
        hoverinfo="skip",
    )
    if view.exact is not None:
        level(figure, y=view.exact, line={"color": palette.text, "width": 1.6, "dash": "dash"})
        said = f"dashed: the exact count, {view.exact:,.0f}, public here"
        note(figure, said, x=1.0, xref="paper", y=1.0, yref="paper", xanchor="right", yanchor="top", color=palette.text)
    columns = {"answer": numbers, "told": values, "average so far": averages}
    return Chart(figure=figure, alt=_closing_words(view), numbers=columns)


def _around(view: WornDown) -> list[float]:
    seen = [*view.values, *([] if view.exact is None else [view.exact])]
    low, high = float(min(seen)), float(max(seen))
    broad = max(high - low, 1.0)
    return [low - _BROAD * broad, high + _BROAD * broad]


def _closing_words(view: WornDown) -> str:
    count = len(view.values)
    truth = "" if view.exact is None else f"; the exact count is {view.exact:,.0f}"
    average = amount(float(view.averages[-1]))
    return f"{count:,} answers, of which {view.told:,} were told; their average is {average}{truth}."


@dataclass(frozen=True, slots=True, kw_only=True)
class SecretsOpened:
    """Which secrets of some people are opened, and whether the attacker has them: all (people,)."""

    opened: Bits
    without_noise: Bits
    with_noise: Bits


def secrets(view: SecretsOpened, palette: Palette) -> Chart:
    """Two walls of the same people: a secret that was guessed right is crossed, any other green."""
    people, rows = len(view.opened), -(-len(view.opened) // _SIDE)
    figure = blank(
        palette,
        x_title="people",
        y_title="people",
        height=HEIGHT,
        left=10,
        x={"visible": False, "range": [-0.8, 2 * _SIDE + _GAP - 0.2]},
        y={"visible": False, "range": [rows + 0.8, -_ROOM_FOR_WORDS]},
    )
    walls = (
        ("With the whole budget’s noise", view.with_noise, 0, palette.muted),
        ("Without noise", view.without_noise, _SIDE + _GAP, palette.attacker),
    )
    for name, found, shift, right in walls:
        out = int(np.count_nonzero(found & view.opened))
        _add_wall(figure, found, view.opened, shift, palette, right)
        words = f"<b>{name}: {out} of {int(view.opened.sum())} guessed right</b>" if view.opened.any() else name
        note(figure, words, x=shift - 0.5, y=-1.3, xanchor="left", color=palette.text)
    legend = "crossed: guessed right, with noise as a coin is too   ·   green: guessed wrong"
    note(figure, legend, x=-0.5, y=rows + 0.2, xanchor="left", color=palette.muted)
    numbers = {
        "person": np.arange(1, people + 1),
        "opened": view.opened,
        "right without noise": view.without_noise,
        "right with noise": view.with_noise,
    }
    return Chart(figure=figure, alt=_secret_words(view), numbers=numbers)


def _add_wall(figure: go.Figure, found: Bits, opened: Bits, shift: int, palette: Palette, right: str) -> None:
    places = np.arange(len(found))
    looks: Sequence[tuple[Bits, str, str]] = (
        (~opened, palette.line, "square"),
        (opened & found, right, "square-x-open"),
        (opened & ~found, palette.left, "square"),
    )
    for chosen, color, symbol in looks:
        figure.add_scatter(
            x=places[chosen] % _SIDE + shift,
            y=places[chosen] // _SIDE,
            mode="markers",
            marker={"size": _TILE, "color": color, "symbol": symbol},
            hoverinfo="skip",
        )


def _secret_words(view: SecretsOpened) -> str:
    bare, noisy = (int(np.count_nonzero(found & view.opened)) for found in (view.without_noise, view.with_noise))
    return (
        f"Of {int(view.opened.sum())} secrets that are opened, the attacker has {bare} right without noise and {noisy} "
        "with it."
    )
