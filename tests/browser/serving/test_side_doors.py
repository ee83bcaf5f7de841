"""Streamlit's own side doors, tried as an attacker would; on a server without our guard each attack succeeds."""

from __future__ import annotations

import json
import urllib.error
import urllib.request
from collections.abc import Iterator, Mapping
from contextlib import AbstractContextManager
from email.message import Message
from pathlib import Path
from time import sleep

import pytest
from playwright.sync_api import Browser, Page, expect
from streamlit.proto.BackMsg_pb2 import BackMsg
from streamlit.web.server.starlette import starlette_routes
from streamlit.web.server.starlette.starlette_app_utils import generate_xsrf_token_string
from websockets import Origin
from websockets.exceptions import InvalidStatus
from websockets.sync.client import connect

from pages.serving.layers import closed, messages, proof, uploads
from pages.serving.layers.headers import HEADERS
from tests.browser.knocking import visiting
from tests.servers.browsing import opened_context, settled
from tests.servers.elsewhere import page_elsewhere
from tests.servers.menus import followed
from tests.servers.server import HERE, KEY, Server

TRUSTED_BY_STREAMLIT, POLICY = "https://*.streamlit.app", "Content Security Policy"
_STRAIGHT = urllib.request.build_opener(urllib.request.ProxyHandler({}))


@pytest.fixture(scope="module")
def unguarded(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    """The control: the same pages without our guard."""
    with Server(tmp_path_factory.mktemp("unguarded"), app=Path(__file__).with_name("open_doors.py")) as running:
        yield running


def asked(
    address: str, *, method: str = "GET", body: bytes | None = None, headers: Mapping[str, str] | None = None
) -> tuple[int, Message, bytes]:
    request = urllib.request.Request(address, method=method, data=body, headers=dict(headers or {}))
    try:
        with _STRAIGHT.open(request, timeout=30) as answer:
            return answer.status, answer.headers, answer.read()
    except urllib.error.HTTPError as refused:
        return refused.code, refused.headers, refused.read()


def cookie(server: Server) -> str:
    """What the browser keeps that opened the dashboard with its token."""
    _, headers, _ = asked(server.address())
    (line,) = [one for one in headers.get_all("set-cookie") or () if one.startswith(proof.COOKIE)]
    assert "HttpOnly" in line
    assert "SameSite=Lax" in line
    return f"{line.partition(';')[0]}; {HERE}"


def attackers_page(target: Server, page: str = "") -> AbstractContextManager[str]:
    """The address of a page, of another program of this machine, that shows the dashboard inside its own."""
    shown = f"<h1>A prize</h1><iframe id='inside' width='1200' height='800' src='{target.address(page)}'></iframe>"
    return page_elsewhere(shown, "127.0.0.1")


def test_nobody_is_made_to_press_a_button_of_the_dashboard(
    server: Server, unguarded: Server, browser_page: Page
) -> None:
    """Nobody shows it inside another page, where one press opens an account and one charges it: so does the control."""
    inside = browser_page.frame_locator("#inside")
    with attackers_page(unguarded, "release") as address:
        browser_page.goto(address)
        inside.get_by_role("heading", level=1).click()
        expect(inside.locator("html.to-read")).to_have_count(0)
        for press in ("Open the account", "Release this answer"):
            inside.get_by_role("button", name=press).click()
        expect(inside.get_by_text("Charged")).not_to_have_count(0)
    with attackers_page(server, "release") as address:
        browser_page.goto(address)
        browser_page.wait_for_load_state("load")
        assert inside.get_by_role("button").count() == 0
        assert [frame.url for frame in browser_page.frames] == [address, "chrome-error://chromewebdata/"]


def test_no_page_is_trusted_to_give_orders(server: Server, shared_server: Server, unguarded: Server) -> None:
    assert f"/{starlette_routes.ROUTE_HOST_CONFIG}" == closed.HOST
    told = json.loads(asked(unguarded.address("_stcore/host-config"))[2])
    assert TRUSTED_BY_STREAMLIT in told["allowedOrigins"]
    for guarded in (server, shared_server):
        mended = json.loads(asked(guarded.address("_stcore/host-config"))[2])
        assert mended == told | {"allowedOrigins": []}


def test_a_page_under_another_name_or_of_another_program_here_hears_nothing(server: Server, unguarded: Server) -> None:
    """A name on the internet that leads here afterwards, and a page at another port; the control hears both."""
    rebound = {"Host": "rebound.example"}
    assert [asked(one.address(), headers=rebound)[0] for one in (server, unguarded)] == [421, 200]

    def connected(target: Server, origin: str) -> None:
        with connect(f"ws://127.0.0.1:{target.port}/_stcore/stream", origin=Origin(origin), proxy=None):
            pass

    of_another_program = f"http://localhost:{unguarded.port}"
    connected(unguarded, of_another_program)
    connected(server, server.url)
    with pytest.raises(InvalidStatus, match="403"):
        connected(server, of_another_program)


def test_every_answer_carries_the_rules_for_browsers(server: Server, unguarded: Server) -> None:
    paths = ("", "tradeoff", "_stcore/health", "_stcore/metrics", "_stcore/host-config", "nothing.js", "media/none")
    for path in paths:
        _, headers, _ = asked(server.address(path))
        assert {name: headers.get_all(name) for name in HEADERS} == {
            name: [value] for name, value in HEADERS.items()
        }, path
    assert "Strict-Transport-Security" not in asked(server.address())[1], "No certificate, no promise of one."
    assert "Content-Security-Policy" not in asked(unguarded.address())[1]
    assert "'unsafe-inline'" not in HEADERS["Content-Security-Policy"].partition("style-src")[0]


def test_what_is_slipped_into_a_page_does_not_run(server: Server, unguarded: Server, browser_page: Page) -> None:
    slipped = """() => {
        const script = document.createElement('script');
        script.text = 'window.slipped = true';
        document.body.append(script);
        return window.slipped === true;
    }"""
    browser_page.goto(unguarded.address())
    assert browser_page.evaluate(slipped), "The control."
    browser_page.goto(server.address())
    with browser_page.expect_console_message(lambda message: POLICY in message.text):
        assert not browser_page.evaluate(slipped)


def test_a_session_is_given_back_to_its_own_browser_alone(server: Server, unguarded: Server) -> None:
    mine, others = ({"Cookie": cookie(server)} for _ in range(2))
    with visiting(server, headers=mine) as first:
        own = first()
        with visiting(server, session=own, headers=others) as thief:
            assert thief() != own
        for claimed in ({}, {proof.HEADER: proof.proof(mine["Cookie"].partition("=")[2])}):
            with visiting(server, session=own, headers=claimed) as thief:
                assert thief() != own
    with visiting(server, session=own, headers=mine) as back:
        assert back() == own
    with visiting(server, session=own, headers=others) as thief:
        assert thief() != own
    with visiting(server) as nameless:
        own = nameless()
        with visiting(server, session=own) as thief:
            assert thief() != own, "Nor is one without a cookie given to another without."
    assert own not in server.log()
    assert "(id)" in server.log(), "Streamlit did name the session."
    with visiting(unguarded) as first:
        own = first()
        with visiting(unguarded, session=own) as thief:
            assert thief() == own, "The control: the id alone is enough."


def test_whoever_comes_and_goes_drives_no_session_out(server: Server) -> None:
    """Streamlit itself would keep the last 128 that were cut off."""
    mine = {"Cookie": cookie(server)}
    with visiting(server, headers=mine) as first:
        own = first()
    for _ in range(130):
        with visiting(server):
            pass
    with visiting(server, session=own, headers=mine) as back:
        assert back() == own


def test_whoever_has_left_holds_no_file_of_the_process(server: Server, unguarded: Server) -> None:
    """Streamlit keeps three for each session, which a stranger who comes and goes would use up."""
    many = 20
    for one in (server, unguarded):
        with visiting(one) as first:
            first()
        before = open_files(one)
        for number in range(many):
            with visiting(one) as visitor:
                if number % 2:
                    visitor()
        if one is server:
            while open_files(one) >= before + many:  # until the look that comes every few seconds
                sleep(0.1)
        else:
            assert open_files(unguarded) > before + many, "The control."


def open_files(server: Server) -> int:
    return sum(1 for _ in Path(f"/proc/{server.pid}/fd").iterdir())


def sent(server: Server, session: str, headers: Mapping[str, str], *, xsrf: bool = True, name: str = "1") -> int:
    """What becomes of a file that is sent to a session."""
    token = generate_xsrf_token_string()
    both = {"Cookie": "; ".join(filter(None, (headers.get("Cookie"), f"_streamlit_xsrf={token}")))}
    body = (
        b'--x\r\nContent-Disposition: form-data; name="f"; filename="a.csv"\r\nContent-Type: text/csv\r\n\r\n'
        b"a\r\n--x--\r\n"
    )
    kind = {"Content-Type": "multipart/form-data; boundary=x"} | ({"X-Xsrftoken": token} if xsrf else {})
    return asked(
        f"{server.url}/_stcore/upload_file/{session}/{name}", method="PUT", body=body, headers={**both, **kind}
    )[0]


def test_files_are_taken_from_the_curators_own_browser_alone(server: Server, unguarded: Server) -> None:
    mine, others = ({"Cookie": cookie(server)} for _ in range(2))
    with visiting(server, headers=mine) as curator:
        session = curator()
        assert sent(server, session, mine) == 204
        assert {sent(server, session, others), sent(server, session, {}), sent(server, session, mine, xsrf=False)} == {
            403
        }
        assert sent(server, "nobody", mine) == 403
        codes = [sent(server, session, mine, name=str(number)) for number in range(2, uploads.MOST_FILES + 3)]
        assert (codes[0], codes[-1]) == (204, 413)
    with visiting(unguarded) as anybody:
        assert sent(unguarded, anybody(), {}) == 204, "The control."


def test_a_browser_that_has_kept_the_page_and_not_the_cookie_gets_both_anew(server: Server) -> None:
    """As each has that is opened again on the next day."""
    _, first, page = asked(server.address())
    kept = {"If-None-Match": str(first["etag"]), "If-Modified-Since": str(first["last-modified"])}
    status, again, same = asked(server.address(), headers=kept)
    assert (status, same) == (200, page)
    assert proof.COOKIE in str(again["set-cookie"])
    assert first["cache-control"] == again["cache-control"] == "no-store", "No cache gives two people one secret."
    assert asked(server.address(), headers={**kept, "Cookie": cookie(server)})[0] == 304, "The control."


def test_on_the_next_day_the_curators_browser_still_sends_files(server: Server, browser: Browser) -> None:
    """It has kept the page, and forgotten the cookie with which it came. One that is watched keeps nothing."""
    with opened_context(browser) as unwatched:
        page = unwatched.new_page()
        for _ in range(2):
            unwatched.clear_cookies()
            page.goto(server.address(f"?token={KEY}"))
            assert page.url == server.address()
            followed(settled(page), "Data")
            with page.expect_response(lambda answer: "/upload_file/" in answer.url) as sent:
                settled(page).get_by_test_id("stFileUploader").locator("input").set_input_files(
                    {"name": "a.csv", "mimeType": "text/csv", "buffer": b"a\n1\n"}
                )
            assert sent.value.status == 204


def test_an_analyst_sends_no_file(shared_server: Server) -> None:
    mine = {"Cookie": cookie(shared_server)}
    others = {"Cookie": mine["Cookie"].removesuffix(f"; {HERE}")}
    with visiting(shared_server, headers=others) as analyst:
        assert sent(shared_server, analyst(), others) == 403
    with visiting(shared_server, headers=mine) as curator:
        assert sent(shared_server, curator(), mine) == 204, "The control: it was opened with the token."


def test_what_a_proxy_says_is_believed_where_the_settings_name_it(server: Server, shared_server: Server) -> None:
    """One that ends the encryption says so; whether it was heard shows in the cookie that the page leaves."""
    said = {"X-Forwarded-Proto": "https", "X-Forwarded-For": "203.0.113.9"}
    assert "Secure" not in str(asked(server.address(), headers=said)[1]["set-cookie"])
    assert "Secure" in str(asked(shared_server.address(), headers=said)[1]["set-cookie"])
    assert "Secure" not in str(asked(shared_server.address())[1]["set-cookie"])


def test_of_all_that_streamlit_would_hear_it_hears_what_our_pages_say() -> None:
    kinds = {field.name: field for field in BackMsg.DESCRIPTOR.oneofs_by_name["type"].fields}
    heard = set()
    for name, field in kinds.items():
        message = BackMsg()
        if field.message_type is None:
            setattr(message, name, True)
        else:
            getattr(message, name).SetInParent()
        if messages.is_heard(message.SerializeToString()):
            heard.add(name)
    assert heard == messages.HEARD
    assert kinds.keys() - heard == {
        "clear_cache",
        "set_run_on_save",
        "load_git_info",
        "debug_disconnect_websocket",
        "debug_shutdown_runtime",
        "backend_operation_request",
    }


def test_of_operations_without_a_run_none_touches_the_machine() -> None:
    request = BackMsg().backend_operation_request
    for name in (field.name for field in request.DESCRIPTOR.oneofs_by_name["payload"].fields):
        message = BackMsg()
        getattr(message.backend_operation_request, name).SetInParent()
        assert messages.is_heard(message.SerializeToString()) is (name in messages.OPERATIONS), name
