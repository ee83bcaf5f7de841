"""What the attacker does with two tables: one person, everybody, the columns that tell most, and coarser ones."""

from __future__ import annotations

from collections import Counter
from functools import cache

import numpy as np
import pandas as pd
from streamlit.delta_generator import DeltaGenerator

from dpengine.attacks import (
    FEW,
    MOST_CHOSEN,
    Linked,
    RowsAtHand,
    Uniqueness,
    hospital_table,
    linked,
    narrowed,
    uniqueness,
    voter_list,
)
from dpengine.charts.attacks import crowd_charts
from dpengine.charts.attacks.crowd_charts import Telling
from dpengine.data import AsItIs, Coarsening, Dropped, Period, Prefix, Schema, Table, sample_schema
from dpengine.errors import InvalidParameterError
from dpengine.formatting import out_of_100
from dpengine.queries.sensitivity.sentences import agreeing
from pages import session
from pages.lesson import coarseness, pickers, row_access
from pages.lesson.lesson import Shown, picture_and_words
from pages.plan.work_panel import result_of
from pages.widgets import outputs
from pages.widgets.escaping import code

KEY = "linkage"
ZIP, BIRTH, SEX = AsItIs(column="zip"), AsItIs(column="date_of_birth"), AsItIs(column="sex")
EXACT: tuple[Coarsening, ...] = (ZIP, BIRTH, SEX)
AS_IT_WAS = "as the hospital did"
_THREE_DIGITS = Prefix(column="zip", letters=3)
WAYS: dict[str, tuple[Coarsening, ...]] = {
    AS_IT_WAS: EXACT,
    "without sex": (ZIP, BIRTH, Dropped(column="sex")),
    "zip cut to 3 digits": (_THREE_DIGITS, BIRTH, SEX),
    "month of birth": (ZIP, Period(column="date_of_birth", period="month"), SEX),
    "year of birth": (ZIP, Period(column="date_of_birth", period="year"), SEX),
    "decade of birth": (ZIP, Period(column="date_of_birth", period="decade"), SEX),
    "3 digits and year": (_THREE_DIGITS, Period(column="date_of_birth", period="year"), SEX),
}
FEW_PEOPLE = 60
STARTS_WITH = ["zip", "date_of_birth", "sex", "race"]


@cache
def join(way: str) -> Linked:
    """The attack on the invented hospital, published in one of the WAYS."""
    return linked(hospital_table(), voter_list(), WAYS[way])


def one_person() -> Shown:
    """Everybody on the list who differs from one person is crossed out, filter by filter."""
    voters, (place, words) = voter_list(), picture_and_words(f"{KEY}_person")
    rows = _some_voters()
    names = [f"{voters['name'][row]}, {voters['zip'][row]}" for row in rows]
    name = pickers.listed(place, "Look somebody up", names, key=f"{KEY}_who", start=names[0])
    row = rows[names.index(name)]
    person = voters.iloc[row]
    left = narrowed(voters, row, EXACT)
    labels = ["on the voter list", f"zip {person['zip']}", f"born {person['date_of_birth']}", str(person["sex"])]
    picture = crowd_charts.filters(labels=labels, left=left, palette=outputs.palette())
    outputs.chart(place, picture, key=f"{KEY}_person_chart")
    record = hospital_table().iloc[person["patient"]]
    alone = bool(join(AS_IT_WAS).right[person["patient"]])
    told = (
        f"One voter is left, so the one record that fits is {person['name']}'s. Its diagnosis: **{record['disease']}**."
        if alone
        else f"{left[-1]} voters and {_records_like(record)} are left: a guess, not yet a name."
    )
    words.markdown(
        f"{told}\n\n| record | hospital | voter list |\n|---|---|---|\n| name | – | **{person['name']}** |\n"
        f"| zip | {record['zip']} | {person['zip']} |\n| born | {record['date_of_birth']} | {person['date_of_birth']} |"
        f"\n| sex | {record['sex']} | {person['sex']} |\n| diagnosis | **{record['disease']}** | – |"
    )
    finding = "one voter is left" if left[-1] == 1 else f"{left[-1]} voters are left"
    return Shown(finding=f"Three columns, and {finding} of {left[0]:,}", pictures=(picture,))


def _records_like(record: pd.Series[str]) -> str:
    """How many records of the hospital have the same three values."""
    same = np.all([hospital_table()[one.column] == record[one.column] for one in EXACT], axis=0)
    return f"{np.sum(same)} record{'s' if np.sum(same) > 1 else ''}"


@cache
def _some_voters() -> list[int]:
    """Voters who were in the hospital, spread over the list, in front those whom the three columns tell."""
    voters, right = voter_list(), join(AS_IT_WAS).right
    known = np.flatnonzero(voters["patient"] >= 0)
    spread: list[int] = known[:: max(len(known) // FEW_PEOPLE, 1)][:FEW_PEOPLE].tolist()
    first = next(row for row in known.tolist() if _striking(row))
    return [first, *sorted(set(spread) - {first}, key=lambda row: not right[voters["patient"][row]])]


def _striking(row: int) -> bool:
    """Whether each of the three filters crosses somebody out, one voter is left, and the record names an illness."""
    *_, born, alone = narrowed(voter_list(), row, EXACT)
    return born > alone == 1 and str(hospital_table()["disease"][voter_list()["patient"][row]]) != "none"


def everybody() -> Shown:
    """The same for every record of the hospital."""
    place, words = picture_and_words(f"{KEY}_all")
    joined = join(AS_IT_WAS)
    records = Counter(joined.fitting.tolist())
    picture = crowd_charts.crowd_sizes(
        records, outputs.palette(), axis="voters who fit the record", whose="hospital records"
    )
    outputs.chart(place, picture, key=f"{KEY}_all_chart")
    outcome = joined.outcome
    low, high = outcome.interval()
    words.markdown(
        f"**{outcome.successes:,} of {outcome.trials:,}** records get their right name: {out_of_100(outcome.rate)}% "
        f"(95% interval {100 * low:.1f}% to {100 * high:.1f}% for records drawn like these). {joined.wrong} get a "
        f"wrong one: their owner is not on the list, and somebody else fits.\n\nA blind guess among "
        f"{len(voter_list()):,} voters is right about once in {1 / outcome.baseline:,.0f} tries.\n\nNobody on the list "
        f"fits **{records[0]:,}** records, such as those of children. That is luck and no protection: another list may "
        "have them."
    )
    finding = f"{out_of_100(outcome.rate)}% of records without a name get their right name back"
    return Shown(finding=finding, pictures=(picture,))


def telling_columns() -> Shown:
    """How many people are alone as the attacker knows one more column, on the hospital or on the curator's table."""
    table = row_access.own_or_invented("the invented hospital", key=f"{KEY}_ground")
    place, words = picture_and_words(f"{KEY}_tell")
    found = _invented(words) if table is None else _own(table, words)
    if found is None:
        return Shown(finding="Counting how many people are alone")
    curve = found.curve
    view = Telling(
        columns=found.order,
        alone=[crowds.share_below(2) for crowds in curve],
        in_few=[crowds.share_below(FEW) for crowds in curve],
        few=FEW,
    )
    last = curve[-1]
    pictures = (
        crowd_charts.uniqueness(view, outputs.palette()),
        crowd_charts.crowd_sizes(
            {size: size * many for size, many in last.sizes.items()}, outputs.palette(), axis="people who look alike"
        ),
    )
    outputs.chart(place, pictures[0], key=f"{KEY}_tell_chart_0")
    place.markdown(_in_words(found))
    outputs.chart(words, pictures[1], key=f"{KEY}_tell_chart_1")
    share = out_of_100(last.share_below(2))
    return Shown(finding=f"{len(found.columns)} columns single out {share}% of people", pictures=pictures)


def _in_words(found: Uniqueness) -> str:
    last, order = found.curve[-1], found.order
    alone, few = last.below(2), last.below(FEW)
    return (
        f"All {len(order)} columns together: **{alone:,} of {last.people:,}** people {agreeing(alone, 'are')} unique, "
        f"{few:,} {agreeing(few, 'are')} in a crowd of fewer than {FEW}. The column that singles out most people is "
        f"{code(order[0])}. All {len(found.crowds)} ways to choose among the columns were counted."
    )


def _invented(words: DeltaGenerator) -> Uniqueness:
    columns = _columns(sample_schema("patients"), words, key=f"{KEY}_columns", start=STARTS_WITH)
    return uniqueness(RowsAtHand(frame=hospital_table()).crowds, columns)


def _own(table: Table, words: DeltaGenerator) -> Uniqueness | None:
    names = coarseness.names_to_choose(table.schema)
    session.widget_stays_within(f"{KEY}_own_columns", names)
    columns = _columns(table.schema, words, key=f"{KEY}_own_columns", start=names[:3])
    return result_of(
        (table, columns),
        lambda watch: uniqueness(table.crowds, columns, watch=watch),
        key=f"{KEY}_own",
        words="Counting crowds",
    )


def _columns(schema: Schema, words: DeltaGenerator, *, key: str, start: list[str]) -> tuple[Coarsening, ...]:
    session.widget_starts_at(key, start)
    names = words.multiselect(
        "Columns that an attacker may know",
        coarseness.names_to_choose(schema),
        key=key,
        max_selections=MOST_CHOSEN,
        persist_state="session",
    )
    if not names:
        raise InvalidParameterError("the columns that an attacker may know", names, "at least one: choose some")
    return coarseness.chosen(schema, names, words, key=key)


def coarser_columns() -> Shown:
    """What it buys to tell one column less exactly, or to leave it out."""
    place, words = picture_and_words(f"{KEY}_coarse")
    way = pickers.listed(words, "The hospital publishes", list(WAYS), key=f"{KEY}_way", start="year of birth")
    rates = [join(one).outcome.rate for one in WAYS]
    picture = crowd_charts.bought(
        labels=list(WAYS),
        shares=rates,
        chosen=list(WAYS).index(way),
        title="records that get their right name, %",
        palette=outputs.palette(),
    )
    outputs.chart(place, picture, key=f"{KEY}_coarse_chart")
    joined = join(way)
    low, high = joined.outcome.interval()
    words.markdown(
        f"{way.capitalize()}: **{joined.outcome.successes:,} of {joined.outcome.trials:,}** records get their name "
        f"(95% interval {100 * low:.2g}% to {100 * high:.2g}%). Half of the records fit "
        f"{int(np.median(joined.fitting)):,} voters or more.\n\nEvery coarser column also takes something from the "
        "researchers: no birth dates, no study of newborns. And the rows are still rows: one more column (race, the "
        "day of admission) singles people out again."
    )
    finding = f"{out_of_100(joined.outcome.rate)}% of records still get their name back: {way}"
    return Shown(finding=finding, pictures=(picture,))
