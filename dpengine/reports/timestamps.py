"""Moments as reports write them: in UTC, to the second."""

from __future__ import annotations

from datetime import UTC, datetime


def in_utc(time: datetime) -> datetime:
    """The moment in UTC; as its clock shows it where UTC would leave the years that there are.

    >>> in_utc(datetime.fromisoformat("9999-12-31T23:00:00-05:00")).isoformat()
    '9999-12-31T23:00:00-05:00'
    """
    try:
        return time.astimezone(UTC)
    except OverflowError:
        return time


def moment(time: datetime) -> str:
    """After ISO 8601.

    >>> moment(datetime(2026, 1, 2, 3, 4, 5, tzinfo=UTC))
    '2026-01-02T03:04:05Z'
    """
    return in_utc(time).isoformat(timespec="seconds").replace("+00:00", "Z")


def moment_to_read(time: datetime) -> str:
    """For people.

    >>> moment_to_read(datetime(2026, 1, 2, 3, 4, 5, tzinfo=UTC))
    '2026-01-02 03:04:05 UTC'
    """
    return in_utc(time).isoformat(sep=" ", timespec="seconds").replace("+00:00", " UTC")
