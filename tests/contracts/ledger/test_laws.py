"""Every law of the ledger, on both databases."""

import pytest

from tests.contracts.ledger.laws import LAWS


@pytest.mark.parametrize("law", LAWS.values(), ids=LAWS)
def test_law(place, law):
    law(place)
