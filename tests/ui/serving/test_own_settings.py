"""A secrets.toml where the server is started names neither the ledger nor the curator's token."""

from __future__ import annotations

import importlib.util
import os
from collections.abc import Callable
from pathlib import Path

import pytest
import streamlit as st
from streamlit import config, config_util
from streamlit.web import bootstrap

from pages.serving.layers import proof
from pages.serving.patches import own_settings

PACKED = """
EPSILON_EXPLORER_LEDGER = "sqlite:///packed.db"
HOME = "/packed"
LD_LIBRARY_PATH = "/packed"
PASSWORD_OF_THE_TABLE = "secret"

[auth]
client_id = "heard"
"""
SAID = ("EPSILON_EXPLORER_LEDGER", "HOME", "LD_LIBRARY_PATH", "PASSWORD_OF_THE_TABLE")


@pytest.fixture
def packed(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> dict[str, str]:
    """The environment without the file, beside a Streamlit that nothing has changed yet; undone afterwards."""
    for name in SAID:
        monkeypatch.setenv(name, f"the environment's {name}")
    own = importlib.util.find_spec("streamlit.runtime.secrets")
    assert own is not None
    assert own.loader is not None
    own.loader.exec_module(module := importlib.util.module_from_spec(own))
    monkeypatch.setattr("pages.serving.patches.own_settings.Secrets", module.Secrets)
    file = tmp_path / "secrets.toml"
    file.write_text(PACKED, encoding="utf-8")
    known = st.get_option
    for place in ("streamlit.config.get_option", "streamlit.get_option"):
        monkeypatch.setattr(place, lambda name: [str(file)] if name == "secrets.files" else known(name))
    return {name: os.environ[name] for name in SAID}


def heard() -> dict[str, str]:
    """The environment once Streamlit has read the file."""
    secrets = vars(own_settings)["Secrets"]()
    assert secrets.load_if_toml_exists()
    assert secrets["auth"]["client_id"] == "heard", "What signing in needs is there all the same."
    return {name: os.environ[name] for name in SAID}


def test_a_secrets_file_changes_no_variable(packed: dict[str, str], caplog: pytest.LogCaptureFixture) -> None:
    own_settings.keep()
    assert heard() == packed
    assert "EPSILON_EXPLORER_LEDGER in a secrets.toml is not heard" in caplog.text
    assert "HOME" not in caplog.text


def test_another_folders_settings_are_refused_at_the_start(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """They may trust a header that says who somebody is. The controls: a folder without, and the program's own."""
    monkeypatch.chdir(tmp_path)
    own_settings.require_own()
    (tmp_path / ".streamlit").mkdir()
    (tmp_path / ".streamlit" / "config.toml").write_text('[server.trustedUserHeaders]\nx-one = "iss"\n')
    with pytest.raises(SystemExit, match="would settle how this is served"):
        own_settings.require_own()
    monkeypatch.setattr(st, "get_option", lambda _: [])
    monkeypatch.setattr(config, "get_config_options", dict)
    monkeypatch.setattr(own_settings, "PROGRAM", tmp_path)
    own_settings.require_own()


@pytest.mark.parametrize("name", ["secrets.toml", "config.toml"])
def test_a_link_to_ones_own_file_is_another_folders(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, name: str) -> None:
    """Who made it may let it lead elsewhere while the server runs. The control: the file that it leads to."""
    home, packed = tmp_path / "home", tmp_path / "packed" / ".streamlit"
    for folder in (own := home / ".streamlit", packed):
        folder.mkdir(parents=True)
    (own / name).write_text("")
    monkeypatch.setenv("HOME", str(home))
    monkeypatch.delenv(own_settings.NAMED, raising=False)
    files = [str(folder / "secrets.toml") for folder in (own, packed)]
    monkeypatch.setattr(st, "get_option", lambda _: files)
    monkeypatch.chdir(packed.parent)
    own_settings.require_own()
    (packed / name).symlink_to(own / name)
    with pytest.raises(SystemExit, match=r"packed.*Start in another folder"):
        own_settings.require_own()
    kept: dict[str, list[str]] = {}
    monkeypatch.setattr(config, "set_option", kept.__setitem__)
    monkeypatch.setattr(bootstrap, "load_config_options", None)
    own_settings.hear_no_others()
    assert kept == {"secrets.files": [files[0]]}


def test_settings_that_were_read_from_a_file_that_is_gone_are_refused(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """As a named pipe is, whose writer takes it away. The control: what the home's own file says."""
    name = "client.showErrorDetails"
    before, where = config.get_option(name), config.get_where_defined(name)
    try:
        config.set_option(name, before, str(Path("~").expanduser() / ".streamlit" / "config.toml"))
        own_settings.require_own()
        config.set_option(name, before, str(tmp_path / ".streamlit" / "config.toml"))
        with pytest.raises(SystemExit, match="would settle how this is served"):
            own_settings.require_own()
    finally:
        config.set_option(name, before, where)


def test_a_theme_put_together_from_other_files_is_refused(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Streamlit notes no path of such settings, and a font may be the name of any variable of the environment.

    Streamlit's own reading of both files; the control is the same theme without a base.
    """
    monkeypatch.setenv("A_SECRET", "of-the-environment")
    theme, file = tmp_path / "theme.toml", tmp_path / "config.toml"
    theme.write_text('[theme]\nprimaryColor = "#1c2430"\n')
    text = '[theme]\nbase = "{}"\ncodeFont = "env:A_SECRET"\n'
    names = [name for name in config.get_config_options() if name.startswith("theme.")]
    before = {name: (config.get_option(name), config.get_where_defined(name)) for name in names}

    where = file

    def read(base: object) -> str:
        config._update_config_with_toml(text.format(base), str(file))
        config_util.process_theme_inheritance(
            config._config_options, config._config_options_template, config._set_option, [str(file)]
        )
        return str(config.get_where_defined("theme.codeFont"))

    try:
        for base in ("light", theme):
            where = Path(read(base))
            assert config.get_option("theme.codeFont") == "of-the-environment"
            with pytest.raises(SystemExit, match="would settle how this is served"):
                own_settings.require_own()
        assert not where.is_absolute(), "Streamlit tells the file's path after all: the rule for paths is enough."
    finally:
        for name, (value, said) in before.items():
            config.set_option(name, value, said)


def looked_for(monkeypatch: pytest.MonkeyPatch) -> dict[str, Callable[[str], None]]:
    """The files whose appearance Streamlit looks out for, and what it then does; its looks themselves are not begun."""
    found: dict[str, Callable[[str], None]] = {}
    monkeypatch.setattr(bootstrap, "watch_file", lambda file, changed, **_: found.setdefault(file, changed))
    bootstrap._install_config_watchers({})
    return found


def test_settings_that_appear_later_are_not_heard(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Of the folder in which it was started: they would trust headers, and forget the one that tells sessions apart."""
    monkeypatch.chdir(tmp_path)
    heard: list[dict[str, object]] = []
    monkeypatch.setattr(bootstrap, "load_config_options", heard.append)
    before = st.get_option("secrets.files")
    changed = looked_for(monkeypatch)[str(tmp_path / ".streamlit" / "config.toml")]
    changed("")
    assert len(heard) == 1, "The control: Streamlit reads it."
    try:
        config.set_option("secrets.files", [*before, str(tmp_path / ".streamlit" / "secrets.toml")])
        own_settings.hear_no_others()
        changed("")
        assert len(heard) == 1
        assert [file for file in st.get_option("secrets.files") if str(tmp_path) in file] == []
        assert [file for file in before if str(Path.home()) in file] == [
            file for file in st.get_option("secrets.files") if str(Path.home()) in file
        ]
    finally:
        config.set_option("secrets.files", before)


def test_no_other_header_says_who_somebody_is() -> None:
    before = config.get_option(proof._TRUSTED)
    config.set_option(proof._TRUSTED, {"x-one": "iss"})
    try:
        assert config.get_option(proof._TRUSTED) == {"x-one": "iss"}, "The control."
        proof.bind_sessions()
        assert config.get_option(proof._TRUSTED) == {proof.HEADER: proof.USER_KEY}
    finally:
        config.set_option(proof._TRUSTED, before)


def test_the_control_streamlit_alone_changes_all_of_them(packed: dict[str, str]) -> None:
    assert not set(heard().items()) & set(packed.items())


@pytest.mark.usefixtures("packed")
def test_another_folders_secrets_are_refused_at_the_start(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Whoever packed it would sign in at a provider of their own, as a curator whom the environment names."""
    monkeypatch.chdir(tmp_path)
    monkeypatch.delenv(own_settings.NAMED, raising=False)
    with pytest.raises(SystemExit, match="would say who may sign in here"):
        own_settings.require_own()
    monkeypatch.setenv(own_settings.NAMED, str(tmp_path / "secrets.toml"))
    own_settings.require_own()
    monkeypatch.delenv(own_settings.NAMED)
    monkeypatch.setattr(config, "get_config_options", dict)
    monkeypatch.setattr(own_settings, "PROGRAM", tmp_path)
    (tmp_path / ".streamlit").mkdir()
    own = (tmp_path / "secrets.toml").rename(tmp_path / ".streamlit/secrets.toml")
    monkeypatch.setattr(st, "get_option", lambda _: [str(own)])
    own_settings.require_own()
