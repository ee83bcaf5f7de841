"""The look of all pages is read from the settings once.

Streamlit reads it anew for each run: of a phone that looks whether its room has moved on, a sixth of the cost.
"""

from __future__ import annotations

from streamlit.proto.NewSession_pb2 import CustomThemeConfig
from streamlit.runtime import app_session

from pages.ui.serving.once import Once

_read = app_session._populate_theme_msg  # noqa: SLF001


def read_once() -> None:
    """From now on, for every session of this process."""
    app_session._populate_theme_msg = _tell  # noqa: SLF001


def _tell(msg: CustomThemeConfig, section: str = "theme") -> None:
    read = _read_of(section)
    if read.ByteSize():
        msg.MergeFrom(read)


@Once
def _read_of(section: str) -> CustomThemeConfig:
    found = CustomThemeConfig()
    _read(found, section)
    return found
