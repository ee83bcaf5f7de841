"""What docs/security.md says to hold is held by tests that there are."""

from __future__ import annotations

import re

from tests.architecture.named_tests import is_there
from tests.servers.server import ROOT

PAGE = ROOT / "docs" / "security.md"


def unheld(page: str) -> list[str]:
    """Tests that a page names and nobody has, and rows of its tables that name none."""
    rows = [row for row in re.findall(r"^\|.*\|$", page, flags=re.MULTILINE) if not re.match(r"\|(---| threat )", row)]
    named = re.findall(r"`(tests/\S+::\S+)`", page)
    return [*(row for row in rows if "`tests/" not in row), *(name for name in named if not is_there(name))]


def test_every_line_names_a_test_that_there_is() -> None:
    page = PAGE.read_text(encoding="utf-8")
    assert page.count("`tests/") > 40
    assert unheld(page) == []
    row = "| a threat | what holds | `tests/architecture/test_security_page.py::{}` |"
    assert unheld(row.format("test_every_line_names_a_test_that_there_is")) == []
    for wrong in (
        row.format("test_of_which_nobody_knows"),
        row.format("unheld"),
        "| a threat | what holds | trust us |",
    ):
        assert unheld(wrong), wrong


def test_the_readme_leads_there() -> None:
    assert "(docs/security.md)" in (ROOT / "README.md").read_text(encoding="utf-8")
