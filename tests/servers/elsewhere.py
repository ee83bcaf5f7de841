"""A page that is none of ours, on this machine: an attacker's, or that of another program."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from threading import Thread


@contextmanager
def page_elsewhere(html: str, host: str = "localhost", *, cookies: Sequence[str] = ()) -> Iterator[str]:
    """The address of a page that shows this, and leaves these cookies."""

    class Page(BaseHTTPRequestHandler):
        def do_GET(self) -> None:
            self.send_response(200)
            self.send_header("Content-Type", "text/html")
            for cookie in cookies:
                self.send_header("Set-Cookie", cookie)
            self.end_headers()
            self.wfile.write(html.encode())

        def log_message(self, *_: object) -> None:
            pass

    with ThreadingHTTPServer(("127.0.0.1", 0), Page) as running:
        Thread(target=running.serve_forever, daemon=True).start()
        yield f"http://{host}:{running.server_port}/"
        running.shutdown()
