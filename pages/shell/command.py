"""`epsilon-explorer`: the dashboard of an installed copy, from whatever folder it is started."""

from __future__ import annotations

import runpy
import sys
from pathlib import Path

APP = Path(__file__).parents[2] / "app.py"
_OURS = "--share"


def main() -> None:
    """Serve as `streamlit run app.py` does; `--share` and `--share=ADDRESS` are ours, all else is Streamlit's."""
    ours = [word for word in sys.argv[1:] if word.partition("=")[0] == _OURS]
    others = [word for word in sys.argv[1:] if word not in (*ours, "--")]
    sys.argv = ["streamlit", "run", str(APP), *others, "--", *ours]
    runpy.run_module("streamlit", run_name="__main__", alter_sys=True)
