"""A plan on its way in Chromium: from one person's browser to another's by link, and by file on a phone."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest
from playwright.sync_api import BrowserContext, Page, expect

from dpengine.scenario import Scenario
from tests.browser.accessibility import violations
from tests.browser.explore.test_main_path import go, heading, typed
from tests.browser.explore.test_upload import TRIAL, bring, choose_kind
from tests.servers.browsing import PHONE, RequestLog, settled, sideways_scroll
from tests.servers.server import Server

OpenContext = Callable[..., BrowserContext]


def open_share(page: Page) -> str:
    """Press Share and read the link."""
    page.get_by_role("button", name="Share", exact=True).click()
    link = page.get_by_test_id("stPopoverBody").get_by_test_id("stCode")
    expect(link).to_contain_text("plan=2.")
    settled(page)
    return link.inner_text().strip()


def value_of(page: Page, label: str) -> str:
    return page.get_by_label(label, exact=True).input_value()


def declared_and_asked(page: Page, server: Server) -> None:
    """A table of one's own with one question, and what is accepted of its error."""
    page.goto(server.address("data"))
    settled(page)
    bring(page, TRIAL)
    choose_kind(page, "age", "number")
    typed(page, "Lowest possible value of age", "0")
    typed(page, "Highest possible value of age", "150")
    typed(page, "Values of sex", "f, m")
    page.get_by_role("button", name="Use this table").click()
    expect(heading(page)).to_have_text("trial: 2 columns, one row per person")
    go(page, "Questions")
    page.get_by_role("button", name="Add this question").click()
    expect(heading(page)).to_contain_text("1 question planned")
    go(page, "Trade-off")
    typed(page, "Answers inside the band, %", "90")
    typed(page, "Accepted error, people", "20")


@pytest.mark.slow
def test_a_link_brings_a_plan_to_somebody_who_then_brings_the_rows(
    server: Server, open_context: OpenContext, request_log: RequestLog
) -> None:
    sender = open_context().new_page()
    declared_and_asked(sender, server)
    link = open_share(sender)
    expect(sender).to_have_url(link)
    plan = Scenario.from_link(link.split("plan=")[1])
    assert (plan.targets.confidence, plan.targets.errors) == (0.9, (20.0,))

    receiver = open_context().new_page()
    receiver.goto(link)
    settled(receiver)
    expect(receiver.get_by_text("The rows of trial are not here")).to_be_visible()
    expect(receiver.get_by_text("90% of possible answers are off by at most").first).to_be_visible()
    assert value_of(receiver, "Accepted error, people") == "20"

    receiver.get_by_role("link", name="Bring the rows on the Data page").click()
    expect(receiver.get_by_text("Its rows are not here")).to_be_visible()
    settled(receiver)
    bring(receiver, TRIAL)
    mark = plan.declarations.fingerprint
    recognized = receiver.get_by_text(f"Declared as in the plan ({mark}): press the button, and its question comes")
    expect(recognized).to_be_visible()
    typed(receiver, "Highest possible value of age", "110")
    expect(receiver.get_by_text("highest value of age: 110 here, 150 in the plan.")).to_be_visible()
    receiver.get_by_role("button", name="Declare it as in the plan").click()
    expect(recognized).to_be_visible()
    receiver.get_by_role("button", name="Use this table").click()
    expect(heading(receiver)).to_have_text("trial: 2 columns, one row per person")
    go(receiver, "Trade-off")
    assert value_of(receiver, "Answers inside the band, %") == "90"
    assert value_of(receiver, "Accepted error, people") == "20"
    expect(receiver.get_by_text("are not here")).to_have_count(0)
    expect(receiver).to_have_url(link)
    assert not request_log.foreign_hosts


def test_a_file_and_a_pasted_link_open_on_a_phone(server: Server, open_context: OpenContext, tmp_path: Path) -> None:
    page = open_context(viewport=PHONE).new_page()
    page.goto(server.address("tradeoff"))
    settled(page)
    typed(page, "Accepted error, people", "20")
    link = open_share(page)
    assert sideways_scroll(page) == 0
    assert violations(page) == []
    with page.expect_download() as download:
        page.get_by_role("button", name="Save the plan as a file").click()
    download.value.save_as(tmp_path / "plan.json")
    text = (tmp_path / "plan.json").read_text(encoding="utf-8")
    assert Scenario.from_json(text) == Scenario.from_link(link.split("plan=")[1])
    assert Scenario.from_json(text).targets.errors == (20.0,)

    paste = page.get_by_label("Open a plan: paste its link")
    paste.fill(link[:-9])
    paste.press("Enter")
    expect(page.get_by_role("alert")).to_contain_text("This link is damaged: part of it is missing or was changed.")
    fewer = Scenario.from_json(text).without_query(0)
    (tmp_path / "plan.json").write_text(fewer.to_json(), encoding="utf-8")
    page.get_by_test_id("stPopoverBody").locator('input[type="file"]').set_input_files(tmp_path / "plan.json")
    expect(page.get_by_text("Opened: 2 questions about rand_hie.")).to_be_visible()
    expect(page.get_by_test_id("stPopoverBody").get_by_test_id("stCode")).to_contain_text(fewer.to_link())
    expect(page).to_have_url(f"{server.address('tradeoff')}?plan={fewer.to_link()}")
