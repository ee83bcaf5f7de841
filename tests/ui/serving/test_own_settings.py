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
PASSWORD_OF_THE_TABLE = "secret"
"""
OURS, OTHERS = "EPSILON_EXPLORER_LEDGER", "PASSWORD_OF_THE_TABLE"


@pytest.fixture
def packed(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The file; what Streamlit makes of it is undone afterwards."""
    for name in (OURS, OTHERS):
        monkeypatch.setenv(name, "kept for the end")
        monkeypatch.delenv(name)
    monkeypatch.setenv("HOME", os.environ["HOME"])
    for change in ("_maybe_set_environment_variable", "_maybe_delete_environment_variable"):
        monkeypatch.setattr(Secrets, change, staticmethod(getattr(Secrets, change)))
    file = tmp_path / "secrets.toml"
    file.write_text(PACKED, encoding="utf-8")
    before = st.get_option
    monkeypatch.setattr(
        "streamlit.config.get_option", lambda name: [str(file)] if name == "secrets.files" else before(name)
    )


@pytest.mark.usefixtures("packed")
def test_what_is_ours_is_not_heard() -> None:
    before = os.environ["HOME"]
    own_settings.keep()
    secrets = Secrets()
    assert secrets.load_if_toml_exists()
    assert secrets[OURS] == "sqlite:///packed.db"
    assert OURS not in os.environ
    assert os.environ["HOME"] == before
    assert os.environ[OTHERS] == "secret", "The control: other variables are set as Streamlit sets them."
