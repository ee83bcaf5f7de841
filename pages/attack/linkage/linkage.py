"""Linkage: names are gone from the rows, and come back from another table."""

from __future__ import annotations

from collections import Counter

import streamlit as st

from dpengine.attacks import RowsAtHand, coarsened, hospital_table, voter_list
from dpengine.data import Bands
from dpengine.formatting import out_of_100
from pages.attack.linkage import linkage_governor, linkage_views
from pages.lesson import counts_instead
from pages.lesson.check import Answer, Check
from pages.lesson.counts_instead import Target
from pages.lesson.lesson import Shown, choice
from pages.lesson.story import ATTACK, EPSILON, PUBLISHED, Act, story

KEY = "linkage"
COLUMNS = ["zip", "date_of_birth", "sex", "disease"]
LISTED = ["name", "zip", "date_of_birth", "sex"]
SHOWN_ROWS, DOUBT = 8, ("diabetes", "none")
VIEWS = {
    "One person": linkage_views.one_person,
    "Everybody": linkage_views.everybody,
    "Columns that identify": linkage_views.telling_columns,
    "Coarser columns": linkage_views.coarser_columns,
}


def _two_tables() -> Shown:
    left, right = st.columns(2, gap="medium")
    tables = (
        (left, "The hospital, without names", hospital_table()[COLUMNS]),
        (right, "The voter list, public", voter_list()[LISTED]),
    )
    for place, title, rows in tables:
        box = place.container(border=True, key=f"card_{KEY}_{rows.columns[0]}")
        box.markdown(f"## {title}\n:gray[{len(rows):,} rows, the first {SHOWN_ROWS} shown; all invented]")
        box.dataframe(rows.head(SHOWN_ROWS), hide_index=True, key=f"{KEY}_rows_{rows.columns[0]}")
    st.markdown("Three columns are in both tables: **zip, date of birth, sex**. None of them is a name.")
    return Shown(finding="The names are gone, and three columns are in both tables")


def _attack() -> Shown:
    view = choice("What the attacker does", list(VIEWS), key=f"{KEY}_view")
    return VIEWS[view]()


def _counts() -> Shown:
    return counts_instead.show(
        _target(),
        key=f"{KEY}_counts",
        instead="In place of rows, the hospital publishes how many women of 40 to 59 have each disease. The attacker "
        f"knows every record but one, and hesitates between “{DOUBT[0]}” and “{DOUBT[1]}” for her.",
    )


def _target() -> Target:
    """The women of 40 to 59 in the invented hospital, by disease."""
    rows = RowsAtHand(frame=hospital_table())
    bands = coarsened(Bands(column="age", width=20), rows.cells("age"))
    among = (bands == "40–59") & (rows.cells("sex") == "female")
    counts = Counter(rows.cells("disease")[among].tolist())
    labels = sorted(counts)
    candidates = (labels.index(DOUBT[0]), labels.index(DOUBT[1]))
    return Target(
        whose="women of 40 to 59", labels=labels, counts=[counts[label] for label in labels], candidates=candidates
    )


CHECK = Check(
    question="A city publishes taxi trips: no names, only times and places of start and end. What does an attacker "
    "need to find your trips?",
    answers=(
        Answer(
            text="The city's own table with the names.",
            feedback="Not even that. Any second source that has the same columns and a name will do.",
        ),
        Answer(
            text="A photograph of you getting into a taxi, with its time and place.",
            feedback="One place and one time fit one trip, and the row says where you went. Columns that name nobody "
            "alone can name somebody together (quasi-identifiers).",
            right=True,
        ),
        Answer(
            text="Nothing can be found, because no column is a name.",
            feedback="Zip, birth date and sex are no names either, and they found two of three people here.",
        ),
        Answer(
            text="At least as many trips of yours as there are columns.",
            feedback="One is enough here: most starts, to the minute and the house, happen once.",
        ),
    ),
)
GOVERNOR_CHECK = Check(
    question="Of 50,000 voters, which column gave the governor away?",
    answers=(
        Answer(
            text="His birth date: hardly anybody shares it.",
            feedback="It helped most, and still left 6 voters.",
        ),
        Answer(
            text="His zip code: nobody else was left.",
            feedback="Nobody was left among 3 men born on one day. Alone, his zip code fits about 7,100 voters.",
        ),
        Answer(
            text="None alone: birth date, sex and zip code together.",
            feedback="Each fits several voters, and without sex 2 would be left. All three fit one.",
            right=True,
        ),
    ),
)
LESSON = story(
    KEY,
    acts={
        PUBLISHED: Act(
            words="A hospital gives its records to researchers, without names: zip code, date of birth, sex and "
            "diagnosis are left. The town's voter list is public: name, zip code, date of birth, sex. Neither "
            "table alone says who has which illness.",
            show=_two_tables,
        ),
        ATTACK: Act(
            words="The attacker looks up a neighbor on the voter list and crosses out everybody who differs in zip, "
            "birth date or sex. If one voter is left, that person's name belongs to the record, and the "
            "diagnosis to that person (linkage). A governor's record was found this way (step 4).",
            show=_attack,
        ),
        EPSILON: Act(
            words="Now no row is published, only counts with noise for ε. There is nothing to join. So suppose the "
            "attacker knows everybody else's record, and only asks which of two diseases one person has. How "
            "often do the counts reveal it?",
            show=_counts,
        ),
        "A governor": Act(
            words="An insurer gives away records without names; a town sells its voter list. Everybody knows when the "
            "governor was born and where he lives. The counts 6, 3 and 1 are published figures. The town and the "
            "diagnosis are invented.",
            show=linkage_governor.shown,
        ),
    },
    asked="May we publish the rows if we take the names off?",
    answered="No. Zip code, birth date and sex together identify "
    f"{out_of_100(linkage_views.join(linkage_views.AS_IT_WAS).outcome.rate)}% of this hospital's people. Coarser "
    "columns help until somebody brings one more column. Counts with noise hold against every other table as "
    "well as against one that has everybody else's record: how well, a small ε decides.",
    checks=(CHECK, GOVERNOR_CHECK),
)
