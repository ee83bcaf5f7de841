"""The attack by guessing: is this person in the table? First with the exact count, then with a noisy one."""

from __future__ import annotations

import streamlit as st

from dpengine.attacks import GuessingRules
from dpengine.beliefs import best_success
from dpengine.charts.attacks import guessing_charts
from dpengine.formatting import upper_of_100
from dpengine.privacy import Guarantee
from pages.attack.guessing import guessing_panel, guessing_views
from pages.attack.guessing.guessing_stage import KEY, YOU, stage
from pages.lesson.check import Answer, Check
from pages.lesson.lesson import Shown
from pages.lesson.story import ATTACK, EPSILON, PUBLISHED, Act, story
from pages.widgets import outputs


def _published() -> Shown:
    left, right = st.columns([1.3, 1.0], gap="medium")
    with right:
        chosen = stage(choosing=True)
    with left.container(border=True, key=f"card_{KEY}_published"):
        picture = guessing_charts.counted(
            without=chosen.without,
            person=chosen.person,
            unit=chosen.unit,
            palette=outputs.palette(),
            step=chosen.step,
        )
        outputs.chart(st.container(), picture, key=f"{KEY}_published_chart")
    right.markdown(
        f"| is {chosen.person}’s record in the table? | {chosen.counted} |\n|---|---|\n"
        f"| no | **{chosen.without:,}** |\n| yes | **{chosen.without + chosen.step:,}** |"
    )
    counts = f"{chosen.without:,} or {chosen.without + chosen.step:,}"
    return Shown(finding=f"{counts}: the count alone reveals whether {chosen.person} is in", pictures=(picture,))


def _exact_game() -> Shown:
    left, right = st.columns([1.0, 1.3], gap="medium")
    board = left.container()
    with left:
        chosen = stage()
    rules = GuessingRules(without=chosen.without, step=chosen.step)
    game = guessing_panel.play(board, rules, chosen, key="exact")
    picture = guessing_panel.track(game)
    with right.container(border=True, key=f"card_{KEY}_exact_score"):
        outputs.chart(st.container(), picture, key=f"{KEY}_exact_chart")
    score = game.score(YOU)
    won = f" you won {score.wins} of {score.rounds}" if score.rounds else " every round can be won"
    return Shown(finding=f"The exact count reveals who is in:{won}", pictures=(picture,))


def _bound(epsilon: float) -> str:
    return upper_of_100(best_success(Guarantee(epsilon=epsilon), prior=0.5))


CHECK = Check(
    question="A journalist played 20 rounds at ε = 1 and won 18. Is the noise broken?",
    answers=(
        Answer(
            text="Yes: 18 of 20 is more than 73 out of 100.",
            feedback="The limit is about the chance in each round. In 20 rounds, luck may win more or fewer. Let the "
            "journalist play 1,000 rounds: the share settles at 73% or below.",
        ),
        Answer(
            text="This does not show it: in 20 rounds, luck can win more than its share.",
            feedback="With a chance of 73 out of 100, luck alone wins 18 or more of 20 rounds in about 6% of games. "
            "Over thousands of rounds it evens out.",
            right=True,
        ),
        Answer(
            text="No: a person cannot be as good as the best possible attacker, so the journalist must have cheated.",
            feedback="Anybody who says “in” when the count is nearer to the one with the record is the best possible "
            "attacker. No cleverness beats that.",
        ),
    ),
)
LESSON = story(
    KEY,
    acts={
        PUBLISHED: Act(
            words="A hospital publishes how many patients have a disease. You know everybody else’s record, so only "
            "two counts are possible: with one person and without. A coin decides whether that person’s record "
            "is in the table (the secret). You see the number. Were they in? Choose a disease and a person.",
            show=_published,
        ),
        ATTACK: Act(
            words="First the exact count. One click is one round: say “in” or “not in”, and see at once whether you "
            "were right. Play a few rounds.",
            show=_exact_game,
        ),
        EPSILON: Act(
            words="The same game, with noise added before the count is published. Turn ε and play on. How many "
            "rounds in a row do you win now?",
            show=guessing_views.noisy_game,
        ),
    },
    asked="If my record is in there, will somebody find out?",
    answered="From an exact count, yes: anybody who knows all the others can tell. From a noisy one, nobody can be "
    "sure. An attacker who thinks it 50:50 whether you are in the table, even knowing everybody else, can be right in "
    f"at most {_bound(0.1)} out of 100 cases at ε = 0.1, {_bound(1.0)} at ε = 1 and {_bound(3.0)} at ε = 3.",
    checks=(CHECK,),
)
