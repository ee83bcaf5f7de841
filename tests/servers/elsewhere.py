"""A page that is none of ours, on this machine: an attacker's, or that of another program."""

from __future__ import annotations

import socket
from collections.abc import Iterator, Sequence
from contextlib import contextmanager, suppress
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from threading import Thread
from typing import Any


class _Served(ThreadingHTTPServer):
    """A browser keeps connections open that it never uses: their threads end, and so do they, with the server."""

    daemon_threads = False

    def __init__(self, place: tuple[str, int], page: type[BaseHTTPRequestHandler]) -> None:
        super().__init__(place, page)
        self._open: list[socket.socket] = []

    def process_request(self, request: Any, client_address: Any) -> None:
        self._open.append(request)
        super().process_request(request, client_address)

    def server_close(self) -> None:
        for one in self._open:
            with suppress(OSError):
                one.shutdown(socket.SHUT_RDWR)
        super().server_close()


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

    with _Served(("127.0.0.1", 0), Page) as running:
        Thread(target=running.serve_forever, daemon=True).start()
        yield f"http://{host}:{running.server_port}/"
        running.shutdown()
