"""Sharing a plan: what stands in the link and the file, what comes back from them, and a sentence for each bad one."""

from __future__ import annotations

import json
from collections.abc import Callable
from dataclasses import replace

import pytest
from streamlit.testing.v1 import AppTest

from dpengine.data import NumberColumn, Schema, read_table
from dpengine.plan import PlannedQuery
from dpengine.privacy import Guarantee, Neighbors
from dpengine.queries import CountQuery, SumQuery
from dpengine.scenario import PlanTargets, Scenario
from pages.session.first_plan import first_plan
from tests.examples import kept_links, planted
from tests.examples.forged import forged
from tests.servers.wire import Found, Wire
from tests.ui.reading import button, texts
from tests.ui.waiting import arrived
from tests.unit.scenario.test_links import BAD_LINKS

NewApp = Callable[[], AppTest]
OpenPage = Callable[[str], AppTest]
SCHEMA = Schema(name="trial", columns=(NumberColumn(name="age", lower=0, upper=120),))
OWN = Scenario(
    table_name="trial",
    schema=SCHEMA,
    neighbors=Neighbors.ADD_REMOVE,
    budget=Guarantee(epsilon=1.0),
    queries=(
        PlannedQuery(query=CountQuery(), guarantee=Guarantee(epsilon=0.5)),
        PlannedQuery(query=SumQuery("age"), guarantee=Guarantee(epsilon=0.25)),
    ),
    targets=PlanTargets(confidence=0.9, prior=0.2, belief=0.4, errors=(None, 2.5), question=1),
)


def opened(page: AppTest) -> AppTest:
    """With the place to share open."""
    page.session_state["share"] = True
    return page.run()


def arriving(new_app: NewApp, link: str) -> AppTest:
    """A session of its own that begins with this link."""
    fresh = new_app()
    fresh.query_params["plan"] = link
    return fresh.run()


def shown_link(page: AppTest) -> str:
    return str(page.code[0].value).split("?plan=")[1]


def said(page: AppTest) -> str:
    return "\n".join((texts(page), *(one.value for one in (*page.caption, *page.success)))).replace("\\", "")


@pytest.fixture
def page(open_page: OpenPage) -> AppTest:
    return opened(open_page("explore/queries"))


def test_the_link_and_the_file_hold_the_plan(page: AppTest) -> None:
    plan = first_plan("rand_hie")
    assert Scenario.from_link(shown_link(page)) == plan
    assert f"{len(page.code[0].value)} characters" in said(page)
    assert "Not in it:** any row, any exact value, any answer" in said(page)


def test_what_is_not_open_is_not_sent(open_page: OpenPage) -> None:
    assert not open_page("explore/budget").code


def test_every_page_about_the_plan_has_the_place(page: AppTest) -> None:
    for name in ("data", "budget", "release"):
        page.switch_page(f"pages/explore/{name}/page.py")
        assert Scenario.from_link(shown_link(opened(page))) == first_plan("rand_hie"), name


def test_a_lesson_has_none(open_page: OpenPage) -> None:
    assert not opened(open_page("learn/definition")).code


def test_a_pasted_link_opens_and_says_so(page: AppTest) -> None:
    page.text_input(key="paste_link").set_value(f" http://elsewhere.example:80/budget?plan={OWN.to_link()}&x=1 ").run()
    assert page.session_state["scenario"] == replace(OWN, targets=PlanTargets())
    assert "Opened: 2 questions about `trial`." in said(page)
    assert Scenario.from_link(shown_link(page)) == OWN


def test_a_saved_plan_comes_back(page: AppTest) -> None:
    text = OWN.to_json().encode()
    page.file_uploader(key="load_plan").upload("plan.json", text, "application/json").run()
    assert page.session_state["scenario"] == replace(OWN, targets=PlanTargets())
    assert "Opened: 2 questions about `trial`." in said(page)


BAD_FILES = {
    "another version": (OWN.to_json().replace('"version":2', '"version":99'), "by version '99'; this program reads"),
    "no plan": ("[1, 2]", "This is not a saved plan"),
    "no JSON": ("plan", "not readable as JSON"),
    "another alphabet": ("Ж" * 40, "not readable as JSON"),
    "too small an epsilon": (OWN.to_json().replace('"epsilon":0.5', '"epsilon":1e-12'), "epsilon must be at least"),
    "a million questions": (json.dumps({"version": 2, "queries": [{}] * 700_000}), "at most 2,000,000 are read"),
}


def test_a_bad_file_gets_a_sentence_and_the_plan_stays(page: AppTest) -> None:
    for case, (text, sentence) in BAD_FILES.items():
        page.file_uploader(key="load_plan").upload("plan.json", text.encode(), "application/json").run()
        assert not page.exception, case
        assert sentence in said(page), case
        assert "The plan before is still in use." in said(page)
        assert page.session_state["scenario"] == first_plan("rand_hie")


PASTED = ("cut off", "another version", "another alphabet", "a bomb", "a foreign fingerprint", "a thousand questions")


def test_a_bad_link_that_is_pasted_gets_a_sentence_and_a_good_one_afterwards_opens(page: AppTest) -> None:
    for link in (*(BAD_LINKS[case][0] for case in PASTED), "http://[plan=", "?plan=", "plan=" + "%" * 9):
        page.text_input(key="paste_link").set_value(link).run()
        assert not page.exception
        assert "The plan before is still in use." in said(page)
        assert page.session_state["scenario"] == first_plan("rand_hie")
    page.text_input(key="paste_link").set_value(kept_links.FIRST_PLAN_1).run()
    assert "Opened: 3 questions about `rand_hie`." in said(page)
    assert "still in use" not in said(page)


@pytest.mark.parametrize("case", ["cut off", "another version", "a foreign fingerprint"])
def test_a_bad_link_in_the_address_gets_a_sentence_and_a_ready_made_plan(new_app: NewApp, case: str) -> None:
    fresh = arriving(new_app, BAD_LINKS[case][0])
    assert not fresh.exception
    assert "A ready-made plan is shown instead." in said(fresh)
    assert fresh.session_state["scenario"] == first_plan("rand_hie")


def test_the_control_a_good_link_in_the_address_gets_none(new_app: NewApp) -> None:
    fresh = arriving(new_app, OWN.to_link())
    assert not fresh.warning
    assert fresh.session_state["scenario"] == replace(OWN, targets=PlanTargets())


def test_a_shared_question_whose_answer_is_declared_is_left_out_and_named(new_app: NewApp, page: AppTest) -> None:
    link = replace(OWN, schema=replace(SCHEMA, people=5000), neighbors=Neighbors.REPLACE_ONE).to_link()
    for opened_page in (arriving(new_app, link), page.text_input(key="paste_link").set_value(link).run()):
        assert [one.query for one in opened_page.session_state["scenario"].queries] == [SumQuery("age")]
        assert "Of this plan one question does not hold any more and was left out (1 came along)." in said(opened_page)
        assert "Question 1: You declared this number of people: 5,000." in said(opened_page)


def test_a_shared_delta_that_laplace_noise_does_not_use_is_named_and_left_out(new_app: NewApp) -> None:
    unused = OWN.to_json().replace('"epsilon":0.5,"delta":0.0', '"epsilon":0.5,"delta":1e-6')
    fresh = arriving(new_app, Scenario.from_json(unused).to_link())
    assert "Question 1: delta 1e-06 is not used: only Gaussian noise needs one. None is charged." in said(fresh)
    assert fresh.session_state["scenario"].queries == OWN.queries


def test_what_was_typed_on_the_trade_off_page_comes_back(new_app: NewApp) -> None:
    fresh = arriving(new_app, OWN.to_link()).switch_page("pages/explore/tradeoff/page.py").run()
    assert fresh.number_input(key="confidence_of_100").value == 90
    assert fresh.number_input(key="prior_of_100").value == 20
    assert fresh.number_input(key="target_belief").value == 40
    assert fresh.number_input(key="target_error_1").value == 2.5
    assert fresh.selectbox(key="tradeoff_question").value == 1
    assert Scenario.from_link(shown_link(opened(fresh))) == OWN


def test_what_is_typed_on_the_trade_off_page_goes_into_the_link(open_page: OpenPage) -> None:
    page = open_page("explore/tradeoff")
    page.number_input(key="confidence_of_100").set_value(80).run()
    page.number_input(key="target_error_0").set_value(12).run()
    page.number_input(key="target_belief").set_value(60).run()
    told = Scenario.from_link(shown_link(opened(page))).targets
    assert told == PlanTargets(confidence=0.8, belief=0.6, errors=(12.0,))


def test_an_error_of_each_number_alone_travels_with_its_question(open_page: OpenPage, new_app: NewApp) -> None:
    page = open_page("explore/tradeoff")
    page.selectbox(key="tradeoff_question").set_value(2).run()
    assert page.checkbox(key="target_together_2").value is True
    page.checkbox(key="target_together_2").uncheck().run()
    link = "".join(page.query_params["plan"])
    assert Scenario.from_link(link).targets == PlanTargets(one_by_one=(2,), question=2)
    fresh = arriving(new_app, link).switch_page("pages/explore/tradeoff/page.py").run()
    assert fresh.checkbox(key="target_together_2").value is False
    assert not fresh.warning, "A box has one first value, not two."
    fresh.switch_page("pages/explore/budget/page.py").run()
    assert Scenario.from_link(shown_link(opened(fresh))).targets == PlanTargets(one_by_one=(2,), question=2)
    fresh.switch_page("pages/explore/tradeoff/page.py").run().checkbox(key="target_together_2").check().run()
    assert Scenario.from_link(shown_link(opened(fresh))).targets == PlanTargets(question=2)


def test_what_the_page_puts_into_a_box_stays_out_of_the_link(open_page: OpenPage) -> None:
    """As *Accept* does: that number may follow from exact values, while they are shown."""
    page = open_page("explore/tradeoff")
    assert Scenario.from_link(shown_link(opened(page))).targets == PlanTargets()
    page.number_input(key="target_error_0").set_value(7.0).run()
    assert Scenario.from_link(shown_link(page)).targets == PlanTargets(errors=(7.0,))
    page.session_state["target_error_0"] = 8.125
    page.session_state["target_belief"] = 77.0
    assert Scenario.from_link(shown_link(page.run())).targets == PlanTargets()


def test_no_exact_value_stands_in_what_is_shared(new_app: NewApp) -> None:
    """With exact values shown, where what the page proposes follows from them; what a person types is found."""
    plan = planted.plan()
    page = arriving(new_app, replace(plan, queries=plan.queries[1:3]).to_link())
    page.session_state["table"] = read_table(planted.file(), schema=plan.schema, format="csv")
    page.session_state["exact_shown"], page.session_state["question"] = True, 1
    page.switch_page("pages/explore/tradeoff/page.py").run()
    values = planted.exact() | planted.cells()
    known = page.session_state["guesses"].items()
    (guess,) = [one for (kind, query, *_), one in known if kind == "guess" and isinstance(query, SumQuery)]
    assert guess.answers == pytest.approx((values["exact sum"],))
    found = shared(opened(page))
    assert [name for name, value in values.items() if found.holds(value)] == []
    page.number_input(key="target_error_1").set_value(float(values["exact mean"])).run()
    assert shared(page).holds(values["exact mean"])


def shared(page: AppTest) -> Found:
    """The link as it is shown and the address, with all that is packed into them, and the file."""
    wire = Wire()
    wire.take_text(page.code[0].value, "plan=" + "".join(page.query_params["plan"]))
    wire.take_text(Scenario.from_link(shown_link(page)).to_json())
    return wire.found()


def test_an_extreme_link_leaves_every_page_usable(new_app: NewApp) -> None:
    queries = (
        replace(OWN.queries[0], guarantee=Guarantee(epsilon=1e9)),
        replace(OWN.queries[1], guarantee=Guarantee(epsilon=1e-8)),
    )
    edges = PlanTargets(confidence=1e-9, prior=1 - 1e-12, belief=1e-300, errors=(1e300, 0.0), question=499)
    fresh = arriving(new_app, replace(OWN, queries=queries, budget=Guarantee(epsilon=0.0), targets=edges).to_link())
    for name in ("queries", "tradeoff", "budget", "release", "data"):
        fresh.switch_page(f"pages/explore/{name}/page.py").run()
        assert not fresh.exception, name
        assert fresh.title, name


CSV = b"age\n34\n50\n"


def brought(page: AppTest, content: bytes = CSV) -> AppTest:
    return page.file_uploader(key="upload_file").set_value(("trial.csv", content, "text/csv")).run()


def test_a_plan_without_its_rows_says_where_to_bring_them(new_app: NewApp) -> None:
    fresh = arriving(new_app, OWN.to_link())
    for name in ("queries", "tradeoff", "budget"):
        fresh.switch_page(f"pages/explore/{name}/page.py").run()
        assert "The rows of] `trial` :gray[are not here" in said(fresh), name
    assert "EM" not in shown_link(opened(fresh))
    assert f"Declarations **{OWN.declarations.fingerprint}**" in said(fresh)


def test_the_control_a_plan_with_its_rows_says_nothing(open_page: OpenPage) -> None:
    assert "are not here" not in said(open_page("explore/tradeoff"))


def test_a_table_is_recognized_by_what_is_declared(new_app: NewApp) -> None:
    page = brought(arriving(new_app, OWN.to_link()).switch_page("pages/explore/data/page.py").run())
    mark = OWN.declarations.fingerprint
    assert f"Declared as in the plan ({mark}): press the button, and its 2 questions come with it." in said(page)
    page.number_input(key="upper_0").set_value(110).run()
    assert f"Declared differently than in the plan ({mark}): highest value of `age`: 110 here" in said(page)
    assert "Of its 2 questions those come along that still hold." in said(page)
    page.text_input(key="table_name").set_value("another").run()
    assert "Under another name its 2 questions stay behind." in said(page)
    page.text_input(key="table_name").set_value("trial").run()
    arrived(button(page, "use_table").click().run())
    assert [one.query for one in page.session_state["scenario"].queries] == [one.query for one in OWN.queries]


def test_what_stands_in_the_form_holds_and_not_what_another_plan_with_the_same_mark_says(new_app: NewApp) -> None:
    """A mark of eight signs can be forged: the table would be read with a person a row."""
    schemas = forged(20, 711_703).schema, forged(None, 561_661).schema
    one, another = (replace(OWN, table_name="visits", schema=schema, queries=()) for schema in schemas)
    page = arriving(new_app, one.to_link()).switch_page("pages/explore/data/page.py").run()
    brought(page, b"pid,cost,stay\na,1,2\n")
    assert "Declared as in the plan" in said(page), "the control"
    page.session_state["scenario"] = another
    arrived(button(page, "use_table").click().run())
    assert page.session_state["scenario"].schema.unit.rows == 20


def test_a_plan_without_its_rows_is_declared_as_it_says(new_app: NewApp) -> None:
    page = brought(arriving(new_app, OWN.to_link()).switch_page("pages/explore/data/page.py").run())
    page.number_input(key="upper_0").set_value(110).run()
    page.button(key="declare_as_planned").click().run()
    assert page.number_input(key="upper_0").value == 120
    assert "Declared as in the plan" in said(page)


def test_another_file_is_told_what_it_lacks(new_app: NewApp) -> None:
    page = brought(
        arriving(new_app, OWN.to_link()).switch_page("pages/explore/data/page.py").run(), b"years,sex\n34,f\n"
    )
    assert "The plan is about `trial`, and what you brought has no column `age`." in said(page)


def test_the_control_a_file_for_no_waiting_plan_is_compared_with_nothing(open_page: OpenPage) -> None:
    page = brought(open_page("explore/data"))
    assert "in the plan" not in said(page)
    assert "The plan is about" not in said(page)


def test_a_table_declared_otherwise_that_is_already_here_can_be_declared_again(page: AppTest) -> None:
    other = Schema(name="trial", columns=(NumberColumn(name="age", lower=0, upper=99),))
    page.session_state["table"] = read_table(CSV, schema=other, format="csv")
    page.text_input(key="paste_link").set_value(OWN.to_link()).run()
    page.switch_page("pages/explore/data/page.py").run()
    assert "table is here, but declared differently: highest value of `age`: 99 here, 120 in the plan." in said(page)
