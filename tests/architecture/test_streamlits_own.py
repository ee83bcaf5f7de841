"""What we use of Streamlit without its promise is listed, each with a test that fails when Streamlit changes it."""

from __future__ import annotations

import re
import tomllib
from collections import defaultdict
from pathlib import Path
from typing import Any

import streamlit

from tests.architecture import named_tests, streamlits_own
from tests.servers.server import ROOT

USES: list[dict[str, Any]] = tomllib.loads(
    (ROOT / "tests" / "architecture" / "streamlits_own.toml").read_text(encoding="utf-8")
)["use"]
_DRAWN = {"test id", "class", "attribute", "label"}


def found() -> dict[str, set[str]]:
    """Every name that is used, and in which files."""
    sources = [ROOT / "app.py", *(ROOT / "pages").rglob("*"), *(ROOT / "dpengine").rglob("*")]
    places: dict[str, set[str]] = defaultdict(set)
    for path in (one for one in sources if one.is_file()):
        for name in streamlits_own.used(path):
            places[name].add(path.relative_to(ROOT).as_posix())
    return dict(places)


def test_every_use_is_listed_with_its_places() -> None:
    listed = {name: set(use["where"]) for use in USES for name in use["names"]}
    assert found() == listed, "List the use in streamlits_own.toml, with the test that fails when Streamlit changes it."
    assert sum(len(use["names"]) for use in USES) == len(listed), "each stands there once"


def test_each_names_a_test_that_there_is() -> None:
    assert [use["test"] for use in USES if not named_tests.is_there(use["test"])] == []
    assert not named_tests.is_there("tests/architecture/test_streamlits_own.py::test_of_which_nobody_knows")
    assert not named_tests.is_there("tests/architecture/test_none.py::test_every_use_is_listed_with_its_places")
    assert all(use["why"].endswith(".") for use in USES)


def test_what_is_found_in_the_browser_is_drawn_by_streamlit() -> None:
    """A test id, a class or an attribute that Streamlit has renamed is found nowhere in the scripts that it ships."""
    scripts = "\n".join(
        path.read_text(encoding="utf-8", errors="replace")
        for path in (Path(streamlit.__file__).parent / "static").rglob("*.js")
    )
    kinds = {name: re.match("|".join(_DRAWN), name) for use in USES for name in use["names"]}
    names = {name.removeprefix(f"{kind[0]} ") for name, kind in kinds.items() if kind}
    assert len(names) > 30
    renamed = {"stSidebarCollapsedControl", "stMai", "st-kei-"}
    looked_for = "|".join(map(re.escape, sorted(names | renamed, reverse=True)))
    drawn = set(re.findall(rf"""[`"' ]({looked_for})(?:(?<=-)|(?!\w))""", scripts))
    assert drawn == names, "and the control is not among them"


def test_a_new_use_is_seen() -> None:
    for source, name in [
        ("from streamlit.runtime import caching", "streamlit.runtime.caching"),
        ("import streamlit.web.cli as start\nstart.main_run", "streamlit.web.cli.main_run"),
        ("from streamlit import config\nconfig._main_script_path", "streamlit.config._main_script_path"),
        ("import streamlit as st\nst._config", "streamlit._config"),
        ("from streamlit import runtime\nrun = runtime.get_instance()\nrun._session_mgr", "member _session_mgr"),
        ("from streamlit import runtime\nruntime.get_instance().stats_mgr", "member Runtime.stats_mgr"),
        ("logging.getLogger('streamlit.watcher')", "text streamlit.watcher"),
        ("ADDRESS = f'/{base}/_stcore/stream'", "address /_stcore/stream"),
    ]:
        assert name in streamlits_own.in_python(source), source
    style = '[data-testid^="stTable"] .stAlert [data-theme="x"] [class*="st-key-a"] [aria-label="Close"] { }'
    assert streamlits_own.in_a_style(style) == {
        *("test id stTable", "class stAlert", "class st-key-", "attribute data-theme", "label Close"),
    }


def test_what_is_published_needs_no_place_in_the_list() -> None:
    source = "import streamlit as st\nfrom streamlit.delta_generator import DeltaGenerator\nst.context.url\nself._own\n"
    assert streamlits_own.in_python(source) == set()
    assert streamlits_own.in_a_style(".mine [data-part='x'] { } .steep { }") == set()
