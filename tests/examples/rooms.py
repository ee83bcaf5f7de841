"""A room as a value, which no ledger knows."""

from __future__ import annotations

from datetime import UTC, datetime

from dpengine.workshop import Room, Setting

DAY = datetime(2026, 11, 22, tzinfo=UTC)


def room_of(setting: Setting) -> Room:
    """In its first step, with the plan's own epsilons."""
    return Room(
        id=1,
        code="ABCD2345",
        screen="key",
        setting=setting,
        account=1,
        state="open",
        place=0,
        phase=0,
        epsilon=None,
        version=1,
        pulse=1,
        opened=DAY,
        expires=DAY,
    )
