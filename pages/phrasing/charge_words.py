"""Why a released answer was charged what it was, what is left, and what the other rule would have charged."""

from __future__ import annotations

from dpengine.accounting import MOST_REPETITIONS
from dpengine.errors import DPEngineError
from dpengine.formatting import at_least, at_most, billionths, tiny_at_most
from dpengine.ledger import Account, Amounts, Charge, Release
from dpengine.plan.amounts import cost_of, granted_by
from dpengine.privacy import ConcentratedEvent
from dpengine.queries.sensitivity.sentences import relation_apart
from dpengine.scenario import Scenario
from dpengine.spending import Balance
from pages.phrasing import wording

_OTHER = {"basic": "concentrated", "concentrated": "basic"}
_ADDING = {
    "basic": "An account can also add up ε instead of ρ (naive): it would have charged",
    "concentrated": (
        "An account can also add up ρ instead of ε (concentrated), which goes further with many small questions: "
        "it would have charged"
    ),
}
_DELTA = {
    "basic": "there every question spends its own δ",
    "concentrated": "there the δ belongs to the whole budget, and no question spends any of it",
}


def signs(charge: Charge) -> str:
    """What a charge counts, in Greek letters."""
    return counted(charge.amounts, charge.rule)


def price(charge: Charge) -> str:
    """The same for somebody who has yet to pay; of rho also what the answer would promise by itself."""
    alone = f" ({counted(charge.amounts, 'basic')} by itself)" if charge.rule == "concentrated" else ""
    return f"{signs(charge)}{alone}"


def counted(amounts: Amounts, rule: str) -> str:
    """What a rule counts of these amounts, in Greek letters; never below the truth."""
    read = amounts.under(rule)
    if isinstance(read, ConcentratedEvent):
        return f"ρ {at_most(read.rho, 4)}"
    return f"ε {billionths(read.epsilon)}" + (f", δ {tiny_at_most(read.delta, 6)}" if read.delta else "")


def remaining(amounts: Amounts, rule: str) -> str:
    """What is left of what a rule counts, in Greek letters; never above the truth."""
    read = amounts.under(rule)
    return f"ρ {at_least(read.rho, 4)}" if isinstance(read, ConcentratedEvent) else wording.guarantee(read)


def of_plan(plan: Scenario, rule: str, whose: str = "Your plan") -> str:
    """What all questions of a plan cost under a rule beside its budget, and whether they fit; no row is read."""
    granted = granted_by(plan.budget)
    if rule == "concentrated" and not granted.rho:
        return "Needs a budget with a δ: this one has none."
    try:
        costs = [cost_of(planned, plan.schema, plan.neighbors) for planned in plan.queries]
    except DPEngineError:
        return "A question of your plan cannot be asked as it is: the Questions page says why."
    if not costs:
        return f"{whose} has no question yet."
    total = sum(costs, Amounts())
    asks = "question asks" if len(costs) == 1 else f"{len(costs)} questions ask"
    verdict = "it fits" if len(costs) == 1 else "they all fit"
    if not total.within(granted, rule):
        verdict = "it does not fit" if len(costs) == 1 else "they do not all fit"
    whole, wanted = remaining(granted, rule), counted(total, rule)
    if rule == "concentrated":
        alone = "by itself" if len(costs) == 1 else "if just added up"
        whole, wanted = f"{whole} ({remaining(granted, 'basic')})", f"{wanted} ({counted(total, 'basic')} {alone})"
    room = _room(Balance(granted=granted, spent=Amounts(), rule=rule).room(total, rule), len(costs))
    return f"{whose}'s {asks} for {wanted}, and the budget holds {whole}: {verdict}.{room}"


def _room(times: int, questions: int) -> str:
    """How often a whole budget holds what is planned, so that rules can be compared; nothing where it does not."""
    if not times:
        return ""
    often = f"at least {times:,}" if times == MOST_REPETITIONS else f"{times:,}"
    if questions == 1:
        return f" It has room for {often} such question{'s' if times > 1 else ''}."
    return f" It has room for these {questions} questions {'once' if times == 1 else f'{often} times'}."


def nothing_left(account: Account) -> bool:
    """Whether no further question can be answered, however small its epsilon."""
    remaining = account.remaining
    return (remaining.rho if isinstance(remaining, ConcentratedEvent) else remaining.epsilon) == 0


def all_spent(account: Account) -> str:
    """What is said once nothing can be asked any more."""
    granted = account.granted
    if isinstance(granted, ConcentratedEvent):
        return f"Nothing is left of {wording.granted(account)}: no further question is answered with this budget."
    return f"Nothing is left of ε {billionths(granted.epsilon)}: no further question is answered with this budget."


def left(account: Account) -> str:
    """What the account may still spend."""
    return f"**{wording.left(account)}** is left now; reading this answer again is free."


def reasons(shown: Release) -> str:
    """What each noisy part took of the charge, and how far one person moves it; no markdown in it."""
    planned, schema, neighbors = shown.planned_query, shown.schema, shown.neighbors
    items = wording.itemized(planned, schema, neighbors)
    because, relation = relation_apart([part.sensitivity.because for part in shown.parts])
    return " ".join([items, *map(_sentence, because), relation]).strip()


def other_rule(shown: Release) -> str:
    """The same question under the rule that this account does not have."""
    other = _OTHER[shown.charge.rule]
    delta = f"; {_DELTA[other]}" if shown.charge.amounts.delta else ""
    return f"{_ADDING[other]} {counted(shown.charge.amounts, other)}{delta}."


def _sentence(words: str) -> str:
    """With a capital letter and an end."""
    return words[:1].upper() + words[1:] + ("" if words.endswith((".", ")")) else ".")
