"""A chart taken as a file: an SVG of its own, on its own ground, so that it can be read on paper and on dark slides."""

from __future__ import annotations

import re
from collections.abc import Callable
from pathlib import Path
from xml.etree import ElementTree as ET

import pytest
from playwright.sync_api import BrowserContext

from dpengine.charts import PALETTES
from tests.browsing import RequestLog, settled
from tests.server import Server


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_a_chart_is_taken_as_an_svg_on_its_own_ground(
    tmp_path: Path, server: Server, open_context: Callable[..., BrowserContext], request_log: RequestLog, scheme: str
) -> None:
    page = open_context(color_scheme=scheme).new_page()
    page.goto(server.address("budget"))
    chart = settled(page).get_by_test_id("stPlotlyChart").first
    chart.hover()
    with page.expect_download() as waiting:
        chart.locator(".modebar-btn").first.click()
    assert waiting.value.suggested_filename == "epsilon-explorer.svg"
    waiting.value.save_as(tmp_path / "chart.svg")
    drawn = ET.parse(tmp_path / "chart.svg").getroot()  # noqa: S314  # drawn by our own page
    assert drawn.tag == "{http://www.w3.org/2000/svg}svg"
    assert "epsilon spent" in "".join(drawn.itertext())
    red, green, blue = map(int, re.findall(r"\d+", drawn[0].attrib["style"])[:3])
    assert f"#{red:02x}{green:02x}{blue:02x}" == PALETTES[scheme].background
    assert "fill-opacity: 1" in drawn[0].attrib["style"]
    assert not request_log.foreign_hosts
