"""Pages that read a file or compute in the background, waited for."""

from __future__ import annotations

import time

from streamlit.testing.v1 import AppTest

from dpengine.data import Table
from pages.plan.work import Work

READ_SECONDS, WORK_SECONDS = 60, 60.0


def being_read(page: AppTest) -> Work[Table] | None:
    """The file that this session reads at this moment."""
    kept = "kept_loading"
    found = page.session_state[kept] if kept in page.session_state else None  # noqa: SIM401 - it has no get
    assert found is None or isinstance(found, Work)
    return found


def arrived(page: AppTest) -> AppTest:
    """The page once nothing is read any more; a browser asks again by itself, a test has to."""
    until = time.monotonic() + READ_SECONDS
    while (loading := being_read(page)) is not None:
        assert time.monotonic() < until
        loading.done(1.0)
        page.run()
    return page


def at_rest(page: AppTest) -> AppTest:
    """The page once all that it computes beside itself is there."""
    stops = [str(button.key) for button in page.button if str(button.key).endswith("_stop")]
    for key in stops:
        work = page.session_state["kept_" + key.removesuffix("_stop")][1]
        assert isinstance(work, Work)
        assert work.done(WORK_SECONDS)
    return page.run() if stops else page
