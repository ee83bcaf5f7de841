"""Epsilon Explorer: run once for the process that serves, and then, as a script, for every visit."""

from __future__ import annotations

import sys

import streamlit as st

if __name__ == "__main__":
    from pages.shell import every_page

    every_page.show()
else:
    from pages.serving import guard, process

    server = st.App(__file__, lifespan=process.lifespan(sys.argv[1:]), middleware=guard.MIDDLEWARE)
