"""Fifth act: the noise that stops the attack beside the error that a sample has anyway, up to a million people."""

from __future__ import annotations

import math

import numpy as np
from streamlit.delta_generator import DeltaGenerator

from dpengine.attacks.reconstruction import StoppedAttack, sampling_error
from dpengine.charts.attacks import hiding_charts
from dpengine.charts.attacks.hiding_charts import NoiseAndSample
from dpengine.formatting import amount
from pages.attack.reconstruction import reconstruction_settings as settings
from pages.attack.reconstruction.reconstruction_settings import KEY
from pages.lesson import pickers
from pages.lesson.lesson import Shown, picture_and_words
from pages.widgets import outputs
from pages.widgets.computed import formula

PEOPLE, TOLD = np.logspace(2.0, 6.0, 33), (100, 10_000, 1_000_000)
MEASURED_AT = tuple(2**power for power in range(7, 20, 3))
YES, WRONG = (1, 2, 5, 10, 20, 50), (10, 25, 40)
BOTH = (
    formula(
        "A count in a sample of n, of whom a share p say yes, is off by a standard deviation of", r"\sqrt{n p (1-p)}"
    )
    + formula(
        "With noise of standard deviation s on each of n chosen groups, counted k times each, a person is guessed "
        "wrong with chance",
        r"\Phi\!\left(-\frac{\sqrt{k n}}{4 s}\right)",
    )
    + "Φ is the normal distribution function. This is exact for Gaussian noise where n is a power of 2; the line is "
    "drawn through. Dots: the noise at which this share was guessed wrong in draws. Such noise stops one attack; a "
    "total ε limits every attack. Sources: Dinur and Nissim 2003; Dwork and Yekhanin 2008."
)


def sample() -> Shown:
    """The act."""
    place, words = picture_and_words(f"{KEY}_sample", picture=1.8)
    share, stopped = _settings(words)
    at = np.array(MEASURED_AT, dtype=np.float64)
    view = NoiseAndSample(
        people=PEOPLE,
        noise=stopped.noise(PEOPLE),
        sampling=np.array([sampling_error(people=people, share=share) for people in PEOPLE.tolist()]),
        measured_at=at,
        measured=np.array([stopped.measured_noise(people=people, seed=settings.day()) for people in MEASURED_AT]),
    )
    picture = hiding_charts.noise_and_sample(view, outputs.palette())
    outputs.chart(place, picture, key=f"{KEY}_sample_chart")
    told = ((people, float(stopped.noise(people)), sampling_error(people=people, share=share)) for people in TOLD)
    rows = "".join(
        f"| {people:,} | ±{amount(noise)} | ±{amount(error)} | ±{amount(math.hypot(noise, error))} |\n"
        for people, noise, error in told
    )
    words.markdown(f"| people | noise | sample | both |\n|---|---|---|---|\n{rows}")
    ratio = float(view.noise[0] / view.sampling[0])
    words.markdown(
        f"With the noise, errors are {amount(math.hypot(ratio, 1.0))} times as large as without (standard deviations)."
    )
    finding = (
        f"Noise that makes {amount(100 * stopped.wrong)}% of guesses wrong: {amount(ratio, 2)} times the sampling error"
    )
    return Shown(finding=finding, pictures=(picture,), computed=BOTH)


def _settings(words: DeltaGenerator) -> tuple[float, StoppedAttack]:
    """The share that says yes, and when the attack counts as stopped."""
    wrong = pickers.stop(
        words, "Guesses to be wrong, % (50 is pure chance)", WRONG, key=f"{KEY}_sample_wrong", start=25
    )
    each = pickers.stop(
        words, "Counts published, as a multiple of people", settings.EACH, key=f"{KEY}_sample_each", start=1
    )
    yes = pickers.stop(words, "Share that says yes, %", YES, key=f"{KEY}_sample_yes", start=50)
    return yes / 100.0, StoppedAttack(wrong=wrong / 100.0, each=each)
