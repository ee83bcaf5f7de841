"""One color for each meaning: a picture takes its colors from the palette, and they can be told apart."""

from __future__ import annotations

import copy
import json
import re
from collections.abc import Iterator
from dataclasses import asdict
from itertools import combinations

from dpengine.charts import PALETTES
from tests.contracts.charts.test_charts import EXAMPLES, written
from tests.running.cases import each

RGB = tuple[int, ...]
NEUTRAL = {(255, 255, 255), (0, 0, 0), (28, 36, 48)}
"""What Plotly writes where nothing is drawn, and the ink of a text on a pale bar."""
MEANINGS = ("with_person", "without_person", "spent", "left", "attacker", "sampling")
READABLE, VISIBLE = 4.5, 2.4


def rgb(color: str) -> RGB:
    """Of #rrggbb or rgba(r, g, b, a); how clear a color is does not matter here."""
    if color.startswith("#"):
        return tuple(int(color[place : place + 2], 16) for place in (1, 3, 5))
    return tuple(int(float(part)) for part in re.findall(r"[\d.]+", color)[:3])


def colors_of(written: str) -> Iterator[RGB]:
    """Every color of a figure, without the template that Plotly adds."""
    figure = json.loads(written)
    figure["layout"].pop("template", None)
    for color in re.findall(r'"(#[0-9a-fA-F]{6}|rgba?\([\d., ]+\))"', json.dumps(figure)):
        yield rgb(color)


def light(color: RGB) -> float:
    parts = [value / 255 for value in color]
    linear = [part / 12.92 if part <= 0.04045 else ((part + 0.055) / 1.055) ** 2.4 for part in parts]
    return 0.2126 * linear[0] + 0.7152 * linear[1] + 0.0722 * linear[2]


def contrast(one: str, other: str) -> float:
    darker, lighter = sorted((light(rgb(one)), light(rgb(other))))
    return (lighter + 0.05) / (darker + 0.05)


@each("name", sorted(PALETTES))
def test_every_color_of_a_picture_has_its_meaning(name: str) -> None:
    known = {rgb(color) for color in asdict(PALETTES[name]).values()} | NEUTRAL
    strange = {chart: set(colors_of(written(chart, PALETTES[name]))) - known for chart in EXAMPLES}
    assert {chart: colors for chart, colors in strange.items() if colors} == {}


def test_a_color_without_a_meaning_is_seen() -> None:
    chart = copy.deepcopy(next(iter(EXAMPLES.values()))(PALETTES["light"]))
    chart.figure.add_scatter(x=[0], y=[0], marker={"color": "#123456"})
    assert rgb("#123456") in set(colors_of(chart.figure.to_json()))


@each("name", sorted(PALETTES))
def test_the_colors_stand_out_and_apart(name: str) -> None:
    colors = asdict(PALETTES[name])
    assert all(contrast(colors[word], colors["background"]) >= READABLE for word in ("text", "muted"))
    assert all(contrast(colors[word], colors["background"]) >= VISIBLE for word in MEANINGS)
    assert all(colors[one] != colors[other] for one, other in combinations(MEANINGS, 2))
