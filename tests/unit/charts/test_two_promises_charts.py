"""Two promises on one scale: each with its own name, its own figures, and words where it has none."""

from __future__ import annotations

from dpengine.charts import PALETTES
from dpengine.charts.privacy.two_promises_charts import side_by_side
from dpengine.promises import Promise
from dpengine.promises.comparing import compared

ONCE = Promise(name="Once", epsilon=0.5, delta=0.0, unit="person", every_days=365.0)
EVENTS = Promise(name="<b>Events</b>", epsilon=1.0, delta=0.0, unit="event", every_days=365.0)


def test_each_has_its_figure_and_a_name_stays_a_name() -> None:
    chart = side_by_side(
        compared(ONCE, EVENTS, days=365.0, other_events=1.0), whom="one person", palette=PALETTES["light"]
    )
    assert chart.alt == "ε in all over 365 days for one person. Once: 0.5; <b>Events</b>: 365."
    assert chart.numbers["promise"] == ["Once", "<b>Events</b>"]
    assert chart.numbers["ε at most"] == ["0.5", "365"]
    drawn = [note.text for note in chart.figure.layout.annotations]
    assert "<b>&lt;b&gt;Events&lt;/b&gt;</b>" in drawn


def test_without_a_figure_its_line_says_so() -> None:
    chart = side_by_side(compared(ONCE, EVENTS, days=1.0), whom="one person", palette=PALETTES["dark"])
    assert chart.alt == "ε in all over 1 day for one person. Once: 0.5; <b>Events</b>: no figure yet."
    assert chart.numbers["promise"] == ["Once"]
