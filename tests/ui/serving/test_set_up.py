"""What app.py and its settings promise before any page: hardened, bound to this machine, imports frozen once."""

from __future__ import annotations

import ast
import json
import subprocess
import sys
import tomllib
from collections.abc import Callable
from typing import Any

import pytest
from streamlit import net_util
from streamlit.runtime.pages_manager import PagesManager
from streamlit.testing.v1 import AppTest

from pages.serving import process
from pages.shell import every_page
from tests.servers import server
from tests.servers.server import ROOT

SETTINGS: dict[str, Any] = tomllib.loads((ROOT / ".streamlit" / "config.toml").read_text(encoding="utf-8"))
HARDENED = {
    "client.showErrorDetails": "none",
    "client.showErrorLinks": False,
    "client.toolbarMode": "minimal",
    "browser.gatherUsageStats": False,
    "server.enableXsrfProtection": True,
    "server.enableCORS": True,
    "server.maxUploadSize": 100,
    "server.address": "127.0.0.1",
}


_READ = """
import json
from streamlit import config
print(json.dumps({name: option.value for name, option in config.get_config_options(force_reparse=True).items()}))
"""


@pytest.fixture(scope="module")
def in_force() -> dict[str, Any]:
    """What Streamlit itself reads when it is started in the project's folder."""
    command = (sys.executable, "-c", _READ)
    shown = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, timeout=60, check=True).stdout
    found: dict[str, Any] = json.loads(shown)
    return found


@pytest.mark.parametrize(("name", "value"), sorted(HARDENED.items()))
def test_a_hardened_setting_is_in_force(in_force: dict[str, Any], name: str, value: object) -> None:
    section, option = name.split(".")
    assert SETTINGS[section][option] == value
    assert in_force[name] == value


def test_every_setting_has_a_name_that_streamlit_knows(in_force: dict[str, Any]) -> None:
    plain = {f"{section}.{name}" for section in set(SETTINGS) - {"theme"} for name in SETTINGS[section]}
    assert plain <= set(in_force)
    assert "client.showErrorDetail" not in in_force


def test_tests_and_benchmarks_start_it_as_people_do() -> None:
    """Else nobody measures what people see; the last is asked by whoever waits for a server."""
    names = {word.removeprefix("--server.").partition("=")[0] for word in server._options({})}
    assert names == {"address", "scriptHealthCheckEnabled"}
    assert SETTINGS["server"]["fileWatcherType"] == "none", "Each page would watch every file of the program."


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_a_theme_has_the_ten_colors_without_which_plotly_takes_its_own(scheme: str) -> None:
    assert len(set(SETTINGS["theme"][scheme]["chartCategoricalColors"])) == 10


def test_streamlit_looks_for_no_pages_of_its_own(monkeypatch: pytest.MonkeyPatch) -> None:
    """The folder of ours is called as the one in which it would look; AppTest lets it look anew each time."""
    monkeypatch.setattr(net_util, "_external_ip", None)
    monkeypatch.setattr(PagesManager, "uses_pages_directory", None)
    PagesManager(str(ROOT / "app.py"))
    assert PagesManager.uses_pages_directory is True, "The control."
    process._settle_streamlit()
    PagesManager(str(ROOT / "app.py"))
    assert PagesManager.uses_pages_directory is False
    assert net_util.get_external_ip() == process.NOWHERE, "Nobody is asked."


def test_imports_are_frozen_once_in_a_process(new_app: Callable[[], AppTest], monkeypatch: pytest.MonkeyPatch) -> None:
    done: list[str] = []
    for name in ("collect", "freeze"):
        monkeypatch.setattr(every_page.gc, name, lambda name=name: done.append(name))  # type: ignore[attr-defined]
    every_page.freeze_imports.cache_clear()
    for _ in range(2):
        new_app().run()
        assert done == ["collect", "freeze"]


def test_they_are_frozen_after_the_last_import_and_before_the_page() -> None:
    whole = ast.parse((ROOT / "pages" / "shell" / "every_page.py").read_text(encoding="utf-8"))
    (show,) = (part for part in whole.body if isinstance(part, ast.FunctionDef) and part.name == "show")
    assert ast.unparse(show.body[1]) == "freeze_imports()"
    assert not [line for line in ast.walk(show) if isinstance(line, ast.Import | ast.ImportFrom)]
