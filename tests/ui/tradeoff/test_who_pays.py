"""The look at whom the noise hurts: by group, smallest first, with what a coarser question would change."""

from __future__ import annotations

import io
import re
from collections.abc import Callable
from dataclasses import replace

import pytest
from streamlit.testing.v1 import AppTest

from dpengine.charts import Chart
from dpengine.data import And, CategoryColumn, Comparison, IsMissing, Not, OneOf, Or, RowCount, Schema, read_table
from dpengine.mechanisms import DiscreteLaplaceMechanism
from dpengine.plan import PlannedQuery
from dpengine.privacy import Guarantee, Neighbors
from dpengine.queries import (
    CountQuery,
    GroupedCountQuery,
    GroupedMeanQuery,
    GroupedProportionQuery,
    GroupedSumQuery,
    HistogramQuery,
    MeanQuery,
    ModeQuery,
    ProportionQuery,
    Query,
    SeveralProportionsQuery,
    StatisticalQueries,
    SumQuery,
)
from dpengine.scenario import Scenario
from pages.session.first_plan import first_plan
from pages.widgets import outputs
from tests.examples.tables import shared_sample
from tests.ui.reading import number_box, texts

MUMPS, ADULT = Comparison("disease", "=", "mumps"), Comparison("age", ">=", 18)
EVERYBODY = first_plan("patients").schema.people
OpenPlan = Callable[..., AppTest]


@pytest.fixture
def drawn(monkeypatch: pytest.MonkeyPatch) -> list[Chart]:
    """Every picture that the pages have drawn."""
    pictures: list[Chart] = []
    monkeypatch.setattr(outputs, "chart", lambda _place, picture, **_look: pictures.append(picture))
    return pictures


@pytest.fixture
def open_plan(new_app: Callable[[], AppTest]) -> OpenPlan:
    """The look, open on a plan of the test's own about the patients."""

    def opened(*queries: Query, epsilon: float = 0.1, people: int | None = EVERYBODY) -> AppTest:
        asked = tuple(PlannedQuery(query=query, guarantee=Guarantee(epsilon=epsilon)) for query in queries)
        app = new_app()
        plan = replace(first_plan("patients"), queries=asked)
        app.session_state["scenario"] = replace(plan, schema=replace(plan.schema, people=people))
        app.session_state["exact_shown"] = people == EVERYBODY
        app.switch_page("pages/explore/tradeoff/page.py").run()
        app.segmented_control(key="closer_look").set_value("Who pays").run()
        assert not app.exception
        assert not app.error
        return app

    return opened


def test_the_finding_counts_the_groups_that_pay(open_plan: OpenPlan, drawn: list[Chart]) -> None:
    page = open_plan(HistogramQuery("disease"))
    chart = drawn[-1]
    half_width = DiscreteLaplaceMechanism.from_epsilon(0.1, l1_sensitivity=1).error_quantile(0.95)
    sizes = [float(str(size)) for size in chart.numbers["size"]]
    assert sizes == sorted(sizes)
    assert sum(sizes) == 2000
    paying = sum(half_width > 0.1 * size for size in sizes)
    assert 0 < paying < len(sizes)
    assert f"In {paying} of {len(sizes)} groups the noise is larger than a tenth" in texts(page)
    assert f"off by up to **±{half_width}**" in texts(page)
    assert f"A count has to be at least **{10 * half_width}** for noise of a tenth or less." in texts(page)
    assert "Sizes: exact, public practice data." in texts(page)


def test_merging_the_smallest_helps_them(open_plan: OpenPlan, drawn: list[Chart]) -> None:
    page = open_plan(HistogramQuery("disease"), epsilon=0.05)
    page.selectbox(key="who_pays_way_0").set_value("smallest").run()
    page.number_input(key="who_pays_many_smallest_0").set_value(3).run()
    assert "Together the 3 have noise of" in texts(page)
    assert "left out" not in texts(page), "Who is merged gets an answer."
    numbers = drawn[-1].numbers
    before, after = (list(numbers[name]) for name in list(numbers)[2:])
    assert len(set(after[:3])) == 1
    assert after[0] < before[2] <= before[0]
    assert after[3:] == before[3:], "The noise of a count does not depend on how many there are."


def test_named_groups_as_one(open_plan: OpenPlan, drawn: list[Chart]) -> None:
    page = open_plan(GroupedCountQuery("sex"))
    page.selectbox(key="who_pays_way_0").set_value("named").run()
    assert "Coarser:" not in texts(page)
    page.multiselect(key="who_pays_named_0").set_value([0, 1]).run()
    assert "Coarser: **in none of 1 group" in texts(page)


def test_bins_of_twice_the_width(open_plan: OpenPlan, drawn: list[Chart]) -> None:
    page = open_plan(HistogramQuery("age", edges=tuple(float(edge) for edge in range(0, 121, 10))))
    assert "12 bins" in texts(page)
    page.selectbox(key="who_pays_way_0").set_value("twice").run()
    assert "of 6 bins" in texts(page)
    assert "Drawn are the 10 smallest; as asked, the other 2 have" in texts(page)


def test_every_grouped_kind_made_coarser_shown_and_hidden(open_plan: OpenPlan) -> None:
    kinds = (
        GroupedCountQuery(("sex", "disease")),
        GroupedSumQuery("age", ("sex",)),
        GroupedMeanQuery("age", ("disease",)),
        StatisticalQueries((MUMPS, ADULT)),
        HistogramQuery("sex"),
        GroupedProportionQuery(MUMPS, ("sex",)),
        SeveralProportionsQuery((MUMPS, ADULT)),
    )
    page = open_plan(*kinds)
    for shown in (True, False):
        page.sidebar.toggle(key="exact_toggle").set_value(shown).run()
        for number in range(len(kinds)):
            page.selectbox(key="tradeoff_question").set_value(number).run()
            if not shown:
                number_box(page, "Guess: the answer").set_value(50.0).run()
            overlapping = isinstance(kinds[number], StatisticalQueries | SeveralProportionsQuery)
            page.selectbox(key=f"who_pays_way_{number}").set_value("without" if overlapping else "smallest").run()
            assert not page.exception
            assert not page.error
            assert "Coarser: **in " in texts(page)


def test_hidden_sizes_are_alike_until_somebody_types_them(open_plan: OpenPlan, drawn: list[Chart]) -> None:
    page = open_plan(HistogramQuery("sex"))
    exact = [float(str(size)) for size in drawn[-1].numbers["size"]]
    page.sidebar.toggle(key="exact_toggle").set_value(False).run()
    assert "Exact sizes are hidden, so every group is taken to be equally large." in texts(page)
    assert "All alike: each, off by up to" in texts(page)
    assert len(set(drawn[-1].numbers["size"])) == 1
    assert not set(exact) & {float(str(size)) for size in drawn[-1].numbers["size"]}
    page.text_input(key="who_pays_sizes_0").set_value("900; 40").run()
    assert list(drawn[-1].numbers["size"]) == [40.0, 900.0]
    assert "In 1 of 2 groups" in texts(page)
    for senseless in ("900", "900, many", "900, -3"):
        page.text_input(key="who_pays_sizes_0").set_value(senseless).run()
        assert len(page.error) == 1
        assert not page.exception
    page.text_input(key="who_pays_sizes_0").set_value("").run()
    assert not page.error


UNSAID = {
    HistogramQuery("disease"): "How large the groups are, nobody has said**: type below what you expect",
    StatisticalQueries((MUMPS, ADULT)): "How large the conditions are, nobody has said**: type below what you expect",
    GroupedSumQuery("age", ("sex",)): "How large a sum may be, nobody has said**: type above what you expect",
    GroupedMeanQuery("age", ("sex",)): "How large a mean may be, nobody has said**: type above what you expect",
    SeveralProportionsQuery((MUMPS, ADULT)): "How large a share may be, nobody has said**: type above what you expect",
}


@pytest.mark.parametrize("query", UNSAID)
def test_nobody_pays_of_whom_nothing_is_said(open_plan: OpenPlan, drawn: list[Chart], query: Query) -> None:
    """Without a size the noise stands there by itself; every way to say one leads to the verdict."""
    page = open_plan(query, people=None)
    assert UNSAID[query] in texts(page)
    assert re.search(r"## Each of the \d (count|sum|mean|share)s is within (about )?±", texts(page))
    for judged in ("the noise is larger than a tenth", "Hurt most", "All alike", "Coarser", " % of its "):
        assert judged not in texts(page)
    assert not drawn
    number_box(page, "Guess: the answer").set_value(50.0).run()
    if isinstance(query, GroupedMeanQuery):
        assert "How large the groups are, nobody has said" in texts(page)
        assert "with 1,000 rows (which nobody has said)" in texts(page)
        page.text_input(key="who_pays_sizes_0").set_value("900; 40").run()
    if isinstance(query, SeveralProportionsQuery):
        assert "How many rows there are, nobody has said" in texts(page)
        number_box(page, "Guess: rows").set_value(900.0).run()
    assert "the noise is larger than a tenth" in texts(page)
    assert drawn


def test_shares_of_the_same_rows_pay_by_how_small_they_are(open_plan: OpenPlan, drawn: list[Chart]) -> None:
    """A share's row stands for those who have it; its error is of all rows, in percentage points."""
    page = open_plan(SeveralProportionsQuery((ADULT, MUMPS)))
    table = shared_sample("patients")[0]
    ill, adult = (int(table.run(RowCount(where=one))[0]) for one in (MUMPS, ADULT))
    assert ill < adult
    assert list(drawn[-1].numbers["size"]) == [ill, adult]
    said = re.search(
        r"off by up to \*\*about ±([\d.]+)\*\* percentage points, ([\d.]+)% of its ([\d.]+)%\.", texts(page)
    )
    assert said
    error, relative, share = map(float, said.groups())
    assert relative == pytest.approx(100 * error / share, rel=0.02)
    assert share == pytest.approx(100 * ill / 2000, abs=0.01)


def test_the_size_that_a_verdict_rests_on_stands_beside_it(open_plan: OpenPlan) -> None:
    page = open_plan(HistogramQuery("sex"), people=100)
    assert "In all 2 groups the noise is larger than a tenth, assuming about 100 rows" in texts(page)


def test_a_part_of_the_rows_has_no_size_that_the_whole_would_say(open_plan: OpenPlan) -> None:
    page = open_plan(GroupedCountQuery(("sex",), where=MUMPS), people=3000)
    assert "How large the groups are, nobody has said" in texts(page)
    page.text_input(key="who_pays_sizes_0").set_value("90; 40").run()
    assert "assuming about" not in texts(page)
    assert "In all 2 groups the noise is larger than a tenth" in texts(page)


BY_SEX = {
    CountQuery(MUMPS): "how many rows has each sex, among those who had mumps?",
    MeanQuery("age"): "what is the average age for each sex?",
    SumQuery("age"): "what is the sum of age for each sex?",
    ProportionQuery(MUMPS): "what share had mumps in each sex?",
    ModeQuery("disease"): "how many rows has each sex?",
}


def test_one_number_has_no_groups_and_says_how_it_would_have(open_plan: OpenPlan) -> None:
    page = open_plan(*BY_SEX)
    for number, asked in enumerate(BY_SEX.values()):
        page.selectbox(key="tradeoff_question").set_value(number).run()
        assert "One number has no groups" in texts(page)
        assert asked in texts(page)


FEMALE, ZIP = Comparison("sex", "=", "female"), OneOf("zip", ("02138", "02139"))
LEFT = {
    CountQuery(FEMALE): "how many rows has each race, among those with sex = “female”?",
    MeanQuery("age", where=Or((FEMALE, ADULT))): "what is the average age for each race",
    ProportionQuery(having=FEMALE): "what share has sex = “female” in each race?",
    StatisticalQueries((FEMALE,)): "how many rows has each race, among those with sex = “female”?",
}


def test_no_column_is_proposed_that_the_condition_has_fixed(open_plan: OpenPlan) -> None:
    page = open_plan(*LEFT, CountQuery(And((FEMALE, Not(MUMPS), ZIP, IsMissing("race")))))
    for number, asked in enumerate(LEFT.values()):
        page.selectbox(key="tradeoff_question").set_value(number).run()
        assert asked in texts(page)
        assert "Or by disease, zip code." in texts(page)
    page.selectbox(key="tradeoff_question").set_value(len(LEFT)).run()
    assert "no column is left to group by" in texts(page)
    assert "Asked by group" not in texts(page)


def test_forty_hostile_categories_of_an_upload_stay_harmless(
    new_app: Callable[[], AppTest], drawn: list[Chart]
) -> None:
    names = tuple(f"![x](y)<b>{number}</b> $a$ `" for number in range(40))
    schema = Schema(name="towns", columns=(CategoryColumn(name="town", categories=names),))
    rows = "town\n" + "\n".join(f'"{name}"' for number, name in enumerate(names) for _ in range(number + 1))
    table = read_table(io.BytesIO(rows.encode()).getvalue(), schema=schema, format="csv")
    plan = Scenario(
        table_name="towns",
        schema=schema,
        neighbors=Neighbors.ADD_REMOVE,
        queries=(PlannedQuery(query=HistogramQuery("town"), guarantee=Guarantee(epsilon=1.0)),),
        budget=Guarantee(epsilon=3.0, delta=1e-6),
        rule="basic",
    )
    app = new_app()
    app.session_state["scenario"], app.session_state["table"] = plan, table
    app.session_state["exact_shown"] = True
    app.switch_page("pages/explore/tradeoff/page.py").run()
    app.segmented_control(key="closer_look").set_value("Who pays").run()
    assert not app.exception
    assert list(drawn[-1].numbers["size"]) == [float(size) for size in range(1, 41)]
    assert "In 29 of 40 groups" in texts(app)
    heading = next(element.value for element in app.markdown if "Hurt most" in element.value)
    assert r"\!\[x\]\(y\)\<b\>0\</b\> \$a\$ '" in heading
    labels = [note.text for note in drawn[-1].figure.layout.annotations]
    assert any("&lt;b&gt;0&lt;/b&gt;" in label for label in labels)
    assert not any("<b>0</b>" in label for label in labels)
