"""The attack by subtraction: two counts of many people, and one person's secret between them."""

from __future__ import annotations

from dpengine.attacks import DifferencingRules, differenced
from dpengine.charts.attacks import differencing_charts
from dpengine.formatting import amount, lower_of_100, out_of_100, upper_of_100
from pages.attack.differencing import differencing_audits, differencing_curves, differencing_named
from pages.attack.differencing.differencing_stage import KEY, stage
from pages.lesson.check import Answer, Check
from pages.lesson.lesson import Shown, choice, dial, picture_and_words, whole_number
from pages.lesson.story import ATTACK, EPSILON, PUBLISHED, Act, story
from pages.widgets import outputs
from pages.widgets.computed import formula

SEED, TRIALS, MOST_EPSILON, SMALL = 7, 10_000, 10.0, 10


def _published() -> Shown:
    chosen = stage(choosing=True)
    place, words = picture_and_words(f"{KEY}_published")
    counts = chosen.counts
    picture = differencing_charts.subtraction(
        everybody=counts.everybody,
        others=counts.others,
        person=chosen.person,
        subtracted=False,
        palette=outputs.palette(),
    )
    outputs.chart(place, picture, key=f"{KEY}_published_chart")
    words.markdown(
        f"| asked | answer |\n|---|---|\n| How many have {chosen.trait}? | **{counts.everybody:,}** |\n"
        f"| How many without {chosen.person}? | **{counts.others:,}** |"
    )
    words.markdown(f"Neither answer is about one person alone. {_rule(counts.others)}")
    return Shown(finding="Two counts about many people differ in one person", pictures=(picture,))


def _rule(smaller: int) -> str:
    """What a rule about the size of single counts would do."""
    if smaller < SMALL:
        return f"A rule such as “no count of fewer than {SMALL}” stops these two, and lets two larger ones pass."
    return f"A rule such as “no count of fewer than {SMALL}” lets both pass."


def _exact() -> Shown:
    look = choice("Look at", ("Subtract", "Would an auditor help?"), key=f"{KEY}_look")
    if look != "Subtract":
        return differencing_audits.shown()
    chosen = stage()
    place, words = picture_and_words(f"{KEY}_exact")
    counts = chosen.counts
    picture = differencing_charts.subtraction(
        everybody=counts.everybody,
        others=counts.others,
        person=chosen.person,
        subtracted=True,
        palette=outputs.palette(),
    )
    outputs.chart(place, picture, key=f"{KEY}_exact_chart")
    outcome = differenced(DifferencingRules(epsilon=None), trials=TRIALS, seed=SEED).outcome
    told = "has" if counts.secret else "does not have"
    words.markdown(
        f"{counts.everybody:,} − {counts.others:,} = {counts.everybody - counts.others}, so {chosen.person} **{told}** "
        f"{chosen.trait}. That is certain, and the attacker knew nothing about anybody else.\n\n"
        f"For {outcome.trials:,} invented people whose secret is decided by a coin, the attacker is right in "
        f"**{out_of_100(outcome.rate)}%** of cases. Without looking, it would be {out_of_100(outcome.baseline)}%."
    )
    return Shown(finding=f"Two exact counts reveal that {chosen.person} {told} {chosen.trait}", pictures=(picture,))


def _noisy() -> Shown:
    chosen = stage()
    epsilon = dial(f"{KEY}_epsilon", start=0.5, most=MOST_EPSILON)
    place, words = picture_and_words(f"{KEY}_noisy")
    prior = whole_number(place, "People who have the trait, %", key=f"{KEY}_prior", span=(1, 99), start=50)
    rules = DifferencingRules(epsilon=epsilon, prior=prior / 100.0)
    outcome = differenced(rules, trials=TRIALS, seed=SEED).outcome
    picture = differencing_curves.success(rules, outcome, outputs.palette())
    outputs.chart(place, picture, key=f"{KEY}_noisy_chart")
    low, high = outcome.interval()
    words.markdown(
        f"How many have {chosen.trait}? How many without {chosen.person}? Each count gets its own noise "
        f"(ε = {amount(epsilon)}). The attacker knows how common the trait is, and guesses from the difference whether "
        f"{chosen.person} has it.\n\n"
        f"| attacker | right, out of 100 |\n|---|---|\n"
        f"| measured | **{out_of_100(outcome.rate)}** ({lower_of_100(low)} to {upper_of_100(high)}) |\n"
        f"| best possible, by subtracting, against this noise | {out_of_100(rules.optimum)} |\n"
        f"| upper limit for any attacker, whatever the noise | {upper_of_100(rules.knowing_the_others)} |\n"
        f"| without looking | {out_of_100(rules.baseline)} |"
    )
    words.caption(
        f"{outcome.trials:,} simulated people, the same for everybody; 95% interval. Only the first count can include "
        f"{chosen.person}. Others may be in both, which together cost ε twice (composition): for them the limit is "
        f"{upper_of_100(rules.bound)}."
    )
    finding = f"ε = {amount(epsilon)}: subtracting is right in {out_of_100(outcome.rate)} out of 100 cases"
    return Shown(finding=finding, pictures=(picture,), computed=LIMITS)


LIMITS = (
    formula("The upper limit for any attacker, for a fair coin", r"\frac{e^{\varepsilon}}{1+e^{\varepsilon}}")
    + "For another share of people it is the largest chance that ε leaves to a guess; with twice the ε, the same "
    "with 2ε. The best guess by subtracting uses the distribution of the difference of two whole-number Laplace "
    "noises. Source: Kairouz, Oh and Viswanath 2015, section 2; the interval: Clopper and Pearson 1934."
)


CHECK = Check(
    question="Your rule refuses every count of fewer than 20 people. Can exact counts still give one person away?",
    answers=(
        Answer(
            text="No: nobody is alone in a count of 20.",
            feedback="Nobody is alone in one count. But two counts of hundreds may differ in one person only.",
        ),
        Answer(
            text="Yes: two large counts may differ in that one person.",
            feedback="A rule about single counts cannot see what several reveal together.",
            right=True,
        ),
        Answer(
            text="Yes, but an auditor who refuses the second count prevents it.",
            feedback="It is hard to find out which counts reveal somebody together, and a refusal that depends on the "
            "answer reveals something itself.",
        ),
    ),
)
NAMED_CHECK = Check(
    question="The clinic now refuses every question with a name in it. Are exact counts safe?",
    answers=(
        Answer(
            text="Yes: John Ramos can no longer be left out.",
            feedback="He can. “Everybody who is not 22” leaves out him alone, and names nobody.",
        ),
        Answer(
            text="No: his age leaves him out as well.",
            feedback="17 have the trait, 16 of those who are not 22. A fact about one person does what the name did.",
            right=True,
        ),
        Answer(
            text="Yes, if counts below 10 are refused, too.",
            feedback="Both counts, 17 and 16, are larger than that, and their difference is one person.",
        ),
    ),
)
LESSON = story(
    KEY,
    acts={
        PUBLISHED: Act(
            words="A hospital publishes exact counts, and refuses every question about a single person. Somebody "
            "asks two questions, each about the whole hospital. Choose a disease and a person.",
            show=_published,
        ),
        ATTACK: Act(
            words="The attacker subtracts one count from the other. Then see why checking the questions beforehand "
            "(auditing) does not prevent it.",
            show=_exact,
        ),
        EPSILON: Act(
            words="The same two questions, with noise in each answer. The attacker still subtracts. Turn ε: how "
            "often is the attacker right now?",
            show=_noisy,
        ),
        "A named person": Act(
            words="A clinic of 300 invented patients answers counts, and refuses rows.",
            show=differencing_named.shown,
        ),
    },
    asked="We only publish totals. Isn’t that enough?",
    answered="No. Two totals that differ in one person reveal that person’s record. Minimum sizes, limits on overlaps "
    "and refusals do not prevent it. Noise in every answer limits it, and epsilon says how far: it adds up over all "
    "questions.",
    checks=(CHECK, NAMED_CHECK),
)
