"""What the environment of this program says is not changed by a file that lies where it is started."""

from __future__ import annotations

import logging
from typing import Any

from streamlit.runtime.secrets import Secrets

PREFIX = "EPSILON_EXPLORER_"
_NOT_HEARD = "%s in a secrets.toml is not heard: say it in the environment of the program."


def keep() -> None:
    """Streamlit makes every text of secrets.toml a variable, in the current folder too, and while the server runs.

    Somebody who packed the folder would name the ledger, the curator's token, or what other programs are made of.
    """
    Secrets._maybe_set_environment_variable = staticmethod(_leave)  # type: ignore[assignment, method-assign]  # noqa: SLF001
    Secrets._maybe_delete_environment_variable = staticmethod(_leave)  # type: ignore[assignment, method-assign]  # noqa: SLF001


def _leave(name: Any, _value: Any) -> None:
    """Every variable as it is; whoever meant one of ours is told."""
    if str(name).startswith(PREFIX):
        logging.getLogger(__name__).warning(_NOT_HEARD, name)
