"""A file that lies where this program is started changes neither its environment nor who is a curator."""

from __future__ import annotations

import logging
import os
from pathlib import Path
from typing import Any

import streamlit as st
from streamlit import config
from streamlit.runtime.secrets import Secrets
from streamlit.web import bootstrap

PREFIX, NAMED, _SECRETS = "EPSILON_EXPLORER_", "STREAMLIT_SECRETS_FILES", "secrets.files"
PROGRAM = Path(__file__).parents[3]
SAID_AT_THE_START = frozenset(
    {
        "<default>",
        "<streamlit>",
        "<user defined>",
        "environment variable",
        "command-line argument or environment variable",
    }
)
"""What Streamlit notes of a setting that comes from no file."""
_NOT_HEARD = "%s in a secrets.toml is not heard: say it in the environment of the program."


def settle() -> None:
    """Before anything is served."""
    require_own()
    keep()
    hear_no_others()


def keep() -> None:
    """Streamlit makes every text of secrets.toml a variable, in the current folder too, and while the server runs.

    Somebody who packed the folder would name the ledger, the curator's token, or what other programs are made of.
    """
    Secrets._maybe_set_environment_variable = staticmethod(_leave)  # type: ignore[assignment, method-assign]  # noqa: SLF001
    Secrets._maybe_delete_environment_variable = staticmethod(_leave)  # type: ignore[assignment, method-assign]  # noqa: SLF001


def hear_no_others() -> None:
    """Streamlit looks out for both files in the current folder, also where there is none yet, and hears them at once.

    What was settled at the start stays until the end: settings anew would forget which header of ours tells sessions
    apart, and trust others.
    """
    bootstrap.load_config_options = _stay  # type: ignore[assignment]
    if not os.environ.get(NAMED):
        config.set_option(_SECRETS, [file for file in st.get_option(_SECRETS) or () if _is_own(Path(file))])


def require_own() -> None:
    """Refuse to start where Streamlit would read another folder's settings or secrets.

    The [auth] of secrets says who somebody is; so may headers that the settings trust. Also refused: a link there,
    which may lead elsewhere by tomorrow; settings that Streamlit has read from a file that is gone by now; and a theme
    that names another file as its base, of which Streamlit no longer tells whose settings it was put together from.
    """
    for file in () if os.environ.get(NAMED) else map(Path, st.get_option(_SECRETS) or ()):
        if _is_elsewhere(file):
            raise SystemExit(
                f"{file} would say who may sign in here. Start in another folder, or name it in {NAMED} if it is yours."
            )
    here = Path.cwd() / ".streamlit" / "config.toml"
    read = {option.where_defined for option in config.get_config_options().values()} - SAID_AT_THE_START
    for settings in (*([str(here)] if os.path.lexists(here) else ()), *sorted(read)):
        if not (Path(settings).is_absolute() and _is_own(Path(settings))):
            raise SystemExit(f"{settings} would settle how this is served. Start in another folder.")


def _is_elsewhere(file: Path) -> bool:
    return os.path.lexists(file) and not _is_own(file)


def _is_own(file: Path) -> bool:
    """Whether it lies in this program's own folder or in the home's, or would; not what a link elsewhere leads to."""
    own = [folder / ".streamlit" for folder in (PROGRAM, Path("~").expanduser())]
    return file.parent in (*own, *(folder.resolve() for folder in own))


def _stay(_flags: dict[str, Any]) -> None:
    """All settings as they are."""


def _leave(name: Any, _value: Any) -> None:
    """Every variable as it is; whoever meant one of ours is told."""
    if str(name).startswith(PREFIX):
        logging.getLogger(__name__).warning(_NOT_HEARD, name)
