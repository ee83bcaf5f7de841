"""The page on reconstruction: counts, recovered bits, the guarantee, and what a total epsilon changes."""

from __future__ import annotations

import threading
import time
from collections.abc import Callable

import pytest
from streamlit.testing.v1 import AppTest

from dpengine.attacks import Watch
from dpengine.attacks.reconstruction import (
    BoundedError,
    GroupCounts,
    bill,
    noise_for_budget,
    publish,
    reconstruct,
    repeated,
    try_everything,
)
from dpengine.data import BooleanColumn, CategoryColumn, Comparison, NumberColumn, Schema, read_table
from dpengine.formatting import amount, at_most
from dpengine.privacy import Guarantee
from dpengine.scenario import Scenario
from pages.attack.reconstruction import reconstruction_curves, reconstruction_epsilon
from pages.attack.reconstruction.reconstruction_settings import FIRST_DAY, secrets_of
from tests.ui.reading import texts
from tests.ui.steps import at_step

NewApp = Callable[[], AppTest]
SECONDS = 60
SMALL = ("reconstruction_people", 32), ("reconstruction_each", 2)


@pytest.fixture
def page(new_app: NewApp) -> AppTest:
    """The page, to be opened on one of its acts."""
    return new_app().switch_page("pages/attack/reconstruction/page.py")


def at(page: AppTest, number: int) -> AppTest:
    return at_step(page, "reconstruction", number)


def finished(page: AppTest) -> AppTest:
    """The page once nothing is computed any more; a browser asks again by itself, a test has to."""
    until = time.monotonic() + SECONDS
    while page.title[0].value.endswith("…"):
        assert time.monotonic() < until
        page.run()
    assert not page.exception
    return page


def test_what_is_published_is_about_large_groups(page: AppTest) -> None:
    at(page, 1)
    sizes = publish(GroupCounts(noise=BoundedError(most=2)), seed=FIRST_DAY).sizes
    assert page.title[0].value == (f"512 counts about groups of {sizes.min()} to {sizes.max()} people, none about you")
    assert "Nothing is released" in "".join(caption.value for caption in page.caption)
    page.button(key="reconstruction_another").click().run()
    other = publish(GroupCounts(noise=BoundedError(most=2)), seed=FIRST_DAY + 1).sizes
    assert f"groups of {other.min()} to {other.max()} people" in page.title[0].value


def test_the_linear_program_gives_the_bits_away(page: AppTest) -> None:
    finished(at(page, 2))
    found = reconstruct(GroupCounts(noise=BoundedError(most=2)), seed=FIRST_DAY)
    assert page.title[0].value == f"{found.right.sum()} of 128 yes/no secrets recovered from counts alone"
    assert "Here least squares does better" not in texts(page)
    assert "| recovered from 512 counts | of 128 |" in texts(page)
    assert "reach about 11.3 people (standard deviation; now 1.41)" in texts(page)
    page.select_slider(key="reconstruction_error").set_value(12).run()
    noisy = GroupCounts(noise=BoundedError(most=12))
    program, squares = (
        int(reconstruct(noisy, seed=FIRST_DAY, decoder=decoder).right.sum())
        for decoder in ("linear program", "least squares")
    )
    rows = f"| linear program | **{program}** |\n| least squares (misses squared) | {squares} |\n"
    assert f"{rows}| pure chance, the same answer for all: about | 64 |" in texts(finished(page))
    assert squares > program
    assert "Here least squares does better" in texts(page)


def test_every_table_is_tried_and_the_guarantee_shown_only_where_it_is_proved(page: AppTest) -> None:
    at(page, 2).pills(key="reconstruction_method").set_value("Every possible table").run()
    found = try_everything(people=12, most=1, errors="to mislead", seed=FIRST_DAY)
    assert page.title[0].value == f"{len(found.wrong)} of 4,096 tables left; the worst is wrong about 4 people"
    assert "at most 4E = **4** people, whatever the errors are. ✓ It held" in texts(page)
    page.pills(key="reconstruction_tried_asked").set_value("2 per person").run()
    assert "**nothing is proved** here" in texts(page)
    page.pills(key="reconstruction_tried_asked").set_value("every group").run()
    page.slider(key="reconstruction_tried_error").set_value(3).run()
    assert "which is no limit for 12 people" in texts(page)


@pytest.mark.parametrize("label,kind", [("Laplace, ε in equal shares", "laplace"), ("Gaussian, δ = 10⁻⁶", "gaussian")])
def test_the_total_epsilon_is_shared_and_billed(
    page: AppTest, monkeypatch: pytest.MonkeyPatch, label: str, kind: str
) -> None:
    monkeypatch.setattr(reconstruction_epsilon, "DRAWS", 7)
    at(page, 1)
    for key, value in SMALL:
        page.select_slider(key=key).set_value(value).run()
    finished(at(page, 3))
    page.pills(key="reconstruction_kind").set_value(label).run()
    page.number_input(key="reconstruction_epsilon_box").set_value(8.0).run()
    noise = noise_for_budget(Guarantee(epsilon=8.0, delta=1e-6), questions=64, kind=kind)
    counts = GroupCounts(people=32, questions=64, noise=noise)
    runs, cost = repeated(counts, runs=7, seed=FIRST_DAY), bill(noise, questions=64, delta=1e-6)
    shown = texts(finished(page))
    beside = "50% by chance alone" if runs.interval()[0] > 0.5 else "no better than chance (50%)"
    assert page.title[0].value == f"Total ε = 8: {amount(100 * runs.average)}% recovered, {beside}"
    assert f"was recovered in **{runs.outcome.successes} of 7** draws" in shown
    assert f"each carries **±{amount(noise.standard_deviation)}** (standard deviation)." in shown
    assert ("counts about 32 people are useless" in shown) == (noise.standard_deviation >= 32)
    assert f"The 64 counts together cost ε = {at_most(cost.naive)} naive (just added up), " in shown
    assert f" {at_most(cost.advanced)} advanced, **{at_most(cost.exact)}** exact" in shown
    if kind == "gaussian":
        return
    page.number_input(key="reconstruction_epsilon_box").set_value(0.01).run()
    assert finished(page).title[0].value.endswith(", no better than chance (50%)"), "Luck is no finding."
    assert "counts about 32 people are useless" in texts(page)


def test_one_draw_is_shown_while_the_others_are_on_their_way(page: AppTest, monkeypatch: pytest.MonkeyPatch) -> None:
    may_end, attacked = threading.Event(), reconstruction_epsilon._attacked

    def waits(counts: GroupCounts, seed: int, watch: Watch) -> reconstruction_epsilon.Draws:
        assert may_end.wait(SECONDS)
        return attacked(counts, seed, watch)

    monkeypatch.setattr(reconstruction_epsilon, "_attacked", waits)
    monkeypatch.setattr(reconstruction_epsilon, "DRAWS", 2)
    at(page, 3)
    while not page.get("plotly_chart"):
        page.run()
    assert page.title[0].value.endswith("…")
    assert "This attack fades once a count carries about ±11.3 people of noise." in texts(page)
    assert "appears here" in texts(page)
    may_end.set()
    assert "appears here" not in texts(finished(page))
    assert len(page.get("plotly_chart")) == 1


def test_seen_from_afar(page: AppTest, monkeypatch: pytest.MonkeyPatch) -> None:
    at(page, 1)
    fewer = {"TABLES": (64, 128), "SIZES": (0.5, 1.0, 16.0), "PRICED": (0, 2), "STEPS": (1.0, 8.0)}
    for name, values in fewer.items():
        monkeypatch.setattr(reconstruction_curves, name, values)
    for key, value in SMALL:
        page.select_slider(key=key).set_value(value).run()
    finished(at(page, 3))
    found = []
    for view in ("Against noise", "Against counts", "Against table size"):
        page.pills(key="reconstruction_view").set_value(view).run()
        found.append(finished(page).title[0].value)
        assert not page.error
    assert found[0] == "The attack fades where the noise reaches 5.66 people"
    assert found[1].startswith("256 counts: ")
    assert found[2].startswith("Too little noise: among 64 people only ")


ROWS = b"ill,town,age\n" + b"yes,Rome,30\n" * 3 + b"no,Rome,70\n" * 7
SCHEMA = Schema(
    name="visits",
    columns=(
        BooleanColumn(name="ill"),
        CategoryColumn(name="town", categories=("Rome", "Oslo")),
        NumberColumn(name="age", lower=0, upper=100),
    ),
)


def test_of_a_real_table_only_the_share_is_used_and_a_share_there_must_be(page: AppTest) -> None:
    at(page, 1)
    page.session_state["table"] = read_table(ROWS, schema=SCHEMA, format="csv")
    page.session_state["scenario"] = Scenario(
        table_name="visits",
        schema=SCHEMA,
        neighbors=page.session_state["scenario"].neighbors,
        queries=(),
        budget=Guarantee(epsilon=1.0),
    )
    page.session_state["exact_shown"] = False
    page.run()
    assert "about 50%" in texts(page)
    page.session_state["exact_shown"] = True
    page.run()
    assert "about 30%" in texts(page)
    page.selectbox(key="reconstruction_secret").set_value("town = Rome").run()
    assert "rows that say yes must be some of the 10 rows, but not all of them; it is 10." in texts(page)
    assert dict(secrets_of(SCHEMA))["age ≥ 50"] == Comparison("age", ">=", 50.0)
