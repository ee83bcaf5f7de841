"""What is charged and granted, in exact fractions: never too little, never too much."""

from hypothesis import given
from hypothesis import strategies as st

from dpengine.data import Comparison
from dpengine.ledger.storage.amounts import Amounts, cost_of, granted_by
from dpengine.mechanisms import DiscreteLaplaceMechanism
from dpengine.privacy import Guarantee, Neighbors, exact_decimal
from dpengine.queries import CountQuery, HistogramQuery, MeanQuery, ProportionQuery
from tests.examples.ledgers import SCHEMA, asking

NANO = 10**9
QUERIES = (CountQuery(), MeanQuery("age"), ProportionQuery(Comparison("ill", "=", True)), HistogramQuery("ill"))


@given(epsilon=st.floats(1e-8, 1e6), query=st.sampled_from(QUERIES), neighbors=st.sampled_from(Neighbors))
def test_a_charge_is_never_below_what_its_noise_costs(epsilon, query, neighbors):
    planned = asking(epsilon, query)
    mechanisms = planned.mechanisms(SCHEMA, neighbors)
    exact = [mechanism.exact_epsilon for mechanism in mechanisms if isinstance(mechanism, DiscreteLaplaceMechanism)]
    assert len(exact) == len(mechanisms)
    cost = cost_of(planned, SCHEMA, neighbors)
    assert sum(exact) * NANO <= cost.epsilon <= exact_decimal(epsilon) * NANO
    assert sum(one**2 for one in exact) / 2 * NANO <= cost.rho


@given(epsilon=st.floats(1e-9, 1e9), delta=st.just(0.0) | st.floats(1e-18, 0.999))
def test_a_grant_is_never_above_the_budget(epsilon, delta):
    granted = granted_by(Guarantee(epsilon=epsilon, delta=delta))
    assert granted.epsilon <= exact_decimal(epsilon) * NANO < granted.epsilon + 1
    assert granted.delta <= exact_decimal(delta) * 10**18 < granted.delta + 1


AMOUNTS = st.builds(Amounts, epsilon=st.integers(0, 2**60), delta=st.integers(0, 10**18), rho=st.integers(0, 2**60))


@given(spent=AMOUNTS, asked=AMOUNTS, granted=AMOUNTS, name=st.sampled_from(["basic", "concentrated"]))
def test_what_fits_is_what_is_left(spent, asked, granted, name):
    if spent.within(granted, name):
        assert (spent + asked).within(granted, name) == asked.within(spent.left_of(granted), name)
