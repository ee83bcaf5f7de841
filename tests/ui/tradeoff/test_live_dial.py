"""The live dial's frames: the same numbers and sentences as the page's own at every epsilon, and nothing hidden."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from dataclasses import replace
from itertools import pairwise

import numpy as np
import pytest
from streamlit.testing.v1 import AppTest

from dpengine import beliefs
from dpengine.accuracy import Guess
from dpengine.frames import EPSILONS, position
from dpengine.mechanisms import DiscreteLaplaceMechanism
from dpengine.plan import PlannedQuery
from dpengine.privacy import Guarantee, Neighbors
from dpengine.queries import CountPeopleQuery, CountQuery, ModeQuery, QuantileQuery
from dpengine.scenario import Scenario
from dpengine.spending import Balance
from pages import session
from pages.question.dial import component, trade_off_axes
from pages.question.dial import frame_cache as made
from pages.question.question_view import QuestionView
from tests.examples.ledgers import SCHEMA
from tests.running.cases import each
from tests.ui.dials import above_the_dial, frames_on, make_films_of, now_on
from tests.ui.reading import texts

OpenPage = Callable[[str], AppTest]
SHOWN = tuple(EPSILONS[place] for place in (0, 20, 41, 70, 90, 101, -1))
"""The epsilons of the frames that are made here; that a page hands over all of them is a test of its own."""


@pytest.fixture(autouse=True)
def film(monkeypatch: pytest.MonkeyPatch) -> None:
    """More frames than elsewhere, both ends among them."""
    make_films_of(monkeypatch, SHOWN)


@pytest.fixture(scope="module", autouse=True)
def no_film_of_others() -> Iterator[None]:
    """Nor is one left to them."""
    made._shared.clear()
    yield
    made._shared.clear()


@pytest.fixture
def page(open_page: OpenPage) -> AppTest:
    """The trade-off page on the built-in table's first question, a count of people at epsilon 0.1."""
    return open_page("explore/tradeoff")


def test_the_welcome_page_hands_over_every_frame_at_once(
    new_app: Callable[[], AppTest], monkeypatch: pytest.MonkeyPatch
) -> None:
    make_films_of(monkeypatch, EPSILONS)
    made._shared.clear()
    app = new_app().run()
    film = frames_on(app)
    assert len(film.header["labels"]) == len(EPSILONS) >= 120
    assert [float(label) for label in film.header["labels"]] == list(EPSILONS)
    assert len(film.row("dots", 0)) * len(EPSILONS) == len(film.arrays["dots"])
    assert len(film.raw) < 500_000
    assert now_on(app)["index"] == EPSILONS.index(0.1)


@pytest.mark.parametrize("dialled", ["app", "page"])
def test_why_the_dial_stays_stands_above_it(request: pytest.FixtureRequest, dialled: str) -> None:
    """Below it, nobody sees a sentence while the box holds a number that the pictures do not show."""
    shown: AppTest = request.getfixturevalue(dialled)
    box = next(one for one in shown.number_input if (one.key or "").endswith("epsilon_box"))
    assert "error" not in above_the_dial(shown)
    assert "error" in above_the_dial(box.set_value(1e-9).run())


def test_the_two_worlds_are_those_of_the_relation(page: AppTest) -> None:
    assert list(frames_on(page).header["worlds"]) == ["without", "with one person"]
    assert "50:50 whether one person is in the table, even" in now_on(page)["frame"]["words"]["believed"]
    plan = page.session_state["scenario"]
    public = replace(plan, neighbors=Neighbors.REPLACE_ONE, schema=replace(plan.schema, people=5000))
    page.session_state["scenario"] = public
    page.run()
    header = frames_on(page).header
    assert list(header["worlds"]) == ["one value", "another value of one person"]
    assert header["curves"] == "Two curves: answers with one value of one person, and with another value."
    assert "50:50 which of two records is one person's, even" in now_on(page)["frame"]["words"]["believed"]
    assert "50:50 which of two records is one person's, even" in texts(page)
    assert "is in the table" not in now_on(page)["frame"]["words"]["believed"]


def test_band_and_belief_of_a_frame_are_those_of_the_released_law(page: AppTest) -> None:
    film = frames_on(page)
    laws = [DiscreteLaplaceMechanism.from_epsilon(epsilon, l1_sensitivity=1) for epsilon in SHOWN]
    half_widths = np.array([law.error_quantile(0.95) for law in laws])
    spread = np.log(half_widths[half_widths > 0.0])
    places = np.zeros(len(SHOWN))
    places[half_widths > 0.0] = (spread - spread.min()) / (spread.max() - spread.min())
    for index, epsilon in enumerate(SHOWN):
        axis = film.header["axes"][film.row("axis", index)[0]]
        low, high = film.row("band", index)
        assert (high - 0.5) * 2 * axis["reach"] == pytest.approx(half_widths[index], rel=1e-5)
        assert low == pytest.approx(1.0 - high, abs=1e-6)
        assert film.row("after", index) == pytest.approx(beliefs.posterior_bounds(0.5, epsilon=epsilon), rel=1e-6)
        most = beliefs.posterior_bounds(np.linspace(0.0, 1.0, 41), epsilon=epsilon)[1]
        assert film.row("most", index) / 65535 == pytest.approx(most, abs=1e-5)
        assert film.row("risk", index)[0] == pytest.approx(
            2.0 * beliefs.posterior_bounds(0.5, epsilon=epsilon)[1] - 1.0
        )
        assert film.row("error", index)[0] == pytest.approx(places[index], abs=1e-6)
        assert film.row("price", index)[0] == pytest.approx(min(epsilon / 3.0, 1.0))


@pytest.mark.parametrize("place", [0, 1, 2])
def test_a_frame_says_what_the_page_says_at_its_epsilon(page: AppTest, place: int) -> None:
    page.selectbox(key="tradeoff_question").set_value(place).run()
    film = frames_on(page)
    for index in (1, 4):
        said = film.words(index)
        page.number_input(key="tradeoff_epsilon_box").set_value(SHOWN[index]).run()
        assert page.title[0].value.replace("\\", "") == said["finding"]
        assert f"off by at most {said['within'].replace('±', '')}" in said["finding"]
        assert f"error within {said['within']}, " in said["spoken"]
        assert said["seen"].split(" (")[0] in texts(page)
        assert now_on(page)["frame"]["words"] == said, "A typed epsilon is evaluated as the frame at the same one was."


def test_a_typed_epsilon_between_two_frames_is_evaluated_exactly(page: AppTest) -> None:
    before = frames_on(page).raw
    page.number_input(key="tradeoff_epsilon_box").set_value(0.1234).run()
    now = now_on(page)
    half_width = DiscreteLaplaceMechanism.from_epsilon(0.1234, l1_sensitivity=1).error_quantile(0.95)
    assert now["index"] is None
    assert now["frame"]["label"] == "0.1234"
    assert f"off by at most {half_width:g} people" in now["frame"]["words"]["finding"]
    assert now["frame"]["place"] == pytest.approx(position(0.1234))
    assert frames_on(page).raw == before, "What the browser has already is not made anew."


def test_another_budget_has_other_prices(page: AppTest) -> None:
    plan = page.session_state["scenario"]
    for budget in (3.0, 6.0, 3.0):
        page.session_state["scenario"] = replace(plan, budget=Guarantee(epsilon=budget, delta=plan.budget.delta))
        page.run()
        prices = [frames_on(page).row("price", index)[0] for index in range(len(SHOWN))]
        assert prices == pytest.approx([min(epsilon / budget, 1.0) for epsilon in SHOWN])


def test_an_epsilon_beyond_the_ends_of_the_dial_is_still_shown(page: AppTest) -> None:
    for epsilon in (1e-6, 50.0, 1e4):
        page.number_input(key="tradeoff_epsilon_box").set_value(epsilon).run()
        now = now_on(page)
        assert now["index"] is None
        assert now["frame"]["place"] == (0.0 if epsilon < 1 else 1.0)
        assert float(now["frame"]["label"]) == epsilon


def test_targets_shade_the_epsilons_that_meet_both(page: AppTest) -> None:
    page.number_input(key="target_error_0").set_value(10.0)
    page.number_input(key="target_belief").set_value(70.0).run()
    low, high = now_on(page)["shade"]
    least, most = (float(found) for found in re.findall(r"ε at (?:least|most) ([\d.]+)", texts(page)))
    assert (low, high) == pytest.approx((position(least), position(most)), abs=1e-3)
    page.number_input(key="target_belief").set_value(51.0).run()
    assert now_on(page)["shade"] is None


def test_the_corner_of_an_error_ends_where_the_dial_meets_it_for_all_numbers_or_for_each_alone(page: AppTest) -> None:
    page.selectbox(key="tradeoff_question").set_value(2).run()
    page.number_input(key="target_error_2").set_value(95.0).run()
    for together in (True, False):
        page.checkbox(key="target_together_2").set_value(together).run()
        page.button(key="target_use").click().run()
        now = now_on(page)
        assert now["frame"]["error"] == pytest.approx(now["wanted"]["error"], abs=2e-3)


@each(("least", "largest"), [(8e-6, 0.1), (3e-6, 0.4), (1e-9, 1e-4), (2e-5, 3.0), (0.3, 3e4), (1e-3, 1e9), (1.0, 1.0)])
def test_labels_of_errors_of_any_size_stand_apart(least: float, largest: float) -> None:
    """By their length in letters, on a picture that is some 28 letters wide."""
    ticks = trade_off_axes.error_ticks(trade_off_axes.TradeOffSpan(least_error=least, largest_error=largest, prior=0.5))
    ends = [(28 * one["at"] - len(one["text"]) / 2, 28 * one["at"] + len(one["text"]) / 2) for one in ticks]
    assert ticks
    assert all(right < left for (_, right), (left, _) in pairwise(ends))


def test_hidden_exact_values_are_in_no_frame(page: AppTest) -> None:
    assert b"1,398" in frames_on(page).raw
    page.sidebar.toggle(key="exact_toggle").set_value(False).run()
    assert b"1,398" not in frames_on(page).raw
    assert "1,398" not in str(now_on(page))
    assert frames_on(page).header["axes"][0]["title"] == "error, people"


@pytest.mark.parametrize("query", [ModeQuery(column="self_rated_health"), QuantileQuery(column="age", quantile=0.5)])
@pytest.mark.parametrize("shown", [True, False])
def test_a_chosen_answer_has_frames_of_its_own(page: AppTest, query: ModeQuery | QuantileQuery, shown: bool) -> None:
    plan = page.session_state["scenario"]
    asked = PlannedQuery(query=query, guarantee=Guarantee(epsilon=0.1))
    page.session_state["scenario"] = replace(plan, queries=(asked,))
    page.run()
    page.sidebar.toggle(key="exact_toggle").set_value(shown).run()
    assert not page.exception
    film = frames_on(page)
    kinds = {True: "named" if isinstance(query, ModeQuery) else "chosen", False: "worst"}
    assert film.header["kind"] == kinds[shown]
    dots = [int(film.row("dots", index).sum()) for index in range(len(SHOWN))]
    assert min(dots) >= 90 if shown else dots == [0] * len(SHOWN)
    assert page.title[0].value.replace("\\", "") == now_on(page)["frame"]["words"]["finding"]


def test_a_question_that_cannot_be_answered_gets_a_sentence(page: AppTest) -> None:
    page.session_state["scenario"] = replace(page.session_state["scenario"], queries=())
    page.run()
    assert page.title[0].value == "There is no question to weigh yet"
    with pytest.raises(StopIteration):
        frames_on(page)


def left_behind() -> None:
    """What was typed is heard after its page is gone."""
    from pages.question.dial import component

    component._turned("gone", "typed")


def test_a_dial_whose_page_is_gone_says_nothing() -> None:
    assert not AppTest.from_function(left_behind).run().exception


def test_what_is_pinned_holds_nothing_of_the_rows(monkeypatch: pytest.MonkeyPatch) -> None:
    """Pinned while exact values are shown, it is drawn with what may be seen when they are hidden again."""
    kept = dict[str, object]()
    monkeypatch.setattr(session, "remember", kept.__setitem__)
    monkeypatch.setattr(session, "remembered", kept.get)
    planned = PlannedQuery(query=CountQuery(), guarantee=Guarantee(epsilon=0.1))
    budget = Guarantee(epsilon=1.0)
    hidden = QuestionView(
        planned=planned,
        plan=Scenario(table_name="people", schema=SCHEMA, neighbors=Neighbors.ADD_REMOVE, budget=budget),
        guess=Guess(records=100, answer=50.0),
        center=None,
        confidence=0.95,
        prior=0.5,
        delta=0.0,
        balance=Balance.untouched(budget, "basic"),
    )
    component._pin(replace(hidden, center=4217.0, guess=Guess(records=4217, answer=4217.0)), "dial", "0.5")
    pinned = component._pinned(hidden, "dial")
    assert pinned == hidden.at(0.5)
    assert "4217" not in repr(kept)
    other = replace(planned, query=CountPeopleQuery())
    assert component._pinned(replace(hidden, planned=other), "dial") is None
