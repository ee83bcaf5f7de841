"""Many at once on one account: every charge counts exactly once, and the sum never exceeds the budget."""

from concurrent.futures import ProcessPoolExecutor, ThreadPoolExecutor

from dpengine.errors import BudgetExceededError
from dpengine.privacy import Guarantee
from tests.examples.ledgers import APART, asking, ledger_at, ledger_id_of, opened, people, spend_until_refused, stored

EACH = 0.01


def test_eight_threads_spend_exactly_the_budget(tmp_path):
    path = tmp_path / "budget.db"
    account = opened(ledger_at(path), people(), epsilon=1.0)

    def charge(number):
        try:
            account.charge(f"r{number}", asking(EACH))
        except BudgetExceededError:
            return False
        return True

    with ThreadPoolExecutor(8) as threads:
        charged = sum(threads.map(charge, range(200)))
    assert charged == 100
    assert account.remaining == Guarantee(epsilon=0.0)
    ledger_at(path).verify()


def test_eight_threads_with_one_request_charge_once(tmp_path):
    account = opened(ledger_at(tmp_path / "budget.db"), people(), epsilon=1.0)

    def charge_and_answer(number):
        account.charge("double click", asking(EACH))
        return account.store_answer("double click", [[number]]).noisy

    with ThreadPoolExecutor(8) as threads:
        answers = set(threads.map(charge_and_answer, range(16)))
    assert len(answers) == 1
    assert account.spent == Guarantee(epsilon=EACH)


def test_three_processes_that_start_together_make_one_ledger_and_spend_exactly_its_budget(tmp_path):
    path = tmp_path / "budget.db"
    with ProcessPoolExecutor(3, mp_context=APART) as processes:
        assert len(set(processes.map(ledger_id_of, [str(path)] * 3))) == 1
        account = opened(ledger_at(path), people(), epsilon=1.0)
        names = [f"p{number}" for number in range(3)]
        charged = list(processes.map(spend_until_refused, [str(path)] * 3, names, [2 * EACH] * 3, [50] * 3))
    assert sum(charged) == 50
    assert account.remaining == Guarantee(epsilon=0.0)
    assert stored(path, "SELECT sum(epsilon), count(*) FROM charges") == [(10**9, 50)]
    ledger_at(path).verify()
