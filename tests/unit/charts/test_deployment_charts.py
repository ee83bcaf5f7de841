"""The ruler: every deployment at its own epsilon in its own row, below the heading of its group."""

from dpengine.charts import DARK, LIGHT
from dpengine.charts.tables import deployment_charts
from dpengine.deployments import DEPLOYMENTS, SCOPES, covering, nearest
from tests.running.cases import each

NEAR = [one for one in nearest(3.0) if one is not None]
CHART = deployment_charts.ruler(DEPLOYMENTS, epsilon=3.0, near=NEAR, palette=LIGHT)


def test_each_mark_stands_at_its_epsilon_in_the_row_of_its_name() -> None:
    marks = [(x, y) for trace in CHART.figure.data for x, y in zip(trace.x, trace.y, strict=True)]
    assert sorted(marks) == sorted((one.epsilon, one.short) for one in DEPLOYMENTS)


def test_each_group_stands_below_its_heading_from_small_to_large() -> None:
    rows = list(CHART.figure.layout.yaxis.categoryarray)[::-1]
    headings = {note.text: note.y for note in CHART.figure.layout.annotations if note.text.startswith("<b>")}
    assert [rows[len(rows) - 1 - y] for y in headings.values()] == list(SCOPES.values())
    starts = [rows.index(words) for words in SCOPES.values()]
    for scope, start, end in zip(SCOPES, starts, [*starts[1:], len(rows)], strict=True):
        assert rows[start + 1 : end] == [one.short for one in covering(scope)]


def test_local_and_central_have_marks_of_their_own_in_both_palettes() -> None:
    for palette in (LIGHT, DARK):
        chart = deployment_charts.ruler(DEPLOYMENTS, epsilon=3.0, near=NEAR, palette=palette)
        looks = {(trace.marker.symbol, trace.marker.color) for trace in chart.figure.data}
        assert len(looks) == len({symbol for symbol, _ in looks}) == len({color for _, color in looks}) == 2
    local = next(trace for trace in CHART.figure.data if "local" in trace.name)
    assert sorted(local.x) == [one.epsilon for one in DEPLOYMENTS if one.is_local]


def test_the_nearest_are_bold_and_named() -> None:
    bold = [text for text in CHART.figure.layout.yaxis.ticktext if text.startswith("<b>")]
    assert bold == [f"<b>{one.short}</b>" for one in NEAR]
    assert all(f"{one.short} at ε {one.epsilon:g}" in CHART.alt for one in NEAR)


@each("epsilon", [0.001, 500.0])
def test_an_epsilon_beyond_the_ruler_is_still_on_it(epsilon: float) -> None:
    low, high = deployment_charts.ruler(DEPLOYMENTS, epsilon=epsilon, near=[], palette=LIGHT).figure.layout.xaxis.range
    assert 10**low <= epsilon * 1.0001
    assert epsilon <= 10**high * 1.0001
