"""What each act of the attack found in the room's answers, with the budget's protection and without it."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import partial

from dpengine.attacks.on_answers import Averaged, Belief, CountAsked, Difference, OneLeftOut
from dpengine.charts import Chart, Palette
from dpengine.charts.rooms import room_charts
from dpengine.charts.rooms.room_charts import Bar
from dpengine.formatting import amount, at_most, beside, billionths, out_of_100, upper_of_100
from dpengine.plan.amounts import Charge
from dpengine.queries import CountPeopleQuery, CountQuery
from dpengine.workshop.attacked import Findings, Rebuilt
from pages.widgets.escaping import code, whole


@dataclass(frozen=True, slots=True, kw_only=True)
class RoomFinding:
    """One finding: the headline, how it is done, and what it comes to with noise and budget and without them."""

    title: str
    how: str
    protected: str
    bare: str
    picture: Callable[[Palette], Chart] | None = None


def averaged(found: Findings) -> RoomFinding:
    """All answers to one question together."""
    if not found.averages.counts:
        return RoomFinding(
            title="No counts to average", how="The room asked for no counts.", protected=_SAFE, bare=_BARE
        )
    top = found.averages.counts[0]
    one, many = at_most(top.half_width_of_one), at_most(top.half_width)
    title = (
        f"Asked {top.answers} times, the noise shrinks from ±{one} to ±{many}"
        if top.answers > 1
        else f"Nobody asked twice: ±{one} is all the attacker has"
    )
    return RoomFinding(
        title=title,
        how=f"The same question again and again, and the average: **{_counted(top.asked)}**",
        protected=_price_of_the_rest(top),
        bare=f"Without a budget nothing stops them: after {top.more:,} more answers, the rounded average is mostly the "
        "exact number. Without noise, one answer is.",
        picture=lambda palette: _shrinking(top, palette),
    )


def differenced(found: Findings) -> RoomFinding:
    """One count minus another."""
    if not found.differences.listed:
        return _no_pair() if found.left_out is None else _one_left_out(found, found.left_out)
    top = found.differences.listed[0]
    value = beside(top.count, top.half_width)
    return RoomFinding(
        title=f"One count minus another leaves {value} ± {at_most(top.half_width)}",
        how=f"**{_counted(top.larger)}** minus **{_counted(top.smaller)}**: two harmless counts, one smaller group.",
        protected=_hidden(top),
        bare="Exact counts leave the exact number. When one person is left over, it is that person's secret.",
        picture=partial(_believed, top.beliefs[0]),
    )


def _no_pair() -> RoomFinding:
    return RoomFinding(
        title="No two of our counts lie one inside the other",
        how="One count minus another is a count of those who are only in the first. We asked for no such two.",
        protected="Two such counts would do; with a small epsilon the noise of both hides one person.",
        bare="With exact answers one more question is enough: everybody, and everybody but one.",
    )


def _one_left_out(found: Findings, one: OneLeftOut) -> RoomFinding:
    """The pair that one more question would make, if the budget granted it."""
    half = at_most(one.half_width)
    granted = next(count.granted for count in found.averages.counts if count.asked == one.asked)
    ours = "our answer" if one.answers == 1 else f"our {one.answers:,} answers, averaged,"
    stays = (
        f"noise of {ours} and that of the new one stay: the 1 or 0 that is left is known only within ±{half}, in 95% "
        "of cases."
    )
    refused = "**The budget refuses that count now: the attack ends here.** If it were answered: the "
    return RoomFinding(
        title=(
            f"One more count would be enough: ±{half} does not hide one person"
            if one.tells_one_from_none
            else f"One more count, of all but one person, reveals that one within ±{half}"
        ),
        how=(
            f"We asked: **{_counted(one.asked)}** Somebody who knows one of them asks the same of **all but that "
            "person**, and subtracts. What is left is that person alone."
        ),
        protected=f"{'The ' if granted else refused}{stays}",
        bare="Exact counts leave exactly 1, or exactly 0: that person’s secret.",
        picture=partial(_one_person_beside_noise, one.half_width),
    )


def _one_person_beside_noise(half_width: float, palette: Palette) -> Chart:
    rows = [
        Bar(name="that one person", length=1.0, words="1", color=palette.with_person),
        Bar(name="how far off", length=half_width, words=f"±{at_most(half_width)}", color=palette.left),
        Bar(name="without noise", length=0.0, words="0", color=palette.attacker),
    ]
    return room_charts.bars(rows, axis="people (95% interval, ±)", palette=palette)


def _believed(belief: Belief, palette: Palette) -> Chart:
    return _beliefs(
        [
            ("before", belief.before, palette.muted),
            ("after these answers", belief.most, palette.left),
            ("without noise", 1.0, palette.attacker),
        ],
        palette,
    )


def reconstructed(found: Findings) -> RoomFinding:
    """Many counts put together."""
    attack = found.rebuilt.result.attacked
    whose = "people of this table" if found.rebuilt.of_the_table else "invented people"
    groups = f"{attack.questions:,} counts of random groups of {attack.people} {whose} are put together."
    exact, noisy = out_of_100(attack.exact.fraction), out_of_100(attack.noisy.fraction)
    return RoomFinding(
        title=f"{attack.questions:,} exact counts give away {exact} out of 100 secrets",
        how=f"{_put_to_the_test(found.rebuilt)} {groups}",
        protected=(
            f"With noise that costs the whole budget, **{noisy} out of 100** secrets are guessed right; by "
            f"blind guessing, {out_of_100(attack.chance)}."
        ),
        bare=f"Without noise, **{exact} out of 100** are.",
        picture=lambda palette: _of_100(
            [
                ("without noise", attack.exact.fraction, palette.attacker),
                ("with the budget", attack.noisy.fraction, palette.left),
                ("guessing blindly", attack.chance, palette.muted),
            ],
            out_of_100,
            axis="people whose secret is guessed right, out of 100",
            palette=palette,
        ),
    )


def _put_to_the_test(rebuilt: Rebuilt) -> str:
    """What the room's own answers gave away, where the table's rows are public."""
    if rebuilt.secret is None:
        return "These people are invented, each with one yes/no secret: no row of the table is tested."
    secret = CountPeopleQuery(where=rebuilt.secret).in_words(code).removeprefix("how many people have ")
    return (
        f"From our answers an attacker guesses of everybody whether they have {secret}: "
        f"**{out_of_100(rebuilt.result.found.fraction)} out of 100** guesses are right, and "
        f"**{out_of_100(rebuilt.result.chance)} out of 100** without our answers."
    )


def one_person(found: Findings) -> RoomFinding:
    """What all of it tells about anybody."""
    person = found.person
    most = upper_of_100(person.added_up.most)
    budget = upper_of_100(person.budget.most) if person.budget else "100"
    count = f"{found.answers} answer{'s' if found.answers > 1 else ''}"
    return RoomFinding(
        title=f"About any one person: from 50 to at most {most} out of 100",
        how=(f"An attacker who knows everybody else, and thought it 50:50 whether you are in it, reads our {count}."),
        protected=(
            f"They may give it at most **{most} out of 100** now, at most **{budget} out of 100** after all further "
            "questions: the budget ends it."
        ),
        bare=f"They subtract everybody else, and are certain: **{person.without_noise_of_100} out of 100**.",
        picture=lambda palette: _beliefs(
            [
                ("before", person.before, palette.muted),
                ("after our answers", person.added_up.most, palette.left),
                ("after the whole budget", person.budget.most if person.budget else 1.0, palette.without_person),
                ("without noise", person.without_noise_of_100 / 100, palette.attacker),
            ],
            palette,
        ),
    )


ACTS = (averaged, differenced, reconstructed, one_person)
"""In the order of the room's phases."""
_SAFE = "There is nothing to average."
_BARE = "An exact count needs no second question."


def _price_of_the_rest(top: Averaged) -> str:
    price = Charge(rule=top.rule, amounts=top.cost)
    cost = f"ε {billionths(price.epsilon)}" if top.rule == "basic" else f"ρ {amount(price.rho)}"
    need = f"To be rid of the noise they need **{top.more:,} more answers**, for another {cost}."
    if top.refused:
        return f"{need} The budget grants **{top.granted:,}**: then it refuses, and the noise stays."
    return f"{need} The budget grants them: at this price it is too large to protect this count."


def _hidden(top: Difference) -> str:
    if top.points_at_people:
        return "The noise is too small here: it does **not** hide one person. A smaller epsilon would."
    most = upper_of_100(top.beliefs[0].most)
    return (
        f"The noise of both counts stays. Somebody who thought it 50:50 whether one certain person is among them may "
        f"give it at most **{most} out of 100** after these answers."
    )


def _counted(asked: CountAsked) -> str:
    query = (CountPeopleQuery if asked.of_people else CountQuery)(where=asked.where)
    words = query.in_words(whole) + (f", {code(asked.cell)}" if asked.cell else "")
    return f"{words[0].upper()}{words[1:]}?"


def _shrinking(top: Averaged, palette: Palette) -> Chart:
    rows = (
        ("one answer", top.half_width_of_one, palette.answers),
        (f"{top.answers} averaged", top.half_width, palette.attacker),
    )
    lengths = [Bar(name=name, length=length, words=f"±{at_most(length)}", color=color) for name, length, color in rows]
    return room_charts.bars(lengths, axis="how far off (95% interval, ±)", palette=palette)


def _beliefs(rows: Sequence[tuple[str, float, str]], palette: Palette) -> Chart:
    """Upper bounds of what somebody may believe, each with the words of the sentence beside it."""
    return _of_100(rows, upper_of_100, axis="what they may believe at most, out of 100", palette=palette)


def _of_100(
    rows: Sequence[tuple[str, float, str]], words: Callable[[float], str], *, axis: str, palette: Palette
) -> Chart:
    """Shares as bars."""
    lengths = [Bar(name=name, length=100 * one, words=words(one), color=color) for name, one, color in rows]
    return room_charts.bars(lengths, axis=axis, palette=palette, most=100.0)
