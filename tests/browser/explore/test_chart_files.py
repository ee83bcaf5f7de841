"""A chart taken as a file: an SVG of its own, on its own ground, so that it can be read on paper and on dark slides."""

from __future__ import annotations

import re
from pathlib import Path
from xml.etree import ElementTree as ET

from playwright.sync_api import Page

from dpengine.charts import DARK, LIGHT
from tests.servers.browsing import RequestLog, settled, turned
from tests.servers.server import Server


def test_a_chart_is_taken_as_an_svg_on_its_own_ground(
    tmp_path: Path, server: Server, browser_page: Page, request_log: RequestLog
) -> None:
    """Also where the system turns dark while the page is open."""
    browser_page.goto(server.address("budget"))
    settled(browser_page).get_by_text("Other ways, too").click()
    assert ground_of_a_chart(settled(browser_page), tmp_path) == LIGHT.background
    assert ground_of_a_chart(turned(browser_page, "dark"), tmp_path) == DARK.background
    assert not request_log.foreign_hosts


def ground_of_a_chart(page: Page, folder: Path) -> str:
    """The color that lies behind it in its file, covering all that lies behind it in turn."""
    chart = page.get_by_test_id("stPlotlyChart").first
    chart.hover()
    with page.expect_download() as waiting:
        chart.locator(".modebar-btn").first.click()
    assert waiting.value.suggested_filename == "epsilon-explorer.svg"
    waiting.value.save_as(folder / "chart.svg")
    drawn = ET.parse(folder / "chart.svg").getroot()  # noqa: S314  # drawn by our own page
    assert drawn.tag == "{http://www.w3.org/2000/svg}svg"
    assert "epsilon spent" in "".join(drawn.itertext())
    assert "fill-opacity: 1" in drawn[0].attrib["style"]
    red, green, blue = map(int, re.findall(r"\d+", drawn[0].attrib["style"])[:3])
    return f"#{red:02x}{green:02x}{blue:02x}"
