"""The consequences of one setting in words, from the setting alone: how wrong, how revealing, at what price."""

from __future__ import annotations

from dataclasses import dataclass

from dpengine import accuracy
from dpengine.accuracy import VarianceError
from dpengine.beliefs import hiding_in_words
from dpengine.formatting import amount, assumptions, at_most, between_of_100, billionths, error_in, out_of_100, tiny
from dpengine.privacy.amounts import ATTO, NANO
from dpengine.queries.forms import ByGroup, RatioForm
from pages.phrasing import charge_words, wording
from pages.question import bias_words, choice_panels, uninformative
from pages.question.question_view import UNLIKELY, QuestionView

_ADDED = {"basic": "naive: just added up", "concentrated": "concentrated: ρ is added up"}


def finding(question: QuestionView) -> str:
    """The headline: how far answers may be off at the present dial, or that they say nothing."""
    found = f"{_within(question)}{assumed(question)}"
    if uninformative.says_nothing(question, question.together):
        return f"This says nothing: {found[0].lower()}{found[1:]}"
    return found


def assumed(question: QuestionView) -> str:
    """The guesses that an error depends on, and whether somebody has made them: the end of a sentence."""
    if question.size == "exact" or not question.rests_on_guesses:
        return ""
    rows, answer = question.size != "unsaid", question.guessed
    return assumptions.assumed(question.planned, question.plan.schema, question.guess, rows=rows, answer=answer)


def from_rows(question: QuestionView) -> str:
    """Who may see a number before this that comes from the rows; nothing where it is a guess."""
    return f" :gray[(exact; {wording.whose_eyes()})]" if question.size == "exact" else ""


def _within(question: QuestionView) -> str:
    """The interval at the present dial, for all counts at once where there are several."""
    if question.choice:
        return choice_panels.finding(question)
    share, count = f"{question.confidence * 100:g}", question.coordinates
    half_width = question.together
    if half_width == 0.0:
        return f"{share}% of possible answers are exactly right"
    band = f"{question.sign.removesuffix('±')}{error_in(question.measure, half_width)}"
    if count > 1:
        return f"All {count} {wording.cells(question.planned.query)} are off by at most {band} in {share}% of releases"
    return f"{share}% of possible answers are off by at most {band}"


@dataclass(frozen=True, slots=True, kw_only=True)
class Detail:
    """The quiet line below the finding: `before` and `after` the noise, which is said where `noise` is set."""

    before: str
    after: str = ""
    noise: bool = True


def whole(question: QuestionView, about: Detail) -> str:
    """The quiet line at one epsilon."""
    noise = wording.noise_line(question.planned, question.plan.schema, question.plan.neighbors) if about.noise else ""
    return f"{about.before} {noise} {about.after}".strip()


def seen(question: QuestionView) -> str:
    """What the likely answers mean: the exact one where it may be shown, and whether the noise drowns it."""
    if question.choice:
        return choice_panels.words(question, question.choice)
    return f"{_usefulness(question)} {_caveat(question)}".strip()


def _usefulness(question: QuestionView) -> str:
    if uninformative.says_nothing(question, question.half_width):
        return uninformative.ADVICE
    answers = question.guess.answers
    if question.unsaid:
        return f"Enter below {question.unsaid}, roughly."
    if not question.guessed:
        return "Enter below the answer that you expect; the noise is compared with it."
    verdict, measure = accuracy.usefulness(question.law, answers).sentence, question.measure
    if question.center is not None:
        return f"{bias_words.given(question, measure.answer(question.center))}. {verdict}"
    typical = measure.answer(sum(answers) / len(answers), 3)
    if len(answers) > 1:
        single = f"Any single {question.planned.query.noun} is within ±{error_in(measure, question.half_width)}"
        return f"{single}. Compared with a typical one of {typical}{from_rows(question)}: {verdict}"
    return f"If the answer is about {typical} (a guess): {verdict}"


def _caveat(question: QuestionView) -> str:
    """What an error law assumes where it is not the noise itself."""
    if isinstance(question.law, VarianceError):
        return ":gray[Simulated with the noise that is released: no formula is known for this error.]"
    if isinstance(question.planned.query, RatioForm) and isinstance(question.planned.query, ByGroup):
        size = f"{question.guess.records / question.coordinates:,.0f} rows"
        eyes = f" ({wording.whose_eyes()})" if question.size == "exact" else ""
        average = f"that would be {size}" if question.size == "unsaid" else f"{size}{eyes}"
        return f":gray[This is for a group of average size, {average}; in smaller groups the error is larger.]"
    return ""


def believed(question: QuestionView) -> str:
    """How well a person is hidden: in a word, as the limit for any attacker, and for another belief beforehand."""
    limit = question.right_at_most
    return (
        f"**{hiding_in_words(limit)}.** {wording.odds(most_right(question), question.plan.neighbors)}{_after(question)}"
    )


def most_right(question: QuestionView) -> str:
    """The limit for any attacker, out of 100, with the digits of the belief that is drawn beside it."""
    return between_of_100((1.0 - question.right_at_most, question.right_at_most))[1]


def _after(question: QuestionView) -> str:
    """Where somebody ends who gave it another chance beforehand."""
    if question.prior == 0.5:
        return ""
    least, most = between_of_100(question.belief(question.prior))
    return (
        f" Somebody who gave it {out_of_100(question.prior)} out of 100 before may give it at most {most} afterwards, "
        f"and at least {least}{_but_rarely(question)}."
    )


def _but_rarely(question: QuestionView) -> str:
    """For which answers a bound on beliefs holds, where it does not for all."""
    return f" for all but one in {amount(1 / UNLIKELY)} answers" if question.planned.noise.needs_delta else ""


def spent(question: QuestionView) -> str:
    """How many such questions the budget holds, by the rule that decides, and by others where they say more."""
    if question.room == 0:
        return cost(question)
    in_rho, within = question.balance.rule == "concentrated", question.compared_within
    line = wording.repetitions_line(
        budget="that ε" if in_rho else _budget(question, _left(question)),
        naive=question.added_up if in_rho else question.room,
        advanced=question.affordable("advanced"),
        exact=question.affordable("exact"),
        first_gain=question.first_gain,
    )
    if not in_rho:
        return line
    worth = f"this ρ is worth ε {at_most(within.epsilon)} at δ {tiny(within.delta)}"
    return f"{cost(question)} For comparison, {worth}. {line} Only the account's rule decides."


def cost(question: QuestionView) -> str:
    """What one such answer takes of what is left, and how many fit, as a ledger with this rule would decide."""
    rule, left = question.balance.rule, _left(question)
    charge = charge_words.counted(question.cost, rule)
    if question.room == 0:
        why = "" if question.balance.granted.rho or rule == "basic" else " The concentrated rule needs a δ."
        return f"One such answer costs **{charge}**, more than {_budget(question, left)}: it does not fit.{why}"
    if question.room == 1 and rule == "concentrated":
        charge, left = (f"ρ {billionths(one.rho / NANO)}" for one in (question.cost, question.balance.left))
    count, fit = wording.times(question.room), "answer fits" if question.room == 1 else "answers fit"
    return f"One such answer costs **{charge}** of {_budget(question, left)}: **{count}** such {fit} ({_ADDED[rule]})."


def _left(question: QuestionView) -> str:
    """What is left, in what the rule counts; of delta only beside a question that takes some."""
    left, rule = question.balance.left, question.balance.rule
    if rule == "concentrated":
        return charge_words.remaining(left, rule)
    return f"ε {billionths(question.budget)}" + (f", δ {tiny(left.delta / ATTO)}" if question.cost.delta else "")


def _budget(question: QuestionView, whole: str) -> str:
    """What may be spent, and whether anybody has counted what was spent of it."""
    if question.funds == "start":
        return f"the {whole} that a new plan starts with"
    return f"a budget of {whole}" if question.funds == "example" else f"the {whole} that is {question.funds}"
