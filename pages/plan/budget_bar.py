"""The budget as one bar: what is spent, what is asked for now, what stays; read aloud, and named below."""

from __future__ import annotations

from collections.abc import Callable

from dpengine.errors import DPEngineError
from dpengine.formatting import SIGNS, at_least, at_most, billionths, tiny
from dpengine.ledger import Account
from dpengine.plan.amounts import Amounts, cost_of
from dpengine.scenario import Scenario
from dpengine.spending import Balance, Strip, strips
from pages.plan import accounts
from pages.widgets import outputs


def drawn(strip: Strip, *, asked: str = "") -> str:
    """The bar and its words as HTML; `asked` names what is asked for now, if anything is."""
    colors = outputs.palette()
    left = "left afterwards" if asked else "left"
    words = (("spent", strip.spent, at_most), (asked, strip.asked, at_most), (left, strip.left, at_least))
    parts = [
        (f"{name} {SIGNS[strip.quantity]} {_read(value, strip.quantity, outward)}", percent, color)
        for (name, value, outward), percent, color in zip(
            words, strip.percents, (colors.spent, colors.with_person, colors.left), strict=True
        )
        if name
    ]
    said = ", ".join(text for text, _, _ in parts)
    bar = "".join(f'<i style="width: {percent:.3f}%; background: {color}"></i>' for _, percent, color in parts)
    legend = "".join(f'<span><b style="background: {color}"></b>{text}</span>' for text, _, color in parts)
    picture = f'<div class="strip" role="img" aria-label="{said}"><div>{bar}</div></div>'
    return f'{picture}<div class="strip-legend">{legend}</div>'


def of_plan(plan: Scenario, account: Account | None) -> str:
    """What the plan still takes of its budget: of the account's, or of the one that is planned while there is none.

    A question with an answer takes no more, as reading it again is free. Nothing where a question of it cannot be
    priced as it is, which the pages say beside that question.
    """
    if account is None:
        balance = Balance.untouched(plan.budget, plan.rule)
    else:
        balance, plan = accounts.balance(account), accounts.as_charged(plan)
    answered = {item.planned_query.query for item in account.releases()} if account else set()
    open_ones = [planned for planned in plan.queries if planned.query not in answered]
    try:
        charges = [cost_of(planned, plan.schema, plan.neighbors) for planned in open_ones]
    except DPEngineError:
        return ""
    asked = _asked(len(open_ones), of=len(plan.queries))
    return "".join(drawn(one, asked=asked) for one in strips(balance, sum(charges, Amounts())))


def _asked(count: int, *, of: int) -> str:
    if count < of:
        return f"your {count:,} other question{'' if count == 1 else 's'}" if count else "your questions, all answered:"
    return "your question" if count == 1 else f"your {count:,} questions"


def _read(value: float, quantity: str, outward: Callable[[float, int], str]) -> str:
    """Of rho four digits, as everywhere, so that more seems charged and less seems left, never the other way round."""
    if quantity == "rho":
        return outward(value, 4)
    return tiny(value) if quantity == "delta" else billionths(value)
