"""The house look of every figure."""

import plotly.io as pio
import pytest

from dpengine.charts import PALETTES
from dpengine.charts.drawing.theme import blank


@pytest.mark.parametrize("palette", PALETTES.values(), ids=PALETTES)
def test_the_button_of_a_touch_screen_has_no_gray_box_over_labels(palette) -> None:
    """Where nothing can hover Plotly always shows it, on half-black unless a color is given."""
    bar = blank(palette, x_title="x", y_title="y").layout.modebar
    assert bar.bgcolor == "rgba(0,0,0,0)"
    assert bar.color == palette.muted


def test_no_look_of_plotlys_is_sent_with_a_picture() -> None:
    """Its axes would make room for themselves, and cut off texts on a phone."""
    sent = blank(PALETTES["light"], x_title="x", y_title="y").layout.template.to_plotly_json()
    assert sent == {"layout": {"hovermode": "closest"}}
    assert pio.templates["plotly"].layout.xaxis.automargin, "Plotly has looks, unless it is told otherwise."
