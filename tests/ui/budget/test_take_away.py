"""What is taken along from the budget and release pages: written without the session, and with nothing exact in it."""

from __future__ import annotations

import json
from collections.abc import Callable
from typing import Any

import pytest
from streamlit.delta_generator import DeltaGenerator
from streamlit.testing.v1 import AppTest

from dpengine.data import CategoryColumn, Comparison, NumberColumn, Schema, TextColumn, read_table
from dpengine.data.files.file_form import FileForm
from dpengine.plan import PlannedQuery
from dpengine.privacy import Guarantee, Neighbors
from dpengine.queries import CountQuery, HistogramQuery, MeanQuery, ModeQuery, VarianceQuery
from dpengine.scenario import Scenario
from tests.ui.reading import texts

OpenPage = Callable[[str], AppTest]
Files = dict[str, Callable[[], str | bytes]]
SCHEMA = Schema(
    name="visits",
    columns=(
        TextColumn(name="who"),
        NumberColumn(name="cost", lower=0, upper=1000, unit="euros"),
        CategoryColumn(name="ward", categories=("a", "b")),
    ),
)
ROWS = b"who,cost,ward\n" + b"".join(
    f"{row},{row * 7 % 997},{'a' if row < 1733 else 'b'}\n".encode() for row in range(4159)
)
EXACT = ("1733", "1,733", "2426", "2,426", "4159", "4,159", "498.")
KINDS = ("policy", "python", "notebook", "numbers")
ASKED = (
    CountQuery(Comparison("ward", "=", "a")),
    MeanQuery("cost"),
    HistogramQuery("ward"),
    VarianceQuery("cost"),
    ModeQuery("ward"),
)


@pytest.fixture
def files(monkeypatch: pytest.MonkeyPatch) -> Files:
    """What each button would send, by its key; the buttons stay as they are."""
    written: Files = {}
    button = DeltaGenerator.download_button

    def noted(self: DeltaGenerator, label: str, data: Any, **options: Any) -> bool:
        written[options["key"]] = data
        return button(self, label, data, **options)

    monkeypatch.setattr(DeltaGenerator, "download_button", noted)
    return written


def brought(app: AppTest, *, shown: bool) -> AppTest:
    """A table of 4,159 people that somebody brought, with a plan of five questions."""
    app.session_state["table"] = read_table(ROWS, schema=SCHEMA, format="csv")
    app.session_state["scenario"] = Scenario(
        table_name="visits",
        schema=SCHEMA,
        neighbors=Neighbors.ADD_REMOVE,
        queries=tuple(PlannedQuery(query=query, guarantee=Guarantee(epsilon=0.2)) for query in ASKED),
        budget=Guarantee(epsilon=2.0),
    )
    app.session_state["exact_shown"] = shown
    return app


def texts_of(files: Files, page: str) -> dict[str, str]:
    texts = {kind: files[f"{page}_take_{kind}"]() for kind in KINDS}
    return {kind: text.decode("utf-8-sig") if isinstance(text, bytes) else text for kind, text in texts.items()}


def test_beside_a_released_answer_it_is_said_which_files_hold_none(open_page: OpenPage) -> None:
    said = texts(open_page("explore/release"))
    assert "Policy brief, script, notebook and numbers describe the plan" in said
    assert "these four files contain no released answer and no individual record" in said


@pytest.mark.parametrize("page", ["budget", "release"])
def test_the_ready_made_plan_is_taken_along(open_page: OpenPage, files: Files, page: str) -> None:
    assert not open_page(f"explore/{page}").exception
    texts = texts_of(files, page)
    assert "95% of answers would be off by at most 30 people." in texts["policy"]
    assert "1,398" in texts["policy"]
    assert "CountPeopleQuery(where=Comparison(column='hospital_stays', operator='>', value=0))" in texts["python"]
    assert json.loads(texts["notebook"])["nbformat"] == 4
    assert texts["numbers"].splitlines()[1].startswith('1,"how many people were in hospital at least once"')


@pytest.mark.parametrize("question", [0, 1, 3])
def test_nothing_exact_of_a_table_that_was_brought_travels(
    new_app: Callable[[], AppTest], files: Files, question: int
) -> None:
    """Shown or hidden, the files are the same; as a control the exact count is on the page while it is shown."""
    kept = []
    for shown in (False, True):
        app = brought(new_app(), shown=shown)
        app.session_state["question"] = question
        app.switch_page("pages/explore/budget/page.py").run()
        assert not app.exception
        kept.append(texts_of(files, "budget"))
    assert kept[0] == kept[1]
    for text in kept[0].values():
        assert not [exact for exact in EXACT if exact in text]
    assert "which is not in this brief" in kept[0]["policy"] or "Each dot is" in kept[0]["policy"]


def test_the_control_on_the_screen_the_exact_count_stands(new_app: Callable[[], AppTest]) -> None:
    app = brought(new_app(), shown=True)
    app.switch_page("pages/explore/tradeoff/page.py").run()
    assert "1,733" in "".join(one.value for one in app.markdown)


def test_a_typed_guess_may_travel(new_app: Callable[[], AppTest], files: Files) -> None:
    app = brought(new_app(), shown=False)
    app.switch_page("pages/explore/tradeoff/page.py").run()
    app.number_input(key="guess_answer_0").set_value(640.0).run()
    app.switch_page("pages/explore/release/page.py").run()
    assert not app.exception
    assert "around a guessed answer" in texts_of(files, "release")["policy"]
    assert "640" in texts_of(files, "release")["policy"]


def test_a_guess_that_makes_no_sense_is_not_used(new_app: Callable[[], AppTest], files: Files) -> None:
    app = brought(new_app(), shown=False)
    app.session_state["question"] = 1
    app.session_state["kept_guess_1_visits"] = {"records": 50.0, "answer": -1.0}
    app.switch_page("pages/explore/budget/page.py").run()
    assert not app.exception
    assert "What is the average" in texts_of(files, "budget")["policy"]


def test_changed_shares_and_budget_are_in_the_files(open_page: OpenPage, files: Files) -> None:
    page = open_page("explore/budget")
    box = next(box for box in page.number_input if box.value == 0.1)
    box.set_value(0.25).run()
    page.number_input(key="budget_epsilon").set_value(1.75).run()
    texts = texts_of(files, "budget")
    assert "Guarantee(epsilon=0.25)" in texts["python"]
    assert "budget=Guarantee(epsilon=1.75, delta=1e-06)" in texts["python"]
    assert "ε 0.25" in texts["policy"]
    assert "Left before the plan: ε 1.75" in texts["policy"]


def test_the_script_knows_how_the_file_was_read(new_app: Callable[[], AppTest], files: Files) -> None:
    app = brought(new_app(), shown=False)
    known = FileForm(dates="day first")
    for form, said in ((known, "WRITTEN = {\n    'dates': 'day first',\n}"), (None, "fill it in")):
        app.session_state["table_form"] = form
        app.switch_page("pages/explore/budget/page.py").run()
        assert said in texts_of(files, "budget")["python"]


def test_an_empty_plan_offers_nothing(new_app: Callable[[], AppTest], files: Files) -> None:
    app = brought(new_app(), shown=False)
    app.session_state["scenario"] = Scenario(
        table_name="visits", schema=SCHEMA, neighbors=Neighbors.ADD_REMOVE, budget=Guarantee(epsilon=2.0)
    )
    for page in ("budget", "release"):
        app.switch_page(f"pages/explore/{page}/page.py").run()
        assert not app.exception
    assert not [key for key in files if "_take_" in key]


def test_a_plan_with_a_question_that_nothing_answers_gets_a_sentence(
    new_app: Callable[[], AppTest], files: Files
) -> None:
    app = brought(new_app(), shown=False)
    plan = app.session_state["scenario"]
    guarantee = Guarantee(epsilon=0.2, delta=1e-7)
    chosen = PlannedQuery(query=ModeQuery("ward"), guarantee=guarantee, mechanism="gaussian")
    app.session_state["scenario"] = plan.with_query(chosen)
    app.switch_page("pages/explore/release/page.py").run()
    assert not app.exception
    assert "cannot be taken along as files.** The answer to this question is selected" in texts(app)
    assert not [key for key in files if "_take_" in key]
