"""A picture of every page, at three sizes, light and dark, with what is wrong at first sight."""

from __future__ import annotations

import tempfile
from collections.abc import Iterator, Mapping, Sequence
from itertools import product
from pathlib import Path

from playwright.sync_api import Browser, Page, sync_playwright

from dpengine.data import load_sample
from dpengine.ledger import Ledger
from dpengine.release import release
from pages.session.first_plan import first_plan
from tests.servers import chromium
from tests.servers.browsing import LAPTOP, PHONE, PROJECTOR, launched, settled, sideways_scroll, sits_here
from tests.servers.server import ROOT, SERVED, Server, page_files

FOLDER = ROOT / "screens"
LOG_LINES = 40
ROLES: Mapping[str, Mapping[str, str]] = {"": {}, "analyst_": SERVED}
"""Before the name of each picture: nothing for the curator, and what an analyst sees."""
SIZES, COLOR_SCHEMES = (LAPTOP, PROJECTOR, PHONE), ("light", "dark")


def page_names(root: Path = ROOT) -> list[str]:
    """Every page's name in its address, in the order of the files: pages/<section>/<name>.py."""
    return [path.parent.name for path in page_files(root)]


def write(wanted: Sequence[str], *, whole: bool = False) -> int:
    """Write the pictures of the wanted pages (all if none is named); 0 when every page opened."""
    executable, sentence = chromium.found_or_installed()
    print(sentence)
    unknown = set(wanted) - set(page_names())
    if executable is None or unknown:
        print(f"No such page: {', '.join(sorted(unknown))}." if unknown else "No pictures without a Chromium.")
        return 1
    FOLDER.mkdir(exist_ok=True)
    faults: list[str] = []
    with sync_playwright() as playwright:
        browser = launched(playwright, executable)
        for role, environment in ROLES.items():
            with tempfile.TemporaryDirectory() as folder, Server(Path(folder), environment=environment) as server:
                spend_a_little(server)
                seen = list(_pictures(browser, server, wanted or page_names(), role=role, whole=whole))
                if seen:
                    print("The server's last words:", *server.log().splitlines()[-LOG_LINES:], sep="\n")
                faults += seen
    print("\n".join([*faults, f"The pictures are in {FOLDER.name}/; {len(faults)} faults were seen."]))
    return int(bool(faults))


def spend_a_little(server: Server) -> None:
    """Answers about a practice table, so that there is something to see of what was released."""
    table, _ = load_sample("anes_1996")
    plan = first_plan("anes_1996")
    ledger = Ledger.open(f"sqlite:///{server.ledger_path}", marker=server.marker_path)
    account = ledger.open_account(table, plan.schema, neighbors=plan.neighbors, budget=plan.budget)
    for number, planned in enumerate(plan.queries):
        release(planned, table, account, request_id=f"picture {number}")


def _pictures(browser: Browser, server: Server, names: Sequence[str], *, role: str, whole: bool) -> Iterator[str]:
    for (width, height), color_scheme in product(SIZES, COLOR_SCHEMES):
        context = browser.new_context(viewport={"width": width, "height": height}, color_scheme=color_scheme)  # type: ignore[arg-type]
        sits_here(context)
        for name in names:
            page = context.new_page()
            label = f"{role}{name}_{width}x{height}_{color_scheme}"
            yield from (f"{label}: {fault}" for fault in _picture(page, server.address(name), label, whole=whole))
            page.close()
        context.close()


def _picture(page: Page, address: str, label: str, *, whole: bool) -> list[str]:
    """Write one picture and say what is wrong with the page at first sight."""
    messages: list[str] = []
    page.on("pageerror", lambda error: messages.append(f"script error: {error}"))
    page.goto(address)
    settled(page)
    if whole:
        _stretch(page)
    page.screenshot(path=FOLDER / f"{label}.png")
    print(f"{FOLDER.name}/{label}.png", flush=True)
    return messages + _faults(page)


def _faults(page: Page) -> list[str]:
    exceptions = page.locator('[data-testid="stException"]').all_inner_texts()
    dialogs = page.get_by_role("dialog").all_inner_texts()
    sideways = sideways_scroll(page)
    seen = [f"exception: {text[:80]}" for text in exceptions] + [f"dialog: {text[:80]}" for text in dialogs]
    return seen + ([f"{sideways} pixels wider than its window"] if sideways > 0 else [])


def _stretch(page: Page) -> None:
    """Make the window as high as the page, which scrolls inside it."""
    height = page.evaluate("() => document.querySelector('[data-testid=\"stMain\"]').scrollHeight")
    width = (page.viewport_size or {"width": LAPTOP[0]})["width"]
    page.set_viewport_size({"width": width, "height": int(height)})
    settled(page)
