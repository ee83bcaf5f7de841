"""The consequences of one setting in words, from the setting alone: how wrong, how revealing, at what price."""

from __future__ import annotations

from dataclasses import dataclass

from dpengine import accuracy
from dpengine.accuracy import VarianceError
from dpengine.formatting import amount, assumptions, at_most, billionths, error_in, out_of_100, tiny
from dpengine.formatting.near_neutral import between_of_100
from dpengine.privacy.amounts import ATTO, NANO
from dpengine.queries import GroupedMeanQuery
from pages.phrasing import charge_words, wording
from pages.question import bias_words, choice_panels, uninformative
from pages.question.question_view import UNLIKELY, Subject

_ADDED = {"basic": "added up", "concentrated": "ρ added up (the concentrated rule)"}


def finding(subject: Subject) -> str:
    """The headline: how far answers may be off at the present dial, or that they say nothing."""
    found = f"{_within(subject)}{assumed(subject)}"
    if uninformative.says_nothing(subject, subject.together):
        return f"This says nothing: {found[0].lower()}{found[1:]}"
    return found


def assumed(subject: Subject) -> str:
    """The guesses that an error depends on, and whether somebody has made them: the end of a sentence."""
    if subject.size == "exact" or not subject.rests_on_guesses:
        return ""
    rows, answer = subject.size != "unsaid", subject.guessed
    return assumptions.assumed(subject.planned, subject.plan.schema, subject.guess, rows=rows, answer=answer)


def from_rows(subject: Subject) -> str:
    """Who may see a number before this that comes from the rows; nothing where it is a guess."""
    return f" :gray[(exact; {wording.whose_eyes()})]" if subject.size == "exact" else ""


def _within(subject: Subject) -> str:
    """The interval at the present dial, for all counts at once where there are several."""
    if subject.choice:
        return choice_panels.finding(subject)
    share, count = f"{subject.confidence * 100:g}", subject.coordinates
    half_width = subject.together
    if half_width == 0.0:
        return f"{share} of 100 answers are exactly right"
    band = f"{subject.sign}{error_in(subject.measure, half_width)}"
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


def seen(subject: Subject) -> str:
    """What the likely answers mean: the exact one where it may be shown, and whether the noise drowns it."""
    if subject.choice:
        return choice_panels.words(subject, subject.choice)
    return f"{_usefulness(subject)} {_caveat(subject)}".strip()


def _usefulness(subject: Subject) -> str:
    if uninformative.says_nothing(subject, subject.half_width):
        return uninformative.ADVICE
    answers = subject.guess.answers
    if subject.unsaid:
        return f"Type below {subject.unsaid}, roughly."
    if not subject.guessed:
        return "Type below how large you expect the answer to be, to see whether the noise drowns it."
    verdict, measure = accuracy.usefulness(subject.law, answers).sentence, subject.measure
    if subject.center is not None:
        return f"{bias_words.given(subject, measure.answer(subject.center))}. {verdict}"
    typical = measure.answer(sum(answers) / len(answers), 3)
    if len(answers) > 1:
        return (
            f"Any single {wording.cells(subject.planned.query).removesuffix('s')} is within "
            f"±{at_most(subject.half_width)}. Against a typical one of {typical}{from_rows(subject)}: {verdict}"
        )
    return f"If the answer is about {typical} (a guess): {verdict}"


def _caveat(subject: Subject) -> str:
    """What an error law assumes where it is not the noise itself."""
    if isinstance(subject.law, VarianceError):
        return ":gray[Simulated with the noise that is released: no formula is known for this error.]"
    if isinstance(subject.planned.query, GroupedMeanQuery):
        size = f"{subject.guess.records / subject.coordinates:,.0f} rows"
        eyes = f" ({wording.whose_eyes()})" if subject.size == "exact" else ""
        average = f"that would be {size}" if subject.size == "unsaid" else f"{size}{eyes}"
        return f":gray[This is a group of average size, {average}; in smaller groups the error is larger.]"
    return ""


def believed(subject: Subject) -> str:
    """What an attacker may believe about one person, and the same as odds."""
    least, most = between_of_100(subject.belief(subject.prior), before=subject.prior)
    line = f"The most telling answer turns {out_of_100(subject.prior)} of 100 into **{least} to {most}**"
    odds = wording.odds(*odds_of_100(subject), subject.plan.neighbors)
    return f"{line}{_but_rarely(subject)}. {odds}{over_all_answers(subject)}"


def odds_of_100(subject: Subject) -> tuple[str, str]:
    """The attacker's odds over all answers, rounded away from privacy."""
    return between_of_100((subject.odds.without_data / 100, subject.odds.with_data / 100), before=0.5)


def over_all_answers(subject: Subject) -> str:
    """Why the odds lie nearer to 50 than a belief after the most telling answer, where they do."""
    least, most = between_of_100(subject.belief(0.5), before=0.5)
    if odds_of_100(subject) == (least, most):
        return ""
    told = f"turns 50 into {least} to {most}{_but_rarely(subject)}"
    return f" This counts all answers: the most telling one, which is drawn, {told}."


def _but_rarely(subject: Subject) -> str:
    """For which answers a bound on beliefs holds, where it does not for all."""
    return f" (for all but one in {amount(1 / UNLIKELY)} answers)" if subject.planned.mechanism == "gaussian" else ""


def spent(subject: Subject) -> str:
    """How many such questions the budget holds, by the rule that decides, and by others where they say more."""
    if subject.room == 0:
        return cost(subject)
    in_rho, within = subject.balance.rule == "concentrated", subject.compared_within
    line = wording.repetitions_line(
        budget="that ε" if in_rho else _budget(subject, _left(subject)),
        naive=subject.added_up if in_rho else subject.room,
        advanced=subject.affordable("advanced"),
        exact=subject.affordable("exact"),
        first_gain=subject.first_gain,
    )
    if not in_rho:
        return line
    worth = f"this ρ is worth ε {at_most(within.epsilon)} at δ {tiny(within.delta)}"
    return f"{cost(subject)} For comparison, {worth}. {line} Only the account's rule decides."


def cost(subject: Subject) -> str:
    """What one such answer takes of what is left, and how many fit, as a ledger with this rule would decide."""
    rule, left = subject.balance.rule, _left(subject)
    charge = charge_words.counted(subject.cost, rule)
    if subject.room == 0:
        why = "" if subject.balance.granted.rho or rule == "basic" else " A budget without a δ holds no ρ."
        return f"One such answer costs **{charge}**, more than {_budget(subject, left)}: it does not fit.{why}"
    if subject.room == 1 and rule == "concentrated":
        charge, left = (f"ρ {billionths(one.rho / NANO)}" for one in (subject.cost, subject.balance.left))
    count, noun = wording.times(subject.room), "answer" if subject.room == 1 else "answers"
    return f"One such answer takes **{charge}** of {_budget(subject, left)}: **{count}** such {noun}, {_ADDED[rule]}."


def _left(subject: Subject) -> str:
    """What is left, in what the rule counts; of delta only beside a question that takes some."""
    left, rule = subject.balance.left, subject.balance.rule
    if rule == "concentrated":
        return charge_words.remaining(left, rule)
    return f"ε {billionths(subject.budget)}" + (f", δ {tiny(left.delta / ATTO)}" if subject.cost.delta else "")


def _budget(subject: Subject, whole: str) -> str:
    """What may be spent, and whether anybody has counted what was spent of it."""
    if subject.funds == "start":
        return f"the {whole} where the dashboard begins"
    return f"a budget of {whole}" if subject.funds == "example" else f"the {whole} that is {subject.funds}"
