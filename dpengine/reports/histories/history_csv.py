"""An account's history as a table for spreadsheets: the opening, every top-up, every released number, every charge."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from functools import lru_cache, singledispatch

from dpengine.data import Labels, Schema
from dpengine.errors import RefusedQueryError
from dpengine.ledger import Amounts, History, HistoryLine, TopUp
from dpengine.plan.amounts import RULE_NAMES
from dpengine.queries import Query, to_sql
from dpengine.reports.answers import cells_of, interval_kind
from dpengine.reports.decimals import NAMES, decimals
from dpengine.reports.noise import noise_of
from dpengine.reports.same_questions import in_words_of, labels
from dpengine.reports.spreadsheets import comma_separated
from dpengine.reports.timestamps import moment
from dpengine.reports.who import NEIGHBORS, protected, software

COLUMNS = (
    *("time_utc", "what", "request_id", "question", "sql", "label", "value", "unit"),
    *("interval_lower", "interval_upper", "interval", "charged_epsilon", "charged_delta", "charged_rho"),
    *("budget_epsilon", "budget_delta", "budget_rho", "left_epsilon", "left_delta", "left_rho"),
    *("rule", "noise", "neighbors", "protects", "table", "kind_of_account", "reason", "ledger_hash", "software"),
)
Row = dict[str, object]


def history_csv(history: History, *, words: Labels | None = None) -> str:
    """One row for each released number, oldest first, with its interval; charges without an answer are marked.

    Questions say the `words` of the table; the column of SQL has its names.

    A charge stands in the first row of its answer only, so that a column of charges adds up to what is spent. Budgets
    are totals of their moment. The last row says how things stand, and carries the hash of the whole ledger.
    """
    asked = labels([line.entry for line in history.lines], in_words_of(words or Labels()))
    happened = (row for item in history.in_order() for row in _rows(item, asked))
    rows = (_always(history) | row for row in (_opening(history), *happened, _standing(history)))
    return comma_separated(COLUMNS, ([row.get(name) for name in COLUMNS] for row in rows))


def sql_of(query: Query, schema: Schema) -> str:
    """The question as SQL; empty where it has no form in SQL."""
    return _written(query, schema)


@lru_cache(maxsize=256)
def _written(query: Query, schema: Schema) -> str:
    """Kept, because to_sql reads its text back, which takes milliseconds."""
    try:
        return to_sql(query, schema)
    except RefusedQueryError:
        return ""


def _always(history: History) -> dict[str, object]:
    return {
        "rule": RULE_NAMES[history.terms.rule],
        "neighbors": NEIGHBORS[history.terms.neighbors],
        "protects": protected(history.terms),
        "table": history.table_name,
        "kind_of_account": "PRACTICE" if history.terms.practice else "real",
        "software": software(),
    }


def _opening(history: History) -> Row:
    earlier = "; ".join(f"continues {one.table_name}, opened {moment(one.opened)}" for one in history.earlier)
    budget = _amounts("budget", history.opened_with)
    return {"time_utc": moment(history.opened), "what": "account opened", "reason": earlier, **budget}


@singledispatch
def _rows(item: HistoryLine | TopUp, asked: Mapping[str, str]) -> Iterator[Row]:
    raise NotImplementedError(type(item).__name__)


@_rows.register
def _(raised: TopUp, asked: Mapping[str, str]) -> Iterator[Row]:
    row = {"time_utc": moment(raised.time), "what": "budget raised", "reason": raised.reason}
    yield row | _amounts("budget", raised.granted)


@_rows.register
def _(line: HistoryLine, asked: Mapping[str, str]) -> Iterator[Row]:
    """The numbers of one answer, or one row for a charge that has none yet."""
    entry, release = line.entry, line.release
    planned = entry.planned_query
    shared = {
        "time_utc": moment(entry.time),
        "what": "charged, not answered yet" if release is None else "answer",
        "request_id": entry.request_id,
        "question": asked[entry.request_id],
        "sql": sql_of(planned.query, entry.schema),
        "unit": planned.query.unit(entry.schema),
        "noise": "; ".join(one.in_words for one in noise_of(planned, entry.schema, entry.neighbors)),
        "ledger_hash": entry.head,
    }
    totals = _amounts("charged", entry.charge.amounts) | _amounts("budget", line.granted) | _amounts("left", line.left)
    if release is None:
        yield shared | totals
        return
    estimate = release.estimate
    shared["interval"] = interval_kind(estimate)
    for position, cell in enumerate(cells_of(estimate)):
        number = {"value": cell.value, "label": cell.label}
        ends = {"interval_lower": cell.lower, "interval_upper": cell.upper}
        yield shared | number | ends | (totals if position == 0 else {})


def _standing(history: History) -> Row:
    totals = _amounts("budget", history.terms.granted) | _amounts("left", history.left)
    return {"what": "account as it stands", "ledger_hash": history.head, **totals}


def _amounts(prefix: str, amounts: Amounts) -> dict[str, object]:
    exact = decimals(amounts)
    return {f"{prefix}_{name}": exact[name] for name in NAMES}
