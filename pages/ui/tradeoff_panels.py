"""The pieces of the trade-off page: what is assumed besides epsilon, and the consequences of one setting in words."""

from __future__ import annotations

from dataclasses import dataclass

import streamlit as st
from streamlit.delta_generator import DeltaGenerator

from dpengine import accuracy
from dpengine.accuracy import VarianceError
from dpengine.charts import amount, at_most, billionths, out_of_100, unit_after
from dpengine.charts.near_neutral import between_of_100
from dpengine.plan import PlannedQuery
from dpengine.queries import GroupedMeanQuery
from pages.ui import (
    account_words,
    accounts,
    bias_words,
    choice_panels,
    choices,
    drowned,
    guesses,
    inputs,
    session,
    wording,
)
from pages.ui.names import unmarked
from pages.ui.subject import UNLIKELY, Subject


def settings(planned: PlannedQuery) -> Subject:
    """What the pictures assume besides epsilon: confidence, prior, delta, noise, and the guess."""
    plan = session.scenario()
    with st.container(border=True, key="card_settings"):
        first, second, third, fourth = st.columns([1, 1, 1.1, 1.8], vertical_alignment="bottom")
        confidence = choices.out_of_100(first, "Answers in the band, of 100", key="confidence", start=95.0)
        prior = choices.out_of_100(second, "Belief before, of 100", key="prior", start=50.0)
        mechanism = choices.mechanism(third, planned)
        delta = _delta(fourth, planned)
        guesses.guess_inputs(st.container(), planned)
    known = guesses.known(planned)
    return Subject(
        planned=planned.with_mechanism(mechanism, delta=delta),
        plan=plan,
        guess=known.guess,
        center=known.center,
        confidence=confidence,
        prior=prior,
        delta=delta,
        budget=left if (left := accounts.left_epsilon()) is not None else plan.budget.epsilon,
        guessed=known.typed,
        scores=known.scores,
    )


def _delta(place: DeltaGenerator, planned: PlannedQuery) -> float:
    """A Gaussian question has a delta of its own; any other looks at that of the budget."""
    gaussian = planned.mechanism == "gaussian"
    kept = planned.guarantee.delta if gaussian else session.scenario().budget.delta or 1e-6
    owner = (session.question_index(), kept) if gaussian else None
    return inputs.delta_dial(place, key="tradeoff_delta", kept=kept, owner=owner)


def keep_label(subject: Subject) -> str:
    """What the button keeps: an epsilon, and with Gaussian noise a delta."""
    kept = "epsilon" if subject.planned.mechanism == "laplace" else "epsilon, delta and noise"
    return f"Keep this {kept} in the plan"


def finding(subject: Subject) -> str:
    """The headline: how far answers may be off at the present dial, or that they say nothing."""
    found = _within(subject)
    if drowned.is_everything(subject, subject.together):
        return f"This says nothing: {found[0].lower()}{found[1:]}"
    return found


def _within(subject: Subject) -> str:
    """The interval at the present dial, for all counts at once where there are several."""
    if subject.choice:
        return choice_panels.finding(subject)
    share, count = f"{subject.confidence * 100:g}", subject.coordinates
    half_width = subject.together
    if half_width == 0.0:
        return f"{share} of 100 answers are exactly right"
    band = f"±{at_most(half_width)}{unit_after(subject.unit)}"
    if count > 1:
        return f"All {count} {wording.cells(subject.planned.query)} are within {band} in {share} of 100 releases"
    return f"{share} of 100 answers fall within {band}"


@dataclass(frozen=True, slots=True, kw_only=True)
class Detail:
    """The quiet line below the finding: `before` and `after` the noise, which is said where `noise` is set."""

    before: str
    after: str = ""
    noise: bool = True


def whole(subject: Subject, about: Detail) -> str:
    """The quiet line at one epsilon."""
    noise = wording.noise_line(subject.planned, subject.plan.schema, subject.plan.neighbors) if about.noise else ""
    return f"{about.before} {noise} {about.after}".strip()


def detail(subject: Subject) -> Detail:
    """Why one person moves the answer only so far, and what comes with it; the noise stands between the two."""
    planned, plan = subject.planned, subject.plan
    why = unmarked(wording.sensitivity_line(planned, plan.schema, plan.neighbors))
    other = account_words.difference(accounts.current(), plan)
    followed = f"{other} The pictures here follow your plan." if other else ""
    return Detail(
        before=f"{wording.clamping(planned.query, plan.schema)} {why}".strip(),
        after=f"{_rests_on(subject)} {followed} {bias_words.said(planned.query, plan.schema)}".strip(),
    )


def _rests_on(subject: Subject) -> str:
    """The guess that the error of several noisy parts depends on, where nobody may see the rows."""
    if session.exact_shown() or len(subject.planned.parts(subject.plan.schema, subject.plan.neighbors)) == 1:
        return ""
    whose = "your guess" if subject.guessed else "a first guess, not yours,"
    return f"**This rests on {whose} of {subject.guess.records:,.0f} rows**: with fewer the error is larger."


def seen(subject: Subject) -> str:
    """What the likely answers mean: the exact one where it may be shown, and whether the noise drowns it."""
    if subject.choice:
        return choice_panels.words(subject, subject.choice)
    return f"{_usefulness(subject)} {_caveat(subject)}".strip()


def _usefulness(subject: Subject) -> str:
    if drowned.is_everything(subject, subject.half_width):
        return drowned.ADVICE
    answers = subject.guess.answers
    if not subject.guessed:
        return (
            "Type below how large you expect the answer to be (what stands there is only a start), to see whether the "
            "noise drowns it."
        )
    verdict = accuracy.usefulness(subject.law, answers).sentence
    if subject.center is not None:
        cut = ", values cut as declared" if wording.clamping(subject.planned.query, subject.plan.schema) else ""
        return f"Exact answer **{amount(subject.center, 6)}** :gray[({wording.whose_eyes()}{cut})]. {verdict}"
    typical = amount(sum(answers) / len(answers))
    if len(answers) > 1:
        return (
            f"Any single {wording.cells(subject.planned.query).removesuffix('s')} is within "
            f"±{at_most(subject.half_width)}. Against a typical one of {typical}: {verdict}"
        )
    return f"Against a guessed answer of {typical}: {verdict}"


def _caveat(subject: Subject) -> str:
    """What an error law assumes where it is not the noise itself."""
    if isinstance(subject.law, VarianceError):
        return ":gray[Simulated with the noise that is released: no formula is known for this error.]"
    if isinstance(subject.planned.query, GroupedMeanQuery):
        size = subject.guess.records / subject.coordinates
        return f":gray[This is a group of average size, {size:,.0f} rows; in smaller groups the error is larger.]"
    return ""


def believed(subject: Subject) -> str:
    """What an attacker may believe about one person, and the same as odds."""
    least, most = between_of_100(subject.belief(subject.prior), before=subject.prior)
    line = f"The most telling answer turns {out_of_100(subject.prior)} of 100 into **{least} to {most}**"
    if subject.planned.mechanism == "gaussian":
        line += f" (for all but one in {amount(1 / UNLIKELY)} answers)"
    return f"{line}. {wording.odds(subject.odds)}"


def spent(subject: Subject) -> str:
    """How many such questions the budget holds, by naive adding, by advanced adding and exactly."""
    return wording.repetitions_line(
        epsilon=subject.epsilon,
        budget=budget_words(subject),
        naive=subject.affordable("basic"),
        advanced=subject.affordable("advanced"),
        exact=subject.affordable("exact"),
        first_gain=subject.first_gain,
    )


def budget_words(subject: Subject) -> str:
    """What may be spent: the budget, or what is left of it."""
    whole = f"ε {billionths(subject.budget)}"
    return f"the {whole} that is left" if subject.spendable else f"a budget of {whole}"
