"""The pieces of the trade-off page: three consequences of one setting, side by side."""

from __future__ import annotations

import streamlit as st
from streamlit.delta_generator import DeltaGenerator

from dpengine import accuracy
from dpengine.accuracy import VarianceError
from dpengine.charts import Chart, amount, at_most, billionths, out_of_100, unit_after
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
    outputs,
    pictures,
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
    found, together = _within(subject), subject.law.quantile(subject.confidence, subject.coordinates)
    if drowned.is_everything(subject, together):
        return f"This says nothing: {found[0].lower()}{found[1:]}"
    return found


def _within(subject: Subject) -> str:
    """The interval at the present dial, for all counts at once where there are several."""
    if subject.choice:
        return choice_panels.finding(subject)
    share, count = f"{subject.confidence * 100:g}", subject.coordinates
    half_width = subject.law.quantile(subject.confidence, count)
    if half_width == 0.0:
        return f"{share} of 100 answers are exactly right"
    band = f"±{at_most(half_width)}{unit_after(subject.unit)}"
    if count > 1:
        return f"All {count} {wording.cells(subject.planned.query)} are within {band} in {share} of 100 releases"
    return f"{share} of 100 answers fall within {band}"


def detail(subject: Subject) -> str:
    """Why one person moves the answer only so far, and the noise in words; the question itself stands below it."""
    planned, plan = subject.planned, subject.plan
    why = unmarked(wording.sensitivity_line(planned, plan.schema, plan.neighbors))
    noise = wording.noise_line(planned, plan.schema, plan.neighbors)
    other = account_words.difference(accounts.current(), plan)
    followed = f" {other} The pictures here follow your plan." if other else ""
    about = f"{wording.clamping(planned.query, plan.schema)} {why} {noise}{followed}"
    return f"{about} {bias_words.said(planned.query, plan.schema)}".strip()


def three_cards(subject: Subject) -> list[Chart]:
    """What people will see, what an attacker may believe, what is left to spend."""
    left, middle, right = st.columns([1.35, 1.3, 1.15])
    return [_answers(left, subject), _belief(middle, subject), _budget(right, subject)]


def _answers(place: DeltaGenerator, subject: Subject) -> Chart:
    if subject.choice:
        return choice_panels.answers(place, subject, subject.choice)
    share, many = f"{subject.confidence * 100:g}", subject.coordinates > 1
    dots = f"each dot: 1 of 100 likely {'values of a group' if many else 'answers'}"
    with outputs.card(
        place,
        "What people will see",
        f"{dots}; band: {share}",
        key="answers",
    ) as box:
        picture = pictures.likely_answers(subject, outputs.palette())
        outputs.chart(box, picture, key="chart_answers", height=outputs.LOW)
        box.markdown(f"{_usefulness(subject)} {_caveat(subject)}")
    return picture


def _usefulness(subject: Subject) -> str:
    if drowned.is_everything(subject, subject.half_width):
        return drowned.ADVICE
    answers = subject.guess.answers
    if not subject.guessed:
        return "Type below how large you expect the answer to be, to see whether the noise drowns it."
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


def _belief(place: DeltaGenerator, subject: Subject) -> Chart:
    with outputs.card(place, "What an attacker may believe", "about one person, before and after", key="belief") as box:
        picture = pictures.posterior(subject, outputs.palette())
        outputs.chart(box, picture, key="chart_belief", height=outputs.LOW)
        least, most = between_of_100(subject.belief(subject.prior), before=subject.prior)
        line = f"The most telling answer turns {out_of_100(subject.prior)} of 100 into **{least} to {most}**"
        if subject.planned.mechanism == "gaussian":
            line += f" (for all but one in {amount(1 / UNLIKELY)} answers)"
        box.markdown(f"{line}. {wording.odds(subject.odds)}")
    return picture


def _budget(place: DeltaGenerator, subject: Subject) -> Chart:
    with outputs.card(place, "What is left to spend", "if every question were like this one", key="budget") as box:
        picture = pictures.questions_like_this(subject, outputs.palette())
        outputs.chart(box, picture, key="chart_budget", height=outputs.LOW)
        naive, advanced = subject.affordable("basic"), subject.affordable("advanced")
        box.markdown(
            wording.repetitions_line(
                epsilon=subject.epsilon,
                budget=_budget_words(subject),
                naive=naive,
                advanced=advanced,
                exact=subject.affordable("exact"),
                first_gain=subject.first_gain,
            )
        )
    return picture


def _budget_words(subject: Subject) -> str:
    whole = f"ε {billionths(subject.budget)}"
    return f"the {whole} that is left" if subject.spendable else f"a budget of {whole}"
