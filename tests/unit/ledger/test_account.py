"""Accounts: the terms that they fix, what they charge, what they refuse, and how they are found again."""

import math

import pytest

from dpengine.data import BooleanColumn, NumberColumn, PrivacyUnit, Schema, TextColumn
from dpengine.errors import (
    AccountMismatchError,
    InvalidParameterError,
    LedgerError,
)
from dpengine.ledger import Terms
from dpengine.privacy import Guarantee, Neighbors
from dpengine.queries import CountQuery
from tests.examples.ledgers import ROWS, SCHEMA, asking, ledger_at, opened, people, stored
from tests.examples.tables import read_here, shared_sample

VISITS = Schema(
    name="visits",
    columns=(TextColumn(name="patient"), BooleanColumn(name="ill"), NumberColumn(name="age", lower=0, upper=100)),
    unit=PrivacyUnit(identifier="patient", rows=2),
)
VISITS_FILE = b"patient,ill,age\na,yes,3\na,no,4\nb,no,5\n"


def with_people(number):
    return Schema(name="people", columns=SCHEMA.columns, people=number)


@pytest.fixture
def path(tmp_path):
    return tmp_path / "budget.db"


@pytest.fixture
def ledger(path):
    return ledger_at(path)


class TestOpening:
    def test_the_same_terms_find_the_same_account_with_what_it_spent(self, path, ledger):
        account = opened(ledger, people())
        account.charge("r", asking(0.25))
        again = opened(ledger_at(path), people())
        assert again.id == account.id
        assert again.spent == Guarantee(epsilon=0.25)
        assert again.remaining == Guarantee(epsilon=0.75)

    def test_the_same_rows_in_another_order_are_the_same_table(self, ledger):
        assert opened(ledger, people()).id == opened(ledger, people(ROWS[::-1])).id

    def test_one_row_more_is_another_table(self, ledger):
        opened(ledger, people())
        assert ledger.account_of(people((*ROWS, (70, "no")))) is None

    def test_another_name_and_other_bounds_are_still_the_same_table(self, ledger):
        opened(ledger, people())
        renamed = Schema(
            name="others", columns=(NumberColumn(name="age", lower=0, upper=50), BooleanColumn(name="ill"))
        )
        assert ledger.account_of(people(schema=renamed)) is not None

    def test_a_table_without_an_account(self, ledger):
        assert ledger.account_of(people()) is None

    def test_what_it_says_of_itself(self, ledger):
        account = opened(ledger, people(), epsilon=1.5, delta=1e-6, rule="concentrated")
        assert account.budget == Guarantee(epsilon=1.5, delta=1e-6)
        assert (account.rule, account.neighbors, account.practice) == ("concentrated", Neighbors.ADD_REMOVE, False)
        assert account.unit == PrivacyUnit()
        assert account.granted == account.remaining
        assert account.table_name == "people"


class TestTerms:
    @pytest.mark.parametrize(
        "term, other",
        [
            ("budget", {"budget": Guarantee(epsilon=1.1)}),
            ("budget", {"budget": Guarantee(epsilon=1.0, delta=1e-9)}),
            ("rule", {"rule": "concentrated", "budget": Guarantee(epsilon=1.0, delta=1e-6)}),
            ("neighbor relation", {"neighbors": Neighbors.REPLACE_ONE}),
        ],
    )
    def test_other_terms_are_refused_by_name(self, ledger, term, other):
        table = people(schema=with_people(5))
        opened(ledger, table)
        with pytest.raises(AccountMismatchError) as caught:
            opened(ledger, table, **other)
        assert caught.value.term == term
        assert caught.value.opened_with != caught.value.asked_for

    def test_another_privacy_unit_is_refused(self, ledger):
        opened(ledger, read_here(VISITS_FILE, schema=VISITS))
        one = Schema(name="visits", columns=VISITS.columns, unit=PrivacyUnit(identifier="patient", rows=1))
        with pytest.raises(AccountMismatchError, match=r"at most 2 rows for each 'patient'.*at most 1 row for each"):
            opened(ledger, read_here(VISITS_FILE, schema=one))

    def test_another_number_of_people_is_refused_where_it_is_public(self, ledger):
        opened(ledger, people(schema=with_people(5)), neighbors=Neighbors.REPLACE_ONE)
        with pytest.raises(AccountMismatchError, match="number of people is 5"):
            opened(ledger, people(schema=with_people(6)), neighbors=Neighbors.REPLACE_ONE)

    def test_the_number_of_people_is_no_term_where_it_is_private(self, ledger):
        first = opened(ledger, people(schema=with_people(5)))
        assert opened(ledger, people(schema=with_people(6))).id == first.id

    def test_a_schema_that_the_table_was_not_read_with(self, ledger):
        table = read_here(VISITS_FILE, schema=VISITS)
        one = Schema(name="visits", columns=VISITS.columns, unit=PrivacyUnit(identifier="patient", rows=1))
        with pytest.raises(InvalidParameterError, match="privacy unit"):
            ledger.open_account(table, one, neighbors=Neighbors.ADD_REMOVE, budget=Guarantee(epsilon=1))

    def test_replacing_one_needs_the_number_of_people(self, ledger):
        with pytest.raises(InvalidParameterError, match="people"):
            opened(ledger, people(), neighbors=Neighbors.REPLACE_ONE)

    @pytest.mark.parametrize("epsilon", [0.0, 1e-10, 10_001.0, 1e300])
    def test_budgets_that_no_account_has(self, path, ledger, epsilon):
        with pytest.raises(InvalidParameterError, match="budget epsilon"):
            opened(ledger, people(), epsilon=epsilon)
        assert stored(path, "SELECT count(*) FROM accounts") == [(0,)]

    @pytest.mark.parametrize(
        "epsilon, delta", [(math.nan, 0), (math.inf, 0), (-1, 0), (1, math.nan), (1, -0.1), (1, 1.5)]
    )
    def test_budgets_that_are_no_guarantee(self, ledger, epsilon, delta):
        with pytest.raises(InvalidParameterError):
            opened(ledger, people(), epsilon=epsilon, delta=delta)

    @pytest.mark.parametrize(
        "name, other",
        [
            ("budget", {"budget": 1.0}),
            ("budget", {"budget": (1.0, 1e-6)}),
            ("neighbors", {"neighbors": "add_remove"}),
            ("neighbors", {"neighbors": None}),
        ],
    )
    def test_what_is_of_another_kind_is_refused_by_name(self, path, ledger, name, other):
        with pytest.raises(InvalidParameterError, match=f"^{name} must be"):
            opened(ledger, people(), **other)
        assert stored(path, "SELECT count(*) FROM accounts") == [(0,)]

    def test_a_delta_of_1_promises_nothing(self, ledger):
        with pytest.raises(InvalidParameterError, match="delta"):
            opened(ledger, people(), delta=1.0)

    @pytest.mark.parametrize("delta", [0.0, 1e-19])
    def test_the_concentrated_rule_needs_a_delta(self, ledger, delta):
        with pytest.raises(InvalidParameterError, match="delta must be above 0 under the concentrated rule"):
            opened(ledger, people(), delta=delta, rule="concentrated")

    def test_an_unknown_rule(self, ledger):
        with pytest.raises(InvalidParameterError, match="rule"):
            opened(ledger, people(), rule="advanced")


class TestEditions:
    def test_another_kind_of_person_has_no_place_in_the_sum(self, ledger):
        first = opened(ledger, people())
        with pytest.raises(LedgerError, match="the same kind of person"):
            opened(ledger, read_here(VISITS_FILE, schema=VISITS), predecessor=first)
        assert opened(ledger, people(ROWS[:2]), predecessor=first).predecessor == first.id

    def test_another_change_has_no_place_in_the_sum(self, ledger):
        first = opened(ledger, people(schema=with_people(5)), neighbors=Neighbors.REPLACE_ONE)
        second = people(ROWS[:2], schema=with_people(2))
        with pytest.raises(LedgerError, match="against the same change"):
            opened(ledger, second, predecessor=first)
        assert opened(ledger, second, neighbors=Neighbors.REPLACE_ONE, predecessor=first).predecessor == first.id

    def test_an_account_is_continued_once_and_says_by_whom(self, ledger):
        first = opened(ledger, people())
        opened(ledger, people(ROWS[:2]), predecessor=first)
        with pytest.raises(LedgerError, match="already continued by that of 'people'"):
            opened(ledger, people(ROWS[:3]), predecessor=first)
        assert len(ledger.accounts()) == 2


class TestPractice:
    @pytest.mark.parametrize("asked", [False, True])
    def test_a_built_in_table_gets_nothing_else_asked_for_or_not(self, ledger, asked):
        table, schema = shared_sample("patients")
        terms = {"neighbors": Neighbors.ADD_REMOVE, "budget": Guarantee(epsilon=1)}
        assert ledger.open_account(table, schema, practice=asked, **terms).practice

    def test_no_account_continues_a_practice_account_nor_a_practice_account_another(self, ledger):
        table = shared_sample("patients")[0]
        practice, real = opened(ledger, table, practice=True), opened(ledger, people())
        with pytest.raises(LedgerError, match="Practice accounts have no editions"):
            opened(ledger, people(ROWS[:2]), predecessor=practice)
        with pytest.raises(LedgerError, match="Practice accounts have no editions"):
            opened(ledger, shared_sample("rand_hie")[0], practice=True, predecessor=real)
        assert len(ledger.accounts()) == 2

    def test_real_people_are_no_practice(self, ledger):
        with pytest.raises(InvalidParameterError, match="real people"):
            opened(ledger, people(), practice=True)

    def test_a_real_account_never_starts_over(self, ledger):
        account = opened(ledger, people())
        with pytest.raises(InvalidParameterError, match="practice account"):
            account.restart()

    def test_starting_over_keeps_the_old_account_in_the_ledger(self, path, ledger):
        table, _ = shared_sample("patients")
        account = opened(ledger, table, practice=True)
        account.charge("r", asking(1.0))
        successor = account.restart()
        assert successor.remaining == Guarantee(epsilon=1.0)
        assert (successor.generation, ledger.account_of(table).id) == (2, successor.id)
        assert len(account.charges()) == 1
        assert stored(path, "SELECT count(*) FROM accounts") == [(2,)]

    def test_a_restarted_account_charges_nothing_more(self, ledger):
        account = opened(ledger, shared_sample("patients")[0], practice=True)
        account.restart()
        with pytest.raises(LedgerError, match="was restarted"):
            account.charge("r", asking(0.1))

    def test_two_clicks_start_over_once(self, path, ledger):
        account = opened(ledger, shared_sample("patients")[0], practice=True)
        assert account.restart().id == account.restart().id
        assert stored(path, "SELECT count(*) FROM accounts") == [(2,)]

    def test_starting_over_may_change_the_terms(self, ledger):
        table, schema = shared_sample("patients")
        account = opened(ledger, table, practice=True)
        terms = Terms.of(
            schema, neighbors=Neighbors.REPLACE_ONE, budget=Guarantee(epsilon=3), rule="basic", practice=True
        )
        assert account.restart(terms).terms == terms
        real = Terms.of(
            schema, neighbors=Neighbors.ADD_REMOVE, budget=Guarantee(epsilon=3), rule="basic", practice=False
        )
        with pytest.raises(InvalidParameterError, match="practice account"):
            account.restart(real)


class TestTableOfAnAccount:
    def test_another_table_is_refused(self, ledger):
        account = opened(ledger, people())
        with pytest.raises(AccountMismatchError, match="whose rows are different"):
            account.require_table(people(ROWS[:2]))

    def test_another_unit_is_refused(self, ledger):
        account = opened(ledger, read_here(VISITS_FILE, schema=VISITS))
        rows = Schema(name="visits", columns=VISITS.columns)
        with pytest.raises(AccountMismatchError, match="privacy unit"):
            account.require_table(read_here(VISITS_FILE, schema=rows))

    def test_count_of_the_account_is_found_by_its_own_schema(self, ledger):
        account = opened(ledger, read_here(VISITS_FILE, schema=VISITS))
        assert account.cost(asking(0.5, CountQuery())).epsilon == 0.5
