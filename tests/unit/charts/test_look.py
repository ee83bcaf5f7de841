"""The house look of every figure."""

import plotly.io as pio
import pytest

from dpengine.charts import PALETTES
from dpengine.charts.theme import blank


@pytest.mark.parametrize("palette", PALETTES.values(), ids=PALETTES)
def test_the_button_of_a_touch_screen_has_no_gray_box_over_labels(palette) -> None:
    """Where nothing can hover Plotly always shows it, on half-black unless a color is given."""
    bar = blank(palette, x_title="x", y_title="y").layout.modebar
    assert bar.bgcolor == "rgba(0,0,0,0)"
    assert bar.color == palette.muted


def test_no_look_of_maps_and_globes_is_sent_with_a_picture() -> None:
    """What stays is Plotly's own, so that no bar or line looks otherwise than with all of it."""
    sent = blank(PALETTES["light"], x_title="x", y_title="y").layout.template.to_plotly_json()
    whole = pio.templates["plotly"].to_plotly_json()
    assert set(sent["data"]) == {"bar", "scatter"}
    assert {"geo", "scene", "polar"} <= set(whole["layout"]) - set(sent["layout"])
    for part in ("data", "layout"):
        assert sent[part].items() <= whole[part].items()
    assert sent["layout"]["xaxis"]["automargin"]
