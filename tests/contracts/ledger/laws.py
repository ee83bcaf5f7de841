"""What every ledger owes, one function a law: each raises where it is broken. Mutants must break one."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from concurrent.futures import ThreadPoolExecutor
from functools import cache
from threading import Barrier, BrokenBarrierError

import pytest

from dpengine import release as door
from dpengine.data import Table
from dpengine.errors import (
    AccountMismatchError,
    BudgetExceededError,
    InvalidParameterError,
    LedgerError,
    ReleaseFailedError,
    RequestReusedError,
)
from dpengine.ledger import Account, Amounts, Ledger
from dpengine.privacy import Guarantee
from dpengine.queries import MeanQuery
from tests.examples.ledger_planting import NEXT, planted, rewritten
from tests.examples.ledgers import ROWS, Crash, asking, opened, people
from tests.servers.ledger_places import Place


@cache
def the_table() -> Table:
    """Five people; read once, since a table never changes."""
    return people()


@cache
def another_table() -> Table:
    """Two of them."""
    return people(ROWS[:2])


def again(place: Place) -> Account:
    """The account as another process finds it."""
    account = place.open().account_of(the_table())
    assert account is not None
    return account


def unmarked(place: Place) -> Ledger:
    """The ledger as the command line finds it, which asks no marker."""
    ledger = Ledger.found(place.url)
    assert ledger is not None
    return ledger


def refused(account: Account, request_id: str, epsilon: float) -> BudgetExceededError:
    """A charge that does not fit, and leaves nothing behind."""
    before = account.exact_spent()
    with pytest.raises(BudgetExceededError) as caught:
        account.charge(request_id, asking(epsilon))
    assert account.exact_spent() == before
    return caught.value


def spends_to_the_last_billionth(place: Place) -> None:
    account = opened(place.open(), the_table(), epsilon=0.3)
    for number in range(3):
        account.charge(f"r{number}", asking(0.1))
    assert account.remaining == Guarantee(epsilon=0.0)
    refused(account, "one more", 1e-8)


def spends_to_the_last_billionth_of_rho(place: Place) -> None:
    account = opened(place.open(), the_table(), epsilon=1.0, delta=1e-6, rule="concentrated")
    while account.fits(asking(0.1)):
        account.charge(f"r{len(account.charges())}", asking(0.1))
    assert len(account.charges()) == 4
    assert "under the naive rule would have had room" in str(refused(account, "one more", 0.1))


def refuses_for_ever(place: Place) -> None:
    opened(place.open(), the_table(), epsilon=0.3).charge("all", asking(0.3))
    for _ in range(2):
        refused(again(place), "more", 1e-8)


def charges_one_request_once(place: Place) -> None:
    account = opened(place.open(), the_table())
    first = account.charge("r", asking(0.4))
    assert again(place).charge("r", asking(0.4)) == first
    assert account.spent == Guarantee(epsilon=0.4)


def keeps_a_request_to_its_question(place: Place) -> None:
    account = opened(place.open(), the_table())
    account.charge("r", asking(0.4))
    for other in (asking(0.3), asking(0.4, MeanQuery("age"))):
        with pytest.raises(RequestReusedError):
            account.charge("r", other)
    assert account.spent == Guarantee(epsilon=0.4)


def keeps_the_first_answer(place: Place) -> None:
    ledger = place.open()
    account = opened(ledger, the_table())
    account.charge("r", asking(0.4))
    stored = account.store_answer("r", [[2**63 - 1, -(2**63)]])
    assert stored.head == ledger.head
    assert account.store_answer("r", [[8]]).noisy == ((2**63 - 1, -(2**63)),)
    assert again(place).charge("r", asking(0.4)) == stored


def answers_only_what_was_charged(place: Place) -> None:
    account = opened(place.open(), the_table())
    with pytest.raises(LedgerError, match="Only what was charged"):
        account.store_answer("r", [[7]])


def charges_durably_before_a_row_is_read(place: Place) -> None:
    account, table, seen = opened(place.open(), the_table()), the_table(), []
    run = Table.run

    def watched(self: Table, *arguments: object, **options: object) -> object:
        seen.append(place.asked("SELECT count(*) FROM charges"))
        return run(self, *arguments, **options)  # type: ignore[arg-type]

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(Table, "run", watched)
        door.release(asking(0.1), table, account, request_id="r")
    assert seen == [[(1,)]]


def stores_an_answer_before_it_is_shown(place: Place) -> None:
    account = opened(place.open(), the_table())
    shown = door.release(asking(0.1), the_table(), account, request_id="r")
    assert [(kept.noisy, kept.head) for kept in again(place).releases()] == [(shown.noisy, shown.head)]
    assert door.release(asking(0.1), the_table(), account, request_id="r").noisy == shown.noisy
    account.charge("another", asking(0.1))
    assert (account.count_charges(), account.count_answers()) == (2, 1)


def gives_nothing_back_after_a_failure(place: Place) -> None:
    account = opened(place.open(), the_table())
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(Table, "run", _fail)
        with pytest.raises(ReleaseFailedError):
            door.release(asking(0.4), the_table(), account, request_id="r")
    assert account.remaining == again(place).remaining == Guarantee(epsilon=0.6)


def gives_nothing_back_after_a_crash(place: Place) -> None:
    account = opened(place.open(), the_table())
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(Table, "run", _crash)
        with pytest.raises(Crash):
            door.release(asking(0.4), the_table(), account, request_id="r")
    assert account.remaining == again(place).remaining == Guarantee(epsilon=0.6)


def holds_an_account_to_its_budget(place: Place) -> None:
    ledger = place.open()
    opened(ledger, the_table(), epsilon=0.5)
    for other in (0.4, 0.6, 500.0):
        with pytest.raises(AccountMismatchError, match=r"budget is epsilon 0\.5"):
            opened(place.open(), the_table(), epsilon=other)
    (account,) = ledger.accounts()
    assert (account.budget, account.top_ups()) == (Guarantee(epsilon=0.5), ())


def raises_a_budget_only_with_a_reason_and_upwards(place: Place) -> None:
    account = opened(place.open(), the_table(), epsilon=0.5)
    for total, reason in ((0.5, "same"), (0.4, "less"), (0.6, ""), (0.6, " "), (0.6, "a\nb"), (0.6, None)):
        with pytest.raises(InvalidParameterError):
            account.top_up(Guarantee(epsilon=total), reason=reason)  # type: ignore[arg-type]
    assert (account.budget, account.top_ups()) == (Guarantee(epsilon=0.5), ())
    refused(account, "r", 0.6)
    account.top_up(Guarantee(epsilon=0.6), reason="a question that the board asked for")
    account.charge("r", asking(0.6))
    (raised,) = again(place).top_ups()
    assert (raised.budget, raised.reason) == (Guarantee(epsilon=0.6), "a question that the board asked for")
    account.top_up(Guarantee(epsilon=0.9), reason="and another one")
    account.charge("beyond the first", asking(0.3))
    refused(account, "more", 1e-8)


def counts_each_of_many_at_once(place: Place) -> None:
    """Each of eight threads either charges or is told that the budget is used up; nobody sees anything else."""
    opened(place.open(), the_table(), epsilon=0.4)
    accounts, together = [again(place) for _ in range(4)] * 2, Barrier(8, timeout=30)

    def charge(worker: int) -> int:
        charged = 0
        for number in range(10):
            try:
                together.wait()
                accounts[worker].charge(f"r{worker} {number}", asking(0.01))
            except BudgetExceededError:
                continue
            except BrokenBarrierError:
                return charged
            except LedgerError:
                together.abort()
                raise
            charged += 1
        return charged

    with ThreadPoolExecutor(8) as threads:
        assert sum(threads.map(charge, range(8))) == 40
    assert again(place).remaining == Guarantee(epsilon=0.0)


def lets_one_write_at_a_time(place: Place) -> None:
    opened(place.open(), the_table())
    account = place.open(patience=0.1).account_of(the_table())
    assert account is not None
    with place.held():
        assert account.spent == Guarantee(epsilon=0.0)
        with pytest.raises(LedgerError, match="Another program has been using"):
            account.charge("r", asking(0.1))
    account.charge("r", asking(0.1))


def refuses_what_no_sum_should_see(place: Place) -> None:
    """The database itself, past all code: what fits goes in, so that the refusals mean something."""
    opened(place.open(), the_table(), epsilon=1.0, delta=1e-6)
    assert planted(place, "fits", 400_000_000) == ""
    for epsilon, delta in ((600_000_001, 0), (1, 10**12 + 1), (0, 0), (-1, 0), (1, -1), (float("nan"), 0), (None, 0)):
        assert planted(place, "r", epsilon, delta) != "", (epsilon, delta)
    assert place.asked("SELECT sum(epsilon), count(*) FROM charges") == [(400_000_000, 1)]


def refuses_a_total_that_does_not_add_up(place: Place) -> None:
    """What fits by a total that is too small would be spent twice."""
    account = opened(place.open(), the_table(), epsilon=1.0, delta=1e-6)
    assert planted(place, "first", 400_000_000, 0, 5) == ""
    for totals in ((400_000_000, 0, 10), (800_000_001, 0, 10), (800_000_000, 1, 10), (800_000_000, 0, 5)):
        assert planted(place, "r", 400_000_000, 0, 5, totals=totals) != "", totals
    assert planted(place, "r", 400_000_000, 0, 5, totals=(800_000_000, 0, 10)) == ""
    assert account.exact_spent() == Amounts(epsilon=800_000_000, rho=10)


def refuses_a_row_out_of_its_place(place: Place) -> None:
    """A charge put in before the newest one would be left out of the next total."""
    opened(place.open(), the_table())
    ((place_to_be,),) = place.asked(NEXT)
    for elsewhere in (place_to_be - 1, place_to_be + 1, 0, -1, None):
        assert planted(place, "r", 1, number=elsewhere) != "", elsewhere
    assert planted(place, "r", 1, number=place_to_be) == ""


def tells_a_wrong_total_from_a_chain_that_follows(place: Place) -> None:
    """Somebody who takes down all guards and computes every hash anew can take no charge out of the totals."""
    account = opened(place.open(), the_table())
    for number in range(3):
        account.charge(f"r{number}", asking(0.1))
    ledger = unmarked(place)
    rewritten(place, ledger)
    ledger.verify()
    for total in ("total_epsilon", "total_delta", "total_rho"):
        rewritten(place, ledger, f"UPDATE charges SET {total} = {total} + 1 WHERE request_id = 'r1'")
        with pytest.raises(LedgerError, match="was altered"):
            ledger.verify()
        rewritten(place, ledger, f"UPDATE charges SET {total} = {total} - 1 WHERE request_id = 'r1'")
        ledger.verify()


def follows_from_its_beginning(place: Place) -> None:
    ledger = place.open()
    account, heads = opened(ledger, the_table()), [ledger.head]
    account.charge("r", asking(0.1))
    heads.append(ledger.head)
    account.store_answer("r", [[7]])
    heads.append(ledger.head)
    account.top_up(Guarantee(epsilon=2.0), reason="more")
    heads.append(ledger.head)
    opened(ledger, another_table())
    assert len({*heads, ledger.head}) == 5
    ledger.verify()


def _fail(*_: object, **__: object) -> object:
    raise OSError


def _crash(*_: object, **__: object) -> object:
    raise Crash


LAWS: Mapping[str, Callable[[Place], None]] = {
    law.__name__: law
    for law in (
        spends_to_the_last_billionth,
        spends_to_the_last_billionth_of_rho,
        refuses_for_ever,
        charges_one_request_once,
        keeps_a_request_to_its_question,
        keeps_the_first_answer,
        answers_only_what_was_charged,
        charges_durably_before_a_row_is_read,
        stores_an_answer_before_it_is_shown,
        gives_nothing_back_after_a_failure,
        gives_nothing_back_after_a_crash,
        holds_an_account_to_its_budget,
        raises_a_budget_only_with_a_reason_and_upwards,
        counts_each_of_many_at_once,
        lets_one_write_at_a_time,
        refuses_what_no_sum_should_see,
        refuses_a_total_that_does_not_add_up,
        refuses_a_row_out_of_its_place,
        tells_a_wrong_total_from_a_chain_that_follows,
        follows_from_its_beginning,
    )
}
