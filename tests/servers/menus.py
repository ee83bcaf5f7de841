"""The menu at the top of a page as a hand uses it: sections that open, and on a phone the drawer at the side."""

from __future__ import annotations

import re
from urllib.parse import urlsplit

from playwright.sync_api import Locator, Page, expect

from pages.access.roles import Role
from pages.shell import menu
from tests.servers.browsing import settled


def offered(page: Page) -> dict[str, list[str]]:
    """What the menu of a page leads to: section -> titles."""
    heads = page.get_by_test_id("stTopNavSection")
    expect(heads.first).to_be_visible()
    found = {}
    for head in heads.all():
        entries = _opened(head)
        found[head.inner_text()] = entries.all_inner_texts()
        page.keyboard.press("Escape")
        expect(entries).to_have_count(0)
    return found


def has_curators_menu(page: Page) -> bool:
    """Whether the menu, once it is there, is that of a curator."""
    head = page.get_by_test_id("stTopNavSection").get_by_text(re.compile("^(Explore|Released)$"))
    expect(head).to_be_visible()
    return head.inner_text() == "Explore"


def followed(page: Page, title: str) -> Page:
    """Go to a page by the menu, which keeps the session, and wait for it."""
    top, drawer = page.get_by_test_id("stTopNavSection"), page.get_by_test_id("stSidebarNav")
    expect(top.or_(drawer).first).to_be_attached()
    entry = entry_of(page, title) if top.count() else _in_the_drawer(drawer, title)
    address = urlsplit(entry.get_attribute("href") or "").path
    if top.count():
        entry.click()
    else:
        entry.dispatch_event("click")  # which a hand cannot where the drawer is folded away
    expect(page).to_have_url(re.compile(rf"//[^/]*{re.escape(address)}([?#]|$)"))
    return settled(page)


def entry_of(page: Page, title: str) -> Locator:
    """The entry of a page in the menu, whose section is open now."""
    names = {name for role in Role for name, section in menu.sections(role).items() if title in section.values()}
    head = page.get_by_test_id("stTopNavSection").filter(has_text=re.compile(f"^({'|'.join(names)})$"))
    return _opened(head).filter(has_text=re.compile(f"^{re.escape(title)}$"))


def _opened(head: Locator) -> Locator:
    head.click()
    entries = head.page.get_by_test_id("stTopNavPopover").get_by_role("menuitem")
    expect(entries.first).to_be_visible()
    return entries


def _in_the_drawer(drawer: Locator, title: str) -> Locator:
    link = drawer.get_by_role("link", name=title, exact=True, include_hidden=True)
    more = drawer.get_by_test_id("stSidebarNavViewButton").filter(has_text="more")
    expect(link.or_(more).first).to_be_attached()
    if not link.count():
        more.dispatch_event("click")
        expect(link).to_be_attached()
    return link
