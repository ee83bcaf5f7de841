"""Linkage: the join agrees with a plain loop, wins against exact rows, and loses where the filters are blunt."""

from __future__ import annotations

import pandas as pd
import pytest

from dpengine.attacks import RowsAtHand, Watch, hospital_table, linked, narrowed, uniqueness, voter_list
from dpengine.attacks.k_anonymity.voters import OTHERS, YOUNGEST
from dpengine.data import AsItIs, Coarsening, Dropped, Period, Prefix
from dpengine.errors import InvalidParameterError, StoppedError
from tests.examples.tables import shared_sample
from tests.running.cases import each

ZIP, BIRTH, SEX = AsItIs(column="zip"), AsItIs(column="date_of_birth"), AsItIs(column="sex")
EXACT: list[Coarsening] = [ZIP, BIRTH, SEX]
BLUNT: list[Coarsening] = [
    Prefix(column="zip", letters=3),
    Period(column="date_of_birth", period="decade"),
    Dropped(column="sex"),
]


def by_hand(records, names, keys):
    """Names that fit each record, by their key functions, one record after the other."""
    fitting = []
    for record in records.to_dict("records"):
        wanted = [key(record) for key in keys]
        fitting.append([i for i, name in enumerate(names.to_dict("records")) if [k(name) for k in keys] == wanted])
    return fitting


def test_a_plain_loop_finds_the_same():
    records, names = hospital_table().head(40), voter_list().sample(1500, random_state=3).reset_index(drop=True)
    columns: list[Coarsening] = [Prefix(column="zip", letters=4), Period(column="date_of_birth", period="year"), SEX]
    keys = [lambda row: row["zip"][:4], lambda row: row["date_of_birth"][:4], lambda row: row["sex"]]
    found, truth = linked(records, names, columns), by_hand(records, names, keys)
    assert found.fitting.tolist() == [len(fits) for fits in truth]
    alone = [len(own) == 1 for own in by_hand(records, records, keys)]
    named = [fits[0] if len(fits) == 1 and one else -1 for fits, one in zip(truth, alone, strict=True)]
    assert found.named.tolist() == named
    rights = [name >= 0 and names["patient"][name] == i for i, name in enumerate(named)]
    assert found.right.tolist() == rights
    assert found.outcome.successes == sum(rights)
    assert found.wrong == sum(name >= 0 for name in named) - sum(rights)
    listed = sum(i in set(names["patient"]) for i in range(40))
    assert found.outcome.baseline == pytest.approx(listed / 40 / 1500)


def test_two_records_that_look_alike_get_no_name():
    names = pd.DataFrame({"a": ["x", "y", "z"], "patient": [0, 2, 3]})
    found = linked(pd.DataFrame({"a": ["x", "x", "y", "z"]}), names, [AsItIs(column="a")])
    assert found.fitting.tolist() == [1, 1, 1, 1]
    assert found.named.tolist() == [-1, -1, 1, 2]
    assert (found.outcome.successes, found.wrong) == (2, 0)


def test_rows_without_names_are_named_and_blunt_ones_are_not():
    exact, blunt = (linked(hospital_table(), voter_list(), columns) for columns in (EXACT, BLUNT))
    assert exact.outcome.rate > 0.6
    assert exact.outcome.beats_chance()
    assert blunt.outcome.successes == 0
    again = linked(hospital_table(), voter_list(), EXACT)
    assert again.outcome == exact.outcome


def test_the_voter_list_holds_grown_up_patients_once_and_strangers_elsewhere():
    voters, patients = voter_list(), hospital_table()
    known = voters[voters["patient"] >= 0]
    assert len(voters) == OTHERS + len(known)
    assert known["patient"].is_unique
    for column in ("name", "zip", "date_of_birth", "sex"):
        assert known[column].tolist() == patients[column].iloc[known["patient"]].tolist()
    assert (voters["date_of_birth"] < YOUNGEST).all()
    assert voters["name"].is_monotonic_increasing


def test_filters_leave_who_fits_them():
    voters = voter_list()
    person = int(voters.index[voters["patient"] >= 0][100])
    row = voters.iloc[person]
    left, counts = voters, [len(voters)]
    for column in ("zip", "date_of_birth", "sex"):
        left = left[left[column] == row[column]]
        counts.append(len(left))
    assert narrowed(voters, person, [ZIP, BIRTH, SEX]) == tuple(counts)


@each("records,columns", [(0, [ZIP]), (5, []), (5, [AsItIs(column="disease")]), (5, [AsItIs(column="nothing")])])
def test_a_join_without_sense_is_refused(records, columns):
    with pytest.raises(InvalidParameterError):
        linked(hospital_table().head(records), voter_list(), columns)


def test_an_unknown_person_is_refused():
    with pytest.raises(InvalidParameterError, match="person must be a row of the list"):
        narrowed(voter_list(), 10**6, [ZIP])


SMALL = pd.DataFrame({"a": list("xxyyz"), "b": list("ppppp"), "c": list("12345")})


def test_the_most_telling_column_comes_first_and_every_subset_is_there():
    found = uniqueness(RowsAtHand(frame=SMALL).crowds, [AsItIs(column=name) for name in "abc"])
    assert found.order == ("c", "a", "b")
    assert len(found.crowds) == 7
    assert found.of(["a"]).sizes == {1: 1, 2: 2}
    assert found.of(["a", "b"]).share_below(2) == 0.2
    assert [crowds.share_below(2) for crowds in found.curve] == [1.0, 1.0, 1.0]
    assert found.of(["b"]).sizes == {5: 1}


@each("names", ["", "aa", "abcdefg"])
def test_columns_that_cannot_be_compared_are_refused(names):
    with pytest.raises(InvalidParameterError, match="1 to 6 different"):
        uniqueness(RowsAtHand(frame=SMALL).crowds, [AsItIs(column=name) for name in names])


def test_a_subset_that_was_not_asked_about_is_refused():
    found = uniqueness(RowsAtHand(frame=SMALL).crowds, [AsItIs(column="a")])
    with pytest.raises(InvalidParameterError):
        found.of(["b"])
    with pytest.raises(InvalidParameterError, match="a column of the table"):
        RowsAtHand(frame=SMALL).crowds([AsItIs(column="d")])
    with pytest.raises(InvalidParameterError, match="at least one"):
        RowsAtHand(frame=SMALL).crowds([])


def test_it_can_be_stopped():
    with pytest.raises(StoppedError):
        uniqueness(RowsAtHand(frame=SMALL).crowds, [AsItIs(column="a")], watch=Watch(cancelled=lambda: True))


def test_a_table_and_the_rows_at_hand_see_the_same_crowds():
    columns: list[Coarsening] = [ZIP, Period(column="date_of_birth", period="year"), SEX, AsItIs(column="race")]
    table, _ = shared_sample("patients")
    by_engine, by_hand_ = (
        uniqueness(ask, columns) for ask in (table.crowds, RowsAtHand(frame=hospital_table()).crowds)
    )
    assert by_engine.order == by_hand_.order
    for subset, crowds in by_engine.crowds.items():
        assert crowds.combinations == by_hand_.crowds[subset].combinations


def test_a_list_without_the_owners_cannot_be_guessed_right():
    names = pd.DataFrame({"a": ["x"], "patient": [-1]})
    outcome = linked(pd.DataFrame({"a": ["x"]}), names, [AsItIs(column="a")]).outcome
    assert (outcome.successes, outcome.baseline) == (0, 0.0)


def test_a_filter_that_the_list_does_not_have_is_named():
    with pytest.raises(InvalidParameterError, match="a column of the list"):
        narrowed(voter_list(), 0, [AsItIs(column="disease")])
