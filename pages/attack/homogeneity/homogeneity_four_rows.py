"""Four rows made to look alike in pairs, cell by cell, and the pair that has one disease."""

from __future__ import annotations

from streamlit.delta_generator import DeltaGenerator

from dpengine.attacks import LocallyRecoded, locally_recoded
from dpengine.attacks.k_anonymity.local_recoding import COARSER, FOUR_ROWS, STARS
from pages.lesson import pickers
from pages.lesson.drawings import SmallTable, side_by_side
from pages.lesson.lesson import Shown, picture_and_words
from pages.widgets import outputs

KEY = "homogeneity_four"
WAYS = {"2 alike, coarser": (2, COARSER), "2 alike, removed": (2, STARS), "all 4 alike": (4, COARSER)}
REYSER, RAMOS = 1, 3
DISEASES = ("mumps", "flu")
CONDITIONS = ("flu", "mumps", "asthma", "mumps")
"""Of the FOUR_ROWS; that of REYSER may be chosen."""
FEWEST = (
    "All ways to put these rows into groups of at least k are compared, and the one that changes fewest cells is kept. "
    "Within a group, cells that differ are removed, cut to their first letters, or become a range between whole tens. "
    "To decide whether a given number of changed cells is enough is NP-complete in general, so larger tables are not "
    "searched like this. The rows and their 2-anonymous form: Meyerson and Williams 2004; the diseases are invented."
)


def shown() -> Shown:
    """Before and after side by side; the rows that may be his are framed."""
    place, words = picture_and_words(KEY, picture=2.0)
    people, coarsen = WAYS[pickers.pills(words, "Published", list(WAYS), key=f"{KEY}_way")]
    conditions = [*CONDITIONS]
    conditions[REYSER] = pickers.pills(words, "John Reyser has", DISEASES, key=f"{KEY}_other")
    found = locally_recoded(FOUR_ROWS, people=people, coarsen=coarsen)
    fitting = found.fitting(FOUR_ROWS.iloc[RAMOS].tolist())
    _tables(place, found, conditions, marked=fitting)
    secrets = sorted({conditions[row] for row in fitting})
    words.markdown(
        f"John Ramos, 22, may be any of {len(fitting)} rows. They say **{', '.join(secrets)}**.\n\n"
        f"Rows that look alike, counted again: at least {found.smallest}. Cells changed: {found.changed} of "
        f"{FOUR_ROWS.size}, the fewest possible."
    )
    said = f", and each says {secrets[0]}" if len(secrets) == 1 else f" with {len(secrets)} diseases"
    return Shown(finding=f"John Ramos hides among {len(fitting)} rows{said}", computed=FEWEST)


def _tables(place: DeltaGenerator, found: LocallyRecoded, conditions: list[str], *, marked: list[int]) -> None:
    columns, rows = [str(name) for name in FOUR_ROWS], found.published.itertuples(index=False)
    tables = (
        SmallTable(heading="Who they are", columns=columns, rows=FOUR_ROWS.to_numpy().tolist(), marked=[RAMOS]),
        SmallTable(
            heading="What is published",
            columns=[*columns, "disease"],
            rows=[[*row, condition] for row, condition in zip(rows, conditions, strict=True)],
            marked=marked,
        ),
    )
    side_by_side(place, tables, outputs.palette())
