"""A made-up noise goes through every place that speaks of noises; a record that lacks one of its facets is none."""

from __future__ import annotations

import json
from collections.abc import Callable
from dataclasses import dataclass, fields, replace
from fractions import Fraction
from pathlib import Path
from typing import Any

import pytest
from streamlit.testing.v1 import AppTest

from dpengine.accuracy import answer_error, remeasured
from dpengine.data import Comparison
from dpengine.errors import RefusedQueryError
from dpengine.ledger import History
from dpengine.mechanisms import DiscreteLaplaceMechanism, exact_noise
from dpengine.mechanisms.additive.discrete_laplace import LAPLACE
from dpengine.mechanisms.kinds import NoiseKind, NumbersMoved
from dpengine.mechanisms.released import NOISES, kind_of
from dpengine.plan import PlannedQuery
from dpengine.plan.amounts import cost_of
from dpengine.privacy import Guarantee, Neighbors
from dpengine.queries import CountQuery, ModeQuery
from dpengine.release import release
from dpengine.reports import (
    history_csv,
    history_from_json,
    history_json,
    plan_notebook,
    plan_script,
    policy_brief,
    privacy_label,
)
from dpengine.scenario import Scenario
from pages.session.first_plan import first_plan
from tests.examples.explored import DAY, explored
from tests.examples.kept import SCHEMA, visits
from tests.examples.ledgers import ledger_at, opened
from tests.running.cases import each
from tests.ui.reading import button, texts


@dataclass(frozen=True, slots=True, kw_only=True)
class DoubledMechanism(DiscreteLaplaceMechanism):
    """Discrete Laplace noise of twice the scale that epsilon asks for."""


def _doubled(moved: NumbersMoved, share: Fraction, delta: Fraction) -> DoubledMechanism:
    sensitivity = int(moved.sensitivity.l1)
    return DoubledMechanism(scale=2.0 * sensitivity / float(share), l1_sensitivity=sensitivity)


FACETS: dict[str, Any] = {field.name: getattr(LAPLACE, field.name) for field in fields(LAPLACE)} | {
    "name": "doubled",
    "label": "Doubled",
    "in_words": lambda _: "noise of twice the scale",
    "mechanism": DoubledMechanism,
    "calibrated": _doubled,
}
DOUBLED: NoiseKind[DoubledMechanism] = NoiseKind(**FACETS)
ASKED = PlannedQuery(query=CountQuery(Comparison("ill", "=", True)), guarantee=Guarantee(epsilon=0.5))


@pytest.fixture(autouse=True)
def _entered(monkeypatch: pytest.MonkeyPatch) -> None:
    """The one line that an addition edits; more special than Laplace noise, it stands before it."""
    before = dict(NOISES)
    for name in before:
        monkeypatch.delitem(NOISES, name)
    for one in (DOUBLED, *before.values()):
        monkeypatch.setitem(NOISES, one.name, one)


@pytest.fixture
def asked() -> PlannedQuery:
    return replace(ASKED, mechanism="doubled")


@pytest.fixture
def plan(asked: PlannedQuery) -> Scenario:
    budget = Guarantee(epsilon=30.0, delta=1e-5)
    return Scenario(table_name="visits", schema=SCHEMA, neighbors=Neighbors.ADD_REMOVE, budget=budget, queries=(asked,))


def test_it_is_planned_priced_and_drawn(asked: PlannedQuery) -> None:
    (made,) = asked.mechanisms(SCHEMA, Neighbors.ADD_REMOVE)
    (usual,) = ASKED.mechanisms(SCHEMA, Neighbors.ADD_REMOVE)
    assert isinstance(made, DoubledMechanism)
    assert kind_of(made) is DOUBLED
    assert made.scale == 2 * usual.scale  # type: ignore[union-attr]
    assert cost_of(asked, SCHEMA, Neighbors.ADD_REMOVE) == cost_of(ASKED, SCHEMA, Neighbors.ADD_REMOVE)
    assert exact_noise.privacy_map(made) == pytest.approx(0.25)
    assert len(exact_noise.answer(made, [3, 4])) == 2
    parts = asked.parts(SCHEMA, Neighbors.ADD_REMOVE)
    wide, narrow = (answer_error(asked.query, parts, (one,)).quantile(0.95) for one in (made, usual))
    assert wide > 1.9 * narrow
    assert remeasured([made, made]).error_quantile(0.95) < wide


def test_a_noise_that_does_not_cover_its_price_is_not_released(
    asked: PlannedQuery, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    dear = replace(DOUBLED, calibrated=lambda moved, share, delta: _doubled(moved, share * 3, delta))
    monkeypatch.setitem(NOISES, "doubled", dear)
    account = opened(ledger_at(tmp_path / "b.db"), visits(), epsilon=20.0)
    with pytest.raises(RefusedQueryError, match="reveal more than it is charged for"):
        release(asked, visits(), account, request_id="one")
    monkeypatch.setitem(NOISES, "doubled", DOUBLED)
    release(asked, visits(), account, request_id="two")


def test_every_kept_thing_and_report_says_it(plan: Scenario, asked: PlannedQuery, tmp_path: Path) -> None:
    assert Scenario.from_json(plan.to_json()) == Scenario.from_link(plan.to_link()) == plan
    account = opened(ledger_at(tmp_path / "b.db"), visits(), epsilon=20.0)
    release(asked, visits(), account, request_id="one")
    history = History.of(account)
    assert history_from_json(history_json(history)).lines[0].entry.planned_query == asked
    assert "noise of twice the scale" in history_csv(history) + privacy_label(history, "one")
    assert "noise of twice the scale" in policy_brief(explored(plan, rows=visits())).lower()
    for text in (plan_script(plan, DAY), json.loads(json.dumps(plan_notebook(plan, DAY)))):
        assert 'part.noise == "doubled"' in str(text).replace("\\", "")


def test_the_screens_offer_it_and_say_it(new_app: Callable[[], AppTest], asked: PlannedQuery) -> None:
    page = new_app()
    query = CountQuery(Comparison("disease", "=", "mumps"))
    page.session_state["scenario"] = replace(
        first_plan("patients"), queries=(replace(asked, query=query),), budget=Guarantee(epsilon=9.0)
    )
    for place in ("tradeoff", "budget", "queries"):
        page.switch_page(f"pages/explore/{place}/page.py").run()
        assert not page.exception
    page.switch_page("pages/explore/tradeoff/page.py").run()
    assert "Doubled noise of scale" in texts(page)
    assert "Doubled" in str([box.options for box in page.selectbox] + [str(one) for one in page.get("button_group")])
    page.switch_page("pages/explore/release/page.py").run()
    button(page, "open_account").click().run()
    (press,) = [one for one in page.button if one.label == "Release this answer"]
    press.click().run()
    assert not page.exception
    assert page.title[0].value.startswith("The answer: ")


def test_a_choice_has_no_use_for_it() -> None:
    with pytest.raises(RefusedQueryError, match="has no use for Doubled noise"):
        PlannedQuery(query=ModeQuery("color"), guarantee=Guarantee(epsilon=1.0), mechanism="doubled").mechanisms(
            SCHEMA, Neighbors.ADD_REMOVE
        )


@each("facet", sorted(FACETS))
def test_a_record_that_lacks_a_facet_is_none(facet: str) -> None:
    with pytest.raises(TypeError, match=rf"missing 1 required .*'{facet}'"):
        NoiseKind(**{name: value for name, value in FACETS.items() if name != facet})
