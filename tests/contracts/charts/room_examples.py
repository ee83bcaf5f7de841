"""Charts of a room's budget, answers and attacks, as examples for the contract of charts."""

from __future__ import annotations

from collections.abc import Callable, Mapping

import numpy as np

from dpengine.attacks.on_answers import WornDown
from dpengine.charts import Chart, Palette
from dpengine.charts.rooms import attack_charts, room_charts, smaller_charts
from dpengine.charts.rooms.attack_charts import SecretsOpened
from dpengine.charts.rooms.room_charts import Bar, RoomBurn
from dpengine.charts.rooms.smaller_charts import Staircase, Staircases

NAN = float("nan")


def burn(count: int, *, counted: bool = False) -> RoomBurn:
    """So many questions at epsilon 0.1 on a budget of 1; what is beyond it is refused."""
    asked = 0.1 * np.arange(1, count + 1)
    spent = np.minimum(asked, 1.0)
    refused = np.where(asked > 1.0 + 1e-9, 1.1, NAN)
    return RoomBurn(
        naive=spent, advanced=0.9 * spent, refused=refused, budget=1.0, counted=0.5 * spent if counted else None
    )


def _staircases(palette: Palette) -> Chart:
    questions = np.arange(1, 400)
    stairs = [
        Staircase(label="naive", spent=np.array(0.01 * questions, dtype=np.float64), fits=100, color=palette.spent),
        Staircase(
            label="advanced",
            spent=np.array(0.05 * np.sqrt(questions), dtype=np.float64),
            fits=399,
            color=palette.advanced,
        ),
        Staircase(
            label="concentrated",
            spent=np.array(0.04 * np.sqrt(questions), dtype=np.float64),
            fits=None,
            color=palette.moments,
        ),
    ]
    view = Staircases(questions=questions, stairs=stairs, budget=1.0, asked=7, epsilon=0.9)
    return smaller_charts.staircases(view, palette)


def _together(count: int, *, counted: bool = False) -> Callable[[Palette], Chart]:
    return lambda palette: room_charts.together(burn(count, counted=counted), palette)


def _choices(*given: int) -> Callable[[Palette], Chart]:
    names = [f"answer {place}" for place in range(len(given))]
    return lambda palette: room_charts.choices(names=names, given=given, right=1, palette=palette)


def _bars(palette: Palette) -> Chart:
    rows = [Bar(name="one", length=30.0, words="±30", color=palette.answers)]
    return room_charts.bars(rows, axis="people off", palette=palette)


def _closing_in(told: int, further: int, exact: float | None) -> Callable[[Palette], Chart]:
    values = 40.0 + 10.0 * np.sin(np.arange(1.0, told + further + 1.0))
    averages = np.cumsum(values) / np.arange(1.0, told + further + 1.0)
    view = WornDown(values=values, averages=averages, told=told, exact=exact)
    return lambda palette: attack_charts.closing_in(view, palette)


def _secrets(people: int, opened: int) -> Callable[[Palette], Chart]:
    places = np.arange(people)
    view = SecretsOpened(opened=places < opened, without_noise=places >= 0, with_noise=places % 2 == 0)
    return lambda palette: attack_charts.secrets(view, palette)


EXAMPLES: Mapping[str, Callable[[Palette], Chart]] = {
    "a room that might have asked smaller": _staircases,
    "a room before its first question": _together(0),
    "a room's budget": _together(7),
    "a room's budget, refused": _together(14, counted=True),
    "a room's answers": _choices(3, 0, 60),
    "a room's answers, nobody's": _choices(0, 0),
    "a room's attack": _bars,
    "a room averages one answer": _closing_in(1, 0, None),
    "a room averages very many answers": _closing_in(5, 3000, 41.0),
    "a room's secrets, none opened": _secrets(128, 0),
    "a room's secrets, all opened": _secrets(2, 2),
}
