"""Any office's file at the first try: from the upload to a release that is refused, and nothing lost in silence."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from playwright.sync_api import Page, expect

from tests.browser.explore.offices import OFFICES, Office
from tests.browser.explore.test_main_path import choose, go, heading, release, typed
from tests.servers.browsing import RELEASE, picked, settled
from tests.servers.server import Server

SLOWED = 6
"""So many times slower than this machine, as the projector's old laptop is."""


def bring(page: Page, office: Office) -> None:
    file = {"name": office.name, "mimeType": "application/octet-stream", "buffer": office.content()}
    page.locator('[data-testid="stFileUploader"] input[type="file"]').first.set_input_files(file)  # type: ignore[arg-type]
    expect(page.get_by_text("Name of the table")).to_be_visible(timeout=60_000)
    settled(page)


def declare(page: Page, office: Office) -> None:
    """See what the form begins with, and type what is publicly known."""
    page.get_by_text("Change how the file is read").click()
    for label, value in office.begins.items():
        expect(page.get_by_label(label, exact=True)).to_have_value(value)
    page.get_by_text("Change how the file is read").click()
    for name, kind in office.kinds.items():
        choose(page, f"Kind of {name}", kind)
    if office.person:
        page.get_by_role("button", name=f"Yes, {office.person} names the person").click()
        settled(page)
        typed(page, "Rows that count per person, at most", "12")
    for label, text in office.typed.items():
        typed(page, label, text)
    for label, day in office.days.items():
        page.get_by_label(label, exact=True).get_by_role("spinbutton").first.click()
        page.keyboard.type(day.replace("-", ""))
        page.keyboard.press("Escape")
        settled(page)
    for sentence in office.said:
        expect(page.get_by_test_id("stAlert").filter(has_text=sentence)).to_be_visible()


def use(page: Page, office: Office) -> None:
    """Take it in; what was lost is said, and nothing was where nothing is."""
    page.get_by_role("button", name="Use this table").click()
    expect(page.get_by_role("button", name="Forget my table")).to_be_visible(timeout=60_000)
    settled(page)
    lost = page.get_by_test_id("stAlert").filter(has_text="count as missing")
    if office.lost:
        expect(lost).to_contain_text(f"Some cells of {', '.join(office.lost)} did not fit")
    else:
        expect(lost).to_have_count(0)
    page.get_by_text("Show what happened to the cells").click()
    expect(page.get_by_text(f"{office.rows:,} rows read.")).to_be_visible()


def spend(page: Page) -> None:
    """Count, look at the trade-off, and press until the budget refuses."""
    go(page, "Questions")
    page.get_by_role("button", name="Add this question").click()
    expect(heading(page)).to_contain_text("1 question")
    settled(page)
    go(page, "Trade-off")
    typed(page, "epsilon, typed", "2")
    page.get_by_role("button", name="Keep this epsilon in the plan").click()
    settled(page)
    go(page, "Release")
    earlier = page.get_by_role("combobox", name="Could somebody be in this table and in an earlier one?")
    if earlier.is_visible():
        picked(earlier, lambda options: options.first)
    page.get_by_role("button", name="Open the account").click()
    settled(page)
    release(page, 1, answers=1)
    expect(heading(page)).to_contain_text("The answer")
    expect(page.get_by_role("button", name=RELEASE)).to_be_disabled()
    expect(page.get_by_text("It costs ε 2; ε 1 is left.")).to_be_visible()


@pytest.fixture(scope="module")
def second_server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    """One with a ledger of its own: what was spent of a file once stays spent."""
    with Server(tmp_path_factory.mktemp("second")) as running:
        yield running


def test_an_offices_file_is_declared_and_used(server: Server, browser_page: Page) -> None:
    """What is then asked and refused of a file is seen on the main path (test_main_path)."""
    page = browser_page
    (office,) = [one for one in OFFICES if one.name == "survey.xlsx"]
    page.goto(server.address("data"))
    bring(settled(page), office)
    declare(page, office)
    use(page, office)
    expect(page.get_by_test_id("stException")).to_have_count(0)


@pytest.mark.slow
@pytest.mark.timeout(400)
@pytest.mark.parametrize(
    ("office", "slower"),
    [pytest.param(one, slower, id=f"{one.name}-{slower}") for slower in (1, SLOWED) for one in OFFICES],
)
def test_from_an_offices_file_to_a_refusal(
    request: pytest.FixtureRequest, altered_page: Page, office: Office, slower: int
) -> None:
    page, ledger = altered_page, "server" if slower == 1 else "second_server"
    page.context.new_cdp_session(page).send("Emulation.setCPUThrottlingRate", {"rate": slower})
    page.goto(request.getfixturevalue(ledger).address("data"))
    bring(settled(page), office)
    declare(page, office)
    use(page, office)
    spend(page)
    expect(page.get_by_test_id("stException")).to_have_count(0)
