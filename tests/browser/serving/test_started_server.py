"""The instruments of the browser tests: what they would have to notice, they notice."""

from playwright.sync_api import Page

from tests.servers.browsing import RequestLog, settled
from tests.servers.server import Server


def test_the_log_sees_a_planted_request(server: Server, altered_page: Page, request_log: RequestLog) -> None:
    altered_page.route("**://elsewhere.example/**", lambda route: route.abort())
    settled_page(server, altered_page)
    assert request_log.foreign_hosts == set()
    assert any(address.startswith("ws://") for address in request_log.addresses)
    altered_page.evaluate("() => { new Image().src = 'https://elsewhere.example/pixel.png'; }")
    altered_page.wait_for_function("() => performance.getEntriesByName('https://elsewhere.example/pixel.png').length")
    assert request_log.foreign_hosts == {"elsewhere.example"}


def settled_page(server: Server, page: Page) -> None:
    page.goto(server.address())
    settled(page)
