"""The deployments as promises: every field stated with its page, or silent with its reason; which are alike."""

from __future__ import annotations

import math
from pathlib import Path

import pytest

import dpengine.promises
from dpengine.deployments import DEPLOYMENTS
from dpengine.errors import InvalidParameterError
from dpengine.privacy import Neighbors
from dpengine.promises import MONTH, NOT_LOOKED_UP, NOT_SAID, RECORDED, UNITS, Promise, Recorded, comparable
from dpengine.promises.recorded import FIELDS, read
from dpengine.promises.unsaid import Unsaid
from tests.running.cases import each

TEXT = Path(dpengine.promises.__file__).with_name("recorded.toml").read_text(encoding="utf-8")
OPENED = {
    "analytics.wikimedia.org",
    "arxiv-vanity.com",
    "arxiv.org",
    "desfontain.es",
    "docslib.org",
    "fatcat.wiki",
    "github.com",
    "meta.wikimedia.org",
    "microsoft.com",
    "portal.meaningfultransparency.tech",
}
"""Where texts were opened; a paper that is known by its address alone is no page of a fact."""
RECORDS = pytest.mark.parametrize("one", RECORDED.values(), ids=RECORDED)


def fact(one: Recorded, field: str) -> object:
    held = one.promise.handling if field not in Promise.__slots__ else one.promise
    return getattr(held, field)


def test_every_deployment_is_recorded_under_its_short_name() -> None:
    assert {name: one.deployment for name, one in RECORDED.items()} == {one.short: one for one in DEPLOYMENTS}


@RECORDS
def test_stated_fields_and_no_others_have_a_page_that_was_opened(one: Recorded) -> None:
    assert set(one.pages) == {field for field in FIELDS if not isinstance(fact(one, field), Unsaid)}
    for page in one.pages.values():
        assert page.place.partition("/")[0] in OPENED
    assert one.note.endswith(".")


def test_not_said_and_not_looked_up_are_told_apart() -> None:
    """The entry on broadband tells of the whole paper; of Facebook's maps only the head of a page was stored."""
    assert RECORDED["US broadband"].promise.handling.audit is NOT_SAID
    assert RECORDED["Facebook movement maps"].promise.handling.audit is NOT_LOOKED_UP
    for why in Unsaid:
        assert any(fact(one, field) is why for one in RECORDED.values() for field in FIELDS)


@RECORDS
def test_figures_agree_with_the_deployment(one: Recorded) -> None:
    promise, deployment = one.promise, one.deployment
    if deployment.short == "LinkedIn hiring reports":
        three = promise.over(days=365.0, delta=deployment.delta)
        assert three is not None
        assert three.rules["basic"] == pytest.approx(deployment.epsilon)
    else:
        assert promise.epsilon == deployment.epsilon
        assert promise.delta in (deployment.delta, NOT_LOOKED_UP)
    assert promise.model == deployment.model
    if deployment.neighbors is None:
        assert isinstance(promise.neighbors, Unsaid)
    else:
        assert promise.neighbors is deployment.neighbors or (deployment.is_local and promise.neighbors is NOT_LOOKED_UP)
    if rho := deployment.note.partition("rho = ")[2]:
        written = rho.split()[0]
        assert f"{promise.rho:.{len(written.partition('.')[2])}f}" == written


@each("name", ["US Census homes", "US Census people"])
def test_a_rho_gives_the_epsilon_beside_it_and_nothing_below(name: str) -> None:
    """Homes would come to 2.39 with the rho that the text has rounded to 0.07."""
    promise = RECORDED[name].promise
    total = promise.release(delta=1e-10)
    assert total is not None
    stated = RECORDED[name].deployment.epsilon
    assert stated <= total.least == pytest.approx(stated, rel=2e-3)


@RECORDS
def test_a_unit_covers_as_much_as_the_ruler_says(one: Recorded) -> None:
    unit = UNITS[str(one.promise.unit)]
    covers = "person" if unit.is_whole else "act" if unit.of == "event" else "period"
    assert covers == one.deployment.scope


@each(
    ("name", "days", "naive"),
    [
        ("Google vaccine searches", 365.0, 799.35),
        ("iPhone lookup hints", 365.0, 2920.0),
        ("Reports from a Mac", 365.0, 5840.0),
        ("Google mobility reports", 36_500.0, 2690.16),
        ("LinkedIn hiring reports", 365.0, 14.4),
        ("US broadband", 365.0, 0.2),
    ],
)
def test_a_year_costs_what_a_hand_computes(name: str, days: float, naive: float) -> None:
    total = RECORDED[name].promise.over(days=days)
    assert total is not None
    assert total.rules["basic"] == pytest.approx(naive, rel=1e-12)


@each(
    ("unit", "every_days", "alike"),
    [
        (
            "person",
            math.inf,
            ["US broadband", "Births in Israel", "Trafficking victims", "US Census people", "US Census more detail"],
        ),
        ("household", math.inf, ["US Census homes"]),
        ("person-month", MONTH, ["Wikipedia editors", "LinkedIn post audiences"]),
        ("event", 1.0, ["Wikipedia page views"]),
        ("person", 1.0, []),
        ("person", NOT_SAID, []),
        (NOT_LOOKED_UP, math.inf, []),
    ],
)
def test_alike_are_those_of_one_unit_and_one_time(unit: str, every_days: float, alike: list[str]) -> None:
    found = comparable(Promise(unit=unit, every_days=every_days))
    assert [one.deployment.short for one in found] == alike


def test_an_empty_unit_is_not_alike_to_another_empty_one() -> None:
    """Windows does not say when its budget is spent anew: a promise that does not say it either has no fellow."""
    assert RECORDED["Windows app use"].promise.every_days is NOT_LOOKED_UP
    assert comparable(RECORDED["Windows app use"].promise) == ()
    assert RECORDED["Google vaccine searches"] in comparable(RECORDED["Google vaccine searches"].promise)


@each(
    ("old", "new", "named"),
    [
        ('audit = "independent"\n', "", "Reports from a Mac"),
        ('not_looked_up = ["parameters"]', 'not_looked_up = ["parameters", "epsilon"]', "US broadband"),
        ('not_looked_up = ["parameters"]', 'not_looked_up = ["parameter"]', "US broadband"),
        ('for_days = "three months"', 'for_days = "a quarter"', "for_days"),
        ('audit = "independent"', 'audit = "certified"', "audit"),
        ("epsilon = 1.672", "epsilon = -1.672", "epsilon"),
        ("said.mac-abstract]", "said.mac-unknown]", "pages"),
        ('[promises."iPhone emoji"]', '[promises."Android emoji"]', "promises"),
        ('publisher = "Tang and others", place = "fatcat', 'place = "fatcat', "mac"),
    ],
)
def test_a_record_with_a_gap_or_a_slip_is_refused(old: str, new: str, named: str) -> None:
    assert read(TEXT) == RECORDED
    assert TEXT.count(old) == 1
    with pytest.raises(InvalidParameterError, match=named):
        read(TEXT.replace(old, new))


def test_neighbors_are_read_as_what_they_are() -> None:
    assert RECORDED["US broadband"].promise.neighbors is Neighbors.ADD_REMOVE
    assert RECORDED["US Census people"].promise.neighbors is Neighbors.REPLACE_ONE
