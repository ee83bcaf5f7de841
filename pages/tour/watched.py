"""What a page can tell of a step: something that is different once a person has tried it, None where it is not there.

Nothing here is shown to anybody; it is only compared with what it was when the step began.
"""

from __future__ import annotations

from collections.abc import Callable

from pages import session
from pages.plan import accounts


def dial(key: str) -> Callable[[], object]:
    """Where an epsilon dial stands."""
    return lambda: _moved(f"{key}_box")


def table() -> object:
    """Which table the plan is about."""
    return session.scenario().table_name


def questions() -> object:
    """The questions of the plan."""
    return tuple(planned.query for planned in session.scenario().queries)


def trade_off() -> object:
    """The dial of the trade-off page, and the error and the belief typed there."""
    if not session.scenario().queries:
        return None
    return _held("tradeoff_epsilon_box", session.error_key(session.question_mark()), session.BELIEF)


def spending() -> object:
    """How often the list is asked, the budget, and each question's share."""
    shares = (f"share_{place}_box" for place in range(len(session.scenario().queries)))
    return _held("budget_rounds", "budget_epsilon", *shares)


def answers() -> object:
    """How many answers the account of the table has given."""
    account = accounts.current()
    return 0 if account is None else account.count_answers()


def attack() -> object:
    """Which act of the attack is open, and how many answers are averaged."""
    return _held("averaging_step", "averaging_times")


def check(key: str) -> Callable[[], object]:
    """Which answer was given to the closing question."""
    return lambda: str(session.remembered(key, None))


def _held(first: str, *others: str) -> object:
    """What several widgets hold, once the first of them is drawn."""
    value = _moved(first)
    return None if value is None else (value, *(_moved(name) for name in others))


def _moved(name: str) -> object:
    return session.widget_held(session.moving(name))
