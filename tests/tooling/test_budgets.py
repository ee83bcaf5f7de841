"""What families may take and took: every family stands in the guide, and what is over it is said."""

from tests.running import budgets
from tests.running.budgets import APPTEST, BROWSER, DATABASES, ENGINE, STATIC, STATISTICAL

FAMILIES = {STATIC, ENGINE, STATISTICAL, DATABASES, APPTEST, BROWSER}


def test_every_test_has_one_family_that_pays():
    for nodeid, family in [
        ("tests/browser/serving/test_two_servers.py::test_they_share_one_postgresql", BROWSER),
        ("tests/ui/test_tour.py::test_it", APPTEST),
        ("tests/contracts/engines/test_engines.py::test_all[spark-rows]", DATABASES),
        ("tests/contracts/engines/test_engines.py::test_all[duckdb-rows]", ENGINE),
        ("tests/contracts/ledger/test_laws.py::test_one", DATABASES),
        ("tests/statistical/test_audit.py::test_it", STATISTICAL),
        ("dpengine/plan/planned.py::dpengine.plan.planned", ENGINE),
    ]:
        assert budgets.family(nodeid) == family, (nodeid, family)


def test_the_guide_has_a_budget_for_every_family():
    assert set(budgets.budgets(budgets.GUIDE.read_text(encoding="utf-8"))) == FAMILIES


def test_what_is_over_its_budget_is_said():
    guide = "| engine | what | where | 10 s |\n| browser | what | where | 5 s |\n"
    lines = budgets.table({ENGINE: 10.0, BROWSER: 5.6}, guide).splitlines()
    assert [line.endswith("over") for line in lines] == [False, False, True]
    assert lines[1].split() == ["engine", "10", "s", "of", "10", "s"]
