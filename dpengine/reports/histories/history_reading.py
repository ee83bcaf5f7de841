"""A history read back from its JSON: the same charges, answers and intervals, from what the file says alone."""

from __future__ import annotations

import json
from datetime import datetime
from typing import Any, TypeVar

from dpengine.data import Schema
from dpengine.errors import DPEngineError, LedgerError, require_kinds
from dpengine.ledger import Charge, Edition, Entry, History, Terms, TopUp
from dpengine.ledger.accounts.history import with_totals
from dpengine.ledger.storage.amounts import LARGEST_AMOUNT, Amounts
from dpengine.privacy import Neighbors
from dpengine.queries import Choice
from dpengine.reports.decimals import amounts_of
from dpengine.reports.histories.history_json import FORMAT, VERSION
from dpengine.scenario import from_plain

_Kept = TypeVar("_Kept")
LARGEST_HISTORY = 100_000_000
_UNREADABLE = "This is not a saved history, or a damaged one: "


def history_from_json(text: str) -> History:
    """The history that `history_json` wrote; raises LedgerError in a sentence where the text is something else.

    The readable numbers in it are not read: answers and intervals follow from the noisy integers. Nothing tells a
    forged file from a true one but the ledger itself, whose hash it carries.
    """
    plain = _parsed(text)
    if plain.get("format") != FORMAT or plain.get("version") != VERSION:
        raise LedgerError(
            f"{_UNREADABLE}it must say format {FORMAT!r} and version {VERSION}, and says "
            f"{str(plain.get('format'))[:40]!r} and {str(plain.get('version'))[:20]!r}."
        )
    try:
        return _history(plain)
    except DPEngineError as error:
        raise LedgerError(f"{_UNREADABLE}{error}") from None
    except (LookupError, TypeError, ValueError, AttributeError, ArithmeticError):
        raise LedgerError(f"{_UNREADABLE}a field is missing or of the wrong kind.") from None


def _parsed(text: str) -> dict[str, Any]:
    if len(text) > LARGEST_HISTORY:
        raise LedgerError(f"{_UNREADABLE}it has {len(text):,} characters; at most {LARGEST_HISTORY:,} are read.")
    try:
        plain = json.loads(text)
    except (ValueError, RecursionError):
        raise LedgerError(f"{_UNREADABLE}it is not readable as JSON.") from None
    if not isinstance(plain, dict):
        raise LedgerError(f"{_UNREADABLE}it holds no account.")
    return plain


def _history(plain: dict[str, Any]) -> History:
    account = plain["account"]
    terms = _terms(account)
    schemas = [from_plain(schema) for schema in plain["schemas"]]
    unnamed = f"in a file with ledger hash {account['ledger_hash']}"
    entries = [_entry(entry, schemas[entry["schema"]], terms, unnamed) for entry in plain["entries"]]
    for entry in entries:
        _require_answerable(entry)
    return _built(
        History,
        table_name=account["table"],
        terms=terms,
        opened=datetime.fromisoformat(account["opened"]),
        opened_with=_budget(account["opened_with"]),
        lines=with_totals(entries, [_budget(entry["budget_then"]) for entry in plain["entries"]]),
        top_ups=tuple(_top_up(raised) for raised in account["top_ups"]),
        earlier=tuple(_edition(one) for one in account["earlier_editions"]),
        head=account["ledger_hash"],
    )


def _budget(plain: Any) -> Amounts:
    """What was granted, which is never nothing."""
    granted = amounts_of(plain)
    if granted.epsilon < 1 or not granted.storable:
        raise ValueError(plain)
    return granted


def _terms(account: dict[str, Any]) -> Terms:
    return _built(
        Terms,
        unit=from_plain(account["unit"]),
        neighbors=Neighbors(account["neighbors"]),
        people=account["people"],
        rule=account["rule"],
        granted=_budget(account["budget"]),
        practice={"PRACTICE": True, "real": False}[account["kind"]],
    )


def _entry(plain: dict[str, Any], schema: Schema, terms: Terms, unnamed: str) -> Entry:
    """One charge; files of before accounts were named in them are told apart by what their ledgers held."""
    noisy = plain["noisy_integers"]
    return _built(
        Entry,
        planned_query=from_plain(plain["planned_query"]),
        schema=schema,
        neighbors=terms.neighbors,
        charge=Charge(rule=terms.rule, amounts=amounts_of(plain["charged"])),
        account=plain.get("account", unnamed),
        request_id=plain["request_id"],
        time=datetime.fromisoformat(plain["time"]),
        noisy=None if noisy is None else tuple(tuple(part) for part in noisy),
        head=plain["ledger_hash"],
    )


def _require_answerable(entry: Entry) -> None:
    """As many integers as the question has coordinates, and a candidate's place where one was chosen."""
    if entry.noisy is None:
        return
    parts = entry.planned_query.parts(entry.schema, entry.neighbors)
    for part, integers in zip(parts, entry.noisy, strict=True):
        places = isinstance(part, Choice) and not all(0 <= place < len(part.values) for place in integers)
        if places or len(integers) != part.coordinates or max(map(abs, integers), default=0) > LARGEST_AMOUNT + 1:
            raise ValueError(entry.request_id)


def _top_up(plain: dict[str, Any]) -> TopUp:
    time = datetime.fromisoformat(plain["time"])
    return _built(TopUp, granted=_budget(plain["budget"]), reason=plain["reason"], time=time)


def _edition(plain: dict[str, Any]) -> Edition:
    return _built(
        Edition,
        table_name=plain["table"],
        opened=datetime.fromisoformat(plain["opened"]),
        granted=_budget(plain["budget"]),
        spent=amounts_of(plain["spent"]),
    )


def _built(kind: type[_Kept], **arguments: Any) -> _Kept:
    """A value whose fields are all of their kinds; raises TypeError or InvalidParameterError where one is not."""
    require_kinds(kind, arguments)
    return kind(**arguments)
