"""Cells of the first rows that are not as declared: told to the curator before the file is used, with what they do."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from streamlit.testing.v1 import AppTest

from dpengine.data import FixedPointSum, read_table
from dpengine.privacy import Neighbors
from dpengine.queries import MeanQuery, SumQuery, VarianceQuery
from tests.ui.reading import button, read_in, switch, texts
from tests.ui.waiting import arrived

OpenPage = Callable[[str], AppTest]
AGES = b"age,who\n34,a\n50,b\nold,c\n,d\n"
UNCOUNTED, TICK = "Such values do not count.", "tick changes nothing."
MIDDLE = (
    "In the mean, sum and variance of everybody, such a value counts as the middle of the bounds. In every other "
    "answer it does not count. Is the tick right?"
)


def ages(page: AppTest, content: bytes) -> AppTest:
    """A file with one number that anybody may ask for."""
    page.file_uploader(key="upload_file").set_value(("ages.csv", content, "text/csv")).run()
    for i, kind in enumerate(("number", "text")[: 1 + content.count(b"who")]):
        page.selectbox(key=f"kind_{i}").set_value(kind)
    page.run()
    page.number_input(key="lower_0").set_value(0)
    return page.number_input(key="upper_0").set_value(120).run()


@pytest.mark.parametrize(
    ("unit", "neighbors", "becomes"),
    [
        ("row", Neighbors.ADD_REMOVE, f"{UNCOUNTED} Where the number of people is private, the {TICK}"),
        (
            "identifier",
            Neighbors.REPLACE_ONE,
            f"Such values do not count. Where a person may have several rows, the {TICK}",
        ),
        ("row", Neighbors.REPLACE_ONE, MIDDLE),
    ],
)
def test_values_that_are_missing_all_the_same_are_told_with_what_becomes_of_them(
    open_page: OpenPage, unit: str, neighbors: Neighbors, becomes: str
) -> None:
    page = ages(open_page("explore/data"), AGES)
    page.radio(key="neighbors").set_value(neighbors)
    page.radio(key="unit_kind").set_value(unit).run()
    if unit == "identifier":
        page.number_input(key="person_rows").set_value(1).run()
    if neighbors is Neighbors.REPLACE_ONE:
        page.number_input(key="people").set_value(4).run()
    lost = "**Checked: all rows; 1 cell does not fit what you declared, and would count as missing.**"
    misfit = "- `age`: 1 of 3 cells does not fit, such as `old`"
    assert [one.value for one in page.warning] == [f"{lost} For your eyes only.\n{misfit}"], (
        "the control: nothing is ticked"
    )
    page.checkbox(key="complete_0").check().run()
    *_, told, nothing, does = page.warning[0].value.split("\n")
    assert (told, nothing, does) == ("- `age`, ticked never missing: 2 of 4 values are missing", "", becomes)
    schema = arrived(button(page, "use_table").click().run()).session_state["scenario"].schema
    parts = [ask("age").parts(schema, neighbors) for ask in (MeanQuery, SumQuery, VarianceQuery)]
    counted = [any(part.name == "count" for part in one) for one in parts]
    assert counted == ([False] * 3 if becomes == MIDDLE else [True, False, True]), "what the engine asks for"


def test_where_no_count_is_asked_a_missing_value_is_the_middle(open_page: OpenPage) -> None:
    page = ages(open_page("explore/data"), AGES)
    page.checkbox(key="complete_0").check()
    page.radio(key="neighbors").set_value(Neighbors.REPLACE_ONE).run()
    page.number_input(key="people").set_value(4).run()
    schema = arrived(button(page, "use_table").click().run()).session_state["scenario"].schema
    for query, exact in ((MeanQuery("age"), (34 + 50 + 60 + 60) / 4), (SumQuery("age"), 34 + 50 + 60 + 60)):
        (part,) = query.parts(schema, Neighbors.REPLACE_ONE)
        assert isinstance(part.aggregate, FixedPointSum)
        (total,) = read_table(AGES, schema=schema).run(part.aggregate)
        assert part.offset + float(total) * part.step == exact


def test_one_lost_cell_in_one_row_reads_as_one(open_page: OpenPage) -> None:
    page = ages(open_page("explore/data"), b"age\nold\n")
    assert "**Checked: all rows; 1 cell does not fit what you declared" in texts(page)
    switch(arrived(button(page, "use_table").click().run()), "report_shown").set_value(True).run()
    assert "**1 row read.**" in texts(page)
    assert "`age`: 1 does not fit. In the first rows: `old`. " in texts(page)
    assert page.session_state["kept_lost_at_intake"]
    page.button(key="forget_table").click().run()
    assert page.session_state["kept_lost_at_intake"] is None, "No cell outlives its table."


def test_what_was_checked_before_a_table_is_used_is_said_and_what_was_not(open_page: OpenPage) -> None:
    page = ages(open_page("explore/data"), b"age\n31\n40\n")
    assert not page.warning
    fits = "Every cell can be read as you declared it."
    assert f"Checked: all rows. {fits} For your eyes only." in read_in(page.main)
    rest = "The rest is checked when you use the table. For your eyes only."
    page = ages(page, b'age\n31\n-1\n121\n""\n')
    beyond = "- `age`: 2 of 3 values lie beyond its bounds and count as the nearest bound"
    covered = "Settings that you choose after seeing exact values are not covered by the promise."
    assert [one.value for one in page.info] == [f"Checked: all rows. For your eyes only.\n{beyond}\n\n{covered}"]
    page = ages(page, b'age\n""\n""\n')
    nothing = "- `age` is empty in all of them, so nothing could be checked"
    assert [one.value for one in page.info] == [f"Checked: all rows. For your eyes only.\n{nothing}"]
    page = ages(page, b"age\nold\n121\n")
    assert "\n- `age`: 1 of 1 value lies beyond its bounds and counts as the nearest bound" in page.warning[0].value
    page = ages(page, b"age\n" + b"31\n" * 1000 + b"old\n")
    assert f"Checked: the first 1,000 rows. {fits} {rest}" in read_in(page.main)
    page = ages(page, b"age\n" + b"31\n" * 995 + b"old\ninf\nold\nx\nx\ny\n")
    assert "**Checked: the first 1,000 rows; some cells do not fit what you declared, and would count" in texts(page)
    assert f"missing.** {rest}\n- `age`: 5 of 1,000 cells do not fit, such as `old`, `inf`, `x`" in texts(page)
