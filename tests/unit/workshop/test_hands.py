"""What phones do in the attack: wishes added up, choices counted, an invented person for each."""

from __future__ import annotations

import math

from dpengine.workshop import Saying, hands
from dpengine.workshop.hands import AVERAGE, MOST_PRESSES, REBUILD, SUBTRACT


def said(act: int, **by: float) -> list[Saying]:
    """By participants named p1, p2 and so on."""
    return [Saying(participant=int(who[1:]), number=act, value=value) for who, value in by.items()]


def test_wishes_for_further_answers_add_up_and_nobody_wishes_for_very_many() -> None:
    done = hands.counted([*said(AVERAGE, p1=3, p2=1e9, p3=-5), *said(SUBTRACT, p1=2)])
    assert done.further == 3 + MOST_PRESSES


def test_the_group_that_most_chose_is_subtracted_and_the_first_of_equals() -> None:
    assert hands.counted(said(SUBTRACT, p1=2, p2=1, p3=2)).favorite == 2
    assert hands.counted(said(SUBTRACT, p1=2, p2=1)).favorite == 1
    assert hands.counted([]).favorite == 0


def test_everybody_has_an_invented_person_until_there_are_none_left() -> None:
    everybody = [7, 3, 9, 4]
    assert [hands.invented_person(one, everybody, people=3) for one in everybody] == [0, 1, 2, 0]


def test_secrets_are_open_whose_people_opened_them_and_all_of_them_at_the_end() -> None:
    done = hands.counted(said(REBUILD, p3=1, p8=1))
    assert hands.opened_by(done.opened, [7, 3, 9], people=5) == {1}, "Who has left opens nobody's."
    assert hands.opened_by([7, 3, 9, 8], [7, 3, 9], people=5) == {0, 1, 2, 3, 4}
    assert hands.opened_by([], [], people=math.comb(5, 1)) == set()
