"""How the figures of an evaluation were found: the rules that were used, by name, and what they rest on."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from dpengine.promises import RULES, Promise
from dpengine.reports.evaluations.figures import rows
from dpengine.reports.evaluations.promise_fields import RULE_WORDS

_FOUND_BY: Mapping[str, str] = {
    "basic": "Dwork and Roth 2014, theorem 3.16",
    "advanced": "Kairouz, Oh and Viswanath 2015, theorem 3.5",
    "optimal": "the same, theorem 3.3: the least that ε and δ alone allow",
    "concentrated": "Bun and Steinke 2016, lemma 1.7; Canonne, Kamath and Steinke 2020",
    "exact": "the distribution of the noise itself, rounded toward more loss; Dong, Roth and Su 2022",
}
_ODDS = (
    "Odds: the limit for any attacker, (e to the power of ε + δ) / (1 + e to the power of ε), rounded up (Kairouz, Oh "
    "and Viswanath 2015). A family, and many events, are groups (Dwork and Roth 2014, theorem 2.2). The lower end of a "
    "range of ε is rounded down, the upper end up."
)


def method(promise: Promise) -> Iterator[str]:
    """One paragraph for each thing that a careful reader asks."""
    used = {name for row in rows(promise) for total in row.totals.values() for name in total.rules}
    if used:
        rules = "; ".join(f"{RULE_WORDS[name]} ({_FOUND_BY[name]})" for name in RULES if name in used)
        yield f"Ways to add up privacy loss: {rules}."
        yield _ODDS
