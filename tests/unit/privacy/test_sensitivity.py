"""Three norms of one change: none may contradict another."""

from __future__ import annotations

import pytest

from dpengine.errors import InvalidParameterError
from dpengine.privacy import Sensitivity
from tests.running.cases import each


@each("norms", [(2.0, 3.0, 1.0), (9.0, 2.0, 3.0), (1.0, 2.0, 3.0)])
def test_norms_that_no_change_has_are_refused(norms: tuple[float, float, float]) -> None:
    l1, l2, linf = norms
    with pytest.raises(InvalidParameterError, match="between linf"):
        Sensitivity(l1=l1, l2=l2, linf=linf, because="")


@each("norms", [(3.0, 2.0, 2.0), (1.0, 1.0, 1.0), (2.0, 1.4142135623730951, 1.0)])
def test_norms_of_a_change_stand(norms: tuple[float, float, float]) -> None:
    l1, l2, linf = norms
    assert Sensitivity(l1=l1, l2=l2, linf=linf, because="").l2 == l2


def test_a_single_number_has_one_norm() -> None:
    one = Sensitivity.of_number(0.3, "")
    assert one.l1 == one.l2 == one.linf == 0.3
