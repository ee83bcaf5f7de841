"""What a charge costs the database: the same whatever was charged before."""

from contextlib import contextmanager

from dpengine.privacy import Guarantee
from tests.examples.ledgers import asking, ledger_at, opened, people

FEW, MANY = 20, 400


@contextmanager
def steps(account):
    """How many steps SQLite's machine takes meanwhile."""
    with account.store.reading() as connection:
        driver = connection.connection.driver_connection
    counted = []
    driver.set_progress_handler(lambda: counted.append(1), 1)
    yield counted
    driver.set_progress_handler(None, 0)


def of_one_charge(account, request_id):
    with steps(account) as counted:
        account.charge(request_id, asking(1e-6))
    return len(counted)


def test_a_charge_takes_as_many_steps_after_many_as_after_few(tmp_path):
    account = opened(ledger_at(tmp_path / "budget.db"), people(), epsilon=1.0)
    taken = {}
    for number in range(MANY + 1):
        if number in (FEW, MANY):
            taken[number] = of_one_charge(account, f"counted {number}")
        account.charge(f"r{number}", asking(1e-6))
    assert taken[FEW] > 100
    assert taken[MANY] <= 1.2 * taken[FEW]
    assert account.spent == Guarantee(epsilon=1e-6 * (MANY + 3))


def test_the_count_sees_what_grows(tmp_path):
    account = opened(ledger_at(tmp_path / "budget.db"), people(), epsilon=1.0)
    for number in range(MANY):
        account.charge(f"r{number}", asking(1e-6))
    with steps(account) as counted, account.store.reading() as connection:
        connection.exec_driver_sql("SELECT sum(epsilon) FROM charges").scalar()
    assert len(counted) > MANY
