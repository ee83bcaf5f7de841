"""What a server installs is pinned with hashes, fits what the dashboard asks for, and says nowhere to fetch it from."""

from __future__ import annotations

import re
from collections.abc import Iterator

from packaging.requirements import Requirement
from packaging.utils import canonicalize_name

from tests.servers.server import ROOT

LOCK, ASKED = "requirements-server.lock", "requirements-server.txt"
_ENTRY = re.compile(r"[\w.\[\],-]+==[\w.!+-]+(?: ; [^\\]+?)?(?: \\\n    --hash=sha256:[0-9a-f]{64})+\n")
_PLACE = re.compile(r"://|--(?:extra-)?index|--find-links|--trusted|(?:^| )-[fir] |file:|/")


def asked(name: str) -> Iterator[Requirement]:
    """Every requirement of a file, and of the files that it begins with."""
    for line in (ROOT / name).read_text(encoding="utf-8").splitlines():
        if line.startswith("-r "):
            yield from asked(line.removeprefix("-r "))
        elif line and not line.startswith("#"):
            yield Requirement(line)


def pinned(lock: str) -> dict[str, list[Requirement]]:
    """The versions of each package; several where Pythons or machines differ."""
    found: dict[str, list[Requirement]] = {}
    for line in re.findall(r"^[^\s#].*?(?= \\$)", lock, flags=re.MULTILINE):
        one = Requirement(line)
        found.setdefault(canonicalize_name(one.name), []).append(one)
    return found


def faults(lock: str, wanted: list[Requirement]) -> list[str]:
    """What a lock lacks: hashes, versions that are asked for; and what it must not say."""
    entries = re.sub(r"^#.*\n", "", lock, flags=re.MULTILINE)
    rest = _ENTRY.sub("", entries)
    known = pinned(lock)
    unmet = [
        str(one)
        for one in wanted
        if not (versions := known.get(canonicalize_name(one.name)))
        or not all(one.specifier.contains(next(iter(pin.specifier)).version) for pin in versions)
    ]
    return [*([rest] if rest else []), *unmet, *_PLACE.findall(lock)]


def test_the_lock_fits_what_is_asked_for() -> None:
    lock, wanted = (ROOT / LOCK).read_text(encoding="utf-8"), list(asked(ASKED))
    assert {"streamlit", "sqlglot", "psycopg", "Authlib"} <= {one.name for one in wanted}
    assert faults(lock, wanted) == [], f"Make {LOCK} anew with the command at its head."
    assert {"psycopg-binary", "httpx", "starlette"} <= pinned(lock).keys(), "extras, and what others need"


def test_what_is_wrong_with_a_lock_is_seen() -> None:
    lock, wanted = (ROOT / LOCK).read_text(encoding="utf-8"), list(asked(ASKED))
    other = "9" * 64
    for planted in (
        re.sub(r"^sqlglot==\S+", "sqlglot==31.0.0", lock, flags=re.MULTILINE),
        re.sub(r"^segno==(?:.*\\\n)*.*\n", "", lock, flags=re.MULTILINE),
        f"{lock}another==1.0\n",
        f"{lock}another==1.0 \\\n    --hash=md5:{other}\n",
        f"{lock}another>=1.0 \\\n    --hash=sha256:{other}\n",
        f"{lock}another @ https://example.org/another.whl \\\n    --hash=sha256:{other}\n",
        f"--extra-index-url https://example.org/simple\n{lock}",
        f"# pip install -f /wheels\n{lock}",
    ):
        assert planted != lock
        assert faults(planted, wanted), planted[-200:]
    assert faults(f"{lock}another==1.0 ; sys_platform == 'win32' \\\n    --hash=sha256:{other}\n", wanted) == []
