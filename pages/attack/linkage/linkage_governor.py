"""A governor's record: how many voters are left as the attacker uses one more column, and whose record it is."""

from __future__ import annotations

import numpy as np

from dpengine.attacks import GOVERNOR, insurance_records, linked, narrowed, town_voters
from dpengine.charts.attacks import crowd_charts
from dpengine.data import AsItIs
from pages import session
from pages.lesson.lesson import Shown, choice, picture_and_words
from pages.widgets import outputs

KEY = "linkage_governor"
COLUMNS = tuple(AsItIs(column=name) for name in ("date_of_birth", "sex", "zip"))
USED = {
    "birth date": "A birth date leaves",
    "birth date and sex": "Birth date and sex leave",
    "birth date, sex and zip code": "Birth date, sex and zip code leave",
}
SOURCE = (
    "The counts 6, 3 and 1 are published: of the voters of Cambridge, Massachusetts, six had the governor's birth "
    "date, three of them were men, and he alone lived in his zip code. Everything else is invented here: names, "
    "dates, zip codes, diagnoses, and how many there are of each. Source: Sweeney 2002, section 1."
)


def shown() -> Shown:
    """Filters, one more each; at first all of them."""
    session.widget_starts_at(f"{KEY}_used", list(USED)[-1])
    used = choice("The attacker uses", list(USED), key=f"{KEY}_used")
    place, words = picture_and_words(KEY)
    voters, columns = town_voters(), COLUMNS[: list(USED).index(used) + 1]
    row = int(np.argmax(voters["name"] == GOVERNOR))
    left = narrowed(voters, row, columns)
    labels = ["on the voter list", *(f"{words_of} {voters[one.column][row]}" for words_of, one in _named(columns))]
    picture = crowd_charts.filters(labels=labels, left=left, palette=outputs.palette())
    outputs.chart(place, picture, key=f"{KEY}_chart")
    words.markdown(_who_is_left(row, columns))
    if left[-1] == 1:
        words.markdown(f"One record has these three values, so it is the governor's. Diagnosis: **{_diagnosis(row)}**.")
    return Shown(finding=f"{USED[used]} {left[-1]} of {left[0]:,} voters", pictures=(picture,), computed=SOURCE)


def _named(columns: tuple[AsItIs, ...]) -> zip[tuple[str, AsItIs]]:
    return zip(("born", "", "zip"), columns, strict=False)


def _who_is_left(row: int, columns: tuple[AsItIs, ...]) -> str:
    """The voters who have the governor's values, as a table."""
    voters = town_voters()
    same = np.all([voters[one.column] == voters[one.column][row] for one in columns], axis=0)
    rows = "".join(f"| {one['name']} | {one['sex']} | {one['zip']} |\n" for one in voters[same].to_dict("records"))
    return f"| left on the list | sex | zip |\n|---|---|---|\n{rows}"


def _diagnosis(row: int) -> str:
    """What the record says that the join gives to this voter."""
    joined = linked(insurance_records(), town_voters(), COLUMNS)
    return str(insurance_records()["diagnosis"][np.flatnonzero(joined.named == row)[0]])
