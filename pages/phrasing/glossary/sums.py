"""Words for many answers together, for budgets and releases, and for tables and questions."""

from __future__ import annotations

from pages.phrasing.glossary.term import Term

MANY: tuple[Term, ...] = (
    Term(
        name="composition",
        meaning="How the costs of several answers about the same people come together.",
        theme="many",
        shown_as=("composition", "add up", "together"),
    ),
    Term(
        name="naive composition",
        meaning="Adding up every ε and every δ, called basic composition elsewhere: always right, and often "
        "more than is really lost.",
        theme="many",
        shown_as=("naive",),
    ),
    Term(
        name="advanced composition",
        meaning="For many small answers the cost grows about as the square root of their number, if a δ is accepted.",
        theme="many",
        shown_as=("advanced",),
    ),
    Term(
        name="textbook bound",
        meaning="A formula as books print it; it may be far above the truth, and is false outside its range.",
        theme="many",
        shown_as=("textbook",),
    ),
    Term(
        name="rho (ρ)",
        meaning="A cost that simply adds up, and from which an ε follows for every δ; used by concentrated adding.",
        theme="many",
        shown_as=("ρ", "rho", "concentrated"),
    ),
    Term(
        name="concentrated adding",
        meaning="Adding up ρ instead of ε (zero-concentrated differential privacy): it goes further with many answers.",
        theme="many",
        shown_as=("concentrated",),
    ),
    Term(
        name="Rényi adding",
        meaning="Adding up averages that weigh large losses more and more, then taking the best of them.",
        theme="many",
        shown_as=("Rényi",),
    ),
    Term(
        name="exact adding",
        meaning="Adding up the privacy losses themselves with all their chances: the least ε that can be promised.",
        theme="many",
        shown_as=("exact",),
    ),
    Term(
        name="parallel composition",
        meaning="Answers about separate groups of people cost together only as much as the dearest of them.",
        theme="many",
        shown_as=("parallel composition",),
    ),
)
SPENDING: tuple[Term, ...] = (
    Term(
        name="privacy budget",
        meaning="The most that all answers from one table may cost together; when it is gone, no more is answered.",
        theme="spending",
        shown_as=("budget",),
    ),
    Term(
        name="account",
        meaning="A table's budget and all that was charged to it; its terms are fixed when it is opened.",
        theme="spending",
        shown_as=("account",),
    ),
    Term(
        name="practice account",
        meaning="An account on a public built-in table, which may be started over because nobody's secret is in it.",
        theme="spending",
        shown_as=("practice",),
    ),
    Term(
        name="ledger",
        meaning="The lasting record of every charge and every answer, kept through restarts.",
        theme="spending",
        shown_as=("ledger", "charge", "charged"),
    ),
    Term(
        name="release",
        meaning="One answer that leaves: charged first, drawn once, stored, and then the same for everybody.",
        theme="spending",
        shown_as=("release",),
    ),
    Term(
        name="refusal",
        meaning="What a question gets for which the budget does not suffice: no row is read, and nothing is spent.",
        theme="spending",
        shown_as=("refuse", "not answered", "no further question"),
    ),
    Term(
        name="curator",
        meaning="Who holds the table, answers for it, and chooses what leaves it.",
        theme="spending",
        shown_as=("curator",),
    ),
    Term(
        name="analyst",
        meaning="Who reads released answers and never a row.",
        theme="spending",
        shown_as=("analyst",),
    ),
    Term(
        name="edition",
        meaning="A table that may hold the same people as an earlier one; who is in both is promised the sum of both.",
        theme="spending",
        shown_as=("edition", "may hold the same people"),
    ),
    Term(
        name="plan",
        meaning="The table, the questions and the budget that you are working with; it holds no row and costs nothing.",
        theme="spending",
        shown_as=("plan",),
    ),
    Term(
        name="exact values",
        meaning="True answers without noise, for the curator's eyes alone; choices made after them are not covered.",
        theme="spending",
        shown_as=("exact values",),
    ),
)
TABLE: tuple[Term, ...] = (
    Term(
        name="privacy unit",
        meaning="Who or what is protected: here always one person, with all rows that count for them.",
        theme="table",
        shown_as=("one person is one row", "names the person", "people, not", "protects"),
    ),
    Term(
        name="public fact",
        meaning="What is declared of a table without looking at it, such as bounds; it is not protected.",
        theme="table",
        shown_as=("public", "declare"),
    ),
    Term(
        name="bounds",
        meaning="The lowest and the highest value that count, declared without looking at the data.",
        theme="table",
        shown_as=("bound", "limits", "from 0 to"),
    ),
    Term(
        name="histogram",
        meaning="One count for each value or each range of a column.",
        theme="table",
        shown_as=("histogram", "each value"),
    ),
    Term(
        name="quantile",
        meaning="The value that a given share of people stays below; half of them at the median.",
        theme="table",
        shown_as=("median", "quantile"),
    ),
    Term(
        name="mode",
        meaning="The most frequent value of a column.",
        theme="table",
        shown_as=("mode)", "most frequent value"),
    ),
    Term(
        name="variance",
        meaning="How far a number is spread among people: the average squared distance from the mean.",
        theme="table",
        shown_as=("variance",),
    ),
    Term(
        name="fingerprint",
        meaning="A short code for what is declared of a table, by which a link finds it again; no row goes into it.",
        theme="table",
        shown_as=("fingerprint", "Declarations **"),
    ),
    Term(
        name="statistical queries",
        meaning="Many counts about the same people at once, each with a condition of its own.",
        theme="table",
        shown_as=("statistical queries", "many counts", "several counts"),
    ),
    Term(
        name="synthetic data",
        meaning="Invented rows that have about the same counts as the real ones; private only if made with noise.",
        theme="table",
        shown_as=("synthetic",),
    ),
)
