"""What courses define, prove, count and warn of: the rows of docs/course.md, and the numbers that stand in them."""

from __future__ import annotations

import math
import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from pathlib import Path

import numpy as np

from dpengine.accounting import Repetition
from dpengine.accounting.advanced_2010 import composed_delta
from dpengine.accounting.parallel import ParallelPart, parallel_guarantee
from dpengine.accuracy.lessons.classic_gaussian import classic_fails_from
from dpengine.accuracy.lessons.local_and_central import (
    central_standard_error,
    laplace_over_response,
    local_standard_error,
)
from dpengine.accuracy.lessons.many_answers import laplace_error_of_many
from dpengine.accuracy.lessons.one_survey import all_facts_standard_error
from dpengine.attacks import answers_needed, narrowed
from dpengine.attacks.clinic import mumps_cases
from dpengine.attacks.k_anonymity.governor import GOVERNOR, town_voters
from dpengine.attacks.k_anonymity.local_recoding import COARSER, FOUR_ROWS, locally_recoded
from dpengine.attacks.reconstruction import StoppedAttack, sampling_error, share_guessed_wrong, try_everything
from dpengine.beliefs import EpsilonMeaning, chance_bounds, odds_out_of_100
from dpengine.data import AsItIs, Comparison, sample_schema
from dpengine.formatting import amount, at_least, at_most, between_of_100, tiny_at_most, tiny_from_log, upper_of_100
from dpengine.losses.definitions import gaussian_loss_exceedance, one_after_another
from dpengine.mechanisms import DiscreteLaplaceMechanism, GaussianMechanism
from dpengine.mechanisms.listed import clamped_noisy_count, coin_flipped_answer, random_page
from dpengine.mechanisms.local.randomized_response import RandomizedResponse
from dpengine.plan import PlannedQuery
from dpengine.privacy import Guarantee, Neighbors
from dpengine.queries import HistogramQuery, ProportionQuery, Query, SeveralProportionsQuery, StatisticalQueries
from dpengine.queries.sensitivity.statistic_sensitivities import of_mean, of_proportions, of_statistics
from dpengine.scenario import Scenario

COLUMNS = 5
HALF, TENTH = Guarantee(epsilon=0.5), Guarantee(epsilon=0.1, delta=1e-6)
COUNT = DiscreteLaplaceMechanism.from_epsilon(0.5, l1_sensitivity=1)
COIN = RandomizedResponse.from_coin(0.5)
ANSWERS = Repetition(event=DiscreteLaplaceMechanism.from_epsilon(0.1, l1_sensitivity=1).event, delta=1e-6, chosen=300)


@dataclass(frozen=True, slots=True, kw_only=True)
class CourseItem:
    """One row: an item of the notes, where it is seen, what stands there, and the engine function, if it has one."""

    item: str
    page: str
    step: str
    said: str
    engine: str


def course_items(written: Path) -> list[CourseItem]:
    """The rows of the table."""
    found = []
    for line in written.read_text(encoding="utf-8").splitlines():
        cells = [cell.strip().replace("\\|", "|") for cell in re.split(r"(?<!\\)\|", line)[1:-1]]
        if len(cells) == COLUMNS and cells[0] not in ("notes", "---"):
            page, _, step = cells[2].partition(": ")
            found.append(CourseItem(item=cells[1], page=page, step=step, said=cells[3], engine=cells[4].strip("`")))
    return found


def _governor() -> str:
    voters = town_voters()
    row = int(np.argmax(voters["name"] == GOVERNOR))
    columns = [AsItIs(column=name) for name in ("date_of_birth", "sex", "zip")]
    return f"{narrowed(voters, row, columns)[-1]} of {len(voters):,}"


def _in_parallel() -> str:
    parts = [Guarantee(epsilon=epsilon) for epsilon in (0.5, 0.3, 0.2, 0.1)]
    both = [ParallelPart(add_remove=one, replace_one=one) for one in parts]
    return at_most(parallel_guarantee(both, neighbors=Neighbors.ADD_REMOVE).epsilon)


def _family() -> str:
    together = TENTH.for_group(5)
    return f"ε = {at_most(together.epsilon)}, δ = {tiny_at_most(together.delta)}"


def _more_often_than_delta() -> str:
    noise = GaussianMechanism.from_guarantee(Guarantee(epsilon=1.0, delta=1e-6))
    chance = gaussian_loss_exceedance(noise_multiplier=noise.event.noise_multiplier, epsilon=1.0)
    return tiny_at_most(float(chance))


def _beliefs() -> str:
    odds = odds_out_of_100(HALF)
    return " and ".join(between_of_100((odds.without_data / 100, odds.with_data / 100)))


def _log_form() -> str:
    return at_most(float(chance_bounds(1e-8, guarantee=Guarantee(epsilon=1.0, delta=1e-6))[1]) / 1e-8)


def _percents() -> str:
    most = [at_least(100.0 * (EpsilonMeaning(epsilon=epsilon).ratio - 1.0), 4) for epsilon in (0.01, 0.1)]
    return f"{most[0]}% and {most[1]}%"


def _adaptive() -> str:
    first, second = (coin_flipped_answer(epsilon=epsilon).laws for epsilon in (0.5, 0.3))
    return f"cost at most {at_most(one_after_another(first, [second, second]).epsilon)}"


def _cells_changed() -> str:
    return f"{locally_recoded(FOUR_ROWS, people=2, coarsen=COARSER).changed} of {FOUR_ROWS.size}"


def _cells_moved(relation: Neighbors) -> float:
    return HistogramQuery("disease").parts(sample_schema("patients"), relation)[0].sensitivity.l1


def _histogram() -> str:
    added, replaced = map(_cells_moved, (Neighbors.ADD_REMOVE, Neighbors.REPLACE_ONE))
    return f"by {added:g} if you are added or removed, by {replaced:g} if you are replaced"


def _largest_wrong() -> str:
    return f"{round(2**20 * share_guessed_wrong(people=2**20, most=2, seed=11)):,}"


def _off() -> str:
    return amount(DiscreteLaplaceMechanism.from_epsilon(0.1, l1_sensitivity=1).error_quantile(0.95))


def _all_pages() -> str:
    return amount(100.0 * float(random_page(pages=40, chance=0.01).laws.delta(0.5)))


def _of_many() -> str:
    return at_most(float(laplace_error_of_many(20, guarantee=HALF, confidence=0.95)))


def _all_facts() -> str:
    return amount(100.0 * all_facts_standard_error(2_000, 3, epsilon=1.0) / 2_000)


def _two_answers() -> str:
    return amount(math.exp(2.0 * coin_flipped_answer(epsilon=math.log(2.0)).laws.epsilon))


def _most_times() -> str:
    return at_most(clamped_noisy_count(epsilon=0.5, answer=40).laws.ratio_range[1])


WEALTHY = tuple(Comparison("income_thousand_dollars", ">=", thousands) for thousands in (20.0, 50.0, 90.0))
OF_VOTERS = "queries of voters, replaced"


def plan_of(page: str) -> str:
    """The link of the plan under which a page of the table is opened; empty for the plan that everybody starts with."""
    if page != OF_VOTERS:
        return ""
    schema = sample_schema("anes_1996")
    asked: tuple[Query, ...] = (
        ProportionQuery(having=WEALTHY[0]),
        HistogramQuery("party"),
        SeveralProportionsQuery(WEALTHY),
        StatisticalQueries(WEALTHY),
    )
    queries = tuple(PlannedQuery(query=query, guarantee=HALF) for query in asked)
    budget = Guarantee(epsilon=3.0, delta=1e-6)
    return Scenario(
        table_name=schema.name, schema=schema, neighbors=Neighbors.REPLACE_ONE, queries=queries, budget=budget
    ).to_link()


def _of_people(proportions: int) -> str:
    found = of_proportions(proportions=proportions, people=944, everybody_counts=True, neighbors=Neighbors.REPLACE_ONE)
    return found.because.partition(" (")[0]


NUMBERS: Mapping[str, Callable[[], str]] = {
    "Noise: privacy against utility": _off,
    "Hamming distance; blatantly non-private: o(n)": _largest_wrong,
    "Exponential adversary: all but 4E": lambda: str(try_everything(people=4, most=2, seed=1).guarantee),
    "Square-root law of sampling, beside the noise": lambda: amount(
        float(StoppedAttack(wrong=0.25, each=1).noise(100.0)) / sampling_error(people=100, share=0.5), 2
    ),
    "The loss depends on the number of queries": lambda: at_most(ANSWERS.at_chosen["exact"]),
    "Definition, two-sided, all sets": _most_times,
    "δ = 0: single outputs suffice; with δ they do not": _all_pages,
    "The log form with δ": _log_form,
    "δ as “probability of failure” (slip)": _more_often_than_delta,
    "Randomized response: 3/4, 1/4, ln 3": lambda: f"{float(at_most(COIN.event.epsilon)):#.3g}",
    "ε a small constant; 1 ± ε": lambda: upper_of_100(odds_out_of_100(HALF).with_data / 100),
    "d answers: the error scales with d": _of_many,
    "E|Z| = b, variance 2b², P(|Z| > tb) = e^−t": lambda: amount(COUNT.expected_absolute_error),
    "d numbers: sum and worst of them, union bound": lambda: amount(COUNT.expected_largest_error(20)),
    "Several randomized facts: epsilons add": _all_facts,
    "Group privacy: a family": _family,
    "Weld in Cambridge: 6, 3, 1": _governor,
    "The count of 22, not the row": lambda: str(mumps_cases(older_than=22)),
    "Sickle cell: with and without John Ramos": lambda: str(mumps_cases(older_than=21)),
    "Proportion: 1/n": lambda: _of_people(1),
    "Histogram: 2 (replaced)": lambda: f"at most {_cells_moved(Neighbors.REPLACE_ONE):g}.",
    "d averages: d/n": lambda: _of_people(3).rpartition("and ")[2],
    "Sensitivities: a count 1, d counts d": lambda: of_statistics(
        each=1, statistics=3, neighbors=Neighbors.REPLACE_ONE
    ).because.partition(" (")[0],
    "Adjacency: replaced, added or removed": _histogram,
    "Averaging removes the noise": lambda: f"{answers_needed(0.1, right=0.75):,}",
    "Second tentative definition: 1/p to p": _two_answers,
    "The game: 1/(1 + e^ε) to 1/(1 + e^−ε)": _beliefs,
    "Central and local model": lambda: (
        f"{amount(100.0 * float(local_standard_error(1000, epsilon=1.0)))} points locally, "
        f"{amount(100.0 * float(central_standard_error(1000, epsilon=1.0)))} points"
    ),
    "e^−1000/2 “about 10⁻⁴³” (slip)": lambda: tiny_from_log(-1000.0 - math.log(2.0), 2, at_least),
    "A mean plus Lap(b) “gives 1/b” (slip)": lambda: amount(
        of_mean(lower=0, upper=120, people=1000, everybody_counts=True, neighbors=Neighbors.REPLACE_ONE).l1
    ),
    "Generalized randomized response γ": lambda: amount(RandomizedResponse.from_epsilon(1.0).truth_probability),
    "“< 1 %, < 10 %” (slip)": _percents,
    "Adaptive composition": _adaptive,
    "k-anonymity: the four-row table": _cells_changed,
    "Local Laplace": lambda: amount(laplace_over_response(epsilon=1.0)),
    "Gaussian formula, for ε < 1 only (slip)": lambda: at_most(classic_fails_from(1e-5)),
    "Naive and advanced composition": lambda: f"{ANSWERS.crossover.advanced:,}",
    "k delta + delta'": lambda: tiny_at_most(float(composed_delta(300, each=1e-8, slack=1e-6)), 3),
    "Parallel composition: max (slip under replaced)": _in_parallel,
}
"""What the engine says of an item, as it stands in the item's row and on its page."""
