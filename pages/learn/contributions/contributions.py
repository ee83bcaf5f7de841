"""The lesson on contributions: how many rows may one person have?"""

from __future__ import annotations

from functools import cache

from dpengine.charts.tables import contribution_charts
from dpengine.data import Contributions, load_sample
from dpengine.formatting import amount, at_most
from dpengine.privacy import Guarantee
from pages.learn.contributions import contributions_bound, contributions_groups
from pages.lesson.check import Answer, Check
from pages.lesson.lesson import Lesson, Shown, Step, dial, picture_and_words
from pages.widgets import outputs
from pages.widgets.computed import formula

KEY = "contributions"
MOST_EPSILON = 100.0


@cache
def _rand_hie() -> Contributions:
    """How many people of the built-in study have how many rows; the table is public."""
    table, _ = load_sample("rand_hie")
    read = table.contributions()
    table.close()
    return read


def _one_person() -> Shown:
    epsilon = dial(f"{KEY}_one_epsilon", start=0.1, most=MOST_EPSILON)
    place, words = picture_and_words(f"{KEY}_one")
    read = _rand_hie()
    sizes = sorted(read.people_with)
    losses = [Guarantee(epsilon=epsilon).for_group(size).epsilon for size in sizes]
    picture = contribution_charts.loss_by_rows(
        rows=sizes, losses=losses, people=[read.people_with[size] for size in sizes], palette=outputs.palette()
    )
    outputs.chart(place, picture, key=f"{KEY}_one_chart")
    most = read.most
    words.markdown(
        f"A health study has {read.rows:,} rows, one for each person and year, of {read.people:,} people. Count the "
        f"rows and add noise that hides **one row** at ε = {amount(epsilon)}.\n\n"
        f"A person with {most} rows can change the count by {most}. To them the same noise promises less, {most} "
        f"times the ε: **{at_most(losses[-1])}**. People with the most rows are protected least.\n\n"
        "And if nobody knows how many rows a person may have, no noise is large enough. So protect **people**: count "
        "at most a fixed number of each person's rows; the rest is dropped at random (a contribution bound)."
    )
    finding = f"People with {most} rows are protected less: ε = {at_most(losses[-1])}, not {amount(epsilon)}"
    computed = formula("For a person with m rows", r"\varepsilon_{\text{person}}=m\,\varepsilon_{\text{row}}")
    return Shown(finding=finding, pictures=(picture,), computed=computed)


CHECK = Check(
    question="You look at your table: 99% of people have at most 4 visits. So you declare “at most 4 visits of each "
    "person count”. What is wrong with that?",
    answers=(
        Answer(
            text="Nothing: the noise hides how many visits anybody has.",
            feedback="The noise of the answers does. But the bound itself is public, and you read it off the data "
            "without any noise.",
        ),
        Answer(
            text="The bound was read off the data, so the promise does not cover the choice of it.",
            feedback="Another person in the table might have made it a 5, and everybody can see the bound. Take it "
            "from what is known elsewhere: an older public table, or how often anybody could come.",
            right=True,
        ),
        Answer(
            text="The bound must be at least the largest number of visits of anybody, or answers are wrong.",
            feedback="A smaller bound often errs less: dropping a few rows costs less than the noise they would need.",
        ),
        Answer(
            text="Dropping the fifth visit of some people breaks ε for them.",
            feedback="Dropping it is what protects them: rows beyond the bound cannot change any answer.",
        ),
    ),
)
LESSON = Lesson(
    key=KEY,
    question="How many rows may one person have?",
    steps=(
        Step(name="One person", show=_one_person),
        Step(name="The bound", show=contributions_bound.too_small_or_too_large),
        Step(name="Groups", show=contributions_groups.by_group),
    ),
    checks=(CHECK,),
)
