"""What a policy brief shows on its two pages of HTML that stand alone; its template says how."""

from __future__ import annotations

from markupsafe import Markup

from dpengine.formatting import between_of_100, upper_of_100
from dpengine.plan import right_at_most
from dpengine.queries.forms import ChoiceForm
from dpengine.queries.sensitivity.sentences import agreeing
from dpengine.reports.briefs import brief
from dpengine.reports.briefs.brief_input import Explored
from dpengine.reports.briefs.brief_method import method
from dpengine.reports.briefs.brief_pictures import INK, before_and_after, likely_answers
from dpengine.reports.exact_answer import done_first
from dpengine.reports.labels.label import shown
from dpengine.reports.labels.label_pictures import at_most_dots, dots
from dpengine.reports.quoting import as_text
from dpengine.reports.templates import document, picture
from dpengine.reports.who import software

ROOMY_QUESTIONS, ROOMY_PARTS, ROOMY_LETTERS = 5, 2, 90


def policy_brief(explored: Explored) -> str:
    """The brief of one question and the plan around it; prints on two pages of A4 or Letter."""
    asked = brief.asked_in_words(explored.planned, explored.plan.spoken)
    around, around_what = _around(explored)
    return document(
        "briefs/brief.html",
        title=f"Policy brief: {as_text(asked)}",
        dense=_is_full(explored, asked),
        table_name=explored.plan.table_name,
        table_words=explored.plan.spoken.table,
        day=explored.day,
        nothing_released=f"{brief.NOTHING_RELEASED}{f' {brief.PUBLIC}' if explored.public else ''}",
        asked=asked,
        finding=brief.finding(explored),
        settings=_settings(explored),
        around=around_what,
        likely_answers=_likely_answers(explored, around),
        belief=_belief(explored),
        odds=_odds(explored),
        meanings=_meanings(explored),
        promise=brief.promise(explored),
        questions=_questions(explored),
        error=brief.measure_in_focus(explored).errors,
        prior=f"{explored.prior * 100:g}",
        assumed=explored.assumed(explored.place),
        otherwise=brief.otherwise(explored),
        method=method(explored),
        signature=(("Written by", software()), ("On", explored.day.isoformat())),
    )


def _is_full(explored: Explored, asked: str) -> bool:
    """Whether much has to be said: many questions, many noisy parts, long names."""
    many = len(brief.questions(explored)) > ROOMY_QUESTIONS or len(brief.noises(explored)) > ROOMY_PARTS
    return many or len(asked) > ROOMY_LETTERS or len(brief.finding(explored)) > ROOMY_LETTERS


def _settings(explored: Explored) -> tuple[tuple[str, str], ...]:
    planned = explored.planned
    return (
        ("epsilon (ε)", f"{planned.guarantee.epsilon:.9g}"),
        ("noise", "none: one value is selected at random" if _chosen(explored) else planned.noise.label),
        ("answers in the band", f"{explored.confidence * 100:g}%"),
        ("belief before", f"{explored.prior * 100:g} out of 100"),
    )


def _chosen(explored: Explored) -> bool:
    return isinstance(explored.planned.query, ChoiceForm)


def _around(explored: Explored) -> tuple[float, str]:
    """Where the picture stands: on a public number, else on 0; and the words that say so."""
    each = "Each dot is one of a hundred likely answers,"
    if _chosen(explored):
        return 0.0, "Each dot is one of a hundred likely answers: by how many ranks it falls short, in the worst case."
    answers = explored.guesses[explored.place].answers
    if explored.coordinates(explored.planned) > 1:
        done = done_first(explored.planned.query, explored.plan.schema, explored.plan.neighbors)
        own = f"its value once {done}" if done else "its exact value"
        return 0.0, f"{each} to any one of the numbers, around {own}."
    if len(answers) == 1 and explored.public:
        return answers[0], f"{each} around {brief.exactly(explored)}; this table is public."
    if len(answers) == 1 and explored.guessed:
        return answers[0], f"{each} around a guessed answer; the exact one is not in this brief."
    return 0.0, f"{each} around {brief.exactly(explored)}, which is not in this brief."


def _likely_answers(explored: Explored, around: float) -> Markup:
    law = explored.law(explored.planned, explored.place)
    return picture(
        likely_answers(
            law,
            around=around,
            half_width=law.quantile(explored.confidence),
            confidence=explored.confidence,
            measure=brief.measure_in_focus(explored),
            one_sided=_chosen(explored),
        )
    )


def _belief(explored: Explored) -> Markup:
    after = brief.belief(explored)
    return picture(before_and_after(explored.prior, after, between_of_100(after)))


def _odds(explored: Explored) -> dict[str, object]:
    """How often any attacker can be right who starts at 50:50, as dots."""
    limit = right_at_most(explored.planned)
    most = upper_of_100(limit)
    return {"most": most, "dots": picture(dots(at_most_dots(100 * limit), INK.attacker, f"at most {most} out of 100"))}


def _meanings(explored: Explored) -> list[str]:
    sentences = (
        brief.how_useful(explored),
        brief.beside_sampling(explored),
        brief.odds_in_words(explored),
        brief.belief_in_words(explored),
        brief.whole_plan(explored),
    )
    return [sentence for sentence in sentences if sentence]


def _questions(explored: Explored) -> dict[str, object]:
    rows = brief.questions(explored)
    missing = len(explored.plan.queries) - len(rows)
    which = f"which {agreeing(missing, 'are')} in the script and in the numbers"
    return {
        "before": shown(explored.spent.left_of(explored.budget), explored.plan.rule),
        "confidence": f"{explored.confidence * 100:g}",
        "rows": rows,
        "more": f"And {missing:,} more, {which}." if missing else "",
    }
