"""What each act of the attack found in the room's answers, with the budget's protection and without it."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import partial

import numpy as np

from dpengine.attacks.on_answers import Averaged, Belief, CountAsked, Difference, OneLeftOut, WornDown
from dpengine.charts import Chart, Palette
from dpengine.charts.rooms import attack_charts, room_charts
from dpengine.charts.rooms.attack_charts import SecretsOpened
from dpengine.charts.rooms.room_charts import Bar
from dpengine.formatting import amount, at_most, beside, billionths, out_of_100, upper_of_100
from dpengine.plan.amounts import Charge
from dpengine.queries import CountPeopleQuery, CountQuery
from dpengine.queries.conditions_in_words import Labeled, holding
from dpengine.workshop import Hands, hands
from dpengine.workshop.attacked import Findings, Rebuilt
from dpengine.workshop.guessing import Wins
from pages.widgets.escaping import code


@dataclass(frozen=True, slots=True, kw_only=True)
class Attack:
    """What the attacks found in a room's answers, and what its phones did; `everybody` in the order of joining.

    `quote` says the table's own words.
    """

    found: Findings
    quote: Labeled
    done: Hands
    everybody: Sequence[int]
    played: Wins


@dataclass(frozen=True, slots=True, kw_only=True)
class RoomFinding:
    """One finding: the headline, how it is done, and what it comes to with noise and budget and without them."""

    title: str
    how: str
    protected: str
    bare: str
    tried: str = ""
    picture: Callable[[Palette], Chart] | None = None


def averaged(attack: Attack) -> RoomFinding:
    """All answers to one question together."""
    found = attack.found
    if found.worn is None:
        return RoomFinding(
            title="No counts to average", how="The room asked for no counts.", protected=_SAFE, bare=_BARE
        )
    top, worn = found.averages.counts[0], found.worn.first(attack.done.further)
    return RoomFinding(
        title=_worn(worn, top),
        how=f"The same question again and again, and the average: **{_counted(top.asked, attack.quote)}**",
        protected=_price_of_the_rest(top, worn),
        bare=f"Without a budget nothing stops them: after {top.more:,} more than ours, the rounded average is mostly "
        "the exact number. Without noise, one answer is.",
        picture=partial(attack_charts.closing_in, worn),
    )


def _worn(worn: WornDown, top: Averaged) -> str:
    """How far the average is from the truth where that is public and more was wished for; else its noise."""
    answers = len(worn.values)
    if worn.exact is not None and answers > worn.told:
        off, played = at_most(abs(float(worn.averages[-1]) - worn.exact)), answers - worn.told
        return f"The average of {answers:,} answers ({played:,} played) is {off} from the exact count"
    one, many = at_most(top.half_width_of_one), at_most(top.half_width)
    if answers > 1:
        return f"Asked {answers} times, the noise shrinks from ±{one} to ±{many}"
    return f"Nobody asked twice: ±{one} is all the attacker has"


def pairs(found: Findings) -> Sequence[Difference]:
    """Those of which a room chooses what to subtract."""
    return found.differences.listed[:_MOST_PAIRS]


def pair(one: Difference, quote: Labeled) -> str:
    """A pair as the name of a button."""
    return f"{_counted(one.larger, quote)} minus: {_counted(one.smaller, quote)}"


def differenced(attack: Attack) -> RoomFinding:
    """One count minus another: the pair that most chose."""
    found, offered = attack.found, pairs(attack.found)
    if not offered:
        return _no_pair() if found.left_out is None else _one_left_out(attack, found.left_out)
    top = offered[min(attack.done.favorite, len(offered) - 1)]
    value = beside(top.count, top.half_width)
    return RoomFinding(
        title=f"One count minus another leaves {value} ± {at_most(top.half_width)}",
        how=(
            f"**{_counted(top.larger, attack.quote)}** minus **{_counted(top.smaller, attack.quote)}**: two harmless "
            "counts, one smaller group."
        ),
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


def _one_left_out(attack: Attack, one: OneLeftOut) -> RoomFinding:
    """The pair that one more question would make, if the budget granted it."""
    found = attack.found
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
            else f"One more count, of all but one person: that one is known only within ±{half}"
        ),
        how=(
            f"We asked: **{_counted(one.asked, attack.quote)}** Somebody who knows one of them asks the same of "
            "**all but that person**, and subtracts. What is left is that person alone."
        ),
        protected=f"{'The ' if granted else refused}{stays}",
        bare="Exact counts leave exactly 1, or exactly 0: that person’s secret.",
        picture=partial(_one_person_beside_noise, one.half_width),
    )


def _one_person_beside_noise(half_width: float, palette: Palette) -> Chart:
    rows = [
        Bar(name="that one person counts", length=1.0, words="1", color=palette.with_person),
        Bar(name="error with noise", length=half_width, words=f"±{at_most(half_width)}", color=palette.left),
        Bar(name="error without noise", length=0.0, words="±0", color=palette.attacker),
    ]
    return room_charts.bars(rows, axis="people (95% interval, ±)", palette=palette)


def _believed(belief: Belief, palette: Palette) -> Chart:
    rows = [("before", belief.before), ("after these answers", belief.most), ("without noise", 1.0)]
    return _beliefs(rows, palette)


def reconstructed(attack: Attack) -> RoomFinding:
    """Many counts put together, and the secrets that people have opened."""
    rebuilt = attack.found.rebuilt
    tried = rebuilt.result.attacked
    whose = "people of this table" if rebuilt.of_the_table else "invented people"
    groups = f"{tried.questions:,} counts of random groups of {tried.people} {whose} are put together."
    exact, noisy = out_of_100(tried.exact.fraction), out_of_100(tried.noisy.fraction)
    opened = hands.opened_by(attack.done.opened, attack.everybody, people=tried.people)
    return RoomFinding(
        title=f"{tried.questions:,} exact counts give away {exact} out of 100 secrets",
        how=f"{_put_to_the_test(rebuilt, attack.quote)} {groups}",
        protected=(
            f"With noise that costs the whole budget, **{noisy} out of 100** secrets are guessed right; by "
            f"blind guessing, {out_of_100(tried.chance)}. That is one attack; the limit for all of them comes next."
        ),
        bare=f"Without noise, **{exact} out of 100** are.",
        picture=partial(
            attack_charts.secrets,
            SecretsOpened(
                opened=np.isin(np.arange(tried.people), list(opened)),
                without_noise=tried.exact.right,
                with_noise=tried.noisy.right,
            ),
        ),
    )


def _put_to_the_test(rebuilt: Rebuilt, quote: Labeled) -> str:
    """What the room's own answers gave away, where the table's rows are public."""
    if rebuilt.secret is None:
        return "These people are invented, each with one yes/no secret: nobody of the table is tested."
    secret = holding(rebuilt.secret, quote)
    return (
        f"From our answers an attacker guesses of everybody whether they {secret}: "
        f"**{out_of_100(rebuilt.result.found.fraction)} out of 100** guesses are right, and "
        f"**{out_of_100(rebuilt.result.chance)} out of 100** without our answers."
    )


def one_person(attack: Attack) -> RoomFinding:
    """What all of it tells about anybody."""
    found, person = attack.found, attack.found.person
    most = upper_of_100(person.added_up.most)
    budget = upper_of_100(person.budget.most) if person.budget else "100"
    count = f"{found.answers} answer{'s' if found.answers > 1 else ''}"
    return RoomFinding(
        title=f"About any one person: from 50 to at most {most} out of 100",
        how=(f"An attacker who knows everybody else, and thought it 50:50 whether you are in it, reads our {count}."),
        protected=_now_and_later(most, budget),
        tried=_tried(attack.played),
        bare=f"They subtract everybody else, and are certain: **{person.without_noise_of_100} out of 100**.",
        picture=lambda palette: _beliefs(
            [
                ("before", person.before),
                ("after one answer", found.one_answer.most),
                ("after our answers", person.added_up.most),
                ("after the whole budget", person.budget.most if person.budget else 1.0),
                ("without noise", person.without_noise_of_100 / 100),
            ],
            palette,
        ),
    )


def _now_and_later(most: str, budget: str) -> str:
    """What they may give it after the room's answers, and after all that the budget still grants."""
    if most == budget:
        return f"They may give it at most **{most} out of 100**, and it stays so: the budget refuses all that follows."
    return (
        f"They may give it at most **{most} out of 100** now, at most **{budget} out of 100** after all further "
        "questions: the budget ends it."
    )


def _tried(played: Wins) -> str:
    """How often the room was right that tried it, with one answer at the whole budget."""
    if played.outcome is None:
        return "Try it on your phone: one answer that costs the whole budget."
    tried = f"We tried, with one answer at the whole budget: right in **{played.score.wins} of {played.score.rounds}**."
    above = played.outcome.rate > played.outcome.bound
    return f"{tried} Above the limit for now: that is luck, and it does not last." if above else tried


NAMES = ("Average the answers", "Subtract counts", "Put counts together", "One person")
ACTS = (averaged, differenced, reconstructed, one_person)
"""In the order of the room's phases."""
_MOST_PAIRS = 4
_SAFE = "There is nothing to average."
_BARE = "An exact count needs no second question."


def _price_of_the_rest(top: Averaged, worn: WornDown) -> str:
    """From the room's own answers on: those that phones play are charged to nobody."""
    price = Charge(rule=top.rule, amounts=top.cost)
    cost = f"ε {billionths(price.epsilon)}" if top.rule == "basic" else f"ρ {amount(price.rho)}"
    need = (
        f"Until the rounded average is mostly the exact number they need **{top.more:,} more answers** than our "
        f"{worn.told:,}, for another {cost}."
    )
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


def _counted(asked: CountAsked, quote: Labeled) -> str:
    query = (CountPeopleQuery if asked.of_people else CountQuery)(where=asked.where)
    words = query.in_words(quote) + (f", {code(asked.cell)}" if asked.cell else "")
    return f"{words[0].upper()}{words[1:]}?"


def _beliefs(rows: Sequence[tuple[str, float]], palette: Palette) -> Chart:
    """Upper bounds of what somebody may believe, with the words of the sentence beside each; green where one is hidden.

    The first is what was believed before, and nobody is hidden where the bound says as little as exact answers do.
    """
    bars = [
        Bar(name=name, length=100 * most, words=upper_of_100(most), color=_color(place, most, palette))
        for place, (name, most) in enumerate(rows)
    ]
    return room_charts.bars(bars, axis="what they may believe at most, out of 100", palette=palette, most=100.0)


def _color(place: int, most: float, palette: Palette) -> str:
    if place == 0:
        return palette.muted
    return palette.attacker if upper_of_100(most) == "100" else palette.left
