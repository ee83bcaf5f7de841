"""Published groups of people who look alike, and how many different secrets each of them has."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from dpengine.charts.drawing.labels import on_axis
from dpengine.charts.drawing.legends import LESSON_HEIGHT
from dpengine.charts.drawing.theme import FONT_SIZE, LIGHT, Chart, Palette, blank
from dpengine.formatting.numbers import amount, out_of_100
from dpengine.queries.sensitivity.sentences import agreeing, plural

MOST_SHOWN = 5
"""Groups of so many different values or more stand together."""
FAINT = 0.5


@dataclass(frozen=True, slots=True, kw_only=True)
class PublishedGroup:
    """A published group: what its people have in common, and how many of them have which sensitive value."""

    label: str
    values: Mapping[str, int]


def groups(shown: Sequence[PublishedGroup], palette: Palette) -> Chart:
    """A bar for each group, cut by its values; one of a single value in the attacker's color, one of two paler."""
    most = max(sum(group.values.values()) for group in shown)
    figure = blank(
        palette,
        x_title="people in the group",
        y_title="",
        height=max(LESSON_HEIGHT - 60, 90 + 44 * len(shown)),
        left=98,
        x={"range": [0, 1.02 * most], "dtick": max(1, most // 6), "tickangle": 0},
        y={"showgrid": False, "autorange": "reversed", "tickfont": {"size": FONT_SIZE, "color": palette.text}},
    )
    for place, (name, group) in enumerate(zip(_labels(shown), shown, strict=True)):
        color = palette.attacker if len(group.values) <= 2 else palette.answers
        marker = {"color": color, "opacity": FAINT if len(group.values) == 2 else 1.0}
        parts = sorted(group.values.items(), key=lambda part: (-part[1], part[0]))
        for value, (written, people) in zip(on_axis([value for value, _ in parts]), parts, strict=True):
            figure.add_bar(
                y=[name],
                x=[people],
                orientation="h",
                name=f"{place} {value}",
                marker={**marker, "line": {"color": palette.background, "width": 3}},
                text=[f"{value}<br>{people}" if len(written) > 8 else f"{value} {people}"],
                textposition="inside",
                insidetextanchor="middle",
                textangle=0,
                textfont={"size": FONT_SIZE, "color": _ink(len(group.values), palette)},
                hovertemplate=f"{value}: {people}<extra></extra>",
            )
    figure.update_layout(barmode="stack", bargap=0.25, uniformtext={"minsize": FONT_SIZE, "mode": "hide"})
    alone = sum(sum(group.values.values()) for group in shown if len(group.values) == 1)
    alt = f"{plural(len(shown), 'group')}; {plural(alone, 'person')} {agreeing(alone, 'are')} in a group in which "
    alt += "everybody has the same value."
    rows = [(group.label, value, people) for group in shown for value, people in group.values.items()]
    numbers = {
        name: list(cells) for name, cells in zip(("group", "value", "people"), zip(*rows, strict=True), strict=True)
    }
    return Chart(figure=figure, alt=alt, numbers=numbers)


def _ink(values: int, palette: Palette) -> str:
    """What is read on a bar: the background's color on the attacker's, dark on the color of the others."""
    return {1: palette.background, 2: palette.text}.get(values, LIGHT.text)


def _labels(shown: Sequence[PublishedGroup]) -> list[str]:
    """What a group has in common, one column below the other."""
    return ["<br>".join(on_axis(one.label.split(" · "))) for one in shown]


def by_values(people: Mapping[int, int], *, left_out: int, palette: Palette) -> Chart:
    """People by how many different values their group has: 1 in the attacker's color, 2 paler."""
    shown = {str(values): people.get(values, 0) for values in range(1, MOST_SHOWN)}
    shown[f"{MOST_SHOWN}+"] = sum(many for values, many in people.items() if values >= MOST_SHOWN)
    shown["dropped"] = left_out
    total = max(sum(shown.values()), 1)
    shares = [100.0 * many / total for many in shown.values()]
    figure = blank(
        palette,
        x_title="different values in the group",
        y_title="% of people",
        height=LESSON_HEIGHT - 20,
        x={"type": "category", "tickangle": 0},
        y={"range": [0, 1.22 * max(shares)], "nticks": 5},
    )
    colors = [palette.attacker, palette.attacker, *[palette.answers] * (MOST_SHOWN - 2), palette.muted]
    figure.add_bar(
        x=list(shown),
        y=shares,
        marker={"color": colors, "opacity": [1.0, FAINT, *[1.0] * (len(shown) - 2)]},
        text=[out_of_100(share / 100.0) for share in shares],
        textposition="outside",
        constraintext="none",
        textfont={"color": palette.text, "size": FONT_SIZE},
        cliponaxis=False,
        customdata=list(shown.values()),
        hovertemplate="%{x}: %{customdata:,} people<extra></extra>",
    )
    said = "; ".join(f"{name}: {amount(many, 6)}" for name, many in shown.items())
    alt = f"People by the number of different values in their group. {said}."
    numbers: dict[str, Sequence[object]] = {"different values": list(shown), "people": list(shown.values())}
    return Chart(figure=figure, alt=alt, numbers=numbers)
