"""When noise stops the attack on chosen groups, against mpmath, and how many it gets wrong, against exact counting."""

import pytest

from dpengine.attacks.reconstruction import StoppedAttack, sampling_error, share_guessed_wrong
from tests.golden.rows import number, rows
from tests.running.cases import each


@each("row", rows("noise_beside_sample"))
def test_noise_that_stops_the_attack_and_error_of_the_sample(row: dict[str, str]) -> None:
    people, counted, wrong, noise = int(row["people"]), int(row["each"]), number(row, "wrong"), number(row, "noise")
    assert float(StoppedAttack(wrong=wrong, each=counted).noise(people)) == pytest.approx(noise, rel=1e-11)
    of_a_sample = sampling_error(people=people, share=number(row, "share"))
    assert of_a_sample == pytest.approx(number(row, "sampling_error"), rel=1e-12)


@each("row", rows("chosen_groups"))
def test_the_share_guessed_wrong_is_the_exact_one(row: dict[str, str]) -> None:
    """Of 65,536 people in many tables; six standard errors, as if each person had been drawn alone."""
    found = share_guessed_wrong(people=int(row["people"]), most=int(row["most"]), seed=5)
    assert found == pytest.approx(number(row, "wrong"), abs=0.012)
