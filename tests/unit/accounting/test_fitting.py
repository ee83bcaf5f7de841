"""Nothing beyond the granted billionths fits, however small the budget."""

from dpengine.accounting import affordable, first_beyond
from dpengine.losses.arrays import numbers
from dpengine.privacy import Guarantee, LaplaceEvent, PureEvent
from tests.running.cases import each


@each(("cost", "budget"), [(1.4e-9, 1e-9), (4e-10, 0.0), (2.0000000004, 2.0), (0.300000001, 0.3)])
def test_what_costs_more_does_not_fit(cost: float, budget: float) -> None:
    assert affordable({PureEvent(epsilon=cost): 1}, budget=Guarantee(epsilon=budget), accountant="basic") == 0
    assert first_beyond(numbers("spent", [cost]), budget=budget) == 0


@each(("noise", "budget", "times"), [(10.0, 0.3, 3), (10.0, 3.0, 30), (3.0, 1.0, 3), (7.0, 1.0, 7)])
def test_sums_of_floats_that_come_out_even_fit(noise: float, budget: float, times: int) -> None:
    found = affordable({LaplaceEvent(noise_multiplier=noise): 1}, budget=Guarantee(epsilon=budget), accountant="basic")
    assert found == times
