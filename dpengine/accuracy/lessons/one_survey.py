"""One survey by randomized response answers many counts: any group's, from the same reports, at no further epsilon."""

from __future__ import annotations

import itertools
import math
from dataclasses import dataclass

import numpy as np

from dpengine.accuracy.lessons.local_and_central import LARGEST_EPSILON
from dpengine.errors import require_between, require_whole
from dpengine.mechanisms import RandomizedResponse
from dpengine.mechanisms.local.local_answers import Categories

AGES, PLACES = ("under 25", "25 to 64", "65 and over"), ("town", "country")
_OF_AGES, _IN_TOWN, _SMOKING = (0.12, 0.58, 0.3), 0.7, (0.35, 0.28, 0.12)
_TWO_SIDED_95 = 1.959963984540054
MOST_FACTS = 100


@dataclass(frozen=True, slots=True, kw_only=True)
class Surveyed:
    """Invented people: age and place, which are public, as numbers from 0, and whether they smoke in truth (0 or 1)."""

    age: Categories
    place: Categories
    smokes: Categories


@dataclass(frozen=True, slots=True, kw_only=True)
class GroupCount:
    """Who is counted (None is any age, any place), how many they are, how many smoke in truth and by the reports."""

    age: int | None
    place: int | None
    people: int
    truth: int
    estimate: float
    lower: int
    upper: int

    @property
    def name(self) -> str:
        """Age and place, or what one of them says."""
        named = [names[one] for names, one in ((AGES, self.age), (PLACES, self.place)) if one is not None]
        return ", ".join(named) or "all"

    def percent(self, count: float) -> float:
        """A count as so many of 100 of the group."""
        return 100.0 * count / self.people


def invented_people(people: int, rng: np.random.Generator) -> Surveyed:
    """So many invented people; the young smoke more often than the old."""
    age = rng.choice(len(AGES), size=people, p=_OF_AGES)
    place = (rng.random(people) >= _IN_TOWN).astype(np.int64)
    smokes = (rng.random(people) < np.take(_SMOKING, age)).astype(np.int64)
    return Surveyed(age=age, place=place, smokes=smokes)


def counts_of_groups(survey: Surveyed, reports: Categories, *, epsilon: float) -> list[GroupCount]:
    """Every age in every place, and any; all from one report a person, so all of them cost what one costs."""
    found = []
    for age, place in itertools.product((None, *range(len(AGES))), (None, *range(len(PLACES)))):
        inside = np.ones(reports.shape, dtype=bool) if age is None else survey.age == age
        inside = inside if place is None else inside & (survey.place == place)
        people, reported = int(inside.sum()), int(reports[inside].sum())
        lower, upper = likely_counts(reported, people, epsilon=epsilon)
        found.append(
            GroupCount(
                age=age,
                place=place,
                people=people,
                truth=int(survey.smokes[inside].sum()),
                estimate=estimated_count(reported, people, epsilon=epsilon),
                lower=lower,
                upper=upper,
            )
        )
    return found


def estimated_count(reported: int, people: int, *, epsilon: float) -> float:
    """How many of these people would truly say yes, from how many of them reported it: without bias.

    (reported - people (1 - g)) / (2 g - 1) with the chance g of a true report; may lie below 0 or above `people`.
    Computed from reports alone, it costs no epsilon. Source: Warner 1965; Dwork and Roth 2014, Proposition 2.1.
    """
    require_whole("people", people)
    require_between("reported", reported, 0, people)
    return float(people * RandomizedResponse.from_epsilon(epsilon).estimate(reported / people))


def count_standard_error(people: int, *, epsilon: float) -> float:
    """Of estimated_count by the coins alone, whoever says yes in truth: sqrt(people) e^(epsilon/2) / (e^epsilon - 1).

    Source: Warner 1965; Wang, Blocki, Li, Jha 2017, section 4.1.
    """
    return people * math.sqrt(RandomizedResponse.from_epsilon(epsilon).variance(0.5, people))


def likely_counts(reported: int, people: int, *, epsilon: float) -> tuple[int, int]:
    """The whole numbers at both ends of a 95% interval around estimated_count, over the coins alone.

    Ends may lie below 0 or above `people`.
    """
    estimate = estimated_count(reported, people, epsilon=epsilon)
    reach = count_half_width(people, epsilon=epsilon)
    return math.ceil(estimate - reach), math.floor(estimate + reach)


def count_half_width(people: int, *, epsilon: float) -> float:
    """Of the 95% interval around estimated_count: 1.96 standard errors, and what one report more would change.

    The interval is never below 95% wherever the exact law of the coins was summed up (any truth, groups of 1 to 2,000).
    """
    one_report = 1.0 / math.tanh(epsilon / 2.0)
    return _TWO_SIDED_95 * count_standard_error(people, epsilon=epsilon) + one_report


def one_fact_standard_error(people: int, facts: int, *, epsilon: float) -> float:
    """Of the count of one fact, where each of so many facts is reported with an equal part of epsilon.

    Epsilons of facts add up: each has epsilon / facts. Source: Warner 1965; Dwork and Roth 2014, Theorem 3.16.
    """
    require_whole("facts", facts)
    return count_standard_error(people, epsilon=epsilon / facts)


def all_facts_standard_error(people: int, facts: int, *, epsilon: float) -> float:
    """Largest standard error of the count of people who have all of these facts, each with epsilon / facts.

    Each person counts as the product of the unbiased estimates of the own facts, whose coins are independent:
    sqrt(people ((1 + v)^facts - 1)) with randomized response's variance v of one report; reached where everybody
    has all facts. Source: Warner 1965; variance of a product of independent estimates, Goodman 1960.
    """
    require_between("facts", facts, 1, MOST_FACTS)
    require_between("epsilon", epsilon, 0.0, LARGEST_EPSILON, open_at="lower")
    of_one = one_fact_standard_error(1, facts, epsilon=epsilon) ** 2
    return math.sqrt(people) * math.sqrt(math.expm1(facts * math.log1p(of_one)))
