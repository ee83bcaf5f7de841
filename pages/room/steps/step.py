"""What a step of a workshop is: what people do on their phones, what the projector shows, what the host may press."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from dpengine.workshop import Participant, Room


@dataclass(frozen=True, slots=True, kw_only=True)
class Script:
    """The facilitator's words: why, how long, what to say, what people usually get wrong, the question to end on."""

    goal: str
    minutes: int
    say: tuple[str, ...]
    mistaken: tuple[str, ...]
    ending: str


@dataclass(frozen=True, slots=True, kw_only=True)
class WorkshopStep:
    """One step; each function draws into the page as it stands.

    `phone` is drawn anew when the room moves on; `live`, below it, with everything that anybody does, each second.
    `screen` is the projector's, all of it live. `controls` are the host's own, below the common ones.
    """

    name: str
    title: str
    script: Script
    phone: Callable[[Room, Participant], None]
    screen: Callable[[Room], None]
    live: Callable[[Room, Participant], None] | None = None
    controls: Callable[[Room], None] | None = None
