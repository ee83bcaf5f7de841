"""The pictures of bounds on contributions: whoever may lose a row is drawn among those who do."""

from __future__ import annotations

from dpengine.charts import LIGHT
from dpengine.charts.tables import contribution_charts
from dpengine.charts.tables.contribution_charts import MOST_BARS
from tests.running.cases import each


@each(("bound", "kept", "cut"), [(2, [1.5], [3.5, 5.5]), (3, [1.5], [3.5, 5.5]), (4, [1.5, 3.5], [5.5])])
def test_a_bar_across_the_bound_stands_with_those_who_lose_rows(
    bound: int, kept: list[float], cut: list[float]
) -> None:
    """So many sizes that each bar holds two of them."""
    people_with = {1: 40, 2: 30, 3: 20, 4: 10, 6: 5, 2 * MOST_BARS: 1}
    chart = contribution_charts.people_by_rows(people_with, bound=bound, palette=LIGHT)
    drawn = {one.name: list(one.x) for one in chart.figure.data}
    assert drawn["all their rows count"] == kept
    assert drawn["some rows are dropped"][: len(cut)] == cut
