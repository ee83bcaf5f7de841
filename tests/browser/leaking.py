"""A dashboard that leaks on purpose, once through each channel: what a search for leaks must find, every time."""

from __future__ import annotations

import base64
import logging
import struct
import sys
import time
import zlib
from collections.abc import Callable, Mapping

import numpy as np
import pandas as pd
import plotly.graph_objects as go
import streamlit as st

FIRST_NUMBER, STEP = 731_291.375, 1013.5
SENT = 2.0
"""Seconds within which what is shown has been sent, even if it is replaced later: a busy machine takes longer than an
idle one."""


def text(channel: str) -> str:
    """The text that leaks through a channel, and nowhere else."""
    return f"Vexley {channel} bramble"


def number(channel: str) -> float:
    """The number that leaks through a channel, and nowhere else."""
    return FIRST_NUMBER + STEP * list(NUMBERS).index(channel)


def _tab(leak: str) -> None:
    shown, hidden = st.tabs(["shown", "hidden"])
    shown.write("nothing")
    hidden.write(leak)


def _replaced(leak: str) -> None:
    place = st.empty()
    place.markdown(leak)
    time.sleep(SENT)
    place.markdown("gone")


def _spinner(leak: str) -> None:
    with st.spinner(leak):
        time.sleep(SENT)


def _picture(leak: str) -> None:
    """A picture of one pixel, with a text inside its file."""
    chunks = [
        (b"IHDR", struct.pack(">IIBBBBB", 1, 1, 8, 0, 0, 0, 0)),
        (b"tEXt", b"Comment\0" + leak.encode()),
        (b"IDAT", zlib.compress(b"\0\0")),
        (b"IEND", b""),
    ]
    parts = [struct.pack(">I", len(d)) + k + d + struct.pack(">I", zlib.crc32(k + d)) for k, d in chunks]
    st.image(b"\x89PNG\r\n\x1a\n" + b"".join(parts), output_format="PNG")


def _chart(key: str, **trace: object) -> None:
    curve = {"x": np.array([1.0, 2.0]), "y": np.array([1.0, 2.0])} | trace
    st.plotly_chart(go.Figure(go.Scatter(**curve)), key=key, theme=None)


def _logged(leak: str) -> None:
    try:
        int(leak)
    except ValueError:
        logging.getLogger("streamlit").exception("Something went wrong.")


TEXTS: Mapping[str, Callable[[str], object]] = {
    "paragraph": st.markdown,
    "title": st.title,
    "caption": st.caption,
    "error": st.error,
    "notice": st.toast,
    "code": st.code,
    "markup": lambda leak: st.html(f"<i title='{leak}'></i>"),
    "help": lambda leak: st.button("help", help=leak),
    "held by a box": lambda leak: st.text_input("box", leak),
    "placeholder": lambda leak: st.text_input("empty box", placeholder=leak),
    "option": lambda leak: st.selectbox("options", ["one", leak]),
    "caption of an option": lambda leak: st.radio("choice", ["one"], captions=[leak]),
    "hidden tab": _tab,
    "folded part": lambda leak: st.expander("folded").write(leak),
    "replaced": _replaced,
    "spinner": _spinner,
    "progress": lambda leak: st.progress(0.5, leak),
    "metric": lambda leak: st.metric("metric", leak),
    "cell of a table": lambda leak: st.dataframe(pd.DataFrame({"a": [leak, "b"]})),
    "name of a column": lambda leak: st.dataframe(pd.DataFrame({leak: [1]})),
    "help of a column": lambda leak: st.dataframe(
        pd.DataFrame({"a": [1]}), column_config={"a": st.column_config.NumberColumn(help=leak)}
    ),
    "tree": lambda leak: st.json({"a": [leak]}),
    "label of a chart": lambda leak: st.plotly_chart(go.Figure(), key="alt", alt=leak),
    "hover of a chart": lambda leak: _chart("hover", hovertemplate=leak),
    "hidden line of a chart": lambda leak: _chart("hidden", visible=False, text=[leak, ""]),
    "file to download": lambda leak: st.download_button("file", f"a,b\n1,{leak}\n", "a.csv"),
    "name of a file": lambda leak: st.download_button("name", "a", f"{leak}.csv"),
    "picture": _picture,
    "address": lambda leak: st.query_params.update({"leak": leak}),
    "base64": lambda leak: st.markdown(base64.b64encode(f"xy{leak}".encode()).decode()),
    "printed": lambda leak: print(leak, file=sys.stderr, flush=True),
    "logged": _logged,
}
NUMBERS: Mapping[str, Callable[[float], object]] = {
    "in words": lambda leak: st.markdown(f"about {leak} rows"),
    "with commas": lambda leak: st.markdown(f"about {leak:,.1f} rows"),
    "rounded": lambda leak: st.markdown(f"about {leak:,.0f} rows"),
    "end of a slider": lambda leak: st.slider("slider", 0.0, leak),
    "limit of a box": lambda leak: st.number_input("number", max_value=leak, value=0.0),
    "points of a chart": lambda leak: _chart("points", y=np.array([leak, 1.0])),
    "coarse points": lambda leak: _chart("coarse", y=np.array([leak, 1.0], dtype=np.float32)),
    "listed points": lambda leak: _chart("listed", y=[leak, 1.0]),
    "behind the points": lambda leak: _chart("behind", customdata=np.array([leak, 1.0])),
    "column of numbers": lambda leak: st.dataframe(pd.DataFrame({"a": np.array([leak, 1.0])})),
    "written table": lambda leak: st.table(pd.DataFrame({"a": [leak]})),
}


def main() -> None:
    """Leak."""
    for channel, leak in TEXTS.items():
        leak(text(channel))
    for channel, leak_number in NUMBERS.items():
        leak_number(number(channel))


if __name__ == "__main__":
    main()
