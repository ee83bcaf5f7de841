"""The lesson on the definition: what exactly is promised to one person."""

from __future__ import annotations

from dpengine.accuracy import CombinedError, NoiseError, SamplingError
from dpengine.accuracy.lessons.local_and_central import sampling_standard_error
from dpengine.charts import Chart
from dpengine.charts.accuracy import estimate_charts
from dpengine.charts.accuracy.estimate_charts import EstimateBar
from dpengine.charts.privacy import definition_charts
from dpengine.formatting import amount, at_most
from dpengine.mechanisms import DiscreteLaplaceMechanism
from dpengine.mechanisms.listed import (
    LARGEST_EPSILON,
    ListedMechanism,
    clamped_noisy_count,
    exact_count,
    rounded_count,
)
from pages.learn.definition import definition_deltas, definition_measures, definition_tables, definition_wider
from pages.learn.definition.definition_tables import at_most_times
from pages.lesson import pickers
from pages.lesson.check import Answer, Check
from pages.lesson.drawings import Box, flow
from pages.lesson.lesson import Lesson, Shown, Step, choice, dial, picture_and_words, whole_number
from pages.widgets import outputs
from pages.widgets.computed import formula

KEY = "definition"
CASES = 40
PROMISED = (
    formula(
        "For every answer that may come out (output)",
        r"e^{-\varepsilon}\le\frac{\Pr(\text{output with you})}{\Pr(\text{output without you})}\le e^{\varepsilon}",
    )
    + "Pr is the chance over the noise, and e is about 2.72: at a small ε, the ratio is close to 1 + ε. Source: Dwork, "
    "McSherry, Nissim and Smith 2006."
)


def _promise() -> Shown:
    epsilon = dial(f"{KEY}_promise_epsilon", start=0.5, most=LARGEST_EPSILON)
    count = clamped_noisy_count(epsilon=epsilon, answer=CASES)
    place, words = picture_and_words(f"{KEY}_promise")
    each = "" if count.values_each == 1 else f", {count.values_each:,} numbers a bar"
    picture = definition_charts.two_worlds(
        outputs=count.outputs, laws=count.laws, axis=f"published number of cases{each}", palette=outputs.palette()
    )
    outputs.chart(place, picture, key=f"{KEY}_promise_chart")
    most = at_most_times(count.laws.ratio_range[1])
    words.markdown(
        "A clinic publishes how many patients have mumps, plus a random error (noise).\n\n"
        f"**The promise: no answer is more than {most} times as likely with you as without you**, or the other way "
        "round. Compare each blue bar with its orange one: where they differ most, they reach this ratio.\n\n"
        "One number sets it: epsilon (ε). Turn the dial."
    )
    finding = f"With you, answers are at most {most} times as likely as without"
    return Shown(finding=finding, pictures=(picture,), computed=PROMISED)


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
    "The curator": ("Trust", "somebody has to keep the rows"),
}
WORDS = {
    "The public": "Researchers, newspapers, your insurer: they may read every answer. **Privacy** limits what those "
    "answers reveal about you to any reader, whatever they know already.",
    "Your doctor": "Your doctor has a right to your row, and to no other. **Security** sees to that; no noise is "
    "needed.",
    "A thief": "Keeping a thief out is **security**. It cannot protect you from people who are allowed to ask "
    "questions.",
    "The curator": "The curator keeps the rows, adds the noise, and decides who gets which answer. If you trust "
    "nobody, add noise yourself before you answer (local privacy).",
}


FINDINGS = {
    "The public": "Everybody may read the answers: privacy limits what they reveal about you",
    "Your doctor": "Your doctor may read your row: security keeps everybody else out",
    "A thief": "A thief takes the rows themselves: only security helps against that",
    "The curator": "The curator sees every row, so you have to trust the curator",
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
    return Shown(finding=FINDINGS[audience])


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
        "If an exact rule answers differently for two such tables, the answer reveals which one it is. If it answers "
        "the same for every table, it is useless. **So an answer that is private and useful must be random.**"
    )
    most = listed.laws.ratio_range[1]
    if how == PUBLISHED[2]:
        finding = f"With noise no answer is certain: at most {at_most_times(most)} times as likely"
    elif listed.laws.additive_gap:
        finding = "Without randomness, the answer gives you away for certain"
    else:
        finding = f"Rounding hides you at {cases} cases, and gives you away at 45"
    return Shown(finding=finding, pictures=(picture,))


def _published(how: str, cases: int) -> ListedMechanism:
    listed = {
        PUBLISHED[0]: lambda: exact_count(answer=cases, reach=5),
        PUBLISHED[1]: lambda: rounded_count(answer=cases),
        PUBLISHED[2]: lambda: clamped_noisy_count(epsilon=0.5, answer=cases, bars=21),
    }
    return listed[how]()


RUNNERS = (200, 300, 500, 1000, 2000, 3000, 5000)
RUNNERS_WITH_PAIN, OTHERS_WITH_PAIN = 30.0, 12.0


def _not_promised() -> Shown:
    place, words = picture_and_words(f"{KEY}_absent")
    people = pickers.stop(words, "Runners in the study", RUNNERS, key=f"{KEY}_runners", start=1000)
    noise, sampling = _errors_of_share(people)
    half, by_chance, together = (
        error.quantile(0.95) for error in (noise, sampling, CombinedError(noise=noise, sampling=sampling))
    )
    picture = _study(noise.step, half, by_chance)
    outputs.chart(place, picture, key=f"{KEY}_absent_chart")
    words.markdown(
        "Ben runs marathons. A study finds, with noise at ε = 0.5, that the knees of 30% of runners hurt. His insurer "
        "knows that he runs, thought 12 out of 100 before, and now asks him for more money.\n\n"
        f"95% interval of the privacy noise: ±{at_most(half, 2)} percentage points. Asking only {people:,} runners "
        f"adds ±{amount(by_chance, 2)} (sampling error); both together ±{amount(together, 2)}.\n\n"
        f"Ben's own record could have changed the result by at most {at_most(noise.step)} points. **The promise: "
        "others learn nearly the same about you, whether you take part or stay away.** No useful study promises more: "
        "anybody who learns about runners learns something about Ben."
    )
    return Shown(finding="An insurer learns about Ben, whether or not Ben takes part", pictures=(picture,))


def _study(moved: float, half_width: float, sampling: float) -> Chart:
    """What the insurer believes before the study and after it, with Ben in it and without him."""
    palette = outputs.palette()
    before = EstimateBar(label="before the study", value=OTHERS_WITH_PAIN, half_width=0.0, color=palette.muted)
    results = (
        ("after it, with Ben in it", RUNNERS_WITH_PAIN + moved, palette.with_person),
        ("after it, without him", RUNNERS_WITH_PAIN, palette.without_person),
    )
    after = (
        EstimateBar(label=label, value=value, half_width=half_width, sampling=sampling, color=color)
        for label, value, color in results
    )
    axis = "the insurer's belief that Ben's knees hurt, out of 100"
    return estimate_charts.estimates([before, *after], axis=axis, reach=(8.0, 36.0), palette=palette)


def _errors_of_share(people: int) -> tuple[NoiseError, SamplingError]:
    """Of a share, in hundredths: from the noise on the count, and from who happened to be asked."""
    deviation = 100.0 * float(sampling_standard_error(people, share=RUNNERS_WITH_PAIN / 100.0))
    noise = DiscreteLaplaceMechanism.from_epsilon(0.5, l1_sensitivity=1)
    return NoiseError(mechanism=noise, step=100.0 / people), SamplingError(standard_deviation=deviation)


CHECK = Check(
    question="A study with ε = 0.1 finds that people who sleep badly fall ill more often. Your insurer knows that you "
    "sleep badly, and asks you for more money. Was the promise broken?",
    answers=(
        Answer(
            text="Yes: the study taught the insurer something about me.",
            feedback="It did, and would have done so without your data too. The promise is about the difference that "
            "taking part makes.",
        ),
        Answer(
            text="Only if I was in the study.",
            feedback="Being in it makes any finding at most 1.11 times as likely. The finding about people in general "
            "cost you money.",
        ),
        Answer(
            text="No: my data makes this finding at most 1.11 times as likely.",
            feedback="So little can your own data change. What is true of people in general may still concern you.",
            right=True,
        ),
        Answer(
            text="No: with ε = 0.1, nobody can learn anything from the study.",
            feedback="Much can be learned from it about people in general: noise that hides one person is small beside "
            "all of them.",
        ),
    ),
)
OF_SETS = Check(
    question="A system has a million possible answers. Its maker proves that each single one is, with you, more likely "
    "than ε allows by at most 10⁻⁶. What is promised?",
    answers=(
        Answer(
            text="ε, with δ = 10⁻⁶.",
            feedback="That takes the same of every set of answers. Here each answer may bring its own 10⁻⁶, and a "
            "million of them come to 1.",
        ),
        Answer(
            text="ε alone: so small a δ does not count.",
            feedback="An answer that is possible only with you breaks every ε, however rare it is. Single answers "
            "suffice only where δ is 0.",
        ),
        Answer(
            text="Nothing yet: all answers together may exceed ε by 1.",
            feedback="A million times 10⁻⁶ is 1: every answer could be one that only your data makes possible. Ask for "
            "the δ of sets of answers.",
            right=True,
        ),
        Answer(
            text="ε + 10⁻⁶, with no δ.",
            feedback="That would be a stronger promise than ε and δ: it allows no answer that is possible in one world "
            "only, not even the rarest.",
        ),
    ),
)
LESSON = Lesson(
    key=KEY,
    question="What exactly is promised to me?",
    steps=(
        Step(name="The promise", show=_promise),
        Step(name="Who hears", show=_who),
        Step(name="Why random", show=_why_chance),
        Step(name="Not promised", show=_not_promised),
        Step(name="Wider privacy", show=definition_wider.wider_privacy),
        Step(name="Two tables", show=definition_tables.two_tables),
        Step(name="Attempts", show=definition_measures.attempts),
        Step(name="p and ε", show=definition_measures.p_and_epsilon),
        Step(name="Size of ε", show=definition_tables.size_of_epsilon),
        Step(name="One output", show=definition_measures.one_output),
        Step(name="Why δ", show=definition_deltas.sets),
        Step(name="One or many", show=definition_deltas.one_or_many),
        Step(name="Logarithms", show=definition_deltas.logarithms),
    ),
    checks=(CHECK, OF_SETS, definition_tables.OF_SHARES),
)
