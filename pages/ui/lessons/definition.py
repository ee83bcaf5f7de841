"""The lesson on the definition: what exactly is promised to one person."""

from __future__ import annotations

from dpengine.accuracy import NoiseError
from dpengine.charts import amount, at_least, at_most, definition_charts, estimate_charts
from dpengine.charts.estimate_charts import Estimate
from dpengine.mechanisms import DiscreteLaplaceMechanism
from dpengine.mechanisms.listed import ListedMechanism, clamped_noisy_count, exact_count, rounded_count
from pages.ui import outputs
from pages.ui.lessons import definition_measures, definition_tables
from pages.ui.lessons.check import Answer, Check
from pages.ui.lessons.drawings import Box, flow
from pages.ui.lessons.lesson import Lesson, Shown, Step, choice, dial, formula, picture_and_words, whole_number

KEY = "definition"
CASES = 40


def _promise() -> Shown:
    count = clamped_noisy_count(epsilon=dial(f"{KEY}_promise_epsilon", start=0.5), answer=CASES)
    place, words = picture_and_words(f"{KEY}_promise")
    each = "" if count.values_each == 1 else f", {count.values_each:,} numbers a bar"
    picture = definition_charts.two_worlds(
        outputs=count.outputs, laws=count.laws, axis=f"published number of cases{each}", palette=outputs.palette()
    )
    outputs.chart(place, picture, key=f"{KEY}_promise_chart")
    least, most = count.laws.ratio_range
    words.markdown(
        "A clinic publishes how many patients have mumps, give or take some chance (noise).\n\n"
        "**The promise: whatever comes out would have come out almost as often without you.** Compare blue and orange: "
        f"every output is between {at_least(least, 4)} and {at_most(most, 4)} times as likely with you as without.\n\n"
        "How close “almost” is, one number says: epsilon (ε). Turn the dial."
        + formula(
            r"e^{-\varepsilon}\le\frac{\Pr(\text{output with you})}{\Pr(\text{output without you})}\le e^{\varepsilon}"
        )
    )
    finding = f"No answer is more than {at_most(most, 4)} times as likely with you as without you"
    return Shown(finding=finding, pictures=(picture,))


GETS = {
    "The public": "noisy answers only",
    "Your doctor": "your own row, exact",
    "A thief": "nothing, if the locks hold",
    "The curator": "every row, exact",
}
DOORS = {
    "The public": ("Privacy", "noise on every answer"),
    "Your doctor": ("Security", "who are you, and may you?"),
    "A thief": ("Security", "locks, passwords, law"),
    "The curator": ("Trust", "somebody has to keep it"),
}
WORDS = {
    "The public": "Researchers, newspapers, your insurer: they may read every answer. **Privacy** limits what those "
    "answers give away about you, whoever reads them and whatever they know already.",
    "Your doctor": "Your doctor has a right to your row, and to yours alone. Seeing to that is **security**; no noise "
    "is needed.",
    "A thief": "Keeping a thief out is **security**. It does nothing about those who come through the front door and "
    "just ask questions.",
    "The curator": "The curator keeps the rows, adds the noise, and decides what is told to whom. Where nobody is to "
    "be trusted, everybody adds noise before telling anything (local privacy).",
}


def _who() -> Shown:
    audience = choice("Who asks?", list(GETS), key=f"{KEY}_audience")
    place, right = picture_and_words(f"{KEY}_who", picture=2.2)
    door, how = DOORS[audience]
    boxes = (
        Box(name="You and others", line="hand over your rows"),
        Box(name="The curator's table", line="every row, exact"),
        Box(name=door, line=how, look="lit"),
        Box(name=audience, line=f"gets {GETS[audience]}"),
    )
    flow(place, boxes, outputs.palette())
    right.markdown(WORDS[audience])
    return Shown(finding="Security decides who gets in; privacy limits what the answers give away")


PUBLISHED = ("exactly", "rounded to tens", "with noise, ε = 0.5")


def _why_chance() -> Shown:
    how = choice("How is the count published?", PUBLISHED, key=f"{KEY}_published")
    place, words = picture_and_words(f"{KEY}_chance")
    cases = whole_number(words, "Cases, you included", key=f"{KEY}_cases", span=(40, 49), start=45)
    listed = _published(how, cases)
    picture = definition_charts.two_worlds(
        outputs=listed.outputs, laws=listed.laws, axis="published number of cases", palette=outputs.palette()
    )
    outputs.chart(place, picture, key=f"{KEY}_chance_chart")
    words.markdown(
        f"Somebody knows everybody in the table but you: {cases - 1} cases. With you there are {cases}.\n\n"
        "An answer without chance that is ever different for such a pair of tables settles the matter for this pair. "
        "And if it is the same for all pairs, it is the same for all tables and says nothing. "
        "**So an answer that is private and useful must be drawn by chance.**"
    )
    most = listed.laws.ratio_range[1]
    if how == PUBLISHED[2]:
        finding = f"With noise no answer is certain about you: at most {at_most(most, 4)} times as likely"
    elif listed.laws.additive_gap:
        finding = "Without chance, the answer gives you away for certain"
    else:
        finding = f"Rounding hides you at {cases} cases, and gives you away for certain at 45"
    return Shown(finding=finding, pictures=(picture,))


def _published(how: str, cases: int) -> ListedMechanism:
    listed = {
        PUBLISHED[0]: lambda: exact_count(answer=cases, reach=5),
        PUBLISHED[1]: lambda: rounded_count(answer=cases),
        PUBLISHED[2]: lambda: clamped_noisy_count(epsilon=0.5, answer=cases, bars=21),
    }
    return listed[how]()


RUNNERS_WITH_PAIN, OTHERS_WITH_PAIN = 30.0, 12.0


def _not_promised() -> Shown:
    place, words = picture_and_words(f"{KEY}_absent")
    people = whole_number(words, "Runners in the study", key=f"{KEY}_runners", span=(200, 5000), start=1000)
    noise = NoiseError(mechanism=DiscreteLaplaceMechanism.from_epsilon(0.5, l1_sensitivity=1), step=100.0 / people)
    palette = outputs.palette()
    results = (
        ("before the study", OTHERS_WITH_PAIN, 0.0, palette.muted),
        ("after it, with Ben in it", RUNNERS_WITH_PAIN + noise.step, noise.quantile(0.95), palette.with_person),
        ("after it, without him", RUNNERS_WITH_PAIN, noise.quantile(0.95), palette.without_person),
    )
    picture = estimate_charts.estimates(
        [Estimate(label=label, value=value, half_width=half, color=color) for label, value, half, color in results],
        axis="how likely the insurer thinks Ben's knees hurt, of 100",
        reach=(8.0, 36.0),
        palette=palette,
    )
    outputs.chart(place, picture, key=f"{KEY}_absent_chart")
    words.markdown(
        "Ben runs marathons. A study finds, with noise at ε = 0.5, that the knees of 30 of 100 runners hurt. His "
        "insurer knows that he runs, thought 12 of 100 before, and now asks him for more money.\n\n"
        f"Had Ben been in the study, its result would have moved by {amount(noise.step)} of 100 at most. "
        "**Not “nobody learns anything about you” is promised, but “the same as had you not taken part”.** More cannot "
        "be: whoever learns anything about runners learns something about Ben."
    )
    return Shown(finding="A study tells an insurer about Ben, who never took part", pictures=(picture,))


CHECK = Check(
    question="A study with ε = 0.1 finds that people who sleep badly fall ill more often. Your insurer knows that you "
    "sleep badly, and asks you for more money. Was the promise broken?",
    answers=(
        Answer(
            text="Yes: the study taught the insurer something about me.",
            feedback="It did, but it would have done so without your data too. The promise is about the difference "
            "that taking part makes, not about everything that can be known of you.",
        ),
        Answer(
            text="Only if I was in the study.",
            feedback="Being in it changes the chance of any finding by a factor of at most 1.11. It is the finding "
            "about people in general that cost you money.",
        ),
        Answer(
            text="No: the same finding would have come out, almost as likely, without my data.",
            feedback="Taking part changes the chance of any finding by a factor of at most $e^{0.1}$, about 1.11. "
            "What is true of people in general may still concern you.",
            right=True,
        ),
        Answer(
            text="No: with ε = 0.1, nobody can learn anything from the study.",
            feedback="Much can be learned from it, about people in general: that is what noise as small as one person "
            "leaves standing.",
        ),
    ),
)
LESSON = Lesson(
    key=KEY,
    question="What exactly is promised to me?",
    steps=(
        Step(name="The promise", show=_promise),
        Step(name="Who hears", show=_who),
        Step(name="Why chance", show=_why_chance),
        Step(name="Not promised", show=_not_promised),
        Step(name="Two tables", show=definition_tables.two_tables),
        Step(name="Attempts", show=definition_measures.attempts),
        Step(name="Size of ε", show=definition_tables.size_of_epsilon),
        Step(name="One output", show=definition_measures.one_output),
        Step(name="Why δ", show=definition_measures.sets),
    ),
    check=CHECK,
)
