"""Questions about different people: what they cost together by parallel composition, which no ledger here uses."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction

from dpengine.accounting import ParallelPart, parallel_guarantee
from dpengine.plan.amounts import Amounts
from dpengine.privacy import Guarantee, Neighbors
from dpengine.privacy.amounts import ATTO, NANO
from dpengine.privacy.rounding import rounded_up
from dpengine.queries.disjoint import disjoint
from dpengine.queries.one_histogram import one_histogram
from dpengine.scenario import Scenario
from dpengine.spending.steps import step_of

MOST_COMPARED = 60
"""Questions whose conditions are compared two and two; later ones stand alone."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Apart:
    """Families of questions, by place, of which no two are ever about the same row; and what all promise together."""

    families: tuple[tuple[int, ...], ...]
    together: Guarantee
    added_up: Guarantee

    @property
    def found(self) -> tuple[tuple[int, ...], ...]:
        """The families of more than one question."""
        return tuple(family for family in self.families if len(family) > 1)


def apart(plan: Scenario) -> Apart:
    """What a plan's questions promise together where one person cannot be in two of them; never below the truth.

    Each question's noise is calibrated for the plan's own neighbors. Under ADD_REMOVE a person touches one question of
    a family, so the largest guarantee holds; under REPLACE_ONE the old values may lie in one and the new ones in
    another, so the two largest add up (inside one question a replacement costs what that question is calibrated for).
    Families add up. Where people may have several rows nothing is taken apart.
    Source: McSherry 2009, Theorem 4; Dwork and Roth 2014, Theorem 3.16.
    """
    families = tuple(map(tuple, _families(plan)))
    charges = [step_of(planned, plan.schema, plan.neighbors).amounts for planned in plan.queries]
    held = [_together([charges[place] for place in family], plan.neighbors) for family in families]
    return Apart(families=families, together=_sum(held), added_up=_sum([_guarantee(charge) for charge in charges]))


def as_one_question(plan: Scenario, family: Sequence[int]) -> Scenario | None:
    """The plan with a family asked as one histogram, at the guarantee of its dearest question; None where it is none.

    The histogram stands where the first of them stood, and its cells share that one price.
    """
    asked = [plan.queries[place] for place in family]
    histogram = one_histogram([planned.query for planned in asked], plan.schema)
    if histogram is None:
        return None
    dearest = max(asked, key=lambda planned: planned.guarantee.epsilon)
    joined = plan.with_query_at(family[0], dearest.asking(histogram))
    for place in sorted(family[1:], reverse=True):
        joined = joined.without_query(place)
    return joined


def _families(plan: Scenario) -> list[list[int]]:
    """Each question joins the first family with whose every question it shares no row."""
    families: list[list[int]] = []
    asked = [planned.query.touched() for planned in plan.queries]
    for place, condition in enumerate(asked):
        alone = place >= MOST_COMPARED or not plan.schema.one_row_each
        open_to_it = [] if alone else families
        home = next((one for one in open_to_it if all(disjoint(condition, asked[i], plan.schema) for i in one)), None)
        if home is None:
            families.append([place])
        else:
            home.append(place)
    return families


def _together(charges: Sequence[Amounts], neighbors: Neighbors) -> Guarantee:
    parts = [ParallelPart(add_remove=_guarantee(charge), replace_one=_guarantee(charge)) for charge in charges]
    return parallel_guarantee(parts, neighbors=neighbors)


def _guarantee(charge: Amounts) -> Guarantee:
    return Guarantee(epsilon=charge.epsilon / NANO, delta=charge.delta / ATTO)


def _sum(guarantees: Sequence[Guarantee]) -> Guarantee:
    epsilon = sum((Fraction(one.epsilon) for one in guarantees), Fraction())
    delta = sum((Fraction(one.delta) for one in guarantees), Fraction())
    return Guarantee(epsilon=rounded_up(epsilon), delta=min(rounded_up(delta), 1.0))
