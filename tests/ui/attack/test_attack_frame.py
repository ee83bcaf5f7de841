"""The frame of the attacks: few words an act, work that can be stopped, and a ground that hides what it has to."""

from __future__ import annotations

import threading
import time
from collections.abc import Callable, Iterator

import pytest
from streamlit.testing.v1 import AppTest

from dpengine import attacks
from dpengine.data import Comparison, NumberColumn, Schema, Table, read_table
from dpengine.errors import InvalidParameterError
from dpengine.plan import PlannedQuery
from dpengine.privacy import Guarantee, Neighbors
from dpengine.queries import CountQuery, SumQuery
from dpengine.scenario import Scenario
from pages.access import visit
from pages.lesson.check import Answer, Check
from pages.lesson.lesson import Shown
from pages.lesson.story import ATTACK, EPSILON, MOST_WORDS, PUBLISHED, Act, story
from pages.plan.work_panel import computing
from pages.serving import curator_token
from tests.ui.reading import texts

OpenPage = Callable[[str], AppTest]
NewApp = Callable[[], AppTest]
CHECK = Check(question="?", answers=[Answer(text="a", feedback="a", right=True), Answer(text="b", feedback="b")])
SECONDS = 20.0


def nothing() -> Shown:
    return Shown(finding="nothing")


def test_an_act_has_at_most_sixty_words() -> None:
    assert MOST_WORDS == 60
    Act(words="word " * 60, show=nothing)
    with pytest.raises(InvalidParameterError, match="at most 60 words"):
        Act(words="word " * 61, show=nothing)


def test_a_story_has_three_acts_and_leaves_its_question_answered() -> None:
    act = Act(words="a few words", show=nothing)
    told = story(
        "x", acts={PUBLISHED: act, ATTACK: act, EPSILON: act}, asked="Am I in?", answered="No.", checks=(CHECK,)
    )
    assert [step.name for step in told.steps] == ["What is published", "What the attacker does", "What ε changes"]
    assert told.series == "attack"
    assert "Am I in?" in told.closing
    assert told.closing.endswith("No.")


def working() -> None:
    """A page whose computation takes so long, in small steps that can be stopped between."""
    import time

    import streamlit as st

    from dpengine.attacks import Watch
    from pages.plan import work_panel
    from tests.ui.attack import test_attack_frame as frame

    wait, result = st.session_state["wait"], st.session_state["result"]

    def compute(watch: Watch) -> int:
        frame.STARTED.append(result)
        until = time.monotonic() + wait
        while time.monotonic() < until and not frame.GO.is_set():
            watch.tell(0.5)
            time.sleep(0.01)
        watch.tell(1.0)
        frame.ENDED.append(result)
        return int(result)

    found = work_panel.result_of((wait, result), compute, key="sum", words="Adding up")
    if found is not None:
        st.title(f"The result is {found}")


STARTED: list[int] = []
ENDED: list[int] = []
GO = threading.Event()


@pytest.fixture(autouse=True)
def fresh_work(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    monkeypatch.setattr("pages.plan.work_panel.PATIENCE", 0.3)
    STARTED.clear()
    ENDED.clear()
    GO.clear()
    yield
    GO.set()


def page_of(wait: float) -> AppTest:
    page = AppTest.from_function(working, default_timeout=SECONDS)
    page.session_state["wait"], page.session_state["result"] = wait, 7
    return page.run()


def until(true: Callable[[], bool]) -> None:
    last = time.monotonic() + SECONDS
    while not true():
        assert time.monotonic() < last
        time.sleep(0.01)


def test_a_quick_result_appears_at_once_and_is_kept() -> None:
    page = page_of(0.0)
    assert page.title[0].value == "The result is 7"
    assert page.run().title[0].value == "The result is 7"
    assert STARTED == [7]


def test_a_slow_one_shows_progress_and_then_its_result() -> None:
    page = page_of(SECONDS)
    assert not page.title
    assert page.button(key="sum_stop").label == "Stop"
    GO.set()
    until(lambda: ENDED == [7])
    assert page.run().title[0].value == "The result is 7"
    assert STARTED == [7]


def test_stop_ends_it_and_it_can_be_asked_for_again() -> None:
    page = page_of(SECONDS)
    page.button(key="sum_stop").click().run()
    page.run()
    assert page.info[0].value == "The computation was stopped."
    assert ENDED == []
    GO.set()
    page.button(key="sum_again").click().run()
    assert page.title[0].value == "The result is 7"
    assert STARTED == [7, 7]


def test_other_settings_stop_the_old_work() -> None:
    page = page_of(SECONDS)
    old = page.session_state["kept_sum"][1]
    page.session_state["wait"], page.session_state["result"] = 0.0, 8
    assert page.run().title[0].value == "The result is 8"
    until(lambda: bool(old.done()))
    assert ENDED == [8]


SCHEMA = Schema(name="own_rows", columns=(NumberColumn(name="height", lower=0, upper=200, complete=True),))
CSV = b"height\n" + b"".join(b"%d\n" % (100 + place) for place in range(40))
TALL = PlannedQuery(query=CountQuery(Comparison("height", ">=", 110)), guarantee=Guarantee(epsilon=0.5))


@pytest.fixture
def own() -> Iterator[Table]:
    table = read_table(CSV, schema=SCHEMA)
    yield table
    table.close()


def plan(*queries: PlannedQuery) -> Scenario:
    return Scenario(
        table_name="own_rows",
        schema=SCHEMA,
        neighbors=Neighbors.ADD_REMOVE,
        queries=queries,
        budget=Guarantee(epsilon=1.0),
    )


def bring(page: AppTest, table: Table, *queries: PlannedQuery, shown: bool) -> AppTest:
    """A table that was brought, with its plan, in this session."""
    page.session_state["table"] = table
    page.session_state["scenario"] = plan(*queries)
    page.session_state["exact_shown"] = shown
    return page


def grounds() -> None:
    import streamlit as st

    from dpengine.data import Comparison
    from dpengine.queries import CountQuery
    from pages.lesson import row_access

    table = row_access.own_or_invented("the invented hospital", key="ground")
    st.title("invented" if table is None else table.schema.name)
    st.write(f"exact: {row_access.exact_answer(CountQuery(Comparison('height', '>=', 110)))}")


@pytest.fixture
def somebody_else(monkeypatch: pytest.MonkeyPatch) -> None:
    """Every AppTest is a browser elsewhere."""
    monkeypatch.setattr(visit, "by_a_test", lambda: False)
    monkeypatch.setenv(visit.SERVED, "yes")
    monkeypatch.setenv(curator_token.VARIABLE, "a-token-that-somebody-chose")


def test_the_curator_who_shows_exact_values_may_attack_the_own_table(own: Table) -> None:
    page = bring(AppTest.from_function(grounds), own, TALL, shown=True).run()
    assert page.title[0].value == "own_rows"
    assert "exact: 30" in texts(page)
    assert "only you see it" in page.caption[0].value
    page.pills(key="ground").set_value("the invented hospital").run()
    assert page.title[0].value == "invented"


def test_hidden_exact_values_hide_the_table(own: Table) -> None:
    page = bring(AppTest.from_function(grounds), own, TALL, shown=False).run()
    assert page.title[0].value == "invented"
    assert "exact: None" in texts(page)
    assert "show exact values: the switch is at the side" in page.caption[0].value


def test_an_analyst_never_gets_the_table(own: Table, somebody_else: None) -> None:
    page = bring(AppTest.from_function(grounds), own, TALL, shown=True).run()
    assert page.title[0].value == "invented"
    assert "exact: None" in texts(page)
    assert "at the side" not in page.caption[0].value


def test_a_built_in_table_is_not_somebodys_own() -> None:
    page = AppTest.from_function(grounds).run()
    assert page.title[0].value == "invented"
    assert "exact: None" in texts(page)


def test_the_pills_of_another_table_are_forgotten(own: Table) -> None:
    page = bring(AppTest.from_function(grounds), own, TALL, shown=True)
    page.session_state["ground"] = "your table `older`"
    assert page.run().title[0].value == "own_rows"


def test_the_game_is_about_the_curators_own_count(open_page: OpenPage, own: Table) -> None:
    total = PlannedQuery(query=SumQuery("height"), guarantee=Guarantee(epsilon=0.5))
    page = bring(open_page("attack/guessing"), own, total, TALL, shown=True).run()
    assert page.title[0].value.startswith("29 or 30")
    assert page.selectbox(key="guessing_question").options == ["Question 2 of 2: How many rows have height ≥ 110?"]
    page.segmented_control(key="guessing_step").set_value(2).run()
    assert "Without this person it counts **29**, with this person **30**" in texts(page)
    session_table = page.session_state["table"]
    bring(page, session_table, total, shown=True).run()
    assert "Without Pablo" in texts(page)
    bring(page, session_table, total, TALL, shown=False).run()
    assert "Without Pablo" in texts(page)
    assert "29" not in texts(page)
    assert not page.exception


def test_one_that_nobody_asks_about_ends_and_begins_anew_for_who_comes_back(monkeypatch: pytest.MonkeyPatch) -> None:
    """A browser that left would let the server compute for nobody, and others wait for it."""
    monkeypatch.setattr("pages.plan.work_panel.LONELY_SECONDS", 0.2)
    page = page_of(SECONDS)
    work = page.session_state["kept_sum"][1]
    until(work._outcome.done)
    assert (STARTED, ENDED, work.is_stopped) == ([7], [], False)
    GO.set()
    assert not page.run().info
    until(lambda: ENDED == [7])
    assert page.run().title[0].value == "The result is 7"
    assert STARTED == [7, 7]


def test_who_asks_often_waits_behind_nobody_else_and_nobody_else_behind_them() -> None:
    """Of each address one computation at a time: another one's begins at once."""
    begun: list[str] = []

    def compute(name: str) -> Callable[[attacks.Watch], str]:
        def wait(watch: attacks.Watch) -> str:
            begun.append(name)
            while not GO.is_set():
                watch.tell(0.5)
                time.sleep(0.01)
            return name

        return wait

    often = [computing(compute(f"often {i}"), "192.0.2.1") for i in range(5)]
    until(lambda: len(begun) == 1)
    once = computing(compute("once"), "192.0.2.2")
    until(lambda: len(begun) == 2)
    assert begun[1] == "once"
    GO.set()
    assert [work.done(SECONDS) for work in (*often, once)] == [True] * 6
    assert {work.result() for work in often} == {f"often {i}" for i in range(5)}
