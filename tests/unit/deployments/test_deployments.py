"""What others chose: each number has its unit and its source, and the neighbors of an epsilon are found."""

import math
from dataclasses import replace
from typing import Any

import pytest

from dpengine.accounting import epsilon
from dpengine.deployments import DEPLOYMENTS, MODELS, SourcePage, nearest
from dpengine.errors import InvalidParameterError
from dpengine.privacy import ConcentratedEvent, Neighbors
from tests.running.cases import each

FIRST = DEPLOYMENTS[0]


def test_they_stand_in_the_order_of_epsilon_under_names_of_their_own() -> None:
    assert len(DEPLOYMENTS) >= 12
    epsilons = [one.epsilon for one in DEPLOYMENTS]
    assert epsilons == sorted(epsilons)
    assert len({one.name for one in DEPLOYMENTS}) == len({one.short for one in DEPLOYMENTS}) == len(DEPLOYMENTS)
    assert {one.model for one in DEPLOYMENTS} == set(MODELS)


def test_each_says_what_it_protects_and_where_it_was_read() -> None:
    for one in DEPLOYMENTS:
        assert len(one.short) <= 24, one
        assert one.source.address.startswith("https://"), one
        assert " " not in one.source.address, one
        assert not one.note or one.note.endswith("."), one
        assert one.unit.startswith(("a ", "an ", "one ")), one
        assert one.neighbors is Neighbors.REPLACE_ONE or not one.is_local, one


@each(
    ("at", "below", "above"),
    [
        (0.05, None, "US broadband"),
        (0.2, "US broadband", "Facebook links one kind"),
        (1.5, "Facebook links all kinds", "Windows app use"),
        (17.14, "US Census people", "US Census more detail"),
        (100.0, "LinkedIn post audiences", None),
    ],
)
def test_the_nearest_stand_on_both_sides(at: float, below: str | None, above: str | None) -> None:
    found = [one and one.short for one in nearest(at)]
    assert found == [below, above]


@pytest.mark.parametrize("one", [one for one in DEPLOYMENTS if "rho" in one.note], ids=lambda one: one.short)
def test_the_epsilon_of_a_rho_is_one_that_follows_from_it(one) -> None:
    """Between the tightest conversion that is known and the textbook's, for a rho rounded to its last digit."""
    stated = one.note.partition("rho = ")[2].split()[0]
    rounded = 0.5 * 10.0 ** -len(stated.partition(".")[2])
    lowest = ConcentratedEvent(rho=float(stated) - rounded)
    highest = float(stated) + rounded
    assert epsilon({lowest: 1}, delta=one.delta, accountant="concentrated") <= one.epsilon
    assert one.epsilon <= highest + 2 * math.sqrt(highest * -math.log(one.delta))


@each(
    ("field", "value"),
    [
        ("name", ""),
        ("short", "a label that is far too long"),
        ("unit", " padded "),
        ("year", 1999),
        ("epsilon", 0.0),
        ("epsilon", math.nan),
        ("delta", 1.0),
        ("model", "shuffled"),
    ],
)
def test_nonsense_is_refused_by_name(field: str, value: Any) -> None:
    assert replace(FIRST, **{field: getattr(FIRST, field)}) == FIRST
    with pytest.raises(InvalidParameterError, match=field):
        replace(FIRST, **{field: value})


@each("place", ["", "https://arxiv.org/abs/1", "arxiv.org", "javascript:alert(1)", "a b.org/c"])
def test_a_source_has_a_place_on_the_web(place: str) -> None:
    assert SourcePage(title="t", publisher="p", place="arxiv.org/abs/1").address == "https://arxiv.org/abs/1"
    with pytest.raises(InvalidParameterError, match="place"):
        SourcePage(title="t", publisher="p", place=place)
