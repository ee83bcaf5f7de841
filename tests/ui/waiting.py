"""Pages that read a file in the background, waited for."""

from __future__ import annotations

import time

from streamlit.testing.v1 import AppTest

from pages.ui.loading import Loading

READ_SECONDS = 60


def being_read(page: AppTest) -> Loading | None:
    """The file that this session reads at this moment."""
    kept = "kept_loading"
    found = page.session_state[kept] if kept in page.session_state else None  # noqa: SIM401 - it has no get
    assert found is None or isinstance(found, Loading)
    return found


def arrived(page: AppTest) -> AppTest:
    """The page once nothing is read any more; a browser asks again by itself, a test has to."""
    until = time.monotonic() + READ_SECONDS
    while (loading := being_read(page)) is not None:
        assert time.monotonic() < until
        loading.done(1.0)
        page.run()
    return page
