"""The dashboard as Streamlit would serve it: between them, only who sits here. What an attack does is the control."""

from __future__ import annotations

import streamlit as st
from starlette.middleware import Middleware

from pages.serving import process
from pages.serving.layers.opened import OpenedHere
from pages.serving.patches import left_sessions
from tests.servers.server import APP

left_sessions.remembered = lambda: None
server = st.App(str(APP), lifespan=process.lifespan([]), middleware=[Middleware(OpenedHere)])
