"""Tables of the server's configuration: picked by name, declared, used in place; their address is never shown."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pyarrow as pa
import pyarrow.parquet as pq
import pytest
from streamlit.testing.v1 import AppTest

from dpengine.data import TABLES_VARIABLE, RowCount
from dpengine.data.connected.connections import OPENERS
from dpengine.plan import PlannedQuery
from dpengine.privacy import Guarantee
from dpengine.queries import CountQuery
from pages.plan.table.server_tables import ENGINES
from tests.ui.reading import button, switch, texts
from tests.ui.waiting import arrived

OpenPage = Callable[[str], AppTest]
EACH = Guarantee(epsilon=0.1)
UNTOLD = "folder-that-nobody-needs-to-know"


@pytest.fixture
def configured(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Two tables of which one is there; the file of the tables."""
    folder = tmp_path / UNTOLD
    folder.mkdir()
    visits = pa.table({"person": ["a", "a", "b", "c"], "cost": [1.5, 2.0, 30.0, None]})
    pq.write_table(visits, folder / "visits.parquet")
    file = tmp_path / "tables.toml"
    file.write_text(
        f"""
        [visits]
        url = "parquet://{folder}/visits.parquet"
        description = "Visits to [the](http://a.example) clinic"

        ["lost `x`"]
        url = "parquet://{folder}/lost.parquet"
        """,
        encoding="utf-8",
    )
    monkeypatch.setenv(TABLES_VARIABLE, str(file))
    return file


@pytest.fixture
def page(configured: Path, open_page: OpenPage) -> AppTest:
    assert configured.exists()
    return open_page("explore/data")


def keys(page: AppTest) -> list[str | None]:
    return [button.key for button in page.button]


def declared(page: AppTest) -> AppTest:
    """Everything that the table of visits needs."""
    page.button(key="pick_0").click().run()
    page.selectbox(key="kind_0").set_value("text")
    page.selectbox(key="kind_1").set_value("number").run()
    page.radio(key="unit_kind").set_value("identifier")
    page.number_input(key="lower_1").set_value(0)
    page.number_input(key="upper_1").set_value(50).run()
    return page.number_input(key="person_rows").set_value(1).run()


def test_nothing_is_offered_where_nothing_is_configured(open_page: OpenPage, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv(TABLES_VARIABLE, raising=False)
    assert "Tables of this server" not in texts(open_page("explore/data"))


def test_a_table_is_picked_by_name_and_used_where_it_is(page: AppTest) -> None:
    assert "Tables of this server" in texts(page)
    assert page.session_state["scenario"].table_name == "rand_hie"
    arrived(button(declared(page), "use_table").click().run())
    assert not page.error
    assert page.title[0].value == "`visits`: 2 columns, at most 1 row per person"
    assert "In Parquet files on this server; nothing is copied." in texts(page)
    assert page.session_state["table"].run(RowCount()).tolist() == [3]
    assert page.button(key="pick_0").disabled
    assert page.session_state["exact_shown"] is False
    assert "rows read" not in texts(page), "Counting what happened to the cells reads the whole table."
    switch(page, "report_shown").set_value(True).run()
    assert "4 rows read" in texts(page)
    switch(page, "contributions_shown").set_value(True).run()
    assert "Capping at 1 row per person drops 25% of the rows." in texts(page)


def test_cells_that_would_be_lost_are_told_before_it_is_used(page: AppTest) -> None:
    declared(page)
    assert not page.warning, "The control: nothing would be lost."
    page.radio(key="unit_kind").set_value("row")
    page.selectbox(key="kind_0").set_value("category").run()
    page.text_input(key="values_0").set_value("a, b").run()
    assert [one.value.split("\n")[1:] for one in page.warning] == [
        ["- `person`: 1 of 4 cells does not fit, such as `c`"]
    ]


def test_it_is_declared_again_or_forgotten(page: AppTest) -> None:
    arrived(button(declared(page), "use_table").click().run())
    page.button(key="declare_again").click().run()
    assert page.number_input(key="upper_1").value == 50
    page.number_input(key="person_rows").set_value(2).run()
    arrived(button(page, "use_table").click().run())
    assert page.session_state["scenario"].schema.unit.rows == 2
    page.button(key="forget_table").click().run()
    assert "table" not in page.session_state
    assert "Its rows are not here" in texts(page)
    assert not page.button(key="pick_0").disabled


def test_answers_about_it_are_together_only_while_it_stays_as_it_is(page: AppTest) -> None:
    arrived(button(declared(page), "use_table").click().run())
    page.switch_page("pages/explore/release/page.py").run()
    plan = page.session_state["scenario"]
    page.session_state["scenario"] = plan.with_query(PlannedQuery(query=CountQuery(), guarantee=EACH))
    page.run()
    for label in ("Open the account", "Release this answer", "Ask again, and pay again"):
        next(button for button in page.button if button.label == label).click().run()
    assert "You asked this 2 times" in texts(page)
    assert "If they changed in between, the combined answer describes neither state" in texts(page)
    page.switch_page("pages/explore/released/page.py").run()
    assert "The 2 answers to this question together" in texts(page)
    assert "may have changed between the answers; then the combined answer describes neither state" in texts(page)


def test_another_one_may_be_chosen_instead(page: AppTest) -> None:
    page.button(key="pick_0").click().run()
    assert not page.get("file_uploader") or page.file_uploader[0].key == "load_declaration"
    page.button(key="pick_none").click().run()
    assert not any(str(key).startswith("use_table") for key in keys(page))
    assert "open_patients" in keys(page)
    assert page.title[0].value.startswith("Health insurance study")


def test_a_table_that_cannot_be_opened_is_a_sentence(page: AppTest) -> None:
    page.button(key="pick_1").click().run()
    assert not page.exception
    assert len(page.error) == 1
    assert UNTOLD not in texts(page)
    page.button(key="pick_none").click().run()
    assert not page.error


def test_no_address_is_shown_and_no_description_comes_alive(page: AppTest) -> None:
    shown = "\n".join(text.value for text in (*page.markdown, *page.caption))
    assert UNTOLD not in shown
    assert "[the](http" not in shown
    assert "`lost 'x'`" in shown


def test_a_fault_of_the_configuration_is_a_sentence_beside_the_other_doors(configured: Path, page: AppTest) -> None:
    configured.write_text("[visits]\nurl = 3\n", encoding="utf-8")
    page.run()
    assert "'visits' is configured without its address" in texts(page)
    page.button(key="open_patients").click().run()
    assert page.session_state["scenario"].table_name == "patients"


def test_the_place_of_every_kind_of_table_has_words() -> None:
    assert set(ENGINES) == set(OPENERS)
