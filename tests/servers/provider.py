"""An OpenID Connect provider for tests, somebody else's program: it signs in whomever of its people a test picks."""

from __future__ import annotations

import json
import subprocess
import sys
import time
import urllib.request
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from http.cookiejar import CookieJar
from pathlib import Path
from types import TracebackType
from typing import Self
from urllib.parse import urlencode

from joserfc import jwt
from joserfc.jwk import OctKey

from tests.servers.server import Server, answers, free_port

FIRST, SECOND, LYING = "first", "second", "lying"
"""What a dashboard calls the two providers, and one whose own address is another than the one it tells: the first's."""
START_SECONDS, STOP_SECONDS = 60, 10
_SIGNED_WITH = "a secret of this test, long enough to sign with"
_HERE = """[auth]
redirect_uri = "http://127.0.0.1:{{port}}/oauth2callback"
cookie_secret = "{secret}"
"""
_PROVIDER = """[auth.{name}]
client_id = "dashboard"
client_secret = "another secret of this test"
server_metadata_url = "{issuer}/.well-known/openid-configuration{asked}"
"""


@dataclass(frozen=True, kw_only=True)
class Person:
    """Somebody whom the provider knows, and what it says of them."""

    subject: str
    email: str
    verified: bool = True
    hours_ago: float = 0.0
    """How long ago the sign-in was, as the provider says; 0 for the truth."""

    @property
    def claims(self) -> Mapping[str, object]:
        """What stands in the token."""
        said: dict[str, object] = {"sub": self.subject, "email": self.email, "email_verified": self.verified}
        return said | ({"iat": int(time.time() - 3600 * self.hours_ago)} if self.hours_ago else {})


class Provider:
    """One process that is two providers with the same people: under each of its names it is another issuer."""

    def __init__(self, folder: Path, people: Sequence[Person]) -> None:
        self._folder, self._people, self._port = folder, people, free_port()
        self._process: subprocess.Popen[bytes] | None = None

    @property
    def issuers(self) -> Mapping[str, str]:
        """What each of the two calls itself."""
        return {FIRST: f"http://localhost:{self._port}", SECOND: f"http://127.0.0.1:{self._port}"}

    def trusted(self) -> dict[str, str]:
        """The environment of a dashboard at which people sign in with either."""
        secrets = self._folder / "secrets.toml"
        each = [_PROVIDER.format(name=name, issuer=issuer, asked="") for name, issuer in self.issuers.items()]
        each.append(_PROVIDER.format(name=LYING, issuer=self.issuers[FIRST], asked="?another"))
        secrets.write_text("".join([_HERE.format(secret=_SIGNED_WITH), *each]), encoding="utf-8")
        return {"STREAMLIT_SECRETS_FILES": str(secrets)}

    def wait(self) -> None:
        """Return once it answers."""
        deadline = time.monotonic() + START_SECONDS
        while not answers(f"{self.issuers[FIRST]}/.well-known/openid-configuration"):
            if self._process is None or self._process.poll() is not None or time.monotonic() > deadline:
                raise RuntimeError(f"The provider did not start. It said:\n{self._log.read_text(encoding='utf-8')}")
            time.sleep(0.1)

    def __enter__(self) -> Self:
        """Begin to start, which a dashboard may do meanwhile."""
        people = [word for one in self._people for word in ("--user-claims", json.dumps(one.claims))]
        command = [sys.executable, "-m", "oidc_provider_mock", "--port", str(self._port), *people]
        with self._log.open("wb") as log:
            self._process = subprocess.Popen(
                command, stdin=subprocess.DEVNULL, stdout=log, stderr=subprocess.STDOUT, cwd=self._folder
            )
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, traceback: TracebackType | None
    ) -> None:
        if self._process is not None:
            self._process.terminate()
            self._process.wait(STOP_SECONDS)

    @property
    def _log(self) -> Path:
        return self._folder / "provider.log"


def cookies_of(server: Server, subject: str, *, at: str = FIRST) -> Mapping[str, str]:
    """What the browser of somebody holds who has opened the dashboard, and signed in with a provider."""
    jar = CookieJar()
    ways = urllib.request.ProxyHandler({}), urllib.request.HTTPCookieProcessor(jar)
    browser = urllib.request.build_opener(*ways)
    for path in ("", "_stcore/health"):
        browser.open(server.address(path)).close()
    chosen = {"provider": at, "exp": int(time.time()) + 60}
    token = jwt.encode({"alg": "HS256"}, chosen, OctKey.import_key(_SIGNED_WITH))
    with browser.open(f"{server.url}/auth/login?{urlencode({'provider': token})}") as form:
        browser.open(form.url, data=urlencode({"sub": subject}).encode()).close()
    return {one.name: one.value or "" for one in jar}
