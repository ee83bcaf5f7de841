"""The first page: one dial, three consequences, and doors that lead somewhere."""

from __future__ import annotations

from dataclasses import replace

import pytest
from streamlit.testing.v1 import AppTest

from dpengine.formatting import amount
from dpengine.mechanisms import DiscreteLaplaceMechanism
from tests.ui.reading import texts


@pytest.mark.parametrize("epsilon", [0.03, 1.5])
def test_the_dial_moves_title_risk_and_price(app: AppTest, epsilon: float) -> None:
    app.number_input(key="welcome_epsilon_box").set_value(epsilon).run()
    half_width = DiscreteLaplaceMechanism.from_epsilon(epsilon, l1_sensitivity=1).error_quantile(0.95)
    assert app.title[0].value == f"95% of possible answers are off by at most {amount(half_width)} people"
    assert f"costs **ε {epsilon:g}** of a budget of ε 3: **{round(3 / epsilon)}** such answers fit" in texts(app)


def test_the_exact_answer_is_public_practice_data(app: AppTest) -> None:
    assert "Exact answer **1,398** :gray[(public practice data)]" in texts(app)


def test_nothing_is_charged_by_turning_the_dial(app: AppTest) -> None:
    for epsilon in (0.1, 1.0, 10.0):
        app.number_input(key="welcome_epsilon_box").set_value(epsilon).run()
    assert "Nothing spent." in texts(app)


def test_the_plan_is_in_the_address_and_comes_back_from_it(app: AppTest) -> None:
    assert "plan" not in app.query_params  # the ready-made one comes by itself
    plan = app.session_state["scenario"]
    app.session_state["scenario"] = replace(plan, queries=plan.queries[:1])
    link = app.run().query_params["plan"]
    fresh = AppTest.from_file(app._script_path, default_timeout=60)
    fresh.query_params["plan"] = link[0] if isinstance(link, list) else link
    assert fresh.run().session_state["scenario"] == app.session_state["scenario"]


@pytest.mark.parametrize("link", ["nonsense", "eJwDAAAAAAE", "x" * 200_000])
def test_a_damaged_address_gets_a_sentence_and_a_plan(app: AppTest, link: str) -> None:
    fresh = AppTest.from_file(app._script_path, default_timeout=60)
    fresh.query_params["plan"] = link
    fresh.run()
    assert not fresh.exception
    assert "A ready-made plan is shown instead." in texts(fresh)
