"""A step on mechanisms: the formula of course notes for Gaussian noise, and the delta that its noise really has."""

from __future__ import annotations

import math

import numpy as np

from dpengine.accuracy.lessons.classic_gaussian import PROVED_UP_TO, classic_fails_from, classic_log_delta
from dpengine.charts import Chart
from dpengine.charts.tables import line_charts
from dpengine.charts.tables.line_charts import Line, LineView
from dpengine.formatting import amount, at_most, tiny, tiny_from_log
from dpengine.mechanisms import GaussianMechanism
from dpengine.mechanisms.additive.gaussian import classic_noise_multiplier
from dpengine.privacy import Guarantee
from pages.lesson import pickers
from pages.lesson.check import Answer, Check
from pages.lesson.lesson import Shown, dial, picture_and_words
from pages.widgets import inputs, outputs
from pages.widgets.computed import formula

KEY = "mechanisms"
LEAST_DRAWN, MOST_DRAWN, POINTS = 0.1, 30.0, 101
NOTES_FORMULA = (
    formula("The notes' formula", r"\sigma^2=\frac{2\ln(1.25/\delta)\,\Delta^2}{\varepsilon^2}")
    + "σ is the standard deviation of the noise, and Δ what one person can change (L2 sensitivity), here 1. Proved for "
    "ε below 1, and so at 1: Dwork and Roth 2014, Theorem A.1.\n\n"
    + formula(
        "The true δ of Gaussian noise",
        r"\delta=\Phi\Big(\frac{\Delta}{2\sigma}-\frac{\varepsilon\sigma}{\Delta}\Big)"
        r"-e^{\varepsilon}\,\Phi\Big(-\frac{\Delta}{2\sigma}-\frac{\varepsilon\sigma}{\Delta}\Big)",
    )
    + "Φ is the share of a bell that lies below. The least noise is the σ at which this is the promised δ (analytic "
    "calibration): Balle and Wang 2018, Theorem 8. Under the formula the true δ grows with ε, so it fails from one ε "
    "on."
)


def notes_formula() -> Shown:
    """What the formula promises, and what its noise has, over all epsilons; both noises at the epsilon of the dial."""
    epsilon = dial(f"{KEY}_formula_epsilon", start=10.0)
    place, words = picture_and_words(f"{KEY}_formula")
    delta = pickers.delta(words, does=inputs.CHANGES_THE_NOISE, key=f"{KEY}_formula_delta", start=1e-5)
    log_delta = float(classic_log_delta(epsilon, delta=delta))
    fails_from = classic_fails_from(delta)
    picture = _picture(epsilon, delta, fails_from)
    outputs.chart(place, picture, key=f"{KEY}_formula_chart")
    stated = float(classic_noise_multiplier(epsilon=epsilon, delta=delta))
    least = GaussianMechanism.from_guarantee(Guarantee(epsilon=epsilon, delta=delta)).standard_deviation
    off = f"{amount(100.0 * abs(stated / least - 1.0), 2)}% too {'little' if stated < least else 'much'}"
    words.markdown(
        "Many course notes state one formula for Gaussian noise at any ε. It is proved up to ε = 1 only, where it adds "
        f"too much noise. Above ε = **{at_most(fails_from)}** it adds too little: the promise is broken, and some "
        f"events become more likely than ε and δ allow. At the dial's ε it adds **{off}**."
    )
    true = tiny_from_log(log_delta)
    words.markdown(
        f"| at ε = {amount(epsilon)} | standard deviation | true δ |\n|---|---|---|\n"
        f"| the notes' formula | {amount(stated)} | **{true}** |\n"
        f"| least that keeps the promise | {at_most(least)} | {tiny(delta)} |"
    )
    finding = f"At ε = {amount(epsilon)} the notes' formula adds {off} noise"
    if log_delta > math.log(delta):
        finding = f"At ε = {amount(epsilon)} the notes' formula fails: δ is {true}"
    return Shown(finding=finding, pictures=(picture,), computed=NOTES_FORMULA)


def _picture(epsilon: float, delta: float, fails_from: float) -> Chart:
    palette = outputs.palette()
    at = np.geomspace(min(LEAST_DRAWN, epsilon), max(MOST_DRAWN, epsilon), POINTS)
    here, true = (np.exp(classic_log_delta(place, delta=delta)) for place in (epsilon, at))
    view = LineView(
        at=at,
        x_title="ε",
        y_title="δ",
        here=epsilon,
        crossing=fails_from,
        crossing_words=f"broken above<br>ε = {at_most(fails_from)}",
        shaded_from=PROVED_UP_TO,
        shaded_words="not proved<br>above ε = 1",
    )
    drawn = (
        Line(label="δ promised", values=np.full(POINTS, delta), here=delta, color=palette.text, dash="dash"),
        Line(label="true δ of the formula's noise", values=true, here=float(here), color=palette.attacker),
    )
    return line_charts.lines(view, drawn, palette)


FORMULA_CHECK = Check(
    question="Your notes give one formula for the standard deviation of Gaussian noise. You need ε = 10 and δ = 10⁻⁵. "
    "May you use it?",
    answers=(
        Answer(
            text="Yes: it is in all the notes, and errs on the safe side.",
            feedback="Up to ε = 1 it does: there it adds at least 29% more noise than this δ needs. At ε = 10 it adds "
            "3% too little.",
        ),
        Answer(
            text="No: its noise has a δ of about 2.3·10⁻⁵ there.",
            feedback="More than twice what was promised. The formula is proved up to ε = 1 only; for this δ it fails "
            "above ε = 8.42. The least noise that works can be computed for any ε.",
            right=True,
        ),
        Answer(
            text="Yes: 3% less noise can hardly matter.",
            feedback="3% less noise makes δ 2.3 times as large here: rare large losses react strongly to the width of "
            "the noise.",
        ),
        Answer(
            text="No: Gaussian noise cannot be used at ε = 10.",
            feedback="It can, at any ε: on a count, a standard deviation of 0.5 instead of the formula's 0.484 keeps "
            "the promise.",
        ),
    ),
)
