"""How many rows one person has: the rows of one invented person, and how many people have how many."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np
import plotly.graph_objects as go
from numpy.typing import NDArray

from dpengine.charts.drawing.legends import legend_above
from dpengine.charts.drawing.line_names import name_lines
from dpengine.charts.drawing.theme import FONT_SIZE, HEIGHT, PLAIN_NUMBERS, Chart, Palette, blank, note, upright
from dpengine.errors import require_whole
from dpengine.formatting.numbers import amount
from dpengine.queries.sensitivity.sentences import agreeing, plural

Sizes = NDArray[np.int64]
MOST_BARS, TICKS = 40, 10
FAINT = 0.3


@dataclass(frozen=True, slots=True, kw_only=True)
class PersonInTime:
    """An invented person's rows in time: the group of each, and whether it counts, overall and by group.

    `row` and `group` are what the rows and their groups are called, such as "visit" and "clinic".
    """

    groups: Sequence[str]
    overall: Sequence[bool]
    by_group: Sequence[bool]
    row: str = "visit"
    group: str = "clinic"


def one_person(view: PersonInTime, palette: Palette) -> Chart:
    """A tile for each row in the lane of its group: full where it counts, pale where not by group, else hollow."""
    lanes = list(dict.fromkeys(view.groups))
    count = len(view.groups)
    figure = blank(
        palette,
        x_title=f"{view.row}s of one invented person, in time",
        y_title="",
        height=HEIGHT,
        left=84,
        x={"tickvals": list(range(1, count + 1)), "range": [0.4, count + 0.6], "showline": False},
        y={"range": [len(lanes) - 0.4, -0.6], "type": "category", "categoryarray": lanes, "gridwidth": 2},
    )
    looks = (
        ("counts", palette.with_person, 1.0, palette.with_person),
        (f"counts, but not by {view.group}", palette.with_person, FAINT, palette.with_person),
        ("dropped", palette.background, 1.0, palette.muted),
    )
    states = [_state(*each) for each in zip(view.overall, view.by_group, strict=True)]
    for state, (name, fill, opacity, edge) in enumerate(looks):
        places = [i for i, one in enumerate(states) if one == state]
        if not places:
            continue
        marker = {"size": 26, "symbol": "square", "color": _faded(fill, opacity), "line": {"color": edge, "width": 2.5}}
        figure.add_scatter(
            x=[i + 1 for i in places],
            y=[view.groups[i] for i in places],
            mode="markers",
            name=name,
            marker=marker,
            hovertemplate=f"{view.row} %{{x}}, %{{y}}: {name}<extra></extra>",
        )
    legend_above(figure, palette)
    alt = f"Of {count} {view.row}s of one invented person {sum(view.overall)} {agreeing(sum(view.overall), 'count')}"
    alt += f", and {sum(view.by_group)} in answers by {view.group}." if any(one == 1 for one in states) else "."
    names = [looks[state][0] for state in states]
    numbers: dict[str, Sequence[object]] = {view.row: range(1, count + 1), view.group: view.groups}
    return Chart(figure=figure, alt=alt, numbers=numbers | {"result": names})


def _state(overall: bool, by_group: bool) -> int:  # noqa: FBT001 - two answers about one row
    return 0 if by_group else 1 if overall else 2


def _faded(color: str, opacity: float) -> str:
    if opacity == 1.0:
        return color
    red, green, blue = (int(color[i : i + 2], 16) for i in (1, 3, 5))
    return f"rgba({red},{green},{blue},{opacity})"


def people_by_rows(people_with: Mapping[int, int], *, bound: int, palette: Palette) -> Chart:
    """How many people have how many rows, with the bound between those who keep all and those who lose some."""
    require_whole("bound", bound)
    least, most, people = _bars(people_with)
    figure = blank(
        palette,
        x_title="rows of one person",
        y_title="people",
        x={"range": [0.5, float(most[-1]) + 0.5], "tickvals": _whole_ticks(int(most[-1])), "tickformat": ","},
        y={"range": [0.0, 1.3 * max(float(people.max()), 1.0)], "nticks": 4, "automargin": True, **PLAIN_NUMBERS},
    )
    cut = most > bound
    for name, chosen, color in (
        ("all their rows count", ~cut, palette.with_person),
        ("some rows are dropped", cut, palette.without_person),
    ):
        if chosen.any():
            figure.add_bar(
                x=(least + most)[chosen] / 2.0,
                y=people[chosen],
                width=0.85 * (most - least + 1)[chosen],
                customdata=[_sizes(*ends) for ends in zip(least[chosen], most[chosen], strict=True)],
                name=name,
                marker_color=color,
                hovertemplate=f"%{{customdata}}: %{{y:,}} people, {name}<extra></extra>",
            )
    if bound < most[-1]:
        _edge(figure, bound, float(most[-1]), palette)
    legend_above(figure, palette)
    sizes = [_sizes(*ends).removesuffix(" rows") for ends in zip(least, most, strict=True)]
    lose = sum(count for size, count in people_with.items() if size > bound)
    alt = f"{plural(sum(people_with.values()), 'person')}; {lose:,} of them {agreeing(lose, 'have')} more than "
    alt += f"{plural(bound, 'row')}."
    return Chart(figure=figure, alt=alt, numbers={"rows of one person": sizes, "people": people})


def _edge(figure: go.Figure, bound: int, most: float, palette: Palette) -> None:
    """The bound, between those who keep all their rows and those who do not."""
    place = bound + 0.5
    upright(figure, x=place, line={"color": palette.text, "width": 1.6, "dash": "dash"})
    right = place > most / 2.0
    side = {"xanchor": "right" if right else "left", "xshift": -6 if right else 6}
    look = {"yref": "paper", "yanchor": "top", "bgcolor": palette.background, **side}
    note(figure, f"at most {bound:,}", x=place, y=0.98, color=palette.text, **look)


def _whole_ticks(most: int) -> list[int]:
    """About ten round numbers of rows, beginning with 1 where all are shown."""
    step = next(step * 10**power for power in range(12) for step in (1, 2, 5) if step * 10**power * TICKS >= most)
    return list(range(step, most + 1, step))


def _sizes(least: int, most: int) -> str:
    return f"{least:,} rows" if least == most else f"{least:,} to {most:,} rows"


def _bars(people_with: Mapping[int, int]) -> tuple[Sizes, Sizes, Sizes]:
    """Least and most rows and the people of at most MOST_BARS bars; nobody at all is one empty bar."""
    width = -(-max(people_with, default=1) // MOST_BARS)
    people = np.zeros(-(-max(people_with, default=1) // width), dtype=np.int64)
    for size, count in people_with.items():
        people[(size - 1) // width] += count
    least = 1 + width * np.arange(len(people))
    return least, least + width - 1, people


def loss_by_rows(*, rows: Sequence[int], losses: Sequence[float], people: Sequence[int], palette: Palette) -> Chart:
    """The epsilon of people with so many rows under noise sized for one row, and how many they are."""
    figure = blank(
        palette,
        x_title="rows of one person",
        y_title="ε of this person",
        height=HEIGHT + 65,
        x={"tickvals": list(rows), "range": [rows[0] - 0.6, rows[-1] + 0.6]},
        y={"range": [0.0, 1.3 * max(losses)], "nticks": 6, "automargin": True, **PLAIN_NUMBERS},
    )
    figure.add_bar(
        x=list(rows),
        y=list(losses),
        text=[f"{count:,}<br>people" for count in people],
        textposition="outside",
        constraintext="none",
        textfont={"size": FONT_SIZE},
        cliponaxis=False,
        marker_color=[palette.answers if size == 1 else palette.attacker for size in rows],
        customdata=list(people),
        hovertemplate="%{x} rows: ε %{y:.3~g}, %{customdata:,} people<extra></extra>",
    )
    alt = f"{people[-1]:,} people have {rows[-1]} rows and an epsilon of {amount(losses[-1])}"
    numbers = {"rows of one person": rows, "epsilon of this person": losses, "people": people}
    return Chart(figure=figure, alt=f"{alt}; one row alone has {amount(losses[0])}.", numbers=numbers)


@dataclass(frozen=True, slots=True, kw_only=True)
class BoundView:
    """For each bound the error by what it drops and that by the noise it needs, in the unit of the answer."""

    bounds: Sequence[int]
    dropped: Sequence[float]
    noise: Sequence[float]
    exact: float
    unit: str

    @property
    def together(self) -> NDArray[np.float64]:
        """Both errors, which are independent: the root of the sum of squares."""
        return np.hypot(self.dropped, self.noise)

    @property
    def best(self) -> int:
        """The bound with the smallest error."""
        return self.bounds[int(np.argmin(self.together))]


def bias_and_noise(view: BoundView, palette: Palette) -> Chart:
    """What the bound drops falls, the noise that it needs grows; the best bound is where both together are least."""
    top = float(np.max(view.together))
    figure = blank(
        palette,
        x_title="rows of one person that count, at most",
        y_title=f"typical error, {view.unit}",
        height=HEIGHT + 65,
        left=70,
        x={"tickvals": list(view.bounds), "range": [view.bounds[0] - 0.3, view.bounds[-1] + 0.3]},
        y={"range": [-0.03 * top, 1.1 * top], "nticks": 6, "automargin": True, **PLAIN_NUMBERS},
    )
    lines = (
        ("by dropped rows", view.dropped, palette.without_person, "solid"),
        ("by noise", view.noise, palette.answers, "solid"),
        ("both together", view.together, palette.text, "dash"),
    )
    for name, values, color, dash in lines:
        figure.add_scatter(
            x=list(view.bounds),
            y=list(values),
            mode="lines+markers",
            name=name,
            line={"color": color, "width": 2.6, "dash": dash},
            marker={"size": 8},
            hovertemplate=f"at most %{{x}} rows: %{{y:,.3~g}}, {name}<extra></extra>",
        )
    least = float(np.min(view.together))
    ring = {"size": 18, "symbol": "circle-open", "color": palette.left, "line": {"width": 3}}
    figure.add_scatter(x=[view.best], y=[least], mode="markers", marker=ring, name="best bound", hoverinfo="skip")
    name_lines(figure, palette)
    alt = f"Both errors together are least at a bound of {view.best}: {amount(least)} {view.unit}."
    numbers = {"at most": view.bounds} | {f"error {name}": list(values) for name, values, *_ in lines}
    return Chart(figure=figure, alt=alt, numbers=numbers)
