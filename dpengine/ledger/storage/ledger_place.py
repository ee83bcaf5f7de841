"""Where the ledger lies that nobody names: one for the dashboard, the commands, notebooks and exported scripts."""

from __future__ import annotations

import os
from pathlib import Path

from dpengine.errors import LedgerError
from dpengine.ledger.storage.database import Database

URL_VARIABLE, MARKER_VARIABLE, FILE = "EPSILON_EXPLORER_LEDGER", "EPSILON_EXPLORER_MARKER", "budget.db"
DASHBOARDS_MARKER = ".streamlit/ledger.id"
AT_HOME = ".epsilon-explorer"
"""The folder of an installed dashboard: packages are replaced by the next version's, with all that lies in them."""


def url_in_use(folder: Path | None = None) -> str:
    """What the environment names, else budget.db in this folder.

    Without a folder it is the current one, unless an installed dashboard has a ledger and there is none here: one
    that is made here would give every budget anew. Where both have one, LedgerError: whoever packed this folder may
    have granted budgets in it.
    """
    return os.environ.get(URL_VARIABLE) or f"sqlite:///{(_folder_in_use() if folder is None else folder) / FILE}"


def marker_in_use(database: Database) -> Path:
    """The one that the environment names, else a dashboard's beside the ledger, else the ledger's own."""
    named, dashboards = os.environ.get(MARKER_VARIABLE), database.marker.parent / DASHBOARDS_MARKER
    return Path(named) if named else dashboards if os.path.lexists(dashboards) else database.marker


def _folder_in_use() -> Path:
    here, at_home = Path(), Path(os.path.expanduser("~")) / AT_HOME  # noqa: PTH111  # one without a home has none here
    if not _has_ledger(at_home) or here.resolve() == at_home.resolve():
        return here
    if _has_ledger(here):
        raise LedgerError(
            f"A ledger lies in {here.resolve()}, and the dashboard's is in {at_home}. Name the one that is meant: "
            f"{URL_VARIABLE}=sqlite:///{here.resolve() / FILE}"
        )
    return at_home


def _has_ledger(folder: Path) -> bool:
    """Whether there is one, or was: its marker outlives it, and a link to one counts, wherever it leads."""
    return any(os.path.lexists(folder / name) for name in (FILE, DASHBOARDS_MARKER, f"{FILE}.id"))
