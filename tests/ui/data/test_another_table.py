"""What was said for one table when another is used: the accepted belief stays, the budget says where it is from."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

import pytest
from streamlit.testing.v1 import AppTest

from dpengine.plan import PlannedQuery
from dpengine.privacy import Guarantee
from dpengine.queries import CountQuery
from dpengine.scenario import PlanTargets
from tests.ui.budget.test_sharing import opened
from tests.ui.data.test_coming_back import declare, said, use
from tests.ui.reading import button, texts, travelled

OpenPage = Callable[[str], AppTest]
ASKED = PlannedQuery(query=CountQuery(), guarantee=Guarantee(epsilon=0.5))
STARTS = "The budget of ε 3, δ 10⁻⁶ is the one that a new plan starts with; change it on **Budget**."
BEFORE = "The budget of ε 5, δ 10⁻⁶ comes from the plan before; change it on **Budget**."


@pytest.fixture
def page(open_page: OpenPage) -> AppTest:
    """A table that somebody brought, with one question."""
    return asking(use(declare(open_page("explore/data"))))


def asking(page: AppTest) -> AppTest:
    page.session_state["scenario"] = replace(page.session_state["scenario"], queries=(ASKED,))
    return page.run()


def shown(page: AppTest, name: str) -> AppTest:
    return page.switch_page(f"pages/explore/{name}/page.py").run()


def belief(page: AppTest) -> object:
    """The accepted belief on the screen, which is also what travels."""
    found = shown(page, "tradeoff").number_input(key="target_belief").value
    assert travelled(page).targets.belief == (None if found is None else found / 100)
    return found


def accepting(page: AppTest, of_100: float) -> AppTest:
    return shown(page, "tradeoff").number_input(key="target_belief").set_value(of_100).run()


def planning(page: AppTest, budget: float) -> AppTest:
    shown(page, "budget").number_input(key="budget_epsilon").set_value(budget).run()
    return page.button(key="budget_keep").click().run()


def test_an_accepted_belief_stays_with_its_table(page: AppTest) -> None:
    accepting(page, 70.0)
    asking(use(declare(shown(page, "data"), "another")))
    assert belief(page) is None
    assert "How sure may an attacker become, starting from 50 out of 100? No limit yet." in texts(page)
    accepting(page, 60.0)
    use(declare(shown(page, "data")))
    assert belief(page) == 70.0
    use(declare(shown(page, "data"), "another"))
    assert belief(page) == 60.0
    shown(page, "data").button(key="open_patients").click().run()
    assert belief(page) is None


def test_a_table_that_is_declared_otherwise_keeps_its_belief(page: AppTest) -> None:
    accepting(page, 70.0)
    shown(page, "data").button(key="declare_again").click().run()
    page.number_input(key="upper_0").set_value(90).run()
    use(page)
    assert belief(page) == 70.0


def test_a_shared_plan_brings_the_belief_of_its_own_table(page: AppTest) -> None:
    accepting(page, 70.0)
    shared = travelled(page)
    link = replace(
        shared, targets=PlanTargets(belief=0.8), table_name="theirs", schema=replace(shared.schema, name="theirs")
    ).to_link()
    opened(page).text_input(key="paste_link").set_value(link).run()
    assert belief(page) == 80.0
    use(declare(shown(page, "data")))
    assert belief(page) == 70.0


def test_a_budget_that_nobody_set_is_the_one_where_the_dashboard_begins(page: AppTest) -> None:
    assert STARTS in said(page)
    assert "of the ε 3 that a new plan starts with" in texts(shown(page, "tradeoff"))
    assert STARTS.replace("The budget of ", "").replace(" is the", ", which is the") in texts(shown(page, "release"))
    planning(page, 5.0)
    assert "of the ε 5 that is planned" in texts(shown(page, "tradeoff"))
    assert "set on the **Budget** page" in texts(shown(page, "release"))
    assert "change it on **Budget**" not in said(shown(page, "data"))


def test_a_budget_that_comes_along_says_so_until_it_is_kept(page: AppTest) -> None:
    planning(page, 5.0)
    asking(use(declare(shown(page, "data"), "another")))
    assert BEFORE in said(page)
    assert BEFORE.replace("The budget of ", "").replace(" comes", ", which comes") in texts(shown(page, "release"))
    planning(page, 5.0)
    assert "change it on **Budget**" not in said(shown(page, "data"))


def test_a_budget_that_a_link_brought_says_so_until_it_is_kept(page: AppTest) -> None:
    planning(page, 5.0)
    assert "set on the **Budget** page" in texts(shown(page, "release")), "The control."
    link = replace(travelled(page), budget=Guarantee(epsilon=8.0)).to_link()
    opened(shown(page, "tradeoff")).text_input(key="paste_link").set_value(link).run()
    came = "came with the plan that was opened here; change it on **Budget**"
    assert f"ε 8, which {came}" in texts(shown(page, "release"))
    assert f"The budget of ε 8 {came}." in said(shown(page, "data"))
    planning(page, 6.0)
    assert "set on the **Budget** page" in texts(shown(page, "release"))


def test_an_epsilon_that_is_kept_does_not_say_the_delta_that_a_link_brought(page: AppTest) -> None:
    """It says how many answers there are as much as epsilon does."""
    link = replace(travelled(page), budget=Guarantee(epsilon=8.0, delta=0.4)).to_link()
    opened(shown(page, "tradeoff")).text_input(key="paste_link").set_value(link).run()
    planning(page, 6.0)
    said_now = texts(shown(page, "release"))
    assert "ε 6, δ 0.4, which has only its ε from here: its δ came along; change it on **Budget**" in said_now
    assert "give somebody away for sure with a chance of up to 40 out of 100" in said_now
    planning(page, 5.0)
    assert "only its ε from here" in texts(shown(page, "release")), "Another epsilon says no more of delta."
    assert "has only its ε from here: its δ came along. To keep it is to set it." in texts(shown(page, "budget"))
    planning(page, 5.0)
    assert "set on the **Budget** page" in texts(shown(page, "release")), "The control: both are kept as they stand."
    (delta,) = (box for box in shown(page, "budget").number_input if box.label == "delta (δ)")
    delta.set_value(1e-6).run()
    page.button(key="budget_keep").click().run()
    assert "Its δ is large" not in texts(shown(page, "release")), "The control."


def redeclared(page: AppTest, highest: float) -> None:
    button(shown(page, "data"), "declare_again").click().run()
    page.number_input(key="upper_0").set_value(highest).run()
    use(page)


def test_the_budget_stays_what_it_is_planned_to_be_when_a_table_is_declared_as_it_was_before(page: AppTest) -> None:
    planning(page, 5.0)
    redeclared(page, 110)
    planning(page, 1.0)
    redeclared(page, 120)
    assert page.session_state["scenario"].schema.columns[0].upper == 120.0, "The control: that of the first budget."
    assert page.session_state["scenario"].budget.epsilon == 1.0
    assert "set on the **Budget** page" in texts(shown(page, "release"))


def test_a_budget_of_an_earlier_plan_says_so(page: AppTest) -> None:
    """What was set last of this table was another one."""
    planning(page, 5.0)
    plan = page.session_state["scenario"]
    page.session_state["scenario"] = replace(plan, budget=Guarantee(epsilon=37.0))
    assert "set on the **Budget** page" not in texts(shown(page, "release"))
    assert "ε 37, which is that of an earlier plan for this table" in texts(page)


def forgetting(page: AppTest) -> None:
    button(page, "forget_table").click().run()


def practicing(page: AppTest) -> None:
    button(page, "open_patients").click().run()


def staying(page: AppTest) -> None:
    """Another file is dropped while the table is in use."""


@pytest.mark.parametrize("leave", [forgetting, practicing, staying])
def test_what_comes_after_a_table_has_no_budget_that_was_set_for_it(
    page: AppTest, leave: Callable[[AppTest], None]
) -> None:
    """Another file may have the same name, and other people."""
    planning(page, 5.0)
    name, origin = page.session_state["scenario"].table_name, "which is that of an earlier plan for this table"
    if leave is staying:
        use(declare(shown(page, "data"), name))
        assert "set on the **Budget** page" in texts(shown(page, "release")), "The control: the same rows."
    leave(shown(page, "data"))
    use(declare(page, name, b"age,who\n44,a\n"))
    assert origin in texts(shown(page, "release"))


def test_a_rule_that_comes_along_is_named_with_the_budget(page: AppTest) -> None:
    planning(page, 5.0)
    page.session_state["scenario"] = replace(page.session_state["scenario"], rule="concentrated")
    use(declare(shown(page, "data"), "another"))
    rule = "The plan's rule is concentrated: choose it on **Release**, where the account is opened."
    assert f"{BEFORE} {rule}" in said(page)
    page.session_state["scenario"] = replace(page.session_state["scenario"], rule="basic")
    assert BEFORE in said(page.run())
    assert "The plan's rule" not in said(page), "the control"


def test_a_host_reads_where_a_budget_is_from_and_what_a_large_delta_means(page: AppTest) -> None:
    link = replace(travelled(page), budget=Guarantee(epsilon=8.0, delta=0.4)).to_link()
    opened(shown(page, "tradeoff")).text_input(key="paste_link").set_value(link).run()
    assert "came with the plan that was opened here" in said(hosting(page))
    assert "with a chance of up to 40 out of 100" in said(page)
    page.number_input(key="host_delta").set_value(1e-6).run()
    assert "with a chance of up to" not in said(page), "The control."


def hosting(page: AppTest) -> AppTest:
    return page.switch_page("pages/workshop/host/page.py").run()
