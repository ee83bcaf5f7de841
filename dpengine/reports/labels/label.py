"""The privacy label of an answer: everything that its reader should know, as values without a look.

The answer is that of one release, or several answers to one question made into a better one.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass

from dpengine.beliefs import Odds, odds_out_of_100
from dpengine.data import Labels
from dpengine.errors import InvalidParameterError
from dpengine.formatting import in_signs, measure_of
from dpengine.ledger import Amounts, Combined, History, HistoryLine, Release, combined
from dpengine.plan.amounts import RULE_NAMES
from dpengine.privacy import Guarantee, Neighbors
from dpengine.privacy.amounts import ATTO, NANO
from dpengine.queries.conditions_in_words import Labeled
from dpengine.reports.answers import Cell, cells_of, interval_sentence
from dpengine.reports.declared import declarations
from dpengine.reports.noise import PartNoise, noise_of
from dpengine.reports.quoting import LONGEST_SENTENCE, cut, one_line, printable, quoted, whole
from dpengine.reports.timestamps import in_utc, moment_to_read
from dpengine.reports.who import in_groups, person, software

RULES = {"basic": "epsilons and deltas add up", "concentrated": "rhos add up"}
NOT_PROMISED = (
    "Not promised: protection from the people who run the server, from a wrong declaration of who a person is, "
    "or from facts about people in general, which would be learned without this person too."
)
PRACTICE = "A public, built-in table: its rows are no secret, and its budget may start over."
DECIDED_BEFOREHAND = (
    "This holds if it was decided beforehand how often to ask. If an earlier answer made somebody ask again, it holds "
    "less often (selection): then read only the newest answer."
)
"""Of several answers to one question as one."""
BELIEFS = {
    Neighbors.ADD_REMOVE: "this person is in the table",
    Neighbors.REPLACE_ONE: "this person's values are these and not those",
}
RELATIONS = {
    Neighbors.ADD_REMOVE: "one person added or removed",
    Neighbors.REPLACE_ONE: "one person replaced",
}
MAY_HAVE_CHANGED = (
    "A table that is read by its path or address may have changed between the answers; then the combined answer "
    "describes neither state."
)
"""Of several answers about a table that is no practice table: an account does not keep how its table is read."""
MOST_COLUMNS, LONGEST_REASON, MOST_TOLD = 3, 120, 4


@dataclass(frozen=True, slots=True, kw_only=True)
class PrivacyLabel:
    """What the label says; names in its sentences are marked, and nothing in it comes from a row but the answer.

    `unit` and `cells` are as people read them. `answers` is how many releases were combined; what they were charged and
    its odds are those of all together, and `line` is that of the last one. `noise` says how many of them had it.
    `budget_odds` is the worst case over everything that the budget of that moment allows.
    """

    answers: int

    asked: str
    practice: bool
    table_name: str
    unit: str
    cells: tuple[Cell, ...]
    interval: str
    charged: Amounts
    odds: Odds
    budget: Guarantee
    budget_odds: Odds
    facts: tuple[tuple[str, str], ...]
    noise: tuple[tuple[PartNoise, int], ...]
    line: HistoryLine
    rule: str
    released: str
    requests: str
    head: str
    software: str


def label_of(history: History, *request_ids: str, labels: Labels | None = None) -> PrivacyLabel:
    """The label of the answer to a request, or of the answers to several as one, whatever the order of the requests.

    It is asked in the words of `labels`, and by names as one of the facts. Raises InvalidParameterError while one has
    no answer, and where answers are of different questions; RefusedQueryError for choices, which cannot be combined.
    """
    lines = _answered(history, request_ids)
    known, terms, (line, release) = combined([release for _, release in lines]), history.terms, lines[-1]
    charged, budget = _promise(known.charge.amounts), _promise(line.granted)
    measure, words = measure_of(release.query, release.schema), labels or Labels()
    return PrivacyLabel(
        answers=len(lines),
        asked=_asked(release, words),
        practice=terms.practice,
        table_name=history.table_name,
        unit=printable(measure.answers),
        cells=cells_of(known.estimate, measure.times),
        interval=interval_sentence(known.estimate) + (f" {DECIDED_BEFOREHAND}" if len(lines) > 1 else ""),
        charged=known.charge.amounts,
        odds=odds_out_of_100(charged),
        budget=budget,
        budget_odds=odds_out_of_100(budget),
        facts=(
            *_together(known, practice=terms.practice),
            *_promises(history, release, words),
            *_budget(history, line, "this" if len(lines) == 1 else "the last"),
        ),
        noise=tuple(Counter(noise for _, one in lines for noise in _noise(one)).items()),
        line=line,
        rule=terms.rule,
        released=moment_to_read(release.time),
        requests=", ".join(printable(one.request_id) for _, one in lines),
        head=release.head,
        software=software(),
    )


def _asked(release: Release, labels: Labels) -> str:
    text = cut(release.query.in_words(Labeled(labels, names=whole, words=one_line)), LONGEST_SENTENCE)
    return f"{text[:1].upper()}{text[1:]}?"


def _by_names(release: Release, labels: Labels) -> tuple[tuple[str, str], ...]:
    """The question as it was charged, where it is asked in other words."""
    named = _asked(release, Labels())
    return () if named == _asked(release, labels) else (("By its names", named),)


def _answered(history: History, request_ids: Sequence[str]) -> list[tuple[HistoryLine, Release]]:
    """The lines of these requests with their answers, oldest first, each once."""
    wanted = [history.line(request_id) for request_id in dict.fromkeys(request_ids)]
    found = [(line, line.release) for line in history.lines if line in wanted and line.release is not None]
    if not found or len(found) < len(wanted):
        raise InvalidParameterError("request_id", ", ".join(request_ids), "that of a charge that was answered")
    return found


def _noise(release: Release) -> tuple[PartNoise, ...]:
    return noise_of(release.planned_query, release.schema, release.neighbors)


def _together(known: Combined, *, practice: bool) -> tuple[tuple[str, str], ...]:
    """Which answers were combined and how, and of which rows; nothing to say of a single one."""
    if len(known.releases) == 1:
        return ()
    told = [f"{in_utc(one.time).date()} ({shown(one.charge.amounts, 'basic')})" for one in known.releases[:MOST_TOLD]]
    more = len(known.releases) - len(told)
    alone = known.counts_alone
    how = "each counting by how exact it is (inverse variance)"
    if alone:
        how = f"of which that for {shown(alone.charge.amounts, 'basic')} counts alone (an average would be less exact)"
    words = (
        f"{len(known.releases)}, {how}: {', '.join(told)}"
        f"{f', and {more} more' if more else ''}.{'' if practice else f' {MAY_HAVE_CHANGED}'}"
    )
    return (("Answers combined", words),)


def draws(label: PrivacyLabel) -> str:
    """What an attacker sees."""
    return "this answer" if label.answers == 1 else f"these {label.answers} answers"


def of_answers(label: PrivacyLabel, times: int) -> str:
    """How many of the answers had a noise, where there are several."""
    return "" if label.answers == 1 else f" ({times} of {label.answers})"


def shown(amounts: Amounts, rule: str) -> str:
    """What the rule counts, in exact decimals with the usual signs.

    >>> shown(Amounts(epsilon=300_000_000, delta=10**12), "basic")
    'ε 0.3, δ 10⁻⁶'
    """
    return in_signs(amounts.in_words(rule))


def _promise(amounts: Amounts) -> Guarantee:
    return Guarantee(epsilon=amounts.epsilon / NANO, delta=amounts.delta / ATTO)


def _promises(history: History, release: Release, labels: Labels) -> tuple[tuple[str, str], ...]:
    declared = declarations(release.planned_query.query, release.schema, labels)
    more = len(declared) - MOST_COLUMNS
    bounds = "; ".join(declared[:MOST_COLUMNS]) + (f"; and {more} more columns" if more > 0 else "")
    return (
        *_by_names(release, labels),
        ("Who is protected", person(history.terms, labels) + _in_groups(release)),
        ("Against what", f"{release.neighbors.sentence} Neighbors: {RELATIONS[release.neighbors]}."),
        ("Declarations", f"{bounds}." if bounds else "Nothing about columns: the question uses none."),
    )


def _in_groups(release: Release) -> str:
    """Caps on groups count only where a question has groups."""
    return "" if release.answer_is_number else in_groups(release.schema.unit)


def _budget(history: History, line: HistoryLine, which: str) -> tuple[tuple[str, str], ...]:
    rule = history.terms.rule
    counted = "" if rule == "basic" else f", which is {shown(line.granted, rule)}"
    budget = f"{shown(line.granted, 'basic')}{counted}. Spent with {which} answer: {shown(line.spent, rule)}. "
    facts = [("Budget", f"{budget}Left: {shown(line.left, rule)}. Rule: {RULE_NAMES[rule]} ({RULES[rule]}).")]
    raised = [one for one in history.top_ups if one.granted.within(line.granted, "basic")]
    if raised:
        reason = one_line(raised[-1].reason, LONGEST_REASON)
        facts.append(("Budget raised", f"Last on {in_utc(raised[-1].time).date()}: {reason}"))
    if history.earlier:
        names = ", ".join(quoted(one.table_name) for one in history.earlier[-2:])
        same = f"This table may hold the same people as {names}"
        facts.append(("Earlier tables", f"{same}: anybody in both is covered by the budgets added up."))
    return tuple(facts)
