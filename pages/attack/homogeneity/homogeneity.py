"""Homogeneity: everybody looks like k others, and the group tells the secret all the same."""

from __future__ import annotations

from collections import Counter
from functools import singledispatch

import pandas as pd
from streamlit.delta_generator import DeltaGenerator

from dpengine.attacks import (
    AnonymityTarget,
    Anonymized,
    Cuts,
    Recoding,
    coarsened,
    exposed,
    guessed,
    people_by_values,
    published_crowds,
    sharpest,
)
from dpengine.attacks.k_anonymity.recoding import ANY
from dpengine.charts import Chart
from dpengine.charts.attacks import crowd_charts, group_charts
from dpengine.charts.attacks.group_charts import PublishedGroup
from dpengine.data import AsItIs, Bands, Dropped, Period, Prefix
from dpengine.formatting import out_of_100
from dpengine.queries.sensitivity.sentences import agreeing, plural
from pages.attack.homogeneity import homogeneity_four_rows
from pages.attack.homogeneity import homogeneity_grounds as grounds
from pages.attack.homogeneity.homogeneity_grounds import LEFT_OUT, TWELVE, Ground
from pages.lesson import counts_instead
from pages.lesson.check import Answer, Check
from pages.lesson.counts_instead import Target
from pages.lesson.lesson import Shown, picture_and_words
from pages.lesson.story import ATTACK, EPSILON, PUBLISHED, Act, story
from pages.widgets import outputs
from pages.widgets.computed import formula
from pages.widgets.escaping import code

KEY = "homogeneity"
MOST_GROUPS = 6
WHOSE = {TWELVE: "inpatients", "patients": "patients", "anes_1996": "voters"}
SEARCHING = Shown(finding="Searching for a way that loses little detail")


def _anonymous() -> Shown:
    on = grounds.chosen()
    if on is None:
        return SEARCHING
    place, words = picture_and_words(f"{KEY}_found")
    people = grounds.people_dial(on, place)
    found = grounds.found(on, AnonymityTarget(people=people, left_out=LEFT_OUT))
    if found is None:
        return SEARCHING
    pictures = _published_rows(on, found, place)
    words.markdown(_how_told(found) + _searched(found))
    _note_several(on, words)
    others = "1 other" if people == 2 else f"{people - 1} others"
    finding = f"Everybody shares their details with at least {others} (k = {people})"
    return Shown(finding=finding, pictures=pictures, computed=DETAIL)


DETAIL = (
    formula(
        "Detail lost (1 minus precision), the mean over all people and columns of",
        r"\frac{\text{steps by which the cell is coarsened}}{\text{steps there are}}",
    )
    + "Source: Sweeney 2002. To find the best way for each row is NP-hard: Meyerson and Williams 2004."
)


def _note_several(on: Ground, words: DeltaGenerator) -> None:
    if on.several:
        words.caption("A person with several rows counts once in each of their groups.")


def _published_rows(on: Ground, found: Anonymized, place: DeltaGenerator) -> tuple[Chart, ...]:
    """The twelve as a table of twelve rows; of any other table how large the groups are."""
    if on.name == TWELVE and on.rows is not None:
        told = {one.column: coarsened(one, on.rows.cells(one.column)) for one in found.columns}
        frame = pd.DataFrame(told).assign(**{on.sensitive: on.rows.cells(on.sensitive)})
        place.dataframe(frame.sort_values(list(told)), hide_index=True, key=f"{KEY}_rows", height=352, row_height=26)
        return ()
    people = {size: size * many for size, many in found.published.sizes.items()}
    picture = crowd_charts.crowd_sizes(people, outputs.palette(), axis="people who look alike")
    outputs.chart(place, picture, key=f"{KEY}_found_chart")
    return (picture,)


def _how_told(found: Anonymized) -> str:
    rows = "".join(f"| {code(one.column)} | {_words_of(one)} |\n" for one in found.columns)
    return f"| column | is published |\n|---|---|\n{rows}\n"


def _searched(found: Anonymized) -> str:
    share = out_of_100(found.loss)
    settled = (
        f"None of the {found.ways:,} ways to coarsen whole columns loses less."
        if found.settled
        else f"Of {found.ways:,} ways {found.checked:,} were counted, then the search stopped: another may lose less."
    )
    return (
        f"{found.left_out:,} of {found.crowds.people:,} people {agreeing(found.left_out, 'are')} left out "
        f"(at most {LEFT_OUT:.0%} may be). Detail lost: "
        f"**{share}%**, from 0% (published as it was) to 100% (nothing left of the columns). {settled}"
    )


@singledispatch
def _words_of(how: Recoding) -> str:
    """How a column is told, in words."""
    raise TypeError(how)


_words_of.register(AsItIs, lambda _: "exactly")
_words_of.register(Dropped, lambda _: "not at all")
_words_of.register(
    Prefix, lambda how: f"by its first {how.letters} digits" if how.letters > 1 else "by its first digit"
)
_words_of.register(Bands, lambda how: f"in bands of {how.width:g}")
_words_of.register(Period, lambda how: f"by its {how.period}")
_words_of.register(Cuts, lambda how: f"cut at {' and '.join(map(str, how.cuts))}")


def _attack() -> Shown:
    on = grounds.chosen()
    if on is None:
        return SEARCHING
    place, words = picture_and_words(f"{KEY}_exposed")
    left, right = place.columns(2)
    wanted = AnonymityTarget(
        people=grounds.people_dial(on, left), values=grounds.values_dial(on, right), left_out=LEFT_OUT
    )
    found = grounds.found(on, wanted)
    if found is None:
        return SEARCHING
    picture = _exposed_picture(on, found)
    outputs.chart(place, picture, key=f"{KEY}_exposed_chart")
    told = exposed(found.published)
    certain, away = told.certain, told.one_fact_away
    words.markdown(
        f"**{certain.successes:,} of {certain.trials:,}** people {agreeing(certain.successes, 'are')} in a group with "
        f"only one secret, so theirs is certain ({out_of_100(certain.rate)}%). Before the "
        f"table was published, nobody’s was.\n\n**Another {away:,}** {agreeing(away, 'are')} in a group with "
        "only two: one fact that rules out the other settles it."
    )
    words.markdown(_left_to_guess(on, found) + _price(found))
    _note_several(on, words)
    return Shown(finding=_exposed_finding(on, found, certain.successes), pictures=(picture,))


def _exposed_picture(on: Ground, found: Anonymized) -> Chart:
    if on.rows is not None and on.rows.identifier is None:
        crowds = published_crowds(on.rows, found, on.sensitive)
        if len(crowds) <= MOST_GROUPS:
            shown = [PublishedGroup(label=_label(one.cells), values=one.values) for one in crowds]
            return group_charts.groups(shown, outputs.palette())
    return group_charts.by_values(people_by_values(found.published), left_out=found.left_out, palette=outputs.palette())


def _label(cells: tuple[str, ...]) -> str:
    return " · ".join(cell for cell in cells if cell != ANY) or "everybody"


def _left_to_guess(on: Ground, found: Anonymized) -> str:
    """What a group with several secrets still tells, where the rows are at hand."""
    if on.rows is None or on.rows.identifier is not None:
        return ""
    one, guess = sharpest(on.rows, found, on.sensitive), guessed(on.rows, found, on.sensitive)
    return (
        f"Within a group, a secret may be far more frequent than outside: in one group of {one.rows}, the share with "
        f"“{one.value}” rises from {out_of_100(one.among_all)}% to **{out_of_100(one.in_crowd)}%** (skewness). "
        f"Guessing each group's most frequent secret is right for {out_of_100(guess.rate)}% of people; without groups, "
        f"for {out_of_100(guess.baseline)}%."
        "\n\n"
    )


def _price(found: Anonymized) -> str:
    left_out = f"{plural(found.left_out, 'person')} {agreeing(found.left_out, 'are')} left out"
    return f"Detail lost: {out_of_100(found.loss)}%; {left_out}."


def _exposed_finding(on: Ground, found: Anonymized, certain: int) -> str:
    if certain:
        who = f"{plural(certain, 'person')} {agreeing(certain, 'are')} exposed"
        return f"Everybody hides among {found.wanted.people}, and {who}"
    if on.rows is None or on.rows.identifier is not None:
        return "Nobody's secret is certain, but a group may reveal much about it"
    one = sharpest(on.rows, found, on.sensitive)
    return f"No secret is certain, yet one group’s “{one.value}” rises to {out_of_100(one.in_crowd)}%"


def _counts() -> Shown:
    target = _target(grounds.counted())
    first, second = (target.labels[place] for place in target.candidates)
    return counts_instead.show(
        target,
        key=f"{KEY}_counts",
        instead=f"In place of rows, counts of all {sum(target.counts):,} {target.whose} are published. The attacker "
        f"knows every record but yours, and hesitates between “{first}” and “{second}”.",
    )


def _target(on: Ground) -> Target:
    """How many of the table's people have which secret; the doubt is between the two most frequent ones."""
    counts = Counter([] if on.rows is None else on.rows.cells(on.sensitive).tolist())
    labels = sorted(counts)
    often = sorted(labels, key=lambda label: -counts[label])[:2]
    return Target(
        whose=WHOSE[on.name],
        labels=labels,
        counts=[counts[label] for label in labels],
        candidates=(labels.index(often[0]), labels.index(often[1])),
    )


CHECK = Check(
    question="A table is 10-anonymous, and every group has at least three different diagnoses. A colleague knows your "
    "group and that you take no insulin. What can they learn?",
    answers=(
        Answer(
            text="Nothing: you look like nine others.",
            feedback="They need not find your row. They can read the diagnoses of your group.",
        ),
        Answer(
            text="Possibly your diagnosis: if one of the three is diabetes and nearly all the others have one of the "
            "two that are left.",
            feedback="The size of the group and the number of diagnoses do not say how they are spread, or what else "
            "people know. A promise has to hold for every fact that an attacker may bring.",
            right=True,
        ),
        Answer(
            text="Nothing, as long as three diagnoses are in the group.",
            feedback="What they know rules out one, and the other two may be very unequal.",
        ),
        Answer(
            text="Your diagnosis for certain, always.",
            feedback="Not always: it depends on the group, and nobody can tell you beforehand. That is the trouble.",
        ),
    ),
)
PAIR_CHECK = Check(
    question="In the table of four rows, John Ramos looks like John Reyser. Why is he exposed all the same?",
    answers=(
        Answer(
            text="The attacker finds out which of the two rows is his.",
            feedback="Nobody can: the two rows are alike in every column but the disease, and that is the same, too.",
        ),
        Answer(
            text="Both rows say mumps.",
            feedback="Whichever row is his, it says mumps. k-anonymity asks nothing of the secrets.",
            right=True,
        ),
        Answer(
            text="Too little was coarsened: 10 of 16 cells.",
            feedback="Those 10 cells removed entirely leave the same two rows, and both say mumps.",
        ),
    ),
)
LESSON = story(
    KEY,
    acts={
        PUBLISHED: Act(
            words="Details are made coarser until everybody looks like at least k − 1 others: zip codes lose digits, "
            "ages become bands, columns are dropped, a few people are left out (k-anonymity). A search looks "
            "for the way that loses least detail, and counts how many share each combination.",
            show=_anonymous,
        ),
        ATTACK: Act(
            words="The attacker knows that you are in the table, and knows your zip code and age, so finds your "
            "group. If everybody in it has the same secret, the group hides nothing (homogeneity). If there "
            "are two, one fact rules one out. A patch: require l different secrets in each group "
            "(l-diversity).",
            show=_attack,
        ),
        EPSILON: Act(
            words="Now no rows are published, only counts of each condition with noise for ε. The attacker knows "
            "everybody else's record and hesitates between two conditions for you. Whatever your group, and "
            "whatever the attacker learns later, the counts reveal no more than ε allows.",
            show=_counts,
        ),
        "Four rows": Act(
            words="Within each group, cells that differ are removed (suppression) or made coarser (generalization). "
            "The attacker knows name, age and race.",
            show=homogeneity_four_rows.shown,
        ),
    },
    asked="Is it enough if everybody looks like a few others?",
    answered="No. It hides which row is yours, and still shows what the rows of your group have in common. Each patch "
    "(different secrets, evenly spread secrets) stops one attacker and waits for the next. Noise for ε holds against "
    "every attacker: what is published is nearly as likely with your record as with any other in its place.",
    checks=(CHECK, PAIR_CHECK),
)
