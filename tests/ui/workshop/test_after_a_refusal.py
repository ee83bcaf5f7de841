"""After a budget has refused: what still fits may be asked, and the wall shows it again."""

from __future__ import annotations

from collections.abc import Callable

from streamlit.testing.v1 import AppTest

from dpengine.workshop import SPEND
from tests.ui.in_a_room import gathered, looked, phone, pressed, projector
from tests.ui.reading import texts

NewApp = Callable[[], AppTest]


def test_what_still_fits_may_be_asked_after_a_refusal_and_the_picture_is_back(new_app: NewApp) -> None:
    gathering = gathered(SPEND, budget=0.15, prices=(0.1, 0.05))
    (whom, _), (_, other) = (gathering.join(name) for name in ("Blue Heron", "Robin"))
    page = phone(new_app, other)
    gathering.ask(whom)
    assert gathering.ask(whom).state == "refused"
    page = looked(page)
    assert last_button(page) == ("Costs more than the ε 0.05 that is left", True)
    assert page.title[0].value == "Ask the table"
    assert not projector(new_app, gathering.room).get("plotly_chart")
    page.radio(key="room_question").set_value(1)
    page = looked(page)
    pressed(page, "Ask: costs")
    wall = projector(new_app, gathering.room)
    assert wall.get("plotly_chart")
    assert "With this question" in texts(wall)


def last_button(page: AppTest) -> tuple[str, bool]:
    """What the button that asks says, and whether it is off."""
    asks = [button for button in page.button if str(button.key).startswith("room_ask")]
    return asks[-1].label, asks[-1].disabled
