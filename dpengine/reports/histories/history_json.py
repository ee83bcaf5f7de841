"""An account's history as JSON: complete, versioned, and read back into the same answers and intervals.

Noisy integers, steps and mechanisms stand beside the readable numbers, so that another program can recompute the
intervals. A fingerprint, a secret or an exact value has no place in it.
"""

from __future__ import annotations

import json
from dataclasses import asdict
from itertools import count
from typing import Any

from dpengine.data import Schema
from dpengine.ledger import Amounts, History, HistoryLine
from dpengine.mechanisms import ReleasedMechanism
from dpengine.queries import AnyPart, Choice
from dpengine.reports.answers import CONFIDENCE, cells_of, interval_kind
from dpengine.reports.decimals import decimals
from dpengine.reports.histories.history_csv import sql_of
from dpengine.reports.same_questions import labels
from dpengine.reports.who import software
from dpengine.scenario import to_plain

FORMAT, VERSION = "epsilon-explorer-history", 1


def history_json(history: History) -> str:
    """The text; `history_from_json` reads it back. Amounts are exact decimals, written as text."""
    numbers = count()
    schemas: dict[Schema, int] = {}
    for line in history.lines:
        if line.entry.schema not in schemas:
            schemas[line.entry.schema] = next(numbers)
    asked = labels([line.entry for line in history.lines])
    plain = {
        "format": FORMAT,
        "version": VERSION,
        "software": software(),
        "account": _account(history),
        "schemas": [to_plain(schema) for schema in schemas],
        "entries": [_entry(line, schemas[line.entry.schema], asked[line.entry.request_id]) for line in history.lines],
    }
    return json.dumps(plain, indent=1, ensure_ascii=False, allow_nan=False)


def exact(amounts: Amounts) -> dict[str, str]:
    """Decimals as text, because many a reader of JSON rounds long numbers."""
    return {name: f"{value:f}" for name, value in decimals(amounts).items()}


def _account(history: History) -> dict[str, Any]:
    terms = history.terms
    return {
        "table": history.table_name,
        "kind": "PRACTICE" if terms.practice else "real",
        "unit": to_plain(terms.unit),
        "neighbors": terms.neighbors.value,
        "people": terms.people,
        "rule": terms.rule,
        "opened": history.opened.isoformat(),
        "opened_with": exact(history.opened_with),
        "top_ups": [
            _granted(one.granted) | {"reason": one.reason, "time": one.time.isoformat()} for one in history.top_ups
        ],
        "budget": exact(terms.granted),
        "spent": exact(history.spent),
        "left": exact(history.left),
        "earlier_editions": [
            {"table": one.table_name, "opened": one.opened.isoformat()}
            | _granted(one.granted)
            | {"spent": exact(one.spent)}
            for one in history.earlier
        ],
        "ledger_hash": history.head,
    }


def _granted(amounts: Amounts) -> dict[str, Any]:
    return {"budget": exact(amounts)}


def _entry(line: HistoryLine, schema: int, asked: str) -> dict[str, Any]:
    entry, planned = line.entry, line.entry.planned_query
    parts = planned.parts(entry.schema, entry.neighbors)
    mechanisms = planned.mechanisms(entry.schema, entry.neighbors)
    return {
        "time": entry.time.isoformat(),
        "account": entry.account,
        "request_id": entry.request_id,
        "question": asked,
        "sql": sql_of(planned.query, entry.schema),
        "planned_query": to_plain(planned),
        "schema": schema,
        "charged": exact(entry.charge.amounts),
        "budget_then": exact(line.granted),
        "spent_then": exact(line.spent),
        "parts": [_part(part, mechanism) for part, mechanism in zip(parts, mechanisms, strict=True)],
        "answered": entry.noisy is not None,
        "noisy_integers": None if entry.noisy is None else [list(part) for part in entry.noisy],
        "answer": _answer(line),
        "ledger_hash": entry.head,
    }


def _part(part: AnyPart, mechanism: ReleasedMechanism) -> dict[str, Any]:
    """What turns noisy integers into numbers: value = integer * step + offset; a choice's integer is a place."""
    offset = {} if isinstance(part, Choice) else {"offset": part.offset}
    law = {"is": type(mechanism).__name__} | asdict(mechanism)
    return {"name": part.name, "step": part.step, **offset, "share": str(part.share), "mechanism": law}


def _answer(line: HistoryLine) -> dict[str, Any] | None:
    if line.release is None:
        return None
    estimate = line.release.estimate
    unit, kind = estimate.unit, interval_kind(estimate)
    cells = [asdict(cell) for cell in cells_of(estimate)]
    return {"unit": unit, "interval": kind, "confidence": CONFIDENCE, "numbers": cells}
