"""What visitors can have written into the log is a line, and written a few times a minute."""

from __future__ import annotations

import logging
import re
from time import monotonic

MOST_EACH_MINUTE = 20
_SIGNS = re.compile(r"[\x00-\x1f\x7f-\x9f\u2028\u2029]+")
"""That would begin a line of their own, or steer a terminal."""
_LONGEST = 4_000
"""Letters of a line, and of the trace of an error below it, which is set in."""
_FURTHER = " (Further ones like this are not written for a minute.)"


class Seldom(logging.Filter):
    """Of the lines that one place of the program writes, so many each minute; the last of them says so."""

    def __init__(self, most: int = MOST_EACH_MINUTE) -> None:
        super().__init__()
        self._most = most
        self._written: dict[tuple[str, int], list[float]] = {}

    def filter(self, record: logging.LogRecord) -> bool:
        """Whether it is written; and nothing in it begins another line."""
        lately = self._written.setdefault((record.pathname, record.lineno), [])
        lately[:] = [moment for moment in lately if monotonic() - moment < 60.0]
        if len(lately) >= self._most:
            return False
        lately.append(monotonic())
        line = _SIGNS.sub(" ", record.getMessage()[:_LONGEST])
        record.msg, record.args = line + _FURTHER * (len(lately) == self._most), ()
        if record.exc_info:
            whole = logging.Formatter().formatException(record.exc_info)[:_LONGEST]
            record.exc_text = "\n".join(f"    {_SIGNS.sub(' ', line)}" for line in whole.split("\n"))
        return True


def write_seldom() -> None:
    """From now on, whoever writes."""
    seldom = Seldom()
    for logger in (logging.root, *logging.root.manager.loggerDict.values()):
        if isinstance(logger, logging.Logger):
            logger.addFilter(seldom)
