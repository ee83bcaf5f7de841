"""Steps on delta: sets of answers against single ones, and where delta stands in the promise by logarithms."""

from __future__ import annotations

import math

import numpy as np
from streamlit.delta_generator import DeltaGenerator

from dpengine.beliefs import chance_bounds
from dpengine.charts import Chart
from dpengine.charts.privacy import definition_charts, delta_charts
from dpengine.charts.privacy.delta_charts import LogRatios, OneByOne
from dpengine.formatting import amount, at_least, at_most, tiny, tiny_at_most
from dpengine.losses.arrays import Array
from dpengine.losses.definitions import gaussian_loss_exceedance
from dpengine.mechanisms import GaussianMechanism
from dpengine.mechanisms.listed import clamped_noisy_count, random_id, random_page
from dpengine.privacy import Guarantee
from pages.learn.definition.definition_tables import at_most_times
from pages.lesson import pickers
from pages.lesson.lesson import Shown, choice, picture_and_words, whole_number
from pages.widgets import outputs
from pages.widgets.computed import formula

KEY = "definition"
IDS = 20


def sets() -> Shown:
    """Why delta is about sets of outputs, and what it means in words."""
    place, words = picture_and_words(f"{KEY}_sets")
    chosen = whole_number(words, "Numbers looked at together", key=f"{KEY}_chosen", span=(1, IDS), start=6)
    listed = random_id(ids=IDS)
    gap, each = listed.laws.gap_of_chosen(chosen), amount(100 * listed.laws.additive_gap_of_outputs)
    picture = definition_charts.two_worlds(
        outputs=listed.outputs, laws=listed.laws, axis="published number", palette=outputs.palette(), chosen=chosen
    )
    outputs.chart(place, picture, key=f"{KEY}_sets_chart")
    gaussian = GaussianMechanism.from_guarantee(Guarantee(epsilon=1.0, delta=1e-6), l2_sensitivity=1.0)
    exceeded = gaussian_loss_exceedance(noise_multiplier=gaussian.event.noise_multiplier, epsilon=1.0)
    words.markdown(
        f"A silly way to answer: draw a number at random, from 1 to {IDS} if you are in the table, from {IDS + 1} to "
        f"{2 * IDS} if you are not. The chance of each single number differs by only {each} percentage points; all "
        f"{IDS} together reveal you for certain. So what is allowed beyond ε is counted over **every set of "
        "answers**.\n\n**Delta comes on top: any event may be more likely than epsilon allows by up to δ.** Losses "
        f"above ε are more frequent than δ: with Gaussian noise at ε = 1 and δ = {tiny(1e-6)}, the loss is above 1 "
        f"with a chance of {tiny_at_most(exceeded)}. Choose δ far below 1 over the number of people."
    )
    finding = f"One number hardly differs; {chosen} together differ by {amount(100 * gap)} percentage points"
    if chosen == 1:
        finding = f"The chance of one number differs by {each} percentage points"
    return Shown(finding=finding, pictures=(picture,), computed=EVERY_SET)


EVERY_SET = (
    formula(
        "The promise of ε and δ, for every set S of answers",
        r"\Pr(S,\text{ with you})\le e^{\varepsilon}\,\Pr(S,\text{ without you})+\delta",
    )
    + "Pr is the chance over the noise, and e is about 2.72. Source: Dwork, Kenthapadi, McSherry, Mironov and Naor "
    "2006."
)


PROMISES = ("ε and δ", "ε alone")
DELTA, EPSILON = 0.01, 0.5
MOST_PAGES, CASES, BARS = 100, 40, 29


def one_or_many() -> Shown:
    """Single answers against the set of all of them: enough for epsilon alone, far from enough with a delta."""
    promise = choice("Which promise?", PROMISES, key=f"{KEY}_one_or_many")
    return _pages() if promise == PROMISES[0] else _counts()


def _pages() -> Shown:
    place, words = picture_and_words(f"{KEY}_pages")
    pages = whole_number(words, "Pages in your file", key=f"{KEY}_pages", span=(1, MOST_PAGES), start=40)
    laws = random_page(pages=pages, chance=DELTA).laws
    single, together = (100.0 * delta for delta in (laws.delta_of_outputs(EPSILON), laws.delta(EPSILON)))
    view = OneByOne(
        names=[f"{page}" for page in range(1, pages + 1)],
        singles=100.0 * laws.with_person[:pages],
        together=together,
        limits={f"δ = {amount(100.0 * DELTA)}%": 100.0 * DELTA},
        unit="%",
    )
    picture = _drawn(view, "page of your file", "chance beyond what ε allows, %", place)
    words.markdown(
        f"A clinic's answer is one page of somebody's file. Each of your {pages} pages comes out with a chance of "
        f"{at_most(single)}%, never without you.\n\n"
        f"**Page by page, δ = {at_most(single)}% holds at every ε.** But some page comes out in "
        f"{amount(together)}% of cases: the set of all pages needs δ = {at_most(together)}%. So a δ is about every set."
    )
    finding = f"Each page has a chance of {at_most(single)}%, all {pages} together {amount(together)}%"
    if pages == 1:
        finding = f"One page: its chance of {at_most(single)}% is δ"
    return Shown(finding=finding, pictures=(picture,), computed=SINGLES)


def _counts() -> Shown:
    place, words = picture_and_words(f"{KEY}_counts")
    count = whole_number(words, "Answers in the set", key=f"{KEY}_in_set", span=(1, BARS), start=18)
    listed = clamped_noisy_count(epsilon=EPSILON, answer=CASES, bars=BARS)
    chances, others = listed.laws.with_person[-count:], listed.laws.without_person[-count:]
    together = math.fsum(chances) / math.fsum(others)
    least, most = listed.laws.ratio_range
    view = OneByOne(
        names=listed.outputs[-count:],
        singles=chances / others,
        together=together,
        limits={f"at most {at_most_times(most)}": most, f"at least {at_least(least)}": least},
    )
    picture = _drawn(view, "published number of cases", "times as likely with you", place)
    words.markdown(
        f"A noisy count at ε = {EPSILON:g}, without a δ. Each answer is at most {at_most_times(most)} times as likely "
        f"with you, and at least {at_least(least)} times.\n\n"
        "The chance of a set is the sum of its answers' chances, in both worlds. **So its ratio lies between their "
        "smallest and their largest:** single answers suffice. With a δ they do not."
    )
    finding = f"Without δ, a set stays within its answers' limits: {amount(together)} times"
    return Shown(finding=finding, pictures=(picture,), computed=SINGLES)


def _drawn(view: OneByOne, axis: str, quantity: str, place: DeltaGenerator) -> Chart:
    picture = delta_charts.one_by_one(view, axis=axis, quantity=quantity, palette=outputs.palette())
    outputs.chart(place, picture, key=f"{KEY}_one_or_many_chart")
    return picture


SINGLES = (
    formula(
        "Without δ, from all single outputs r to every set S of them",
        r"\Pr(S\text{ with you})=\sum_{r\in S}\Pr(r\text{ with you})\le\sum_{r\in S}e^{\varepsilon}\,"
        r"\Pr(r\text{ without you})=e^{\varepsilon}\,\Pr(S\text{ without you})",
    )
    + formula(
        "With δ, every output may bring its own",
        r"\Pr(S\text{ with you})\le e^{\varepsilon}\,\Pr(S\text{ without you})+|S|\,\delta",
    )
    + "|S| is the number of outputs in S; the pages of the picture reach the second limit. The least δ of all sets is "
    "the sum of what each output has beyond ε; the least δ of single outputs is the largest of these."
)


DELTAS = (0.0, 1e-8, 1e-6, 1e-4, 1e-2)
RARE = (1e-9, 1e-8, 1e-7, 1e-6, 1e-5, 1e-4, 1e-3, 0.01, 0.1)
CHANCES = np.union1d(np.geomspace(1e-10, 1.0, 161), np.linspace(0.3, 1.0, 36))


def logarithms() -> Shown:
    """Where delta stands in the promise by logarithms: taken from the larger chance first, not added to epsilon."""
    place, words = picture_and_words(f"{KEY}_logarithms")
    delta = pickers.stop(words, "δ", DELTAS, key=f"{KEY}_delta", start=1e-6, written=tiny)
    chance = pickers.stop(words, "Chance of the event without you", RARE, key=f"{KEY}_rare", start=1e-8, written=tiny)
    allowed, added = Guarantee(epsilon=1.0, delta=delta), Guarantee(epsilon=1.0 + delta)
    most, stricter = (chance_bounds(chance, guarantee=one)[1] / chance for one in (allowed, added))
    drawn = np.union1d(CHANCES, np.clip(delta * (1.0 + np.geomspace(1e-5, 1.0, 40)), CHANCES[0], 1.0))
    ends, narrow = _log_ratios(drawn, allowed), _log_ratios(drawn, added)
    view = LogRatios(
        chances=drawn,
        lower=ends[0],
        upper=ends[1],
        added=narrow,
        marked=(chance, math.log(most)),
        delta=delta,
    )
    picture = delta_charts.log_ratios(view, outputs.palette())
    outputs.chart(place, picture, key=f"{KEY}_logarithms_chart")
    other = f"with ε + δ, only {at_most(stricter)} times" if delta else "without a δ, both are the same"
    words.markdown(
        "The promise in logarithms, at ε = 1: those of both chances differ by at most ε. **With δ, subtract δ from the "
        "larger chance before taking logarithms**, whichever is larger: blue. Adding δ to ε (dashed) is a stronger "
        f"promise. This event may become {at_most(most)} times as likely; {other}."
    )
    finding = f"δ {tiny(delta)} lets an event of {tiny(chance)} become {at_most(most)} times as likely"
    if not delta:
        finding = f"Without δ, no event becomes more than {at_most(most)} times as likely"
    return Shown(finding=finding, pictures=(picture,), computed=IN_LOGARITHMS)


def _log_ratios(chances: Array, guarantee: Guarantee) -> tuple[Array, Array]:
    """The least and the largest logarithm of with / without at each chance; minus infinity where 0 is allowed."""
    lower, upper = chance_bounds(chances, guarantee=guarantee)
    with np.errstate(divide="ignore"):
        return np.log(lower) - np.log(chances), np.log(upper) - np.log(chances)


IN_LOGARITHMS = (
    formula("Without δ", r"|\ln\Pr(S\text{ with you})-\ln\Pr(S\text{ without you})|\le\varepsilon")
    + formula(
        "With δ, and the same the other way round",
        r"\ln\frac{\Pr(S\text{ with you})-\delta}{\Pr(S\text{ without you})}\le\varepsilon",
    )
    + formula(
        "Stronger",
        r"\ln P-\ln Q\le\varepsilon+\delta\ \Rightarrow\ P=Pe^{-\delta}+P(1-e^{-\delta})"
        r"\le e^{\varepsilon}Q+\delta",
    )
    + "P and Q are the chances of S in the two worlds. The reverse fails: Q = 0 and P = δ satisfies ε and δ, and no "
    "finite sum. The picture shows, for each chance without you, the least and the largest with you that both "
    "directions allow, for the event and for its opposite."
)
