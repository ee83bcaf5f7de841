"""What waits for a person who comes back to the Data page: each table's plan, and the file in hand."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from streamlit.runtime.memory_uploaded_file_manager import MemoryUploadedFileManager
from streamlit.testing.v1 import AppTest

from dpengine.plan import PlannedQuery
from dpengine.privacy import Guarantee
from dpengine.queries import CountQuery
from pages import session
from pages.phrasing import wording
from pages.session.first_plan import first_plan
from pages.shell import sidebar
from tests.ui.budget.test_sharing import opened
from tests.ui.reading import button, switch, texts
from tests.ui.waiting import arrived

OpenPage = Callable[[str], AppTest]
CSV = b"age,sex\n34,f\n50,m\nold,f\n"


@pytest.fixture
def page(open_page: OpenPage) -> AppTest:
    return open_page("explore/data")


def declare(page: AppTest, name: str = "trial", rows: bytes = CSV) -> AppTest:
    """A number and a column that is left out."""
    page.file_uploader(key="upload_file").set_value((f"{name}.csv", rows, "text/csv")).run()
    page.text_input(key="table_name").set_value(name)
    page.selectbox(key="kind_0").set_value("number")
    page.selectbox(key="kind_1").set_value("leave out").run()
    page.number_input(key="lower_0").set_value(0)
    return page.number_input(key="upper_0").set_value(120).run()


def said(page: AppTest) -> str:
    return "\n".join((texts(page), *(caption.value for caption in page.caption)))


def use(page: AppTest) -> AppTest:
    return arrived(button(page, "use_table").click().run())


def test_a_plan_waits_for_its_table_and_declarations(page: AppTest) -> None:
    use(declare(page))
    asked = PlannedQuery(query=CountQuery(), guarantee=Guarantee(epsilon=0.5))
    page.session_state["scenario"] = page.session_state["scenario"].with_query(asked)
    use(declare(page, "another"))
    assert page.session_state["scenario"].queries == ()
    assert "Your 1 question about `trial` is kept in this tab" in said(page)
    page.button(key="open_patients").click().run()
    assert "kept in this tab" not in said(page)
    use(declare(page))
    assert page.session_state["scenario"].queries == (asked,)
    assert "kept in this tab" not in said(page)


def test_exact_values_start_hidden_each_time_a_table_is_brought(page: AppTest) -> None:
    assert page.session_state["exact_shown"], "The control: of practice data they are shown."
    use(declare(page))
    assert not page.session_state["exact_shown"]
    page.session_state["exact_shown"] = True
    page.button(key="declare_again").click().run()
    use(page)
    assert not page.session_state["exact_shown"]


def test_what_a_browser_still_says_of_the_table_before_shows_nothing_of_this_one(page: AppTest) -> None:
    """A press that left it before it had heard of this table brings the switches of the other one along, on."""
    use(declare(page))
    before = {name: switch(page, name) for name in ("exact_toggle", "report_shown")}
    for one in before.values():
        one.set_value(True).run()
    assert page.session_state["exact_shown"], "the control"
    use(declare(page, "another"))
    for name, one in before.items():
        now = switch(page, name)
        assert (now.key != one.key, now.value) == (True, False)
    assert not page.session_state["exact_shown"]


def test_a_late_press_on_the_switch_of_the_table_before_is_about_that_table(page: AppTest) -> None:
    """Streamlit still calls what such a switch is to call."""
    use(declare(page))
    late = str(switch(page, "exact_toggle").key)
    use(declare(page, "another"))
    told, now = list[bool](), str(switch(page, "exact_toggle").key)
    for key in (late, now):
        with pytest.MonkeyPatch.context() as patch:
            patch.setattr(session, "widget_held", lambda _: True)
            patch.setattr(session, "show_exact", lambda *, shown: told.append(shown))
            patch.setattr(session, "key_of_table", lambda _: now)
            sidebar._keep_exact(key)
    assert (late != now, told) == (True, [True])


def test_whatever_brings_another_table_into_use_its_switch_begins_anew(page: AppTest) -> None:
    """A link that is pasted, a practice table, the same file again, a table that is forgotten, the end of a visit."""
    use(declare(page))
    own, keys = page.session_state["scenario"].to_link(), [str(switch(page, "exact_toggle").key)]
    ways: tuple[Callable[[], AppTest], ...] = (
        lambda: opened(page).text_input(key="paste_link").set_value(first_plan("rand_hie").to_link()).run(),
        lambda: opened(page).text_input(key="paste_link").set_value(own).run(),
        lambda: page.button(key="open_patients").click().run(),
        lambda: use(declare(page)),
        lambda: page.button(key="forget_table").click().run(),
        lambda: page.button(key="open_patients").click().run(),
    )
    for way in ways:
        assert not way().exception
        found = [str(one.key) for one in page.sidebar.toggle]
        assert not {*keys} & {*found}, "What a browser says of a switch before is said of none that stands here."
        keys += found
    assert len(keys) >= len(ways), "The control: there were switches."


def test_what_exact_values_undo_is_said_before_they_are_shown(page: AppTest) -> None:
    assert wording.EXACT_SHOWN not in said(page), "Of practice data everybody knows them."
    use(declare(page))
    assert any(line.value == f":gray[{wording.EXACT_SHOWN}]" for line in page.sidebar.markdown)
    assert any(wording.EXACT_SHOWN in line.value for line in page.main.caption), "Also before the cells are counted."


def test_a_ready_made_plan_is_not_mourned(page: AppTest) -> None:
    use(declare(page))
    assert "kept in this tab" not in said(page)


def test_a_file_stays_in_hand_while_another_page_is_open(page: AppTest) -> None:
    page.file_uploader(key="upload_file").set_value(("trial.csv", b"age;sex\n34;f\n50;m\n", "text/csv")).run()
    page.selectbox(key="upload_delimiter").set_value(";").run()
    page.selectbox(key="kind_0").set_value("number").run()
    page.number_input(key="upper_0").set_value(90).run()
    page.switch_page("pages/explore/budget/page.py").run()
    page.switch_page("pages/explore/data/page.py").run()
    assert "`trial.csv`** :gray[is still here, and so is what you typed]" in said(page)
    assert page.selectbox(key="upload_delimiter").value == ";"
    assert page.number_input(key="upper_0").value == 90
    assert page.session_state["kept_upload_preview"], "The control: rows were looked at."
    page.button(key="put_file_away").click().run()
    assert not page.session_state["kept_upload_preview"]
    assert not any(str(one.key).startswith("use_table") for one in page.button)
    assert "still here" not in said(page)


def test_a_used_file_can_be_declared_differently_after_leaving_the_page(page: AppTest) -> None:
    use(declare(page))
    page.switch_page("pages/explore/budget/page.py").run()
    page.switch_page("pages/explore/data/page.py").run()
    page.button(key="declare_again").click().run()
    assert page.number_input(key="upper_0").value == 120
    page.button(key="put_file_away").click().run()
    assert "declare_again" not in [button.key for button in page.button]


def test_the_bytes_of_a_forgotten_table_are_freed(page: AppTest, monkeypatch: pytest.MonkeyPatch) -> None:
    use(declare(page))
    remove, kept = MemoryUploadedFileManager.remove_file, []

    def watched(files: MemoryUploadedFileManager, session_id: str, file_id: str) -> None:
        kept.append(file_id in files.file_storage[session_id])
        remove(files, session_id, file_id)
        kept.append(file_id in files.file_storage[session_id])

    monkeypatch.setattr(MemoryUploadedFileManager, "remove_file", watched)
    page.button(key="forget_table").click().run()
    assert kept == [True, False]
