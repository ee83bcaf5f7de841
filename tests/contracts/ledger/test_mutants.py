"""The laws tell a broken ledger from a healthy one: each of these small mistakes breaks the law that is against it."""

from dataclasses import replace
from threading import Barrier

import pytest

from dpengine import release as door
from dpengine.errors import AccountMismatchError, LedgerError
from dpengine.ledger import Account, Ledger, Release, Terms
from dpengine.ledger.accounts import account as accounts
from dpengine.ledger.accounts import rows
from dpengine.ledger.accounts.opening import Opening
from dpengine.ledger.entries.entry import Entry
from dpengine.ledger.storage import chain, invariants, postgres, tables
from dpengine.ledger.storage.amounts import Amounts
from dpengine.ledger.storage.sqlite_pool import KeptOpen
from tests.contracts.ledger import laws


def adds_floats(patch):
    """A budget of 0.3 takes 0.1 three times, but 0.1 + 0.1 + 0.1 > 0.3."""

    def within(self, granted, rule):
        whole = round(self.epsilon / 1e8)
        return sum([0.1] * whole) <= granted.epsilon / 1e9

    patch.setattr(Amounts, "within", within)


def lets_null_pass(patch):
    """NaN becomes NULL, and a comparison with NULL is neither true nor false."""
    over = "NEW.epsilon > 600000000 OR NEW.epsilon < 1 OR NEW.delta > 1000000000000 OR NEW.delta < 0"
    bounded = f"SELECT 1 WHERE NOT coalesce({over}, FALSE)"
    patch.setitem(invariants.BOUNDED, "charges", ((bounded, "over budget"),))
    for column in (tables.charges.c.epsilon, tables.charges.c.total_epsilon):
        patch.setattr(column, "nullable", True)


def trusts_any_total(patch):
    _leave_out(patch, "charges", "not the running total")


def takes_a_charge_at_any_place(patch):
    _leave_out(patch, "charges", "not the next place")


def _leave_out(patch, table, message):
    patch.setitem(invariants.BOUNDED, table, tuple(one for one in invariants.BOUNDED[table] if one[1] != message))


def verifies_hashes_alone(patch):
    patch.setattr(chain, "_adds_up", lambda table, row, totals: True)


def begins_each_total_anew(patch):
    add = rows.add_charge
    forgetting = lambda *terms, at, **named: add(*terms, at=replace(at, spent=Amounts()), **named)  # noqa: E731
    patch.setattr(rows, "add_charge", forgetting)


def begins_without_the_lock(patch):
    transaction = KeptOpen.transaction
    patch.setattr(KeptOpen, "transaction", lambda self, begin: transaction(self, begin and "BEGIN"))
    patch.setattr(postgres, "_ALONE", "BEGIN ISOLATION LEVEL READ COMMITTED READ WRITE")


def begins_without_the_lock_so_that_two_read_before_either_writes(patch):
    """What would happen sooner or later happens at once: of the first two charges none is written before both read."""
    begins_without_the_lock(patch)
    add, first_two, both_have_read = rows.add_charge, iter(range(2)), Barrier(2, timeout=30)

    def add_once_both_have_read(*terms, **named):
        if next(first_two, None) is not None:
            both_have_read.wait()
        return add(*terms, **named)

    patch.setattr(rows, "add_charge", add_once_both_have_read)


def shows_the_newest_draw(patch):
    store = Account.store_answer
    patch.setattr(
        Account,
        "store_answer",
        lambda self, name, noisy: replace(store(self, name, noisy), noisy=tuple(tuple(part) for part in noisy)),
    )


def charges_after_reading(patch):
    def release(planned, table, account, *, request_id):
        waiting = Entry(
            planned_query=planned,
            schema=table.schema,
            neighbors=account.neighbors,
            charge=account.cost(planned),
            account=account.name,
            request_id=request_id,
            time=account.opened,
            noisy=None,
        )
        drawn = door._drawn(waiting, table)
        account.charge(request_id, planned, table.schema)
        return Release.of(account.store_answer(request_id, drawn))

    patch.setattr(door, "release", release)


def tops_up_when_it_is_opened_again(patch):
    require_same = Terms.require_same

    def forgiving(self, asked):
        try:
            require_same(self, asked)
        except AccountMismatchError as error:
            if error.term != "budget":
                raise

    patch.setattr(Terms, "require_same", forgiving)


def takes_any_total(patch):
    patch.setattr(accounts, "require_larger", lambda total, granted: None)


def tops_up_without_a_reason(patch):
    patch.setattr(accounts, "require_reason", lambda reason: "none")


def ignores_what_a_request_asks(patch):
    patch.setattr(Account, "_known", lambda self, now, request: now.known)


def gives_back_what_was_not_answered(patch):
    balance = rows.balance

    def of_answered(connection, key):
        granted, _ = balance(connection, key)
        answered = [row for row in rows.entries(connection, key) if row["noisy"] is not None]
        spent = (Amounts(epsilon=row["epsilon"], delta=row["delta"], rho=row["rho"]) for row in answered)
        return granted, sum(spent, Amounts())

    patch.setattr(rows, "balance", of_answered)


def shows_before_it_stores(patch):
    def store(self, name, noisy):
        entry = next(entry for entry in self.charges() if entry.request_id == name)
        return replace(entry, noisy=tuple(tuple(part) for part in noisy))

    patch.setattr(Account, "store_answer", store)


def charges_a_second_click_again(patch):
    charge = Account.charge
    clicks = iter(range(1000))
    patch.setattr(
        Account,
        "charge",
        lambda self, name, planned, schema=None: charge(self, f"{name} {next(clicks)}", planned, schema),
    )


def forgets_at_a_restart(patch):
    patch.setattr(Ledger, "account_of", _emptied)


def _emptied(ledger, table):
    schema = replace(table.schema, name="again")
    (account,) = [one for one in ledger.accounts() if one.fingerprint == table.fingerprint(ledger._store.secret)]
    with ledger._store.writing() as connection:
        opening = Opening(fingerprint=account.fingerprint[::-1], schema=schema, terms=account.terms)
        key = rows.add_account(connection, opening, generation=1, time=ledger._store.now())
        return Account.of(ledger._store, connection, rows.required_account(connection, key))


MUTANTS = (
    (adds_floats, laws.spends_to_the_last_billionth),
    (lets_null_pass, laws.refuses_what_no_sum_should_see),
    (trusts_any_total, laws.refuses_a_total_that_does_not_add_up),
    (takes_a_charge_at_any_place, laws.refuses_a_row_out_of_its_place),
    (verifies_hashes_alone, laws.tells_a_wrong_total_from_a_chain_that_follows),
    (begins_each_total_anew, laws.spends_to_the_last_billionth),
    (begins_without_the_lock_so_that_two_read_before_either_writes, laws.counts_each_of_many_at_once),
    (shows_the_newest_draw, laws.keeps_the_first_answer),
    (charges_after_reading, laws.charges_durably_before_a_row_is_read),
    (tops_up_when_it_is_opened_again, laws.holds_an_account_to_its_budget),
    (takes_any_total, laws.raises_a_budget_only_with_a_reason_and_upwards),
    (tops_up_without_a_reason, laws.raises_a_budget_only_with_a_reason_and_upwards),
    (ignores_what_a_request_asks, laws.keeps_a_request_to_its_question),
    (gives_back_what_was_not_answered, laws.gives_nothing_back_after_a_failure),
    (shows_before_it_stores, laws.stores_an_answer_before_it_is_shown),
    (charges_a_second_click_again, laws.charges_one_request_once),
    (forgets_at_a_restart, laws.refuses_for_ever),
)
BROKEN = (AssertionError, LedgerError, pytest.fail.Exception)
"""What a law raises where it is broken: a false fact, a refusal that should not be, a refusal that is not there."""


@pytest.mark.parametrize("mutant, law", MUTANTS, ids=[mutant.__name__ for mutant, _ in MUTANTS])
def test_the_law_catches_it(file_place, monkeypatch, mutant, law):
    mutant(monkeypatch)
    with pytest.raises(BROKEN):
        law(file_place)


def test_a_server_without_the_lock_is_caught(server_place, monkeypatch):
    begins_without_the_lock(monkeypatch)
    with pytest.raises(pytest.fail.Exception):
        laws.lets_one_write_at_a_time(server_place)
