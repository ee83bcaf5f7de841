"""What the proxies of docs/deploy are tried with, where none is installed: their files fit the dashboard's settings."""

from __future__ import annotations

import re
import tomllib
from collections import Counter
from pathlib import Path

import pytest

from tests.running import behind_a_proxy, proxies
from tests.running.behind_a_proxy import Way
from tests.servers.proxies import DEPLOY, HAPROXY, KINDS, NGINX, Kind, Place, replaced
from tests.servers.server import ROOT, Certificate

ABSENT = Kind(program="no-such-proxy", shipped="nginx.conf", adapted=lambda text, place: text, arguments=())
MEGABYTE = 1024**2


def taken(settings: str) -> int:
    """The largest file, in bytes, that the dashboard takes."""
    return int(tomllib.loads(settings)["server"]["maxUploadSize"]) * MEGABYTE


def passed_on(file: str) -> int:
    """The largest request, in bytes, that a proxy with this file passes on."""
    (nginx, haproxy) = (re.search(f"{what} ([0-9]+)", file) for what in ("client_max_body_size", "req.body_size gt"))
    if nginx:
        return int(nginx[1]) * MEGABYTE
    assert haproxy
    return int(haproxy[1])


def test_what_is_not_installed_is_named() -> None:
    assert proxies.missing([ABSENT]) == "Install no-such-proxy first: they are tried as they are."
    assert not proxies.missing([])


def test_a_proxy_lets_the_largest_file_pass_and_hardly_more() -> None:
    most = taken((ROOT / ".streamlit" / "config.toml").read_text(encoding="utf-8"))
    assert most == behind_a_proxy.LARGEST
    for kind in KINDS:
        shipped = (DEPLOY / kind.shipped).read_text(encoding="utf-8")
        assert most < passed_on(shipped) <= most + MEGABYTE, kind.shipped
    assert passed_on("client_max_body_size 1m;") < most


@pytest.mark.parametrize("servers", [[8001], [8001, 8002]])
def test_the_shipped_files_are_used_as_they_are_but_for_this_machines_places(
    tmp_path: Path, servers: list[int]
) -> None:
    own = Certificate(file=tmp_path / "certificate", key=tmp_path / "key")
    for path in (own.file, own.key):
        path.write_text("")
    place = Place(folder=tmp_path, encrypted=8443, plain=8080, certificate=own, servers=servers)
    for kind in (NGINX, HAPROXY):
        used = kind.configuration(place)
        assert "172.31" not in used
        assert {8000 + number for number in range(3) if f":{8000 + number}" in used} == set(servers)
        shipped = (DEPLOY / kind.shipped).read_text(encoding="utf-8")
        spare = Counter({"server": 2 - len(servers)}) if kind is HAPROXY else Counter[str]()
        assert settings(shipped) - settings(used) == +spare


def settings(file: str) -> Counter[str]:
    """How often each setting of a proxy's file stands there, comments apart."""
    statements = re.split("[;{}\n]", re.sub("#.*", "", file))
    return Counter(words[0] for words in map(str.split, statements) if words and words[0][0].isalpha())


def test_a_place_that_is_not_in_the_file_is_an_error() -> None:
    assert replaced("listen 80; listen 80;", {"80": "8080"}) == "listen 8080; listen 8080;"
    with pytest.raises(ValueError, match="stands nowhere"):
        replaced("listen 80;", {"443": "8443"})


def test_one_that_fails_stops_no_other_and_says_why(capsys: pytest.CaptureFixture[str]) -> None:
    def first_is_wrong(way: Way) -> str:
        raise AssertionError

    def second_says_no(way: Way) -> str:
        raise RuntimeError(way.url)

    def third_holds(way: Way) -> str:
        way.figures["a click"] = "3 ms"
        return "all of it"

    figures: dict[str, dict[str, str]] = {}
    way = Way(browser=None, url="http://127.0.0.1:1", servers=())  # type: ignore[arg-type]
    results = list(proxies._tried("somewhere", way, [first_is_wrong, second_says_no, third_holds], figures))
    assert [one.passed for one in results] == [False, False, True]
    said = capsys.readouterr().out
    assert "first is wrong: AssertionError: raise AssertionError" in said
    assert "second says no: RuntimeError: http://127.0.0.1:1" in said
    assert "third holds: all of it" in said
    assert proxies.table(figures).split() == ["somewhere", "a", "click", "3", "ms"]
