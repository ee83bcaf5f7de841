"""Declarations in a file of their own, so that thirteen columns need not be typed twice; never a row."""

from __future__ import annotations

import json

import streamlit as st

from dpengine.data import Labels, Preview, Schema
from dpengine.errors import ScenarioError
from dpengine.privacy import Neighbors
from dpengine.scenario import Scenario, from_plain, require_texts, to_plain
from pages import session
from pages.plan.table import schema_form
from pages.widgets.escaping import unmarked

VERSION = 1
LOAD_KEY = "load_declaration"
LARGEST = 1_000_000


def download(scenario: Scenario) -> None:
    """A button that saves what is declared."""
    st.download_button(
        "Save these declarations",
        to_text(scenario.schema, scenario.neighbors, scenario.spoken),
        file_name="declarations.json",
        mime="application/json",
        key="save_declaration",
        on_click="ignore",
    )


def to_text(schema: Schema, neighbors: Neighbors, labels: Labels) -> str:
    """Versioned JSON, readable by people."""
    plain = {"version": VERSION, "schema": to_plain(schema), "neighbors": to_plain(neighbors)}
    if labels != Labels():
        plain["labels"] = to_plain(labels)
    return json.dumps(plain, indent=1, allow_nan=False)


def from_text(text: str) -> tuple[Schema, Neighbors, Labels]:
    """The declarations back; anything else raises ScenarioError."""
    if len(text) > LARGEST:
        raise ScenarioError(f"This file has {len(text):,} characters; at most {LARGEST:,} are read.")
    try:
        plain = json.loads(text)
    except (ValueError, RecursionError):
        raise ScenarioError("This file does not hold saved declarations: it is not readable as JSON.") from None
    if not isinstance(plain, dict) or plain.get("version") != VERSION:
        raise ScenarioError("This file does not hold declarations that this version can read.")
    require_texts(plain)
    schema, neighbors = from_plain(plain.get("schema")), from_plain(plain.get("neighbors"))
    labels = from_plain(plain["labels"]) if "labels" in plain else Labels()
    if not (isinstance(schema, Schema) and isinstance(neighbors, Neighbors) and isinstance(labels, Labels)):
        raise ScenarioError("This file does not hold saved declarations: the schema or the promise is missing.")
    return schema, neighbors, labels


def loaded() -> object:
    """Which file has filled the form, for which columns; None where none has."""
    return session.remembered("loaded_declaration", None)


def load(read: Preview) -> None:
    """A second uploader: fill the form from a saved file, once for each file."""
    with st.popover("Fill it in from saved declarations", type="tertiary"):
        file = st.file_uploader("Saved declarations (JSON)", type=["json"], key=LOAD_KEY)
    if file is None or loaded() == (file.file_id, tuple(read.names)):
        return
    session.remember("loaded_declaration", (file.file_id, tuple(read.names)))
    try:
        schema, neighbors, labels = from_text(file.getvalue().decode("utf-8", errors="replace"))
    except ScenarioError as error:
        st.error(unmarked(str(error)))
        return
    schema_form.fill(read, schema, neighbors, labels)
