"""The steps of the tour in order: where each happens, what to try there, and what to notice."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from dpengine.errors import InvalidParameterError
from pages.lesson.check import Answer, Check
from pages.tour import watched

MOST_WORDS = 30
PAGE = "pages/start/tour/page.py"
CHECK_KEY = "tour_check"


@dataclass(frozen=True, slots=True, kw_only=True)
class TourStop:
    """One stop: a page, one sentence to follow and one that says what it shows; together at most 30 words.

    `on_own_table` replaces the first where the plan is about a table that somebody brought. `watch` reads something
    that changes once the step was tried; where it reads None, the page cannot tell. A page is `live` that reruns only a
    part of itself when something on it is moved, so that it has to be looked at again and again.
    """

    name: str
    page: str
    try_this: str
    notice: str
    watch: Callable[[], object]
    on_own_table: str = ""
    live: bool = False

    def __post_init__(self) -> None:
        for first in (self.try_this, self.on_own_table):
            if len(f"{first} {self.notice}".split()) > MOST_WORDS:
                raise InvalidParameterError("words", first, f"at most {MOST_WORDS} words with what is to be noticed")

    def words(self, *, built_in: bool) -> str:
        """What to try, about the table in use."""
        return self.try_this if built_in or not self.on_own_table else self.on_own_table

    def lines(self, *, built_in: bool) -> tuple[str, str, str]:
        """What to try, and what to notice."""
        return self.words(built_in=built_in), "Notice:", self.notice


STEPS = (
    TourStop(
        name="Welcome",
        page="pages/start/welcome/page.py",
        try_this="Turn the dial to the right, then to the left.",
        notice="To the right, readers get a more exact answer. To the left, people in the table are better protected.",
        watch=watched.dial("welcome_epsilon"),
        live=True,
    ),
    TourStop(
        name="Data",
        page="pages/explore/data/page.py",
        try_this="Keep this table, or take another one. Read “Whose rows” below it.",
        on_own_table="Your own table stays; the tour goes on with it. Read “Whose rows” below it.",
        notice="Noise protects people: it hides whether any one person is in the table.",
        watch=watched.table,
    ),
    TourStop(
        name="Questions",
        page="pages/explore/queries/page.py",
        try_this="Press “Add this question”.",
        notice="The gray lines say how much one person can change the answer, and why. The noise hides that change.",
        watch=watched.questions,
    ),
    TourStop(
        name="Trade-off",
        page="pages/explore/tradeoff/page.py",
        try_this="Below “Or begin with what you accept”, drag the error, or the belief.",
        notice="The dial follows: choose epsilon and read the error, or the other way round.",
        watch=watched.trade_off,
        live=True,
    ),
    TourStop(
        name="Budget",
        page="pages/explore/budget/page.py",
        try_this="Type 50 into “Times the list is asked”.",
        notice="Every question costs budget. The naive line is straight; the advanced one bends below it after many.",
        watch=watched.spending,
        live=True,
    ),
    TourStop(
        name="Release",
        page="pages/explore/release/page.py",
        try_this="Open the practice account if the page asks; press “Release this answer” (or “Ask again”).",
        on_own_table="Press “Release this answer”, or only look: your table’s answers cost real budget.",
        notice="One press, one charge, one answer that stays.",
        watch=watched.answers,
    ),
    TourStop(
        name="Averaging",
        page="pages/attack/averaging/page.py",
        try_this="Open “2 · What the attacker does”, and have the question asked more often.",
        notice="Averaging many answers cancels the noise. So each is charged, until the budget is spent.",
        watch=watched.attack,
        live=True,
    ),
    TourStop(
        name="One question",
        page=PAGE,
        try_this="Answer the question on this page.",
        notice="If you can, you know what epsilon buys, and what it costs.",
        watch=watched.check(CHECK_KEY),
    ),
)
CHECK = Check(
    question="You lower ε for a question from 1 to 0.1. What happens?",
    answers=(
        Answer(
            text="The answer gets more exact, and each person is better hidden.",
            feedback="You cannot have both: more noise hides a person better, and makes the answer less exact.",
        ),
        Answer(
            text="The answer gets noisier, each person is better hidden, and the budget lasts longer.",
            feedback="Ten times less ε is about ten times more noise, and the same budget pays for ten times as many "
            "such questions.",
            right=True,
        ),
        Answer(
            text="Nothing to worry about: anybody who wants an exact answer can ask again and average.",
            feedback="Each answer is charged. Ten at 0.1 cost as much as one at 1, until the budget is spent.",
        ),
    ),
)
