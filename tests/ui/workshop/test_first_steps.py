"""Guess who and Choose epsilon, on the phone, the projector and the host's page."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any, cast

import pytest
from streamlit.testing.v1 import AppTest

from dpengine.attacks import GuessingRules, Outcome, Score
from dpengine.plan import PlannedQuery
from dpengine.privacy import Guarantee
from dpengine.queries import CountQuery
from dpengine.workshop import CHOOSE, GUESS, Participant, Room, guessing, people, sayings
from dpengine.workshop.guessing import Wins
from pages.room import state
from pages.room.in_or_out import IN, OUT
from pages.room.steps import guess, guess_screen
from tests.examples.ledgers import ROWS
from tests.examples.ledgers import people as of_people
from tests.running.cases import each
from tests.ui.dials import frames_on
from tests.ui.hosted import HOST, brought, press, room, rooms, with_a_room
from tests.ui.in_a_room import phone, projector
from tests.ui.reading import button, texts

NewApp = Callable[[], AppTest]
KEEP = "room_choose"
FIRST, SECOND = (0.1234, 0.1234, 4.567), (0.2345, 0.3456, 0.4567)


@pytest.fixture(scope="module")
def new_ledger(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """One with a room about the built-in table, to be copied."""
    return with_a_room(tmp_path_factory.mktemp("room"))


@pytest.fixture
def opened(ledger_folder: Path) -> Room:
    """That room, in its lobby."""
    assert ledger_folder.exists()
    return room()


def at(step: str, phase: int = 0) -> Room:
    """The room moved on, or back, to a step and phase."""
    now = room()
    rooms().go(now, replace(now, place=now.setting.steps.index(step), phase=phase))
    return state.changed(now.id)


def joined(*names: str) -> list[tuple[Participant, str]]:
    return [people.join(rooms(), room(), name) for name in names]


def drawn(page: AppTest) -> str:
    """All that the pictures of a page are made of."""
    return " ".join(element.proto.spec for element in page.get("plotly_chart"))


def delivered(page: AppTest) -> str:
    """All that the page itself sends to a browser."""
    blocks: list[Any] = [page.main]
    found: list[Any] = []
    while blocks:
        for child in blocks.pop().children.values():
            (blocks if hasattr(child, "children") else found).append(child)
    return "\n".join(str(element.proto) for element in found)


def chosen(number: int, epsilons: Sequence[float], everybody: Sequence[tuple[Participant, str]]) -> None:
    for (whom, _), epsilon in zip(everybody, epsilons, strict=True):
        sayings.say(rooms(), whom, "choice", number=number, value=epsilon)


def test_before_a_guess_a_phone_shows_the_same_whether_the_person_is_in_or_out(opened: Room, new_app: NewApp) -> None:
    """Two phones with one noisy count: one person is in, the other is out, and nothing else differs."""
    now, found = at(GUESS), cast(dict[tuple[int, ...], dict[bool, tuple[Participant, str]]], {})
    both: dict[bool, tuple[Participant, str]] = {}
    for number in range(100):
        ((whom, key),) = joined(f"Heron {number:02}")
        first = guessing.next_round(guessing.game(now, whom, (), 0), 0)
        assert first is not None
        both = found.setdefault(first.answers, {})
        both[first.present] = (whom, key)
        if len(both) == 2:
            break
    assert len(both) == 2
    shown = [
        delivered(phone(new_app, key)).replace(whom.name, "Heron").replace(key, "key") for whom, key in both.values()
    ]
    assert shown[0] == shown[1]
    assert "The noisy count is" in shown[0]
    for whom, _ in both.values():
        guess._guess(now, whom, 0, IN)
    after = [delivered(phone(new_app, key)) for _, key in both.values()]
    assert tuple("✓ Right" in one for one in after) == tuple(both)


def test_a_second_tap_on_a_round_changes_nothing_and_a_round_that_was_not_seen_is_not_guessed(
    opened: Room, new_app: NewApp
) -> None:
    now, ((whom, key),) = at(GUESS), joined("Heron")
    for number, word in ((0, OUT), (0, IN), (7, IN), (1, IN), (0, IN)):
        guess._guess(now, whom, number, word)
    assert [(one.number, one.value) for one in sayings.said_by(rooms(), whom, "guess")] == [(0, -1.0), (1, 1.0)]
    assert "of 2** rounds" in texts(phone(new_app, key))


def test_who_has_played_all_rounds_is_thanked_and_plays_on_at_the_next_epsilon(
    opened: Room, new_app: NewApp, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(guessing, "MOST_GUESSES", 20)
    now, ((whom, key),) = at(GUESS), joined("Heron")
    for number in range(guessing.MOST_GUESSES + 3):
        guess._guess(now, whom, number, IN)
    page = phone(new_app, key)
    assert page.title[0].value == "Thank you"
    assert re.search(r"ε 0.1: right in \*\*\d+ of 20\*\* rounds", texts(page))
    now = at(GUESS, 1)
    guess._guess(now, whom, 20, IN)
    page = phone(new_app, key)
    assert "Some noise: ε 1. Round 2" in texts(page)
    assert re.search(r"ε 1: right in \*\*\d of 1\*\* rounds .*\n.*ε 0.1: right in \*\*\d+ of 20\*\*", texts(page))


def test_the_projector_counts_all_guesses_beside_what_nobody_beats(opened: Room, new_app: NewApp) -> None:
    at(GUESS)
    assert "upper limit for any attacker: 52.5 out of 100" in projector(new_app, room()).title[0].value
    now = at(GUESS, 1)
    assert "upper limit for any attacker: 73.2 out of 100" in projector(new_app, room()).title[0].value
    for whom, _ in joined("Heron", "Wren"):
        for number in range(20):
            guess._guess(now, whom, guessing.MOST_GUESSES + number, IN)
    known = guessing.wins(now, sayings.said(rooms(), now, "guess"), 1)
    page = projector(new_app, room())
    said = re.match(r"We are right in (\d+) out of 100 guesses", page.title[0].value)
    assert said is not None
    assert abs(int(said[1]) - 100 * known.score.wins / 40) < 0.51
    assert "**40** guesses by **2** people at **ε 1**" in texts(page)
    assert f"Longest streak of right guesses by one of us: **{known.score.longest}**" in texts(page)
    assert "0.1: at most 52.5" in drawn(page), "The limit that was played before stays in the picture."
    at(GUESS, 2)
    before = f"Before, at ε 1: **{known.score.wins} of 40** right; limit 73.2 out of 100."
    assert before in texts(projector(new_app, room()))


def stood(right: int, rounds: int) -> Wins:
    """A room that was right so often, all at first."""
    rules = GuessingRules(without=1000, guarantee=Guarantee(epsilon=1.0))
    score = Score(wins=right, rounds=rounds, streak=0, longest=right)
    outcome = Outcome(successes=right, trials=rounds, baseline=rules.baseline, bound=rules.bound)
    won = (True,) * right + (False,) * (rounds - right)
    return Wins(rules=rules, rounds=(rounds,), won=won, score=score, outcome=outcome)


@each(("right", "rounds", "words"), [(7, 10, ""), (8, 10, "luck, and it does not last"), (60, 60, "rare luck")])
def test_above_the_bound_is_called_luck(right: int, rounds: int, words: str) -> None:
    said = guess_screen.said(stood(right, rounds))
    assert words in said
    assert ("luck" in said) == bool(words)


def test_a_row_is_measured_by_coins_and_by_the_best() -> None:
    """8 in a row of 10: by coins in 2 of 256 rooms; at the bound 1.54 times the eighth power of 0.731."""
    said = guess_screen.said(stood(8, 10))
    assert "coins give somebody a streak this long in less than 1% of rooms, the best possible attacker in 13%." in said


def test_a_choice_is_kept_changed_and_shown_to_its_owner(opened: Room, new_app: NewApp) -> None:
    (whom, key), _ = joined("Heron", "Wren")
    at(CHOOSE)
    page = phone(new_app, key)
    assert "**Nothing chosen yet.**" in texts(page)
    page.button(key=KEEP).click().run()
    assert "**Kept: ε 0.1.**" in texts(page)
    page.number_input(key="room_epsilon_box").set_value(0.5).run()
    assert "**Kept: ε 0.1**, until you press the button again." in texts(page)
    page.button(key=KEEP).click().run()
    assert [(one.number, one.value) for one in sayings.said_by(rooms(), whom, "choice")] == [(0, 0.5)]
    at(CHOOSE, 1)
    assert "Your choice in round 1: **ε 0.5**" in texts(phone(new_app, key))


def test_a_choice_that_comes_too_late_is_not_kept_and_the_phone_says_so(opened: Room, new_app: NewApp) -> None:
    ((whom, key),) = joined("Heron")
    at(CHOOSE)
    page = phone(new_app, key)
    at(CHOOSE, 1)
    page.button(key=KEEP).click().run()
    assert sayings.said_by(rooms(), whom, "choice") == ()
    assert "You have chosen nothing so far." in texts(page)


def test_all_phones_share_one_film_without_an_exact_value(opened: Room, new_app: NewApp) -> None:
    """A session that shows exact values, and one with a table of its own, get the same bytes."""
    (_, first), (_, second) = joined("Heron", "Wren")
    at(CHOOSE)
    one = frames_on(phone(new_app, first))
    other = brought(new_app(), of_people(ROWS))
    other.session_state["exact_shown"] = True
    other.query_params["me"] = second
    other.switch_page("pages/workshop/room/page.py").run()
    assert frames_on(other).raw == one.raw
    said = " ".join(one.header["words"]["seen"])
    assert "Exact" not in said
    assert "If the answer is about 1,400 (a guess)" in said
    assert "Exact" in " ".join(frames_on(new_app().run()).header["words"]["seen"])


def test_the_projector_hides_a_round_until_it_is_shown(opened: Room, new_app: NewApp) -> None:
    everybody = joined("Heron", "Wren", "Robin")
    at(CHOOSE)
    chosen(0, FIRST, everybody)
    state.changed(opened.id)
    page = projector(new_app, room())
    assert "# 3 of 3 have chosen" in texts(page)
    assert ("first round" in drawn(page), "0.12" in texts(page), "0.12" in drawn(page)) == (False, False, False)
    at(CHOOSE, 1)
    page = projector(new_app, room())
    assert page.title[0].value == "Our middle choice is ε 0.12; the largest is 37 times the smallest"
    assert "95% of answers are within **±25 people**" in texts(page)
    assert "right in at most **53 out of 100** cases (50 is chance)" in texts(page)
    at(CHOOSE, 2)
    chosen(1, SECOND, everybody)
    state.changed(opened.id)
    page = projector(new_app, room())
    assert "# 3 of 3 have chosen" in texts(page)
    assert ("first round" in drawn(page), "second round" in drawn(page), "0.34" in texts(page)) == (True, False, False)
    at(CHOOSE, 3)
    page = projector(new_app, room())
    assert page.title[0].value.startswith("After talking: our middle choice is ε 0.3, before ε 0.12")
    assert "second round" in drawn(page)


def test_nobody_has_chosen_and_one_person_alone(opened: Room, new_app: NewApp) -> None:
    at(CHOOSE, 1)
    assert projector(new_app, room()).title[0].value == "Nobody has chosen anything in this round"
    ((whom, _),) = joined("Heron")
    at(CHOOSE)
    sayings.say(rooms(), whom, "choice", number=0, value=0.5)
    at(CHOOSE, 1)
    assert projector(new_app, room()).title[0].value == "Our middle choice is ε 0.5; one person has chosen"
    at(CHOOSE, 3)
    title = "After talking: our middle choice is ε 0.5, before ε 0.5"
    assert projector(new_app, room()).title[0].value == title, "Who presses nothing keeps the first choice."


def test_the_host_makes_the_rooms_choice_the_setting_and_takes_it_back(opened: Room, new_app: NewApp) -> None:
    everybody = joined("Heron", "Wren", "Robin")
    at(CHOOSE)
    chosen(0, FIRST, everybody)
    at(CHOOSE, 1)
    page = new_app().switch_page(f"pages/{HOST}/page.py").run()
    press(page, "Take the room’s choice: ε 0.12")
    assert room().epsilon == 0.12
    assert "Each question costs **ε 0.12** from now on" in texts(page)
    said = "We have chosen ε 0.12: the budget holds 8 answers"
    phone_and_wall = phone(new_app, everybody[0][1]), projector(new_app, room())
    assert [page.title[0].value for page in phone_and_wall] == [said, said]
    page.number_input(key="choose_epsilon").set_value(0.2).run()
    press(page, "Take the room’s choice: ε 0.2")
    assert room().epsilon == 0.2
    page.number_input(key="choose_epsilon").set_value(0.25)
    press(page, "Take the room’s choice: ε 0.2")
    assert room().epsilon == 0.2, "What came along with the press did not stand on the button."
    press(page, "Take the room’s choice: ε 0.25")
    assert room().epsilon == 0.25
    press(page, "Back to what was planned")
    assert room().epsilon is None


def test_a_press_takes_the_choice_that_its_page_showed(opened: Room, new_app: NewApp) -> None:
    """Somebody is let go meanwhile, and the median of the others is another one."""
    everybody = joined("Heron", "Wren", "Robin")
    at(CHOOSE)
    chosen(0, (0.1, 0.1, 0.5), everybody)
    at(CHOOSE, 1)
    page = new_app().switch_page(f"pages/{HOST}/page.py").run()
    people.let_go(rooms(), room(), [whom for whom, _ in everybody[:2]])
    state.changed(opened.id)
    press(page, "Take the room’s choice: ε 0.1")
    assert room().epsilon is None
    press(page, "Take the room’s choice: ε 0.5")
    assert room().epsilon == 0.5, "The control: now it was shown."


def test_a_choice_that_the_budget_does_not_hold_cannot_be_taken(opened: Room, new_app: NewApp) -> None:
    everybody = joined("Heron", "Wren", "Robin")
    at(CHOOSE)
    chosen(0, (4.0, 5.0, 6.0), everybody)
    at(CHOOSE, 1)
    page = new_app().switch_page(f"pages/{HOST}/page.py").run()
    refused = "The budget holds not even one question: the first is refused. **Type a smaller one.**"
    assert f"At ε 5: {refused}" in texts(page)
    assert button(page, "choose_take").disabled
    page.number_input(key="choose_epsilon").set_value(0.05).run()
    assert "At ε 0.05: The budget holds **20 questions**" in texts(page)
    press(page, "Take the room’s choice: ε 0.05")
    assert room().epsilon == 0.05


def test_of_a_budget_that_was_spent_from_only_the_rest_is_counted(opened: Room, new_app: NewApp) -> None:
    everybody = joined("Heron", "Wren", "Robin")
    at(CHOOSE)
    chosen(0, (0.05, 0.05, 0.05), everybody)
    at(CHOOSE, 1)
    before = PlannedQuery(query=CountQuery(), guarantee=Guarantee(epsilon=0.5))
    rooms().ledger.account(opened.account).charge("elsewhere", before)
    page = new_app().switch_page(f"pages/{HOST}/page.py").run()
    assert "At ε 0.05: The budget holds **10 questions**" in texts(page)
