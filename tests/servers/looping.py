"""A coroutine run to its end in a thread of its own, since an open browser keeps the loop of this one."""

from __future__ import annotations

import asyncio
from collections.abc import Coroutine
from concurrent.futures import ThreadPoolExecutor
from typing import Any, TypeVar

Result = TypeVar("Result")


def finished(story: Coroutine[Any, Any, Result]) -> Result:
    """What it returns, or the error that it ended with."""
    with ThreadPoolExecutor(1) as thread:
        return thread.submit(asyncio.run, story).result()
