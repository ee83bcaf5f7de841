"""The pieces of the first page: a question that everybody understands, and where to go from it."""

from __future__ import annotations

import streamlit as st

from dpengine.spending import Balance
from pages import session
from pages.question.consequences import Detail
from pages.question.question_view import QuestionView
from pages.session.first_plan import first_plan

STORY = Detail(
    before="How many people in a famous health study were in hospital at least once? The answer is published with "
    "noise, to hide whether any one person is in the table. **Turn the dial**: noise, risk and cost move together.",
    noise=False,
)
DOORS = (
    ("pages/explore/data/page.py", "Bring your table", "Upload one, or take a built-in one."),
    ("pages/explore/tradeoff/page.py", "Weigh a question", "Choose epsilon, the error, or the risk."),
    ("pages/explore/budget/page.py", "Burn the budget", "Watch many questions add up."),
    ("pages/explore/release/page.py", "Release an answer", "One button, one charge, one answer."),
    ("pages/attack/linkage/page.py", "See it attacked", "Why removing names is not enough."),
    ("pages/learn/definition/page.py", "Learn the idea", "One picture on each page, formulas last."),
)


def question(epsilon: float) -> QuestionView:
    """The first question of the RAND table at this epsilon; its exact answer is public."""
    plan = first_plan("rand_hie")
    planned = plan.queries[0]
    guess = session.built_in_guess("rand_hie")
    return QuestionView(
        planned=planned.at(epsilon),
        plan=plan,
        guess=guess,
        center=guess.answers[0],
        confidence=0.95,
        prior=0.5,
        delta=plan.budget.delta,
        balance=Balance.untouched(plan.budget, plan.rule),
        funds="example",
    )


def doors() -> None:
    """The ways on, in the order in which people walk them."""
    for place, (path, title, sentence) in zip(st.columns(len(DOORS)), DOORS, strict=True):
        with place.container(border=True, height="stretch", key=f"card_door_{title}"):
            st.page_link(path, label=f"**{title}**")
            st.markdown(f":gray[{sentence}]")
