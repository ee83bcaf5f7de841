"""The pieces of the trade-off page: three consequences of one setting, side by side, and a closer look below."""

from __future__ import annotations

import streamlit as st
from streamlit.delta_generator import DeltaGenerator

from dpengine import accuracy
from dpengine.accuracy import NoiseError
from dpengine.charts import Chart, amount, at_most, lower_of_100, out_of_100, upper_of_100
from dpengine.plan import PlannedQuery
from dpengine.queries import CountPeopleQuery
from pages.ui import accounts, choices, guesses, inputs, outputs, pictures, session, wording
from pages.ui.names import unmarked
from pages.ui.subject import UNLIKELY, Subject


def settings(planned: PlannedQuery) -> Subject:
    """What the pictures assume besides epsilon: confidence, prior, delta, noise, and the guess."""
    plan = session.scenario()
    with st.container(border=True, key="card_settings"):
        first, second, third, fourth = st.columns([1, 1, 1.1, 1.8], vertical_alignment="bottom")
        confidence = choices.out_of_100(first, "Answers in the band, of 100", key="confidence", start=95.0)
        prior = choices.out_of_100(second, "Belief before, of 100", key="prior", start=50.0)
        mechanism = choices.mechanism(third, planned.mechanism)
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
    """The headline: the interval at the present dial, for all counts at once where there are several."""
    share, count = f"{subject.confidence * 100:g}", subject.coordinates
    half_width = subject.law.quantile(subject.confidence, count)
    if half_width == 0.0:
        return f"{share} of 100 answers are exactly right"
    band = f"±{at_most(half_width)} {subject.unit}"
    if count > 1:
        return f"All {count} counts are within {band} in {share} of 100 releases"
    return f"{share} of 100 answers fall within {band}"


def detail(subject: Subject) -> str:
    """The question, why one person moves it only so far, and the noise in words."""
    planned, plan = subject.planned, subject.plan
    why = unmarked(wording.sensitivity_line(planned, plan.schema, plan.neighbors))
    noise = wording.noise_line(planned, plan.schema, plan.neighbors)
    return f"{wording.asked(planned)} {wording.clamping(planned.query, plan.schema)} {why} {noise}"


def three_cards(subject: Subject) -> list[Chart]:
    """What people will see, what an attacker may believe, what is left to spend."""
    left, middle, right = st.columns([1.5, 1.2, 1.15])
    return [_answers(left, subject), _belief(middle, subject), _budget(right, subject)]


def _answers(place: DeltaGenerator, subject: Subject) -> Chart:
    share, one = f"{subject.confidence * 100:g}", "answers" if subject.coordinates == 1 else "values of one count"
    with outputs.card(
        place, "What people will see", f"each dot: 1 of 100 likely {one}; the band holds {share}", key="answers"
    ) as box:
        picture = pictures.likely_answers(subject, outputs.palette())
        outputs.chart(box, picture, key="chart_answers")
        box.markdown(_usefulness(subject))
    return picture


def _usefulness(subject: Subject) -> str:
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
            f"Any single count is within ±{at_most(subject.half_width)}. Against a typical one of {typical}: {verdict}"
        )
    return f"Against a guessed answer of {typical}: {verdict}"


def _belief(place: DeltaGenerator, subject: Subject) -> Chart:
    with outputs.card(place, "What an attacker may believe", "about one person, before and after", key="belief") as box:
        picture = pictures.posterior(subject, outputs.palette())
        outputs.chart(box, picture, key="chart_belief")
        lower, upper = subject.belief(subject.prior)
        after = f"**{lower_of_100(lower)} to {upper_of_100(upper)}**"
        line = f"The most telling answer turns {out_of_100(subject.prior)} of 100 into {after}"
        if subject.planned.mechanism == "gaussian":
            line += f" (for all but one in {amount(1 / UNLIKELY)} answers)"
        box.markdown(f"{line}. {wording.odds(subject.odds)}")
    return picture


def _budget(place: DeltaGenerator, subject: Subject) -> Chart:
    with outputs.card(place, "What is left to spend", "if every question were like this one", key="budget") as box:
        picture = pictures.questions_like_this(subject, outputs.palette())
        outputs.chart(box, picture, key="chart_budget")
        naive, advanced = subject.affordable("basic"), subject.affordable("advanced")
        box.markdown(
            wording.repetitions_line(
                epsilon=subject.epsilon,
                budget=subject.budget,
                naive=naive,
                advanced=advanced,
                exact=subject.affordable("exact"),
                first_gain=subject.first_gain,
            )
        )
    return picture


def closer_look(subject: Subject) -> list[Chart]:
    """One more picture at a time: how often the error is larger than a tolerance, or sampling error beside noise."""
    looks = {"How often is it worse?": _tail, "Who is in the table": _sampling, "Textbook bounds": _bounds}
    chosen = st.segmented_control(
        "A closer look", list(looks), default=next(iter(looks)), key="closer_look", required=True
    )
    with st.container(border=True, key="card_closer_look"):
        return looks[str(chosen)](subject)


def _tail(subject: Subject) -> list[Chart]:
    left, right = st.columns([1, 2], vertical_alignment="center")
    reach = max(subject.law.quantile(0.9999), subject.shift)
    tolerance = choices.tolerance(left, start=subject.half_width or subject.shift, reach=reach, unit=subject.unit)
    chance = float(subject.law.tail(tolerance))
    which = "one count is off" if subject.coordinates > 1 else "the answer is off"
    left.markdown(
        f"By more than ±{amount(tolerance)} {subject.unit} {which} in **{out_of_100(chance)} of 100** releases."
    )
    if subject.coordinates > 1:
        together = subject.law.quantile(subject.confidence, subject.coordinates)
        largest = subject.law.expected_largest_error(subject.coordinates)
        left.markdown(
            f"All {subject.coordinates} counts at once are within **±{at_most(together)}** in "
            f"{subject.confidence * 100:g} of 100; the largest error among them is {amount(largest)} on average."
        )
    picture = pictures.tail(subject, tolerance, outputs.palette())
    outputs.chart(right, picture, key="chart_tail")
    return [picture]


def _sampling(subject: Subject) -> list[Chart]:
    left, right = st.columns([1, 2], vertical_alignment="center")
    if subject.sampling is None:
        left.markdown("Nothing varies here, so there is no sampling error to compare with.")
        return []
    share, at = f"{subject.confidence * 100:g}", subject.confidence
    widening = accuracy.widening(subject.law, subject.sampling, at)
    left.markdown(
        f"{_sampled(subject)} In {share} of 100 cases that alone puts the answer within "
        f"±{at_most(subject.sampling.quantile(at))}, the privacy noise alone within ±{at_most(subject.half_width)}, "
        f"both together within **±{at_most(subject.combined.quantile(at))} {subject.unit}**: privacy widens the "
        f"interval by **{at_most(100 * widening, 2)} %**."
    )
    picture = pictures.intervals(subject, outputs.palette())
    outputs.chart(right, picture, key="chart_sampling")
    return [picture]


def _sampled(subject: Subject) -> str:
    """Whom the sampling error counts as drawn, and where that makes it too small."""
    if subject.plan.schema.one_row_each or isinstance(subject.planned.query, CountPeopleQuery):
        return "The people in the table are themselves a sample."
    return (
        "The rows in the table are themselves a sample. This takes every row for another person's; where people have "
        "several rows, the sampling error is larger."
    )


def _bounds(subject: Subject) -> list[Chart]:
    if not isinstance(subject.law, NoiseError) or subject.planned.mechanism != "laplace":
        st.markdown("The textbook bounds are about one Laplace answer; this one has two parts or another noise.")
        return []
    st.markdown(
        wording.bounds_table(accuracy.textbook_bounds(subject.law, coordinates=subject.coordinates), subject.unit)
    )
    return []
