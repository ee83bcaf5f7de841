"""What a browser is told when a run begins: how the pages look, and nothing about the machine that they come from.

Streamlit reads the look anew for each run, which is a sixth of what it costs a phone to see whether its room has moved
on; and it names to every visitor where the program lies, and the machine.
"""

from __future__ import annotations

from typing import Any

from streamlit.proto.ForwardMsg_pb2 import ForwardMsg
from streamlit.proto.NewSession_pb2 import CustomThemeConfig
from streamlit.runtime import app_session, pages_manager
from streamlit.runtime.app_session import AppSession
from streamlit.util import calc_hash

from pages.serving.once import Once

PROGRAM = "app.py"
"""In place of where it lies: a browser keeps what it remembers of a dashboard under this."""
_read = app_session._populate_theme_msg  # noqa: SLF001
_told = AppSession._create_new_session_message  # noqa: SLF001


def say_no_more_than_needed() -> None:
    """From now on, for every session of this process."""
    app_session._populate_theme_msg = _tell_the_look  # noqa: SLF001
    pages_manager.calc_hash = _of_the_name  # type: ignore[attr-defined,assignment]
    AppSession._create_new_session_message = _without_the_machine  # type: ignore[method-assign,assignment]  # noqa: SLF001


def _of_the_name(_place: bytes | str) -> str:
    """The program's hash, which every browser is told: of its place, whoever guesses that would know it."""
    return calc_hash(PROGRAM)


def _without_the_machine(session: AppSession, *given: Any, **named: Any) -> ForwardMsg:
    message = _told(session, *given, **named)
    said = message.new_session
    said.main_script_path = PROGRAM
    said.initialize.user_info.Clear()
    said.initialize.user_info.SetInParent()
    for field in ("python_version", "server_os", "has_display"):
        said.initialize.environment_info.ClearField(field)
    return message


def _tell_the_look(msg: CustomThemeConfig, section: str = "theme") -> None:
    read = _look(section)
    if read.ByteSize():
        msg.MergeFrom(read)


@Once
def _look(section: str) -> CustomThemeConfig:
    found = CustomThemeConfig()
    _read(found, section)
    return found
