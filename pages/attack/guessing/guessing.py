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
from pages.lesson.story import Act, story
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
        f"| the table holds {chosen.person}’s record? | {chosen.counted} |\n|---|---|\n"
        f"| no | **{chosen.without:,}** |\n| yes | **{chosen.without + chosen.step:,}** |"
    )
    finding = f"{chosen.without:,} or {chosen.without + chosen.step:,}: all of {chosen.person}’s secret is in one count"
    return Shown(finding=finding, pictures=(picture,))


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
    won = f" so far you won {score.wins} of {score.rounds}" if score.rounds else " every round can be won"
    return Shown(finding=f"The exact count tells who is in:{won}", pictures=(picture,))


def _bound(epsilon: float) -> str:
    return upper_of_100(best_success(Guarantee(epsilon=epsilon), prior=0.5))


CHECK = Check(
    question="A journalist played 20 rounds at ε = 1 and won 18. Is the noise broken?",
    answers=(
        Answer(
            text="Yes: 18 of 20 is more than 73 of 100.",
            feedback="The bound is about the chance of each round. In 20 rounds luck may win more, or fewer. Let the "
            "journalist play 1,000 rounds: the share settles at 73 of 100 or below.",
        ),
        Answer(
            text="Not by that: 20 rounds are few, and luck can win more than its share.",
            feedback="At a chance of 73 of 100, 18 or more of 20 rounds are won by luck about 6 times in 100. Over "
            "thousands of rounds it shows.",
            right=True,
        ),
        Answer(
            text="No: a person cannot be as good as the best attacker, so it was cheating.",
            feedback="A person who says “in” whenever the count is nearer to the one with the record is the best "
            "attacker. No cleverness beats that.",
        ),
    ),
)
LESSON = story(
    KEY,
    published=Act(
        words="A hospital publishes one number: how many patients have a disease. You know everybody else’s record, "
        "so two counts are possible: with one person and without. A fair coin decides whether that person’s record is "
        "used. You see the number. Were they in? Choose a disease and a person.",
        show=_published,
    ),
    attack=Act(
        words="First the exact count. One click is one round: say “in” or “not in”, and see at once whether you "
        "were right. Play a few.",
        show=_exact_game,
    ),
    epsilon=Act(
        words="The same game, but noise is added before the count is published. Turn ε and play on. How long is your "
        "row of wins now?",
        show=guessing_views.noisy_game,
    ),
    asked="If my record is in there, will somebody find out?",
    answered="From an exact count: yes, whoever knows the others can tell. From a noisy one nobody is sure. Where a "
    f"fair coin decided, even the best attacker is right in at most {_bound(0.1)} of 100 cases at ε = 0.1, "
    f"{_bound(1.0)} at ε = 1 and {_bound(3.0)} at ε = 3, whatever else it knows (at most $1/(1+e^{{-\\varepsilon}})$).",
    check=CHECK,
)
