"""Every page is on everybody's list or lets only the curator in, by itself: a menu that hides it is no guard."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from pages.shell import menu
from tests.architecture.guards import begins_with_guard, behind, reached, reaches_rows, screens
from tests.servers.server import ROOT, page_files

PAGES = {path.relative_to(ROOT).as_posix(): path.read_text(encoding="utf-8") for path in page_files()}
FOR_ALL = {path for section in menu.FOR_ALL.values() for path in section} | {*menu.WITHOUT_A_LINK}
CURATORS = {path for section in menu.CURATORS.values() for path in section}
OF_STORIES = ("pages/learn/", "pages/attack/")
ROOM = ROOT / "pages" / "room"
WORKSHOP = {path.relative_to(ROOM).as_posix(): path.read_text(encoding="utf-8") for path in sorted(ROOM.rglob("*.py"))}
WITH_ROWS = {"tables.py", "hosting/paying.py"}
"""Of a workshop's screens: where a table is lent to a room, and the part of the host's page that lends it."""
ASKS = {"hosting/paying.py", "steps/spend.py", "steps/attack.py", "dial_question.py", "state.py"}
"""What may take a lent table: the host's page, the step in which people ask the shared account, what lets tables go;
and on public rows alone the step that judges a reconstruction, and the dial that says how large an answer is."""
HARMLESS = {"session", "session.rows", "phrasing.wording"}
"""The first two are watched name by name; the third only asks whether there are rows, to say so."""
REACH_ROWS = frozenset(
    {
        "explore.release.page",
        "explore.release.release_panels",
        "explore.release.waiting_panels",
        "explore.tradeoff.group_sizes",
        "learn.contributions.contributions",
        "learn.properties.properties",
        "lesson.row_access",
        "phrasing.wording",
        "plan.accounts",
        "plan.downloads",
        "plan.table.file_choices",
        "plan.table.loading_panel",
        "plan.table.recognized",
        "plan.table.schema_form",
        "plan.table.server_tables",
        "plan.table.table_facts",
        "question.bias_words",
        "question.guesses",
        "room.hosting.paying",
        "session",
        "session.rows",
        "shell.sidebar",
    }
)
"""All of the screens that reach rows: of a session, or of the public tables; wherever a module moves, it is found."""
HOLD_ROWS = REACH_ROWS - HARMLESS
_ACCOUNTS = {"plan.accounts", "question.bias_words"}
"""What is said of an account and of a bound on a person's rows: both only look whether rows are here."""
LEADS_TO_ROWS = {
    "pages/explore/budgets/page.py": _ACCOUNTS,
    "pages/explore/released/page.py": _ACCOUNTS,
    "pages/learn/contributions/page.py": {"learn.contributions.contributions"},
    "pages/learn/properties/page.py": {"learn.properties.properties"},
    "pages/workshop/projector/page.py": _ACCOUNTS,
    "pages/workshop/room/page.py": _ACCOUNTS,
    **{path: {"lesson.row_access"} for path in FOR_ALL if path.startswith("pages/attack/")},
}
"""Of the pages for everybody: what each leads to that reaches rows, through however many other modules."""


def own(path: str) -> str:
    """Where what only this page uses lies."""
    return path.removeprefix("pages/").removesuffix("page.py").replace("/", ".")


def place(path: Path) -> str:
    """Where a module of the screens lies, as it is imported from there."""
    return ".".join(path.relative_to(ROOT / "pages").with_suffix("").parts).removesuffix(".__init__")


def test_who_reaches_rows_is_on_one_list() -> None:
    found = {place(path) for path in (ROOT / "pages").rglob("*.py") if reaches_rows(path.read_text(encoding="utf-8"))}
    assert found == REACH_ROWS


def test_every_page_is_on_one_list() -> None:
    assert set(PAGES) == FOR_ALL | CURATORS
    assert not FOR_ALL & CURATORS


def test_curator_pages_refuse_by_themselves() -> None:
    assert {path for path, source in PAGES.items() if not begins_with_guard(source)} == FOR_ALL


def test_a_page_for_everybody_leads_to_no_rows_but_those_that_are_said() -> None:
    found = {path: behind(PAGES[path]) & HOLD_ROWS for path in FOR_ALL}
    assert {path: taken for path, taken in found.items() if taken} == LEADS_TO_ROWS


def test_a_room_reaches_rows_through_the_door_of_its_questions_alone() -> None:
    for name in sorted(WORKSHOP.keys() - WITH_ROWS):
        assert reaches_rows(WORKSHOP[name]) == set(), name
        assert reached(WORKSHOP[name], "pages") & HOLD_ROWS <= {"plan.accounts", "room.hosting.paying"}, name
        assert "tables" not in reached(WORKSHOP[name], "pages.room") or name in ASKS, name


def test_a_lesson_and_an_attack_are_nothing_but_their_story() -> None:
    for path in sorted(path for path in FOR_ALL if path.startswith(OF_STORIES)):
        assert reaches_rows(PAGES[path]) == set(), path
        used = screens(PAGES[path])
        assert used, path
        assert all(f"{name}.".startswith(("lesson.", own(path))) for name in used), path


def test_the_look_for_rows_sees_those_who_do_reach_them() -> None:
    ground = (ROOT / "pages" / "lesson" / "row_access.py").read_text(encoding="utf-8")
    assert {"table", "exact_shown"} <= reaches_rows(ground)
    for source in (
        "from pages.question import guesses",
        "from pages.question.guesses import known",
        "import pages.question.guesses",
        "from pages.room.hosting import paying",
        "def later():\n    from pages.plan.table import table_facts",
        "from pages.shell import sidebar",
    ):
        assert behind(source) & HOLD_ROWS, source


@pytest.mark.parametrize(
    ("page", "by_way_of"),
    [
        ("pages/explore/budgets/page.py", "plan/published_panels.py"),
        ("pages/explore/released/page.py", "plan/history_panels.py"),
        ("pages/learn/glossary/page.py", "widgets/outputs.py"),
        ("pages/attack/linkage/page.py", "lesson/lesson.py"),
        ("pages/workshop/projector/page.py", "phrasing/released_words.py"),
        ("pages/workshop/room/page.py", "room/phone.py"),
    ],
)
@pytest.mark.parametrize("taken", ["plan.table.table_facts", "explore.release.release_panels", "question.guesses"])
def test_rows_are_found_behind_what_a_page_for_everybody_is_built_of(page: str, by_way_of: str, taken: str) -> None:
    """Planted into a module between a page and what reaches rows, an import is seen from the page."""
    between = ROOT / "pages" / by_way_of

    def read(path: Path) -> str:
        return path.read_text(encoding="utf-8") + (f"\nimport pages.{taken}\n" if path == between else "")

    assert taken not in behind(PAGES[page])
    assert taken in behind(PAGES[page], read)


def test_every_way_to_rows_is_seen() -> None:
    for source in [
        "x = session.table()",
        "def f():\n    return session.exact_bias(query)",
        "from pages.session import required_table",
        "from pages.session.rows import required_table",
        "from pages import session as held",
        "from pages.session.rows import *",
        "from pages.session import rows",
        "import pages.session.rows",
        "import dpengine.data.samples\nx = dpengine.data.samples.load_sample('patients')",
        "from dpengine.data import load_sample",
        "reader = session.exact_scores",
        "x = session.widget_held('table')",
        "from pages.session.kept import widget_held\nx = widget_held('table')",
        "from pages import session\nx = getattr(session, name)",
    ]:
        assert reaches_rows(source), source
        assert not reaches_rows("session.remember('table', 1)\nframe = sample_frame('patients')\nx = other.table()"), (
            source
        )


def test_what_runs_alone_asks_each_time_who_is_there() -> None:
    """On every page: who was the curator when it was drawn may not be any more."""
    sources = (ROOT / "app.py", *(ROOT / "pages").rglob("*.py"))
    alone = [path for path in sources if "st.fragment" in path.read_text(encoding="utf-8")]
    assert alone == [ROOT / "pages" / "access" / "roles.py"]


def test_a_page_that_looks_first_is_seen() -> None:
    for source in [
        '"""Doc."""\nimport streamlit as st\nst.title("x")\nentry.require_curator()',
        "x = session.required_table()\nentry.require_curator()",
        "if session.table():\n    entry.require_curator()",
        "def f():\n    entry.require_curator()",
        "roles.current()",
        "",
    ]:
        assert not begins_with_guard(source), source


def test_a_guarded_page_passes() -> None:
    assert begins_with_guard(
        '"""Doc."""\nfrom pages.plan import entry\nKEY = "a"\n\ndef f(): ...\n\nentry.require_curator()'
    )


def test_what_shows_something_exact_has_a_switch_for_each_table() -> None:
    """With one key for all tables, a late press shows of the next one what was asked for of the one before."""
    fixed = re.compile(r"""toggle\(.*key=f?["']\w*_shown["']""")
    assert [path for path in (ROOT / "pages").rglob("*.py") if fixed.search(path.read_text(encoding="utf-8"))] == []
    assert fixed.search('st.toggle("Show", key="report_shown")')
    assert not fixed.search('st.toggle("Show", key=session.key_of_table("report_shown"))')
