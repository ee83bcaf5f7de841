"""What theory says of an answer's noise, t scales out: the engine's bounds and exact chances stand on the page."""

from __future__ import annotations

import math
import re
from collections.abc import Callable
from dataclasses import replace

import pytest
from streamlit.testing.v1 import AppTest

from dpengine.accuracy import (
    ErrorLaw,
    Guess,
    RatioBounds,
    guess_from_rows,
    has_ratio_bounds,
    has_textbook_bounds,
    textbook_bounds,
)
from dpengine.data import Comparison, load_sample
from dpengine.formatting import amount, at_most, chance_of_100, number_in
from dpengine.plan import PlannedQuery
from dpengine.privacy import Guarantee, Neighbors
from dpengine.queries import (
    CountQuery,
    GroupedCountQuery,
    GroupedMeanQuery,
    MeanQuery,
    ProportionQuery,
    Query,
    VarianceQuery,
)
from dpengine.scenario import Scenario
from pages.session.first_plan import first_plan
from tests.ui.reading import moved, texts

OpenLook = Callable[..., AppTest]
ADULT = ProportionQuery(Comparison("age", ">=", 18))
ROW = re.compile(
    r"\| (chance [^|]*?) ([\d,.]+) ?([a-z ]+) \| at most ([\d.]+)% \|(?: [\d.]+% \|)? (less than 0.0001|[\d.]+)% \|"
)


@pytest.fixture
def open_look(new_app: Callable[[], AppTest]) -> OpenLook:
    """The trade-off of one question about the built-in patients, with the look open; exact values shown or not."""

    def opened(query: Query, *, shown: bool = True, **plan: object) -> AppTest:
        app = new_app()
        app.session_state["scenario"], app.session_state["exact_shown"] = planned(query, **plan), shown
        app.switch_page("pages/explore/tradeoff/page.py").run()
        app.segmented_control(key="closer_look").set_value("Textbook bounds").run()
        assert not app.exception
        return app

    return opened


def planned(query: Query, **plan: object) -> Scenario:
    asked = PlannedQuery(query=query, guarantee=Guarantee(epsilon=0.1))
    return replace(first_plan("patients"), queries=(asked,), **plan)  # type: ignore[arg-type]


def at(page: AppTest, t: float) -> list[tuple[str, float, str, float, str]]:
    """What the rows say at this t: whose chance, the limit and its unit, the bound in per cent, what is released."""
    page.slider(key="bounds_scales").set_value(t).run()
    assert not page.exception
    assert not page.error
    found = ROW.findall(texts(page))
    return [(who, number_in(limit), unit, float(bound), own) for who, limit, unit, bound, own in found]


def test_a_count_follows_t(open_look: OpenLook) -> None:
    page = open_look(CountQuery())
    assert page.slider(key="bounds_scales").value == 3.0
    assert "| error, on average | at most 10 people | 10 people | 9.98 people |" in texts(page)
    for t in (1.0, 3.0, 10.0):
        ((who, limit, unit, bound, released),) = at(page, t)
        assert (who, limit, unit) == ("chance of an error above", 10 * t, "people")
        assert bound == pytest.approx(100 * math.exp(-t), rel=0.01)
        q = math.exp(-0.1)
        assert released == chance_of_100(2 * q ** (limit + 1) / (1 + q))
        assert float(released) <= bound


def test_several_counts_stand_beside_the_union_bound(open_look: OpenLook) -> None:
    page, t = open_look(GroupedCountQuery(("sex",))), 2.0
    one, largest = at(page, t)
    law = planned_error(page)
    assert has_textbook_bounds(law)
    many = textbook_bounds(law, coordinates=2)
    assert largest[0] == "chance that the largest of 2 is above"
    assert largest[1] == math.ceil(10 * (math.log(many.coordinates) + t))
    assert largest[4] == chance_of_100(many.released_beyond(largest[1]))
    assert one[1] == 20
    assert float(largest[4]) <= largest[3] == one[3]
    assert "| all 2 errors added up, on average | at most 20 people | 20 people |" in texts(page)


@pytest.mark.parametrize(
    ("query", "who", "times"), [(MeanQuery("age"), "the mean is off", 1), (ADULT, "the share is off", 100)]
)
def test_a_noisy_sum_over_a_noisy_count_has_a_bound_of_its_own(
    open_look: OpenLook, query: Query, who: str, times: int
) -> None:
    page = open_look(query)
    law = planned_error(page, exact_guess(query))
    assert has_ratio_bounds(law)
    bounds = RatioBounds(law=law, coordinates=1)
    for t in (1.0, 3.0, 6.0):
        ((said, limit, _, bound, released),) = at(page, t)
        assert said == f"chance that {who} by more than"
        assert limit == number_in(at_most(times * bounds.error_at(t), 4))
        assert bound == number_in(at_most(100 * bounds.tail_bound(t)))
        assert released == chance_of_100(bounds.released_beyond(limit / times))
        assert float(released) < bound
    assert f"The scales are {amount(bounds.sum_scale)} for the sum and {amount(bounds.count_scale)} for" in texts(page)
    page.number_input(key="tradeoff_epsilon_box").set_value(0.001).run()
    assert "only the public bounds limit the error" in texts(page)


def planned_error(page: AppTest, guess: Guess | None = None) -> ErrorLaw:
    plan = page.session_state["scenario"]
    law: ErrorLaw = plan.queries[0].error(plan.schema, plan.neighbors, guess)
    return law


def exact_guess(query: Query) -> Guess:
    table, schema = load_sample("patients")
    return guess_from_rows(query, schema, Neighbors.ADD_REMOVE, table)


def test_several_means_say_what_they_assume(open_look: OpenLook) -> None:
    page = open_look(GroupedMeanQuery("age", ("sex",)), shown=False)
    ((who, *_),) = at(page, 2.0)
    assert who == "chance that any of 2 means is off by more than"
    assert "assuming about 2,000 rows, with a group's answer of 60 (which nobody has said). Every group is" in texts(
        page
    )


def test_a_mean_of_a_public_number_of_people_is_one_noisy_number(open_look: OpenLook) -> None:
    schema = replace(first_plan("patients").schema, people=500)
    page = open_look(MeanQuery("age"), neighbors=Neighbors.REPLACE_ONE, schema=schema)
    ((who, limit, unit, bound, released),) = at(page, 2.0)
    assert (who, limit, unit) == ("chance of an error above", 2 * 120 / 500 / 0.1, "years")
    assert float(released) <= bound == 13.6
    (share,) = at(open_look(ADULT, neighbors=Neighbors.REPLACE_ONE, schema=schema), 2.0)
    assert share[1:3] == (100 * 2 / 500 / 0.1, "percentage points")


def test_another_noise_or_a_variance_has_no_bounds_here(open_look: OpenLook) -> None:
    for query in (VarianceQuery("age"), CountQuery()):
        page = open_look(query)
        if query == CountQuery():
            assert len(page.slider) == 1
            moved(page.selectbox, "tradeoff_mechanism").set_value("gaussian").run()
        assert "This answer has other noise, or is put together in another way." in texts(page)
        assert len(page.slider) == 0
