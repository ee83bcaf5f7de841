"""The dashboard as Streamlit would serve it, with nothing in between: what an attack does there is the control."""

from __future__ import annotations

import streamlit as st

from pages.serving import process
from tests.servers.server import APP

server = st.App(str(APP), lifespan=process.lifespan([]))
