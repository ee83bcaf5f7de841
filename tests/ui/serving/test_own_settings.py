"""A secrets.toml where the server is started names neither the ledger nor the curator's token."""

from __future__ import annotations

import os
from pathlib import Path

import pytest
import streamlit as st
from streamlit.runtime.secrets import Secrets

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
    """The environment without the file; what Streamlit makes of it is undone afterwards."""
    for name in SAID:
        monkeypatch.setenv(name, f"the environment's {name}")
    for change in ("_maybe_set_environment_variable", "_maybe_delete_environment_variable"):
        monkeypatch.setattr(Secrets, change, staticmethod(getattr(Secrets, change)))
    file = tmp_path / "secrets.toml"
    file.write_text(PACKED, encoding="utf-8")
    before = st.get_option
    monkeypatch.setattr(
        "streamlit.config.get_option", lambda name: [str(file)] if name == "secrets.files" else before(name)
    )
    return {name: os.environ[name] for name in SAID}


def heard() -> dict[str, str]:
    """The environment once Streamlit has read the file."""
    secrets = Secrets()
    assert secrets.load_if_toml_exists()
    assert secrets["auth"]["client_id"] == "heard", "What signing in needs is there all the same."
    return {name: os.environ[name] for name in SAID}


def test_a_secrets_file_changes_no_variable(packed: dict[str, str], caplog: pytest.LogCaptureFixture) -> None:
    own_settings.keep()
    assert heard() == packed
    assert "EPSILON_EXPLORER_LEDGER in a secrets.toml is not heard" in caplog.text
    assert "HOME" not in caplog.text


def test_the_control_streamlit_alone_changes_all_of_them(packed: dict[str, str]) -> None:
    assert not set(heard().items()) & set(packed.items())
