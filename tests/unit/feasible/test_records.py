"""How many rows make the privacy noise negligible: so many do, and one less does not."""

from __future__ import annotations

import pytest

from dpengine.accuracy import Guess, sampling_error, widening
from dpengine.data import BooleanColumn, Comparison, NumberColumn, Schema
from dpengine.errors import RefusedQueryError
from dpengine.feasible import Asked, records_needed
from dpengine.plan import PlannedQuery
from dpengine.privacy import Guarantee, Neighbors
from dpengine.queries import CountQuery, MeanQuery, ProportionQuery, SumQuery, VarianceQuery
from tests.running.cases import each

SMOKES = Comparison("smokes", "=", value=True)
SCHEMA = Schema(
    name="patients",
    columns=(NumberColumn(name="age", lower=0, upper=100, complete=True), BooleanColumn(name="smokes")),
    people=2000,
)
MEAN = Guess(records=2000, answer=40, spread=20)


def asked(query, guess, epsilon=0.1, neighbors=Neighbors.ADD_REMOVE, noise="laplace"):
    delta = 1e-6 if noise == "gaussian" else 0.0
    planned = PlannedQuery(query=query, guarantee=Guarantee(epsilon=epsilon, delta=delta), mechanism=noise)
    return Asked(planned=planned, schema=SCHEMA, neighbors=neighbors, guess=guess)


EVERY = {
    "count": asked(CountQuery(SMOKES), Guess(records=2000, answer=600)),
    "count, Gaussian": asked(CountQuery(SMOKES), Guess(records=2000, answer=600), noise="gaussian"),
    "sum": asked(SumQuery("age", where=SMOKES), Guess(records=2000, answer=80_000, spread=20)),
    "share": asked(ProportionQuery(SMOKES), Guess(records=2000, answer=0.3), epsilon=0.3),
    "share, public number": asked(
        ProportionQuery(SMOKES), Guess(records=2000, answer=0.3), neighbors=Neighbors.REPLACE_ONE
    ),
    "mean": asked(MeanQuery("age"), MEAN),
    "mean, public number": asked(MeanQuery("age"), MEAN, neighbors=Neighbors.REPLACE_ONE, noise="gaussian"),
}


def widened(question, records, confidence):
    other = question.with_records(records)
    sampling = sampling_error(other.planned.query, other.guess)
    assert sampling is not None
    return widening(other.law(other.planned.guarantee.epsilon), sampling, confidence)


@each("name", EVERY)
@each(("confidence", "allowed"), [(0.95, 0.05), (0.8, 0.3)])
def test_so_many_rows_make_it_negligible_and_one_less_does_not(name, confidence, allowed):
    question = EVERY[name]
    records = records_needed(question, confidence=confidence, allowed=allowed)
    assert widened(question, records, confidence) <= allowed < widened(question, records - 1, confidence)


def test_a_count_by_hand():
    """Laplace noise of scale 10 beside sqrt(n 0.3 0.7): negligible where its variance is a tenth of the other's."""
    records = records_needed(EVERY["count"])
    assert records == pytest.approx(200.0 / (0.21 * 0.1), rel=0.15)


def test_more_epsilon_needs_fewer_rows():
    needed = [records_needed(asked(CountQuery(SMOKES), MEAN, epsilon=epsilon)) for epsilon in (0.05, 0.1, 0.2, 2.0)]
    assert needed == sorted(needed, reverse=True)
    assert needed[0] == pytest.approx(4 * needed[1], rel=0.01), (
        "Half the epsilon, twice the noise, four times the rows."
    )


def test_what_has_no_sampling_error_is_refused():
    for question in (
        asked(VarianceQuery("age"), Guess(records=2000, answer=400)),
        asked(CountQuery(), Guess(records=2000, answer=2000)),
    ):
        with pytest.raises(RefusedQueryError, match="The sampling error is unknown"):
            records_needed(question)
    assert records_needed(EVERY["count"]) > 0
