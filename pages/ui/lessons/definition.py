"""The lesson on the definition: what exactly is promised to one person."""

from __future__ import annotations

from dpengine.charts import amount, at_most, definition_charts
from dpengine.mechanisms.listed import clamped_noisy_count
from pages.ui import inputs, outputs
from pages.ui.lessons.check import Answer, Check
from pages.ui.lessons.lesson import Lesson, Shown, Step, dial_card, picture_and_words

KEY = "definition"


def _promise() -> Shown:
    with dial_card(f"{KEY}_promise"):
        epsilon = inputs.dial(key=f"{KEY}_promise_epsilon", kept=0.5)
    count = clamped_noisy_count(epsilon=epsilon, answer=40, reach=14)
    place, words = picture_and_words(f"{KEY}_promise")
    picture = definition_charts.two_worlds(
        outputs=count.outputs, laws=count.laws, axis="published count, people", palette=outputs.palette()
    )
    outputs.chart(place, picture, key=f"{KEY}_promise_chart")
    least, most = count.laws.ratio_range
    words.markdown(
        "A hospital publishes how many patients have mumps, with some noise. You decide whether to be in the table.\n\n"
        "**The promise:** whatever is published would have been almost as likely without you. “Almost” is a number, "
        "epsilon (ε), and the dial sets it.\n\n"
        f"Now every output is between **{amount(least)}** and **{at_most(most)}** times as likely with you as without "
        "you.\n\n:gray[(e^−ε ≤ chance with you / chance without you ≤ e^ε, for every output)]"
    )
    return Shown(
        finding=f"No answer is more than {at_most(most)} times as likely with you as without you", pictures=(picture,)
    )


CHECK = Check(
    question="A study with ε = 0.1 finds that smoking causes cancer. Your insurer knows that you smoke, and charges "
    "you more. Was the promise broken?",
    answers=(
        Answer(
            text="Yes: the study taught the insurer something about me.",
            feedback="It did, but it would have taught the same without your data. The promise is about the difference "
            "that taking part makes.",
        ),
        Answer(
            text="No: the same finding would have come out without my data.",
            feedback="What is learned about people in general may well concern you. What is promised is that taking "
            "part changes the chance of any finding by a factor of at most e^ε, here 1.11.",
            right=True,
        ),
        Answer(
            text="Only if I was in the study.",
            feedback="Whether you were in it hardly matters to what is found: that is just what is promised.",
        ),
    ),
)
LESSON = Lesson(
    key=KEY,
    question="What exactly is promised to me?",
    steps=(Step(name="The promise", show=_promise),),
    check=CHECK,
)
