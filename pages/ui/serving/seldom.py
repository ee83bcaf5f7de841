"""What visitors can have written into the log again and again is written a few times a minute."""

from __future__ import annotations

import logging
from time import monotonic

MOST_EACH_MINUTE = 20
_FURTHER = " (Further ones like this are not written for a minute.)"


class Seldom(logging.Filter):
    """Of the lines that one place of the program writes, so many each minute; the last of them says so."""

    def __init__(self, most: int = MOST_EACH_MINUTE) -> None:
        super().__init__()
        self._most = most
        self._written: dict[tuple[str, int], list[float]] = {}

    def filter(self, record: logging.LogRecord) -> bool:
        """Whether it is written."""
        lately = self._written.setdefault((record.pathname, record.lineno), [])
        lately[:] = [moment for moment in lately if monotonic() - moment < 60.0]
        if len(lately) >= self._most:
            return False
        lately.append(monotonic())
        if len(lately) == self._most:
            record.msg, record.args = record.getMessage() + _FURTHER, ()
        return True


def write_seldom() -> None:
    """From now on, whoever writes."""
    seldom = Seldom()
    for logger in (logging.root, *logging.root.manager.loggerDict.values()):
        if isinstance(logger, logging.Logger):
            logger.addFilter(seldom)
