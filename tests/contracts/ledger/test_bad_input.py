"""What should never be asked of a ledger, on both databases: a sentence each, nothing charged twice, nothing lost."""

import math
from datetime import UTC, datetime, timedelta
from typing import Any

import pytest

from dpengine.errors import AccountMismatchError, InvalidParameterError, LedgerError, RequestReusedError
from dpengine.ledger import History
from dpengine.privacy import Guarantee
from tests.contracts.ledger.laws import again, another_table, the_table
from tests.examples.ledger_planting import NEXT
from tests.examples.ledgers import asking, ledger_at, opened

NO_AMOUNTS: tuple[Any, ...] = (math.nan, -1.0, math.inf, -math.inf, 0.0, None, "much")


def test_a_budget_that_is_none(place):
    ledger = place.open()
    for epsilon in (*NO_AMOUNTS, 1e-10, 1e-300, 5e-324):
        with pytest.raises(InvalidParameterError, match="epsilon"):
            opened(ledger, the_table(), epsilon=epsilon)
        assert ledger.accounts() == (), epsilon


def test_a_question_that_costs_no_amount(place):
    account = opened(place.open(), the_table())
    for epsilon in NO_AMOUNTS:
        with pytest.raises(InvalidParameterError, match="epsilon"):
            account.charge("r", asking(epsilon))
        assert account.charges() == (), epsilon


def test_a_tiny_question_is_never_free(place):
    account = opened(place.open(), the_table())
    for epsilon in (1e-9, 1.5e-9, 1e-10, 1e-300, 5e-324):
        before = len(account.charges())
        try:
            charged = account.charge(f"r {epsilon}", asking(epsilon)).charge.amounts.epsilon
        except (InvalidParameterError, LedgerError):
            charged = None
        assert charged is None or charged >= 1
        assert len(account.charges()) - before == (charged is not None)


def test_a_budget_is_raised_to_no_such_total(place):
    account = opened(place.open(), the_table())
    for epsilon in (*NO_AMOUNTS, 1e300):
        with pytest.raises(InvalidParameterError):
            account.top_up(Guarantee(epsilon=epsilon), reason="because")
        assert account.top_ups() == (), epsilon


def test_the_same_raise_twice_is_one_and_other_words_are_another(place):
    account = opened(place.open(), the_table())
    first = account.top_up(Guarantee(epsilon=2.0), reason="because")
    assert again(place).top_up(Guarantee(epsilon=2.0), reason=" because ") == first
    with pytest.raises(InvalidParameterError, match="larger than the present total"):
        account.top_up(Guarantee(epsilon=2.0), reason="for another reason")
    assert account.top_ups() == (first,)
    with pytest.raises(AccountMismatchError, match="budget is epsilon 2"):
        opened(place.open(), the_table(), epsilon=1.0)
    assert opened(place.open(), the_table(), epsilon=2.0).id == account.id


def test_a_request_id_for_another_question_after_its_answer(place):
    account = opened(place.open(), the_table())
    account.charge("r", asking(0.1))
    account.store_answer("r", [[7]])
    with pytest.raises(RequestReusedError, match="Nothing was charged"):
        again(place).charge("r", asking(0.2))
    assert account.spent == Guarantee(epsilon=0.1)


def test_editions_are_one_line(place):
    ledger = place.open()
    first = opened(ledger, the_table(), epsilon=0.5)
    second = opened(ledger, another_table(), epsilon=0.7, predecessor=first)
    assert [one.id for one in second.lineage()] == [first.id, second.id]
    assert opened(place.open(), another_table(), epsilon=0.7, predecessor=first).id == second.id
    with pytest.raises(AccountMismatchError, match="predecessor"):
        opened(ledger, the_table(), epsilon=0.5, predecessor=second)
    columns = "fingerprint || 'x', practice, generation, predecessor, table_name, table_schema, identifier, rows_each"
    rest = "neighbors, people, rule, granted_epsilon, granted_delta, granted_rho, opened, head"
    names = columns.replace(" || 'x'", "")
    branch = f"INSERT INTO accounts (id, {names}, {rest}) SELECT ({NEXT}), {columns}, {rest} FROM accounts WHERE id = 2"
    said = place.tampered(branch)
    assert "already there" in said or "unique" in said


def test_another_ledgers_account_is_no_earlier_edition(place, tmp_path):
    stranger = opened(ledger_at(tmp_path / "another.db"), the_table(), epsilon=0.5)
    ledger = place.open()
    opened(ledger, the_table(), epsilon=0.5)
    with pytest.raises(LedgerError, match="not in this ledger"):
        opened(ledger, another_table(), epsilon=0.7, predecessor=stranger)
    assert len(ledger.accounts()) == 1


def test_clocks_that_jump_change_no_order(place):
    """Forwards by a century, back by two: what was charged stays in its order, and every head follows."""
    start = datetime(2026, 11, 22, tzinfo=UTC)
    times = iter(start + timedelta(days=days) for days in (0, 0, 36500, -36500, 1, 0, -1, 2))
    ledger = place.open(clock=lambda: next(times))
    account = opened(ledger, the_table())
    for request_id in ("a", "b"):
        account.charge(request_id, asking(0.4))
        account.store_answer(request_id, [[1]])
    account.top_up(Guarantee(epsilon=2.0), reason="more")
    account.charge("c", asking(1.2))
    assert [entry.request_id for entry in account.charges()] == ["a", "b", "c"]
    assert account.remaining == Guarantee(epsilon=0.0)
    assert [line.left.epsilon for line in History.of(account).lines] == [600_000_000, 200_000_000, 0]
    ledger.verify()


def test_a_ledger_of_another_version(place):
    place.open().close()
    place.unguarded("UPDATE meta SET version = 99")
    with pytest.raises(LedgerError, match="another version of this program"):
        place.open()


def test_a_ledger_that_lost_its_guards(place):
    place.open()
    place.asked("DROP TRIGGER charges_bounded" + (" ON charges" if "postgresql" in place.url else ""))
    with pytest.raises(LedgerError, match="its guards are missing"):
        place.open()


def test_another_ledger_in_its_place(place, tmp_path):
    place.open()
    place.marker.write_text("0" * 32 + "\n")
    with pytest.raises(LedgerError, match="not the ledger that this program charged before"):
        place.open()


@pytest.mark.parametrize("content", [b"", b"\xff\xfe"])
def test_a_torn_marker(place, content):
    place.open()
    place.marker.write_bytes(content)
    with pytest.raises(LedgerError, match="cannot be read"):
        place.open()


def test_a_ledger_that_somebody_holds(place):
    place.open()
    with place.held(), pytest.raises(LedgerError, match="Another program has been using"):
        place.open(patience=0.1)


def test_a_ledger_that_loses_a_table_while_in_use(place):
    account = opened(place.open(), the_table())
    place.asked("DROP TABLE answers")
    with pytest.raises(LedgerError) as caught:
        account.charge("private-id", asking(0.1))
    assert "private-id" not in str(caught.value) + repr(caught.value.__context__)
    assert place.asked("SELECT count(*) FROM charges") == [(0,)]
