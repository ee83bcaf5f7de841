"""The imports of every page, begun while nobody has come yet: the first visitor waits for less."""

from __future__ import annotations

import gc
import threading
from importlib import import_module

PAGES = "pages.shell.every_page"


def begin() -> None:
    """Import in a thread, so that listening is not delayed; a visit that comes earlier waits for the same imports."""
    threading.Thread(target=_imported, name="warming", daemon=True).start()


def _imported() -> None:
    """Python looks for no garbage meanwhile, of which imports leave little: a fifth of their time."""
    gc.disable()
    try:
        import_module(PAGES).freeze_imports()
    finally:
        gc.enable()
