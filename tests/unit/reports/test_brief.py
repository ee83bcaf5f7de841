"""The policy brief: its numbers are right and rounded away from privacy, and nothing exact of private data is in it."""

from __future__ import annotations

import math
import re
from dataclasses import replace
from html.parser import HTMLParser
from typing import Any

import pytest
from scipy.special import expit

from dpengine.accuracy import Guess
from dpengine.errors import InvalidParameterError
from dpengine.formatting import amount, at_most
from dpengine.plan import PlannedQuery
from dpengine.plan.amounts import Amounts, cost_of, granted_by
from dpengine.privacy import Guarantee, Neighbors
from dpengine.queries import CountQuery
from dpengine.queries.forms import ChoiceForm
from dpengine.reports import Explored, listed, policy_brief
from dpengine.reports.briefs import brief
from pages.session.first_plan import QUESTIONS, first_plan
from tests.examples.explored import DAY, cells_plan, explored, named_plan
from tests.examples.kept import EVERY_KIND, HOSTILE
from tests.examples.tables import shared_sample
from tests.running.cases import each
from tests.running.voice import retired
from tests.unit.reports.test_script import plan_of

RAND = first_plan("rand_hie")
CUT = "values are cut to 0 to 5,000 dollars and at most 5 rows of a person count"


class Page(HTMLParser):
    """The words of a page, its tags, and those that are still open."""

    def __init__(self, text: str) -> None:
        super().__init__()
        self.words, self.tags, self.open = "", [], []  # type: ignore[var-annotated]
        self.feed(text)

    def handle_starttag(self, tag, attrs):
        self.tags.append(tag)
        if tag != "meta":
            self.open.append(tag)

    def handle_endtag(self, tag):
        assert self.open.pop() == tag

    def handle_data(self, data):
        if self.open[-1:] != ["style"]:
            self.words += data + " "


def words(of: Explored) -> str:
    page = Page(policy_brief(of))
    assert page.open == []
    assert retired(page.words) == []
    assert not {"script", "img", "a", "link", "iframe", "object"} & set(page.tags)
    return " ".join(page.words.split())


def test_the_numbers_of_a_count_are_those_of_its_noise() -> None:
    table, _ = shared_sample("rand_hie")
    read = words(explored(RAND, rows=table))
    kept = math.exp(-0.1)
    assert 2 * kept**31 / (1 + kept) <= 0.05 < 2 * kept**30 / (1 + kept)
    assert "95% of answers would be off by at most 30 people." in read
    assert "1,398" in read
    least, most = (f"{100 * expit(sign * 0.1):.1f}" for sign in (-1, 1))
    assert f"gave it 50 out of 100 before may give it at most {most} afterwards, and at least {least}." in read
    assert f"knowing everybody else, can be right in at most {most} out of 100 cases (50 is pure chance)." in read
    assert "All 3 questions together would cost ε 0.3 of ε 3, δ 10⁻⁶." in read
    assert "such an attacker can be right in at most 57.5 out of 100 cases" in read
    assert 57.4 < 100 * expit(0.3) <= 57.5
    assert "This is a plan: nothing was released" in read
    assert "2026-01-02" in read


def test_a_share_is_read_in_percentage_points_and_per_cent() -> None:
    table, _ = shared_sample("anes_1996")
    of = explored(first_plan("anes_1996"), rows=table)
    error, read = of.half_width(of.planned, 0), words(of)
    written = f"about ±{at_most(100.0 * error)} percentage points"
    assert f"95% of answers would be off by at most {written.replace('±', '')}." in read
    assert read.count(written) == 1, "In the table of questions."
    assert "error, percentage points" in read
    assert "answer, % of people" in read
    exact = 100.0 * of.guesses[0].answers[0]
    assert f"(Compared with the exact answer: {amount(exact, 4)}% of people.)" in read
    assert re.search(
        r"the exact answer already has a sampling error of ±[1-9][\d.]* percentage points; privacy noise", read
    )
    assert "share of people" not in read.replace("What share of people", "")


def test_nothing_is_judged_by_a_size_that_nobody_has_said() -> None:
    """Of a mean every error depends on the number of rows and on itself; of a count only what sampling adds."""
    mean, count = (replace(explored(RAND, place, answered=range(9)), public=False) for place in (1, 0))
    said_mean, said_count = replace(mean, sized=(1,)), replace(count, sized=(0,))
    rows = f"{mean.guesses[1].records:,.0f} rows and an answer of 2,500"
    half_said = ", assuming an answer of 2,500, with 5,912 rows (which nobody has said)"
    assert brief.finding(mean).endswith(half_said)
    assert brief.finding(replace(mean, answered=())).endswith(f", if there are {rows} (nobody has said so)")
    assert brief.finding(said_mean).endswith(f", assuming about {rows}")
    assert f"What another ε would mean for this question{half_said}" in words(mean)
    assert "rows" not in brief.finding(count)
    for of, sign in (
        (mean, "about ±"),
        (said_mean, "about ±"),
        (replace(said_mean, public=True), "about ±"),
        (count, "±"),
    ):
        found = brief.questions(of)[of.place].error, brief.otherwise(of)[0].error
        assert [re.search(r"(about )?±", text).group() for text in found] == [sign] * 2  # type: ignore[union-attr]
        assert ("off by at most about " in brief.finding(of)) == sign.startswith("about")
    assert [bool(brief.how_useful(one)) for one in (mean, said_mean, count, said_count)] == [False, True, True, True]
    sampled = [bool(brief.beside_sampling(one)) for one in (mean, said_mean, count, said_count)]
    assert sampled == [False, True, False, True]


def test_odds_and_beliefs_are_never_below_the_truth() -> None:
    for epsilon in [1e-8, 0.001, 0.37, 2.5, 30.0, 1000.0]:
        plan = RAND.with_query_at(0, RAND.queries[0].at(epsilon))
        of = explored(plan, prior=0.3)
        sentence = brief.odds_in_words(of)
        (most,) = (float(found) for found in re.findall(r"at most (\S+) out of 100", sentence))
        assert most >= 100 * expit(epsilon) * (1 - 1e-12), epsilon
        found = re.search(r"most (\S+) afterwards, and at least (.*\d)", brief.belief_in_words(of))
        assert found is not None, epsilon
        most, least = map(float, found.groups())
        before = math.log(0.3 / 0.7)
        assert least <= 100 * expit(before - epsilon) * (1 + 1e-12), epsilon
        assert most >= 100 * expit(before + epsilon) * (1 - 1e-12), epsilon
        assert words(of), epsilon


def test_every_question_stands_with_its_cost_its_error_and_what_is_left() -> None:
    table, _ = shared_sample("rand_hie")
    of = replace(
        explored(RAND, 1, rows=table), spent=Amounts(epsilon=10**9, rho=10**9 // 2), granted=granted_by(RAND.budget)
    )
    rows = brief.questions(of)
    assert [row.number for row in rows] == [1, 2, 3]
    assert [row.cost for row in rows] == ["ε 0.1"] * 3
    assert [row.left for row in rows] == ["ε 1.9", "ε 1.8", "ε 1.7"]
    assert [row.in_focus for row in rows] == [False, True, False]
    assert "What was charged before, ε 1, comes on top." in words(of)
    assert "What was charged before" not in words(replace(of, spent=Amounts()))
    for row, place in zip(rows, range(3), strict=True):
        planned = RAND.queries[place]
        number = float(re.sub("[^0-9.]", "", row.error.split("±")[1].split()[0]))
        law = of.law(planned, place)
        assert number == pytest.approx(law.quantile(0.95, of.coordinates(planned)), rel=0.01)
        assert law.tail(number) <= 0.05 + 1e-9


def test_the_ledgers_own_rule_counts() -> None:
    plan = replace(plan_of(Neighbors.ADD_REMOVE), rule="concentrated")
    rows = brief.questions(explored(plan, 20))
    rho = cost_of(plan.queries[20], plan.schema, plan.neighbors).rho / 1e9
    assert rows[-1].cost == f"ρ {rho:.9f}".rstrip("0")
    assert rows[-1].left.startswith("ρ ")


def test_what_does_not_fit_is_said() -> None:
    plan = replace(RAND, budget=Guarantee(epsilon=0.15))
    assert [row.left for row in brief.questions(explored(plan))] == ["ε 0.05", "does not fit", "does not fit"]


def test_of_a_long_plan_the_question_in_focus_is_always_listed() -> None:
    plan = plan_of(Neighbors.REPLACE_ONE)
    last = len(plan.queries) - 1
    assert listed(plan, last) == (*range(8), last)
    read = words(explored(plan, last))
    assert f"And {last - 8} more, which are in the script and in the numbers." in read
    assert "these and not those" in read
    assert "The number of people is public: 400." in read


def test_another_epsilon_changes_error_and_odds_together() -> None:
    rows = brief.otherwise(explored(RAND))
    assert [row.epsilon for row in rows] == ["0.01", "0.03", "0.1", "0.3", "1"]
    assert [row.error for row in rows] == ["±300", "±100", "±30", "±10", "±3"]
    assert [row.at_most for row in rows] == ["50.3", "50.8", "52.5", "57.5", "73.2"]
    assert [row.chosen for row in rows] == [False, False, True, False, False]


@each(("neighbors", "most"), [(Neighbors.ADD_REMOVE, None), (Neighbors.REPLACE_ONE, 6)])
def test_every_kind_of_question_has_a_brief(neighbors: Neighbors, most: int | None) -> None:
    plan = plan_of(neighbors)
    assert len(plan.queries) == 2 * len(EVERY_KIND) - sum(isinstance(one, ChoiceForm) for one in EVERY_KIND)
    for planned in plan.queries[:most]:
        read = words(explored(replace(plan, queries=(planned,)), answered=range(9)))
        assert f"{planned.guarantee.epsilon:g}" in read
        assert "Noise, " in read
        if planned.mechanism == "gaussian":
            assert "(except in one answer in 1,000)" in read


@each(
    ("of", "around"),
    [
        (explored(RAND), "around the exact answer, which is not in this brief"),
        (explored(RAND, answered=range(9)), "around a guessed answer"),
        (explored(RAND, 1), f"around the answer that the table gives once {CUT}, which is not in this brief"),
        (explored(cells_plan(12)), "around its exact value"),
        (explored(plan_of(Neighbors.ADD_REMOVE), 12), "by how many ranks it falls short"),
    ],
)
def test_it_says_around_what_the_dots_stand(of: Explored, around: str) -> None:
    assert around in words(of)


def test_what_is_exact_is_the_answer_of_the_rows_as_they_were_cut() -> None:
    """As a released answer and its label say it: a file has another mean."""
    table, _ = shared_sample("rand_hie")
    read, given = words(explored(RAND, 1, rows=table)), f"the answer that the table gives once {CUT}"
    assert f"around {given}; this table is public." in read
    assert f"(Compared with {given}: " in read
    assert f"a sample of a large population, {given} already has a sampling error of ±" in read
    assert "exact answer" not in read


def test_without_a_guess_nothing_is_said_of_a_size() -> None:
    guess = Guess(records=7_654_321, answer=234_567)
    of = replace(explored(RAND), guesses=dict.fromkeys(range(3), guess))
    silent = policy_brief(replace(of, guesses={**of.guesses, 1: Guess(records=1000, answer=40, spread=9)}))
    assert "234,567" not in silent
    assert "7,654,321" not in silent
    told = policy_brief(
        replace(of, guesses={**of.guesses, 1: Guess(records=1000, answer=40, spread=9)}, answered=range(9))
    )
    assert "234,567" in told


def test_a_guess_that_does_not_suit_another_question_leaves_its_error_open() -> None:
    of = explored(RAND)
    of = replace(of, guesses={**of.guesses, 1: Guess(records=1000, answer=-1.0)})
    assert [row.error == "unknown" for row in brief.questions(of)] == [False, True, False]
    assert "unknown" in words(of)


def test_names_stay_words() -> None:
    for place in range(6):
        read = words(explored(named_plan(HOSTILE), place))
        assert "<script>" in read


@each("name", QUESTIONS)
def test_the_same_values_make_the_same_text(name: str) -> None:
    table, _ = shared_sample(name)
    assert policy_brief(explored(first_plan(name), rows=table)) == policy_brief(explored(first_plan(name), rows=table))


@each("wrong", [{"place": 3}, {"place": -1}, {"guesses": {}}, {"prior": 0.0}, {"confidence": 1.0}])
def test_what_cannot_be_explored_is_refused(wrong: dict[str, Any]) -> None:
    with pytest.raises(InvalidParameterError):
        replace(explored(RAND), **wrong)


def test_a_plan_of_one_question_says_so() -> None:
    plan = replace(RAND, queries=(PlannedQuery(query=CountQuery(), guarantee=Guarantee(epsilon=1.0)),))
    read = words(Explored(plan=plan, place=0, guesses={0: Guess(records=10, answer=10)}, day=DAY))
    assert "This question, the only one of the plan, would cost ε 1" in read
