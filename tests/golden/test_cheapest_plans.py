"""The least budget of whole lists against values that were derived without this code, from exact laws in mpmath."""

from __future__ import annotations

from dpengine import calibration
from dpengine.accuracy import Guess
from dpengine.data import BooleanColumn, CategoryColumn, Comparison, Schema
from dpengine.feasible import Asked, CheapestPlan, Targets, Wish, cheapest_plan
from dpengine.plan import PlannedQuery
from dpengine.privacy import Guarantee, Neighbors
from dpengine.queries import CountQuery, HistogramQuery, Query, StatisticalQueries
from tests.golden.rows import number, rows
from tests.running.cases import each

CELLS, FLAGS, NANO = (2, 5, 20), 20, 1e-9
SCHEMA = Schema(
    name="people",
    columns=(
        *(CategoryColumn(name=f"of{cells}", categories=tuple(map(str, range(cells)))) for cells in CELLS),
        *(BooleanColumn(name=f"flag{place}") for place in range(FLAGS)),
    ),
    people=5000,
)
FOUR_DIGITS, EXACT_COUNT = 1e-3, "count:0:"
"""What a share of four digits is above the least one at most; a count without any error, whose noise is coarse."""


@each("row", rows("cheapest_plans"))
def test_each_share_is_the_least_of_four_digits(row: dict[str, str]) -> None:
    found = [query.guarantee.epsilon for query in cheapest_plan(wishes(row)).queries]
    assert found == [least_of_four_digits(float(least)) for least in row["epsilon_each"].split(";")]


@each("row", rows("cheapest_plans"))
def test_rho_without_a_delta(row: dict[str, str]) -> None:
    least = number(row, "rho_pure")
    assert least <= rho(cheapest_plan(wishes(row), rule="concentrated")) <= most(least)


@each("row", [row for row in rows("cheapest_plans") if EXACT_COUNT not in row["questions"]])
def test_the_cheapest_kinds_of_noise_and_their_rho(row: dict[str, str]) -> None:
    found = cheapest_plan(wishes(row), rule="concentrated", delta=1e-6)
    assert [query.mechanism for query in found.queries] == row["cheapest_kinds"].split(";")
    least = number(row, "cheapest_rho")
    assert least <= rho(found) <= most(least)


@each("row", [row for row in rows("cheapest_plans") if EXACT_COUNT in row["questions"]])
def test_rho_is_never_below_the_least_where_noise_is_coarse(row: dict[str, str]) -> None:
    """A promise of epsilon and delta passes over small scales there, of which some cost less rho."""
    found = cheapest_plan(wishes(row), rule="concentrated", delta=1e-6)
    assert number(row, "cheapest_rho") <= rho(found) <= most(number(row, "rho_pure"))


def most(least: float) -> float:
    """What four digits of a share, and the unit of an account, allow above the least rho."""
    return least * (1.0 + 2.0 * FOUR_DIGITS) + 2.0 * NANO


def least_of_four_digits(least: float) -> float:
    found = calibration.least_epsilon(lambda epsilon: epsilon >= least)
    assert found is not None
    return found


def rho(plan: CheapestPlan) -> float:
    return float(plan.amounts.rho * NANO)


def wishes(row: dict[str, str]) -> list[Wish]:
    return [wish(text, Neighbors(row["neighbors"])) for text in row["questions"].split(";")]


def wish(text: str, neighbors: Neighbors) -> Wish:
    """One question such as histogram/5:30:0.95: of 5 cells, all within 30, at 95%; no error is any below 1."""
    kind, error, confidence = text.split(":")
    kind, _, numbers = kind.partition("/")
    answers = int(numbers or 1)
    asked = Asked(
        planned=PlannedQuery(query=query(kind, answers), guarantee=Guarantee(epsilon=1.0)),
        schema=SCHEMA,
        neighbors=neighbors,
        guess=Guess(records=5000, answer=(40.0,) * answers),
    )
    targets = Targets(error=float(error) or 0.5, confidence=float(confidence), together=answers > 1)
    return Wish(asked=asked, targets=targets)


def query(kind: str, answers: int) -> Query:
    conditions = tuple(Comparison(f"flag{place}", "=", value=True) for place in range(answers))
    if kind == "count":
        return CountQuery(where=conditions[0])
    return HistogramQuery(f"of{answers}") if kind == "histogram" else StatisticalQueries(conditions)
