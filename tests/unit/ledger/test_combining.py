"""Several answers to one question: averaged part by part, charged together, foreseen, and compared with asking once."""

from __future__ import annotations

import math
import re
from dataclasses import replace

import numpy as np
import pytest

from dpengine.accuracy import ratio_interval, remeasured
from dpengine.data import BooleanColumn, CategoryColumn, Comparison, NumberColumn, Schema
from dpengine.errors import InvalidParameterError, RefusedQueryError, UnusedDeltaWarning
from dpengine.ledger import History, answers_alike, combined, once_instead, outlook
from dpengine.ledger.answers.intervals import adding
from dpengine.plan import PlannedQuery
from dpengine.privacy import Guarantee, Neighbors
from dpengine.queries import (
    CountQuery,
    GroupedMeanQuery,
    HistogramQuery,
    MeanQuery,
    ModeQuery,
    ProportionQuery,
    QuantileQuery,
    SumQuery,
    VarianceQuery,
)
from dpengine.release import release
from dpengine.reports import privacy_label_text
from tests.examples.drawn import planned_as, released, simulated
from tests.examples.ledgers import ROWS, SCHEMA, ledger_at, opened, people
from tests.running.cases import each

GROUPED = Schema(
    name="t", columns=(NumberColumn(name="x", lower=0, upper=10), CategoryColumn(name="g", categories=("a", "b", "c")))
)
ILL = Comparison("ill", "=", True)
KINDS = (
    (CountQuery(), [[500]]),
    (SumQuery("age"), [[2**14 * 20_000]]),
    (MeanQuery("age"), [[2**14 * -5_000], [500]]),
    (ProportionQuery(ILL), [[-200], [500]]),
    (VarianceQuery("age"), [[2**18 * 300_000], [2**9 * -3_000], [500]]),
    (HistogramQuery("ill"), [[300, 200]]),
)


def variance(noise):
    """From the definition of discrete Laplace noise."""
    reach = np.arange(1, math.ceil(60 * noise.scale) + 2)
    weights = np.exp(-reach / noise.scale)
    return 2 * (weights * reach**2.0).sum() / (1 + 2 * weights.sum())


def test_counts_are_averaged_by_inverse_variance():
    plans = planned_as(CountQuery(), 0.5), planned_as(CountQuery(), 1.0)
    known = combined([released(plans[0], [[130]]), released(plans[1], [[100]])])
    first, second = (1 / variance(plan.mechanisms(SCHEMA, Neighbors.ADD_REMOVE)[0]) for plan in plans)
    assert known.answer == pytest.approx((130 * first + 100 * second) / (first + second), rel=1e-9)
    assert known.weights[0] == pytest.approx((first / (first + second), second / (first + second)), rel=1e-9)
    assert combined([released(plans[0], [[130]]), released(plans[0], [[100]])]).answer == 115.0


def test_the_parts_of_a_mean_are_averaged_and_never_the_ratios():
    plan = planned_as(MeanQuery("age"), 0.5)
    step = plan.parts(SCHEMA, Neighbors.ADD_REMOVE)[0].step
    sums, counts = (round(-300 / step), round(900 / step)), (30, 90)
    releases = [released(plan, [[one], [number]]) for one, number in zip(sums, counts, strict=True)]
    assert combined(releases).answer == pytest.approx(50.0 + (-300 + 900) / (30 + 90), abs=1e-4)
    ratios = np.mean([one.values[0] for one in releases])
    assert ratios == pytest.approx(50.0, abs=1e-4)
    laws = [remeasured([adding(noise)] * 2) for noise in plan.mechanisms(SCHEMA, Neighbors.ADD_REMOVE)]
    lower, upper = ratio_interval(300.0, 60.0, *laws, numerator_step=step, confidence=0.95)
    assert combined(releases).interval(0.95) == pytest.approx((50.0 + lower, 50.0 + upper), abs=1e-4)


@pytest.mark.parametrize("query, exact", KINDS, ids=lambda value: type(value).__name__)
@pytest.mark.parametrize("delta", [0.0, 1e-6])
def test_every_kind_is_known_better_after_more_answers(query, exact, delta):
    rng = np.random.default_rng(5)
    releases = [simulated(planned_as(query, epsilon, delta), exact, rng) for epsilon in (0.5, 0.5, 1.0)]
    reach = [combined(releases[:number]).estimate.reach(0.95) for number in (1, 2, 3)]
    assert reach[0] > reach[1] > reach[2]
    assert reach[1] > reach[0] / 2.0
    known = combined(releases)
    assert known.charge.amounts.epsilon == 2_000_000_000
    assert known.charge.amounts.delta == sum(one.charge.amounts.delta for one in releases)
    lower, upper = known.interval(0.95, simultaneous=True)
    assert np.all(np.asarray(lower) <= known.values)
    assert np.all(known.values <= np.asarray(upper))
    for alone, came in zip(combined(releases[:1]).interval(0.95), releases[0].interval(0.95), strict=True):
        assert alone == pytest.approx(came, abs=0)


def test_grouped_means_hold_all_at_once():
    plan = planned_as(GroupedMeanQuery("x", "g"), 2.0)
    exact = [[2**17 * 50, -(2**17) * 30, 0], [100, 90, 80]]
    known = combined([simulated(plan, exact, np.random.default_rng(6), schema=GROUPED) for _ in range(2)])
    one, every = known.interval(0.95), known.interval(0.95, simultaneous=True)
    assert np.all(every[0] <= one[0])
    assert np.all(every[1] >= one[1])
    widths = np.asarray(every[1]) - np.asarray(every[0])
    assert known.estimate.reach(0.95) == pytest.approx(widths.max() / 2)
    assert known.estimate.reach(0.95, cell=known.estimate.widest_cell(0.95)) == known.estimate.reach(0.95)


def test_two_at_half_an_epsilon_are_worth_less_than_one_at_their_sum():
    """MATH.md, section 9: a half-width of 4.12 scales where one answer at epsilon 1 has ln 20 = 3.00."""
    plan = planned_as(SumQuery("age"), 0.5)
    known = combined([released(plan, [[0]]), released(plan, [[0]])])
    once = once_instead(known)
    assert once is not None
    assert once.guarantee.epsilon == pytest.approx(math.log(20.0) / 4.113, rel=3e-3)
    assert known.half_width(0.95) == pytest.approx(4.113 * 100.0, rel=3e-3)


@pytest.mark.parametrize("query, exact", KINDS, ids=lambda value: type(value).__name__)
@pytest.mark.parametrize("delta", [0.0, 1e-6])
def test_asking_once_is_as_exact_and_one_digit_less_is_not(query, exact, delta):
    known = combined([simulated(planned_as(query, 0.5, delta), exact, np.random.default_rng(7)) for _ in range(2)])
    once = once_instead(known)
    assert once is not None
    assert once.guarantee.delta in {0.0, 2 * delta}

    def reach(epsilon):
        noises = once.at(epsilon).mechanisms(SCHEMA, Neighbors.ADD_REMOVE)
        estimate = known.estimate
        return type(estimate)(
            query=query, schema=SCHEMA, neighbors=Neighbors.ADD_REMOVE, readings=estimate.readings, noises=noises
        ).reach(0.95)

    assert reach(once.guarantee.epsilon) <= known.estimate.reach(0.95) * (1 + 1e-9)
    assert reach(once.guarantee.epsilon * (1 - 2e-3)) > known.estimate.reach(0.95)


def test_what_was_foreseen_is_what_comes():
    for query, exact in KINDS:
        rng = np.random.default_rng(8)
        first, more = planned_as(query, 0.5), planned_as(query, 0.9)
        known = combined([simulated(first, exact, rng)])
        foreseen = outlook(known, more)
        after = combined([*known.releases, simulated(more, exact, rng)])
        assert foreseen.total == after.charge.amounts, (query, exact)
        within = 1e-12 if len(exact) == 1 else 0.15
        assert foreseen.half_width == pytest.approx(after.estimate.reach(0.95), rel=within), (query, exact)
        assert foreseen.once is not None, (query, exact)
        assert 0.9 < foreseen.once.guarantee.epsilon < 1.4, (query, exact)


def test_answers_together_are_never_told_as_less_exact_than_one_of_them():
    fine, coarse = released(planned_as(CountQuery(), 2.0), [[10]]), released(planned_as(CountQuery(), 1.0), [[16]])
    known = combined([coarse, fine])
    assert (known.answer, known.counts_alone, known.is_narrower) == (10.0, fine, False)
    assert known.interval(0.95) == fine.interval(0.95) == (9.0, 11.0)
    assert not outlook(combined([fine]), coarse.planned_query).narrows
    assert outlook(combined([coarse]), fine.planned_query).narrows
    other = combined([released(coarse.planned_query, [[20]]), coarse])
    assert (other.answer, other.counts_alone, other.is_narrower) == (18.0, None, True)


def test_asking_once_takes_the_noise_that_costs_least():
    """After Gaussian noise one Laplace answer is as narrow for less than was spent."""
    plans = planned_as(SumQuery("age"), 0.5), planned_as(SumQuery("age"), 0.5, 1e-6)
    known = combined([released(plan, [[0]]) for plan in plans])
    once = once_instead(known)
    assert once is not None
    assert once.mechanism == "laplace"
    assert once.guarantee.epsilon < 0.6
    assert combined([released(once, [[0]])]).estimate.reach(0.95) <= known.estimate.reach(0.95) * (1 + 1e-9)


def test_a_delta_that_no_noise_used_is_not_offered_for_asking_once():
    with pytest.warns(UnusedDeltaWarning):
        unused = PlannedQuery(query=CountQuery(), guarantee=Guarantee(epsilon=0.01, delta=0.5))
    known = combined([released(planned_as(CountQuery(), 0.5, 1e-6), [[9]]), released(unused, [[9]])])
    once = once_instead(known)
    assert once is not None
    assert once.guarantee.delta in {0.0, 1e-6}


def test_under_the_concentrated_rule_delta_is_not_added_up():
    plan = planned_as(CountQuery(), 0.5, 1e-6)
    known = combined([released(plan, [[9]], rule="concentrated") for _ in range(2)])
    once = once_instead(known)
    assert once is not None
    assert once.guarantee.delta == 1e-6
    assert known.charge.rule == "concentrated"


@each("query", [ModeQuery("g"), QuantileQuery("x", 0.5)])
def test_choices_are_never_combined(query):
    one = released(planned_as(query, 1.0), [[1]], schema=GROUPED)
    assert combined([one]).answer == one.answer
    assert combined([one]).weights == ((1.0,),)
    with pytest.raises(RefusedQueryError, match="Choices cannot be combined"):
        combined([one, released(one.planned_query, [[1]], schema=GROUPED)])
    with pytest.raises(RefusedQueryError, match="Choices cannot be combined"):
        outlook(combined([one]), planned_as(query, 1.0))


def test_only_answers_to_one_question_counted_alike_combine():
    count, ill = released(planned_as(CountQuery(), 1.0), [[5]]), released(planned_as(CountQuery(ILL), 1.0), [[2]])
    wider = Schema(name="people", columns=(NumberColumn(name="age", lower=0, upper=120), BooleanColumn(name="ill")))
    mean, other = (released(planned_as(SumQuery("age"), 1.0), [[5]], schema=schema) for schema in (SCHEMA, wider))
    for pair in ([count, ill], [mean, other], []):
        with pytest.raises(InvalidParameterError, match=r"^releases must be"):
            combined(pair)
    with pytest.raises(InvalidParameterError, match=r"all of one account"):
        combined([count, released(count.planned_query, [[5]], account="2")])
    with pytest.raises(InvalidParameterError, match=r"^more must be"):
        outlook(combined([count]), ill.planned_query)
    with pytest.raises(InvalidParameterError, match=r"each given once"):
        combined([count, count])
    assert answers_alike([mean, other, mean], other) == (other,)
    assert answers_alike([mean, other, mean], mean) == (mean, mean)


def test_real_releases_combine_through_the_ledger(tmp_path):
    table = people(ROWS * 40)
    account = opened(ledger_at(tmp_path / "budget.db"), table, epsilon=100.0)
    for number, epsilon in enumerate((10.0, 20.0, 30.0)):
        release(planned_as(CountQuery(), epsilon), table, account, request_id=str(number))
    known = combined(account.releases())
    assert known.answer == pytest.approx(200.0, abs=1e-6)
    assert known.charge.epsilon == 60.0
    assert account.exact_spent() == known.charge.amounts


def test_answers_with_other_splits_combine_and_each_is_charged_all_of_its_epsilon(tmp_path):
    table = people(ROWS * 40)
    account = opened(ledger_at(tmp_path / "budget.db"), table, epsilon=100.0)
    for percent in (None, 95, 50):
        planned = replace(planned_as(MeanQuery("age"), 20.0), percent_for_sum=percent)
        assert release(planned, table, account, request_id=str(percent)).charge.epsilon == 20.0
    known = combined(account.releases())
    assert known.charge.epsilon == 60.0
    assert [one.planned_query.percent_for_sum for one in known.releases] == [None, 95, 50]
    assert known.weights[0][1] > known.weights[0][0] > known.weights[0][2]
    assert known.weights[1][1] < known.weights[1][0] < known.weights[1][2]
    assert known.answer == pytest.approx(40.0, abs=1.0)
    seen = privacy_label_text(History.of(account), "95")
    assert re.findall(r"([\d.]+) of epsilon", seen.partition("Noise of the")[2])[:2] == ["19", "1"]


def test_a_label_says_which_answer_counts_alone(tmp_path):
    account = opened(ledger_at(tmp_path / "two.db"), people(), epsilon=20.0)
    for name, epsilon in (("coarse", 1.0), ("fine", 2.0)):
        release(planned_as(CountQuery(), epsilon), people(), account, request_id=name)
    seen = privacy_label_text(History.of(account), "coarse", "fine")
    assert "2, of which that for ε 2 counts alone (an average would be less exact)" in seen


def test_one_draw_is_counted_once(tmp_path):
    """Given twice, its interval would be too narrow: one of 95 % covered 77 of 100."""
    account = opened(ledger_at(tmp_path / "budget.db"), people(), epsilon=2.0)
    first, second = (release(planned_as(CountQuery(), 1.0), people(), account, request_id=name) for name in "ab")
    for answers in ([first, second, first], [second, *account.releases()]):
        with pytest.raises(InvalidParameterError, match="each given once"):
            combined(answers)
    assert combined([first, second]).answer == (first.values[0] + second.values[0]) / 2


def test_answers_of_equal_tables_in_two_ledgers_are_not_combined(tmp_path):
    """Where both have number 1; two rows apart, one interval would be of neither table."""
    answers = []
    for name in ("here.db", "there.db"):
        account = opened(ledger_at(tmp_path / name), people(), epsilon=1.0)
        answers.append(release(planned_as(CountQuery(), 0.5), people(), account, request_id=name))
    with pytest.raises(InvalidParameterError, match="all of one account"):
        combined(answers)
    assert answers_alike(answers, answers[1]) == (answers[1],)
