"""Words for what goes wrong without noise."""

from __future__ import annotations

from pages.phrasing.glossary.term import Term

ATTACK: tuple[Term, ...] = (
    Term(
        name="linkage",
        meaning="Finding the name to a row without one, through another list that shares some columns with it.",
        theme="attack",
        shown_as=("linkage", "take the names off", "voter"),
    ),
    Term(
        name="quasi-identifiers",
        meaning="Columns that name nobody alone and almost everybody together, such as zip code, birth date and sex.",
        theme="attack",
        shown_as=("quasi-identifier", "birth date"),
    ),
    Term(
        name="k-anonymity",
        meaning="Making rows coarser until each looks like k − 1 others at least; what those share is still told.",
        theme="attack",
        shown_as=("k-anonymity",),
    ),
    Term(
        name="homogeneity",
        meaning="All rows that look alike have the same secret, so that it is told without telling which row is yours.",
        theme="attack",
        shown_as=("homogeneity",),
    ),
    Term(
        name="l-diversity",
        meaning="Asking that rows that look alike have at least l different secrets among them.",
        theme="attack",
        shown_as=("l-diversity",),
    ),
    Term(
        name="skewness",
        meaning="Rows that look alike have several secrets, but a rare one far more often than elsewhere.",
        theme="attack",
        shown_as=("skewness",),
    ),
    Term(
        name="differencing",
        meaning="Subtracting one harmless count from another that leaves out one person.",
        theme="attack",
        shown_as=("differencing", "subtract"),
    ),
    Term(
        name="auditing",
        meaning="Checking each question against those before it, and refusing some; refusals give things away too.",
        theme="attack",
        shown_as=("auditing", "auditor"),
    ),
    Term(
        name="averaging",
        meaning="Asking the same question again and again, until the noise averages out.",
        theme="attack",
        shown_as=("averag",),
    ),
    Term(
        name="reconstruction",
        meaning="Putting a whole column together again from many counts, each of which looked harmless.",
        theme="attack",
        shown_as=("reconstruct", "put together again", "counts of random"),
    ),
    Term(
        name="blatantly non-private",
        meaning="Answers from which nearly the whole column can be put together again, by whatever method.",
        theme="attack",
        shown_as=("blatantly non-private",),
    ),
    Term(
        name="linear program",
        meaning="A standard method that finds the values fitting all told counts best, in sum of errors.",
        theme="attack",
        shown_as=("linear program",),
    ),
    Term(
        name="least squares",
        meaning="The same, with the sum of squared errors.",
        theme="attack",
        shown_as=("least squares",),
    ),
)
