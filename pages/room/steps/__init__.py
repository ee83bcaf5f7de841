"""The steps of a workshop, one file each; each is usable alone."""

from __future__ import annotations

from collections.abc import Mapping

from dpengine.workshop import Room
from pages.room.steps import attack, check, choose, guess, judge, smaller, spend
from pages.room.steps.step import Script, WorkshopStep

STEPS: Mapping[str, WorkshopStep] = {
    one.STEP.name: one.STEP for one in (guess, choose, spend, smaller, attack, check, judge)
}

__all__ = ["STEPS", "Script", "WorkshopStep", "of"]


def of(room: Room) -> WorkshopStep | None:
    """The step that a room is in; None in its lobby."""
    return STEPS[room.step] if room.step else None
