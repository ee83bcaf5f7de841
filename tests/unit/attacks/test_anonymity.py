"""k-anonymity: every result is checked by a plain loop, and nothing that was ruled out would have lost less."""

from __future__ import annotations

import itertools
from collections import Counter, defaultdict

import pytest

from dpengine.attacks import (
    AnonymityTarget,
    RowsAtHand,
    Watch,
    anonymized,
    exposed,
    guessed,
    hierarchies,
    people_by_values,
    published_crowds,
    sharpest,
)
from dpengine.attacks.k_anonymity.hierarchies import Hierarchy
from dpengine.attacks.k_anonymity.inpatients import HIERARCHIES, INPATIENTS
from dpengine.data import (
    AsItIs,
    BooleanColumn,
    CategoryColumn,
    Crowds,
    Dropped,
    NumberColumn,
    Schema,
    sample_frame,
    sample_schema,
)
from dpengine.errors import InvalidParameterError, RefusedQueryError, StoppedError
from tests.examples.tables import shared_sample
from tests.running.cases import each

TWELVE = RowsAtHand(frame=INPATIENTS)
SAMPLES = {
    "patients": (["zip", "age", "sex", "race"], "disease", None),
    "anes_1996": (["age", "education", "income_thousand_dollars"], "party", None),
    "rand_hie": (["age", "female", "education_years"], "self_rated_health", "person"),
}
AGES = {0: lambda age: age, 1: lambda age: "<30" if age < 30 else "3*" if age < 40 else ">=40", 2: lambda age: age < 40}


def crowd(row, levels):
    """A row of the twelve as the paper would print it: zip by its digits, age by its band, nationality or nothing."""
    zip_level, age_level, nationality_level = levels
    age = AGES[age_level](int(row["age"])) if age_level < 3 else "*"
    return row["zip"][: 5 - zip_level], age, "*" if nationality_level else row["nationality"]


def by_hand(levels):
    groups = defaultdict(list)
    for row in INPATIENTS.to_dict("records"):
        groups[crowd(row, levels)].append(row["condition"])
    return groups


def twelve(people, values=1):
    return anonymized(
        TWELVE.crowds, HIERARCHIES, wanted=AnonymityTarget(people=people, values=values), sensitive="condition"
    )


def test_the_tables_of_the_paper_come_out():
    four = twelve(4)
    groups = by_hand(four.levels)
    assert four.levels == (2, 1, 1)
    assert groups["130", "3*", "*"] == ["cancer"] * 4
    assert sorted(map(len, groups.values())) == [4, 4, 4]
    diverse = by_hand(twelve(4, 3).levels)
    assert set(diverse) == {("1305", True, "*"), ("1485", False, "*"), ("1306", True, "*")}
    assert all(len(set(values)) == 3 and len(values) == 4 for values in diverse.values())


@each(
    "people,values,left_out",
    [(2, 1, 0.0), (3, 2, 0.0), (4, 1, 0.0), (4, 3, 0.0), (5, 1, 0.0), (12, 3, 0.0), (2, 1, 0.34)],
)
def test_the_twelve_are_as_anonymous_as_wanted_and_no_other_way_loses_less(people, values, left_out):
    """Where rows may be left out, the best way lies beside the first one found, and is coarser than one that fails."""
    wanted = AnonymityTarget(people=people, values=values, left_out=left_out)
    found = anonymized(TWELVE.crowds, HIERARCHIES, wanted=wanted, sensitive="condition")
    losses: dict[tuple[int, ...], float] = {}
    for levels in itertools.product(range(6), range(4), range(2)):
        groups = by_hand(levels).values()
        out = sum(len(group) for group in groups if len(group) < people or len(set(group)) < values)
        if out <= left_out * 12:
            share = sum(level / one.height for level, one in zip(levels, HIERARCHIES, strict=True)) / 3
            losses[levels] = (share * (12 - out) + out) / 12
    assert found.settled
    assert found.loss == pytest.approx(min(losses.values()))
    assert found.loss == pytest.approx(losses[found.levels])


@each(
    ("name", "wanted"),
    [
        *((name, AnonymityTarget(people=5, values=3)) for name in SAMPLES),
        ("patients", AnonymityTarget(people=25, left_out=0.0)),
    ],
)
def test_real_tables_pass_an_independent_check(name, wanted):
    columns, sensitive, identifier = SAMPLES[name]
    frame, schema = sample_frame(name).fillna(""), sample_schema(name)
    rows = RowsAtHand(frame=frame, identifier=identifier)
    found = anonymized(rows.crowds, hierarchies(schema, columns), wanted=wanted, sensitive=sensitive)
    people, values = defaultdict(set), defaultdict(set)
    seen = [{cell: told(cell, one) for cell in set(frame[one.column])} for one in found.columns]
    for number, row in enumerate(frame.to_dict("records")):
        key = tuple(words[row[one.column]] for words, one in zip(seen, found.columns, strict=True))
        people[key].add(row[identifier] if identifier else number)
        values[key].add(row[sensitive])
    kept = {key for key in people if len(people[key]) >= wanted.people and len(values[key]) >= wanted.values}
    everybody = sum(map(len, people.values()))
    out = everybody - sum(len(people[key]) for key in kept)
    assert found.left_out == out <= wanted.left_out * everybody
    assert found.published.combinations == Counter((len(people[key]), len(values[key])) for key in kept)
    assert found.discernibility == sum(len(people[key]) ** 2 for key in kept) + out * everybody
    share = sum(level / one.height for level, one in zip(found.levels, found.hierarchies, strict=True)) / len(columns)
    assert found.loss == pytest.approx((share * (everybody - out) + out) / everybody)


def told(cell, how):
    """What a cell becomes, in plain arithmetic."""
    match type(how).__name__:
        case "Dropped":
            return "any"
        case "Prefix":
            return cell[: how.letters]
        case "Bands" if cell != "":
            return float(cell) // how.width
    return cell


def test_an_engine_of_rows_finds_the_same():
    columns, sensitive, _ = SAMPLES["patients"]
    table, schema = shared_sample("patients")
    asks = (table.crowds, RowsAtHand(frame=sample_frame("patients")).crowds)
    found = [
        anonymized(a, hierarchies(schema, columns), wanted=AnonymityTarget(people=5), sensitive=sensitive) for a in asks
    ]
    assert found[0].levels == found[1].levels
    assert found[0].crowds.combinations == found[1].crowds.combinations


def test_a_search_that_stops_early_says_so_and_is_still_anonymous():
    columns, sensitive, _ = SAMPLES["patients"]
    rows, levels = RowsAtHand(frame=sample_frame("patients")), hierarchies(sample_schema("patients"), columns)
    found = anonymized(rows.crowds, levels, wanted=AnonymityTarget(people=5), sensitive=sensitive, most_checked=3)
    assert not found.settled
    assert found.checked <= 4
    assert found.left_out <= 0.05 * 2000
    assert min(found.published.sizes) >= 5


def test_what_nobody_can_reach_is_refused_with_the_reason():
    with pytest.raises(InvalidParameterError, match="k must be at most the number of people, 12; it is 13"):
        twelve(13)
    with pytest.raises(InvalidParameterError, match="l must be at most the number of different sensitive values, 3"):
        twelve(4, 4)
    with pytest.raises(InvalidParameterError, match="columns"):
        anonymized(TWELVE.crowds, (), wanted=AnonymityTarget(people=2), sensitive="condition")
    with pytest.raises(InvalidParameterError, match="left_out"):
        AnonymityTarget(people=2, left_out=1.0)
    with pytest.raises(StoppedError):
        anonymized(
            TWELVE.crowds,
            HIERARCHIES,
            wanted=AnonymityTarget(people=2),
            sensitive="condition",
            watch=Watch(cancelled=lambda: True),
        )


def test_levels_follow_from_the_declaration():
    schema = Schema(
        name="t",
        columns=(
            NumberColumn(name="share", lower=0, upper=1),
            NumberColumn(name="money", lower=0, upper=30_000),
            CategoryColumn(name="code", categories=("02138", "02139")),
            CategoryColumn(name="word", categories=("asian", "black")),
            BooleanColumn(name="ill"),
        ),
    )
    found = {one.column: one.levels for one in hierarchies(schema, ["share", "money", "code", "word", "ill"])}
    assert [getattr(level, "width", None) for level in found["share"]] == [None, 0.5, 1.0, 2.0, None]
    assert [getattr(level, "width", None) for level in found["money"]] == [None, 500.0, 1000.0, 2000.0, None]
    assert [getattr(level, "letters", None) for level in found["code"]] == [None, 4, 3, 2, 1, None]
    assert found["word"] == (AsItIs(column="word"), Dropped(column="word"))
    assert len(found["ill"]) == 2
    with pytest.raises(RefusedQueryError, match="declared as text"):
        hierarchies(sample_schema("patients"), ["name"])
    with pytest.raises(InvalidParameterError):
        Hierarchy(column="a", levels=(AsItIs(column="b"),))


def test_whoever_is_in_a_crowd_of_one_value_is_exposed():
    found = twelve(4)
    told_ = exposed(found.published)
    assert (told_.certain.successes, told_.one_fact.successes, told_.certain.trials) == (4, 8, 12)
    assert told_.one_fact_away == 4
    assert people_by_values(found.published) == {1: 4, 2: 4, 3: 4}
    assert told_.certain.beats_chance()
    assert exposed(twelve(4, 3).published).one_fact.successes == 0
    with pytest.raises(InvalidParameterError):
        exposed(Crowds(combinations={}))


def test_the_most_frequent_value_of_a_crowd_is_a_better_guess_than_that_of_all():
    found, diverse = twelve(4), twelve(4, 3)
    assert (guessed(TWELVE, found, "condition").successes, guessed(TWELVE, found, "condition").baseline) == (8, 5 / 12)
    one = sharpest(TWELVE, found, "condition")
    assert (one.value, one.among_all, one.in_crowd, one.rows) == ("cancer", 5 / 12, 1.0, 4)
    assert guessed(TWELVE, diverse, "condition").successes == 6
    assert sharpest(TWELVE, diverse, "condition").in_crowd == 0.5
    crowds = {one.cells: one.values for one in published_crowds(TWELVE, found, "condition")}
    assert crowds["130**", "30–39", "any"] == {"cancer": 4}
    assert crowds["148**", "40 or more", "any"] == {"cancer": 1, "heart disease": 1, "viral infection": 2}
    assert len(crowds) == 3
    with pytest.raises(InvalidParameterError, match="counted by row"):
        sharpest(RowsAtHand(frame=INPATIENTS, identifier="zip"), found, "condition")
