"""The attack that puts innocent counts together again until single people stand there."""

from __future__ import annotations

from dpengine.attacks.reconstruction import publish
from dpengine.charts.attacks import reconstruction_charts
from dpengine.formatting import amount
from pages.attack.reconstruction import (
    reconstruction_attack,
    reconstruction_epsilon,
    reconstruction_hiding,
    reconstruction_sample,
)
from pages.attack.reconstruction import reconstruction_settings as settings
from pages.attack.reconstruction.reconstruction_settings import KEY
from pages.lesson.check import Answer, Check
from pages.lesson.lesson import Shown, picture_and_words
from pages.lesson.story import ATTACK, EPSILON, PUBLISHED, Act, story
from pages.widgets import outputs


def _published() -> Shown:
    share = settings.share()
    place, words = picture_and_words(f"{KEY}_published", picture=1.8)
    sizes = settings.sizes(place)
    noise = settings.error(words)
    published = publish(settings.counts(sizes, share, noise), seed=settings.day())
    picture = reconstruction_charts.groups(
        members=published.groups, answers=published.answers, palette=outputs.palette()
    )
    outputs.chart(place, picture, key=f"{KEY}_published_chart")
    questions = sizes[1]
    least, most = int(published.sizes.min()), int(published.sizes.max())
    words.markdown(
        f"| published | number |\n|---|---|\n| counts | {questions:,} |\n| smallest group | {least} people |\n"
        f"| largest group | {most} people |\n| answer yes | about {amount(100 * share)}% |"
    )
    words.markdown(
        f"“No count about fewer than 10 people” is a common rule. The smallest group here has {least}: the rule is "
        f"{'obeyed' if least >= 10 else 'broken by some'}. Will that help?"
    )
    settings.draw_again(words)
    finding = f"{questions:,} counts about groups of {least} to {most} people, none about you"
    return Shown(finding=finding, pictures=(picture,))


CHECK = Check(
    question="A statistics office adds a random error of at most 2 to every table cell, and publishes very many "
    "tables about the same 10,000 people. Is a person's own answer hidden?",
    answers=(
        Answer(
            text="Yes: nobody knows which way each cell is off.",
            feedback="One cell hides it. But with thousands of cells, only tables in which almost every answer is "
            "right fit all of them: the errors average out.",
        ),
        Answer(
            text="No: with enough cells, almost everybody's answer can be put together again.",
            feedback="An error far below the square root of the number of people (here 100) protects almost nobody "
            "once enough is published, whatever its distribution (blatantly non-private).",
            right=True,
        ),
        Answer(
            text="Yes, as long as no table is about fewer than ten people.",
            feedback="All groups on this page were large. Many counts with small errors give people away.",
        ),
    ),
)
PACE = Check(
    question="Among 10,000 people, noise of ±40 (standard deviation) on each of 10,000 counts makes an attacker who "
    "chose the groups guess 27% of people wrong. How much noise does that among a million people, with a million "
    "counts?",
    answers=(
        Answer(
            text="±40 again: the noise hides each person as before.",
            feedback="With ±40 hardly anybody is guessed wrong: a hundred times as many counts average more away.",
        ),
        Answer(
            text="±400: ten times as much.",
            feedback="Ten times the noise for a hundred times the people. Sampling error grows alike, from at most ±50 "
            "to at most ±500.",
            right=True,
        ),
        Answer(
            text="±4,000: a hundred times as much.",
            feedback="That is more than needed: 48% would be guessed wrong, nearly pure chance, and the noise would be "
            "at least 8 times the sampling error.",
        ),
    ),
)
LESSON = story(
    KEY,
    acts={
        PUBLISHED: Act(
            words="Everybody has one yes/no secret, say an illness. A coin for each person decides who is in a "
            "group. For each group one number is published: about how many in it are ill. No name, no small "
            "group, no exact number.",
            show=_published,
        ),
        ATTACK: Act(
            words="The attacker has the counts, and knows who was in which group. A computer finds in a moment the "
            "secrets whose counts come closest to the published ones (a **linear program**). With unlimited "
            "time it could try **every possible table**: if no count is off by more than 2, the closest table "
            "is wrong about at most 8 people.",
            show=reconstruction_attack.attack,
        ),
        EPSILON: Act(
            words="The same attack, but now every count carries noise. The ε on the dial is the **total** for all "
            "counts together. A small total defeats the attack; where the attack works, the total ε was large.",
            show=reconstruction_epsilon.epsilon,
        ),
        "How much noise hides": Act(
            words="Counts are off by at most E. Some people are guessed wrong (**Hamming distance**). If their share "
            "of a growing table goes to 0, hardly anybody is protected (**blatantly non-private**).",
            show=reconstruction_hiding.hiding,
        ),
        "Noise and sample": Act(
            words="Good news: a table is often a sample, and its counts are off anyway (**sampling error**). Noise "
            "that stops the attack grows alike: both are ten times as large in a table a hundred times as large. More "
            "counts need more noise.",
            show=reconstruction_sample.sample,
        ),
    },
    asked="We only publish counts of large groups. Can anybody get back to a single person?",
    answered="Yes, to nearly everybody, if enough such counts are published with too little noise. A low limit on "
    "their **total** ε protects: then no method, known or still to be invented, does much better than chance.",
    checks=(CHECK, PACE),
)
