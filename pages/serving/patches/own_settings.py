"""What this program's settings are is said by its environment alone, never by a file that lies where it is started."""

from __future__ import annotations

import logging
from collections.abc import Callable
from functools import wraps
from typing import Any

from streamlit.runtime.secrets import Secrets

PREFIX, HOMES = "EPSILON_EXPLORER_", frozenset({"HOME", "USERPROFILE"})
_NOT_HEARD = "%s in a secrets.toml is not heard: say it in the environment of the program."


def keep() -> None:
    """Streamlit makes every text of secrets.toml a variable, in the current folder too, and while the server runs.

    Somebody who packed the folder would name the ledger and the curator's token. A home is where a ledger may lie.
    """
    Secrets._maybe_set_environment_variable = staticmethod(_of_others(Secrets._maybe_set_environment_variable))  # type: ignore[assignment, method-assign]  # noqa: SLF001
    Secrets._maybe_delete_environment_variable = staticmethod(_of_others(Secrets._maybe_delete_environment_variable))  # type: ignore[assignment, method-assign]  # noqa: SLF001


def _of_others(change: Callable[[Any, Any], None]) -> Callable[[Any, Any], None]:
    @wraps(change)
    def changed(name: Any, value: Any) -> None:
        if isinstance(name, str) and (name.startswith(PREFIX) or name in HOMES):
            logging.getLogger(__name__).warning(_NOT_HEARD, name)
        else:
            change(name, value)

    return changed
