"""The session's account in the server's ledger, the requests its buttons stand for, and what they brought."""

from __future__ import annotations

import os
import secrets
import tomllib
from collections import Counter
from collections.abc import Collection, Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from dataclasses import replace
from functools import cache
from pathlib import Path

from dpengine.data import Table
from dpengine.errors import BudgetExceededError, DPEngineError, LedgerError
from dpengine.ledger import Account, Entry, Ledger, Release, Terms, url_in_use
from dpengine.ledger.storage.ledger_place import AT_HOME, DASHBOARDS_MARKER, FILE, MARKER_VARIABLE, URL_VARIABLE
from dpengine.plan import PlannedQuery
from dpengine.privacy import Guarantee, Neighbors
from dpengine.queries import Query
from dpengine.release import release
from dpengine.scenario import Scenario
from dpengine.spending import Balance, QuestionSpending, step_of
from pages import session
from pages.serving.once import Once

PROGRAM = Path(__file__).parents[2]
SOURCES = "pyproject.toml"
_found: ContextVar[dict[Table, Account | LedgerError | None] | None] = ContextVar("found", default=None)


@Once
def _ledger(url: str, marker: str) -> Ledger:
    return Ledger.open(url, marker=Path(marker))


def ledger() -> Ledger:
    """The server's one ledger; its place comes from the environment, else it lies in the folder."""
    folder = ledger_folder()
    return _ledger(url_in_use(folder), os.environ.get(MARKER_VARIABLE, str(folder / DASHBOARDS_MARKER)))


@cache
def ledger_folder() -> Path:
    """Beside the sources, wherever somebody stands who starts them; of an installed dashboard at its user's home.

    Where a dashboard's marker lies here it is neither believed, since whoever packed the folder may have granted
    budgets, nor passed over, since the ledger beside it may be the one in use: LedgerError, unless the environment
    names the ledger.

    Every budget would be whole again in each folder from which somebody starts it. Found once for the process: what
    other programs write into the folder meanwhile changes nothing.
    """
    here = Path.cwd()
    if os.path.lexists(here / DASHBOARDS_MARKER):  # also a link to a disk that is not there, whose ledger is missing
        return _named(here)
    if _is_repository(PROGRAM) or os.path.lexists(PROGRAM / DASHBOARDS_MARKER):
        return PROGRAM
    try:
        (at_home := Path.home() / AT_HOME).mkdir(mode=0o700, exist_ok=True)
    except (OSError, RuntimeError):
        raise LedgerError(
            f"The ledger has no place: ~/{AT_HOME} cannot be made. Name one in EPSILON_EXPLORER_LEDGER."
        ) from None
    return at_home


def _named(here: Path) -> Path:
    """This folder, where it is the program's own, its user's, or the environment names the ledger.

    Even then its marker has to be a file of this account's: another's, or a link to a file that is not there yet, would
    take the place of the one that knows how far the ledger went.
    """
    if here in (PROGRAM, Path("~").expanduser() / AT_HOME) or os.environ.get(MARKER_VARIABLE):
        return here
    if os.environ.get(URL_VARIABLE):
        marker = here / DASHBOARDS_MARKER
        if marker.is_symlink() or (os.name == "posix" and marker.lstat().st_uid != os.getuid()):
            raise LedgerError(
                f"{marker} is a link, or another account's. If it is the ledger's marker, name the file itself: "
                f"{MARKER_VARIABLE}=... If not, start in another folder."
            )
        return here
    raise LedgerError(
        f"A ledger's marker lies in {here}. If that ledger is yours, name it: "
        f"{URL_VARIABLE}=sqlite:///{here / FILE}. If not, start in another folder."
    )


def _is_repository(folder: Path) -> bool:
    """Whether these are the sources: some packages put a file of that name into the folder where all of them lie."""
    try:
        project = tomllib.loads((folder / SOURCES).read_text(encoding="utf-8"))["project"]
        return bool(project["name"] == "epsilon-explorer")
    except (OSError, ValueError, LookupError, TypeError):
        return False


@contextmanager
def found_once() -> Iterator[None]:
    """Within a run the account of a table is looked for once; whatever opens one, or starts one over, ends the run."""
    before = _found.set({})
    try:
        yield
    finally:
        _found.reset(before)


def current() -> Account | None:
    """The account of the session's table, if one was opened; a broken ledger is reported where it matters."""
    found = _looked_for()
    return None if isinstance(found, LedgerError) else found


def is_ledger_unreadable() -> bool:
    """Whether nobody can say now what was charged to the session's table."""
    return isinstance(_looked_for(), LedgerError)


def _looked_for() -> Account | LedgerError | None:
    table, found = session.table(), _found.get()
    if table is None:
        return None
    if found is None:
        return _of(table)
    if table not in found:
        found[table] = _of(table)
    return found[table]


def _of(table: Table) -> Account | LedgerError | None:
    try:
        return ledger().account_of(table)
    except LedgerError as error:
        session.notice(str(error))
        return error


def earlier_steps() -> list[QuestionSpending]:
    """Everything charged so far to the session's account, oldest first: its events, and the ledger's own amounts."""
    account = current()
    entries = () if account is None else account.charges()
    return [
        replace(step_of(entry.planned_query, entry.schema, entry.neighbors), amounts=entry.charge.amounts)
        for entry in entries
    ]


def as_charged(plan: Scenario) -> Scenario:
    """The plan under the rule and the neighbors by which its account charges; unchanged while there is none."""
    account = current()
    if account is None or (account.neighbors is Neighbors.REPLACE_ONE and plan.schema.people is None):
        return plan
    return replace(plan, rule=account.rule, neighbors=account.neighbors)


def balance(account: Account) -> Balance:
    """What an account was granted and has spent, in the ledger's whole numbers."""
    granted, spent = account.balance()
    return Balance(granted=granted, spent=spent, rule=account.rule)


def open_planned(predecessor: Account | None = None, *, beside: Collection[Account]) -> None:
    """Open the account that the plan describes, as a new table's or as that of another one's new edition.

    `beside`: the accounts of real people about which somebody has said what this table has in common with theirs.
    """
    plan = session.scenario()
    ledger().open_account(
        session.required_table(),
        plan.schema,
        neighbors=plan.neighbors,
        budget=plan.budget,
        rule=plan.rule,
        predecessor=predecessor,
        beside=beside,
    )


def editions_before() -> tuple[Account, ...]:
    """The accounts that the plan's table may be a new edition of."""
    return ledger().editions_before(session.required_table(), neighbors=session.scenario().neighbors)


def lookalikes() -> tuple[Account, ...]:
    """The accounts of tables that look like the plan's table in another form, the newest first."""
    return ledger().lookalikes(session.required_table())


def of_real_people() -> tuple[Account, ...]:
    """The accounts of the ledger that are of no practice table."""
    return tuple(account for account in ledger().accounts() if not account.practice)


def promised_with(predecessor: Account) -> Guarantee:
    """What somebody is promised who is in the plan's table and in the earlier editions of it."""
    return predecessor.promised_over_editions() + session.scenario().budget


def restart_practice() -> None:
    """Start a practice account over, under the terms of the plan as it is now."""
    plan, account = session.scenario(), current()
    if account is not None:
        account.restart(
            Terms.of(plan.schema, neighbors=plan.neighbors, budget=plan.budget, rule=plan.rule, practice=True)
        )
    session.remember("released", None)
    session.remember("refused", None)


def request_id(planned: PlannedQuery, account: Account) -> str:
    """The id of the request that a rendered button stands for: the same for every click on it.

    One that was paid for and has no answer yet is asked for again, wherever it was pressed first.
    """
    if paid := waiting_for(planned, account):
        return paid.request_id
    intent = (account.id, planned)
    kept = session.remembered("request", None)
    if not isinstance(kept, tuple) or kept[0] != intent:
        kept = (intent, secrets.token_hex(16))
        session.remember("request", kept)
    return str(kept[1])


def ask(planned: PlannedQuery, account: Account, request: str) -> None:
    """Release, and keep the answer or the refusal for the page; the next button is a new request."""
    answered: Release | None = None
    refused: tuple[PlannedQuery, str] | None = None
    try:
        answered = release(planned, session.required_table(), account, request_id=request)
    except BudgetExceededError as error:
        refused = planned, str(error)
    except DPEngineError as error:
        session.notice(str(error))
        return
    session.remember("released", answered)
    session.remember("refused", refused)
    session.remember("request", None)


def fetch(entry: Entry, account: Account) -> None:
    """Answer a charge that has no answer yet, under its own request: free, because it was paid for."""
    session.remember(
        "released", release(entry.planned_query, session.required_table(), account, request_id=entry.request_id)
    )


def waiting_for(planned: PlannedQuery, account: Account) -> Entry | None:
    """The charge for this very question that has no answer yet, None where there is none."""
    schema = session.scenario().schema
    waiting = (entry for entry in account.charges() if entry.noisy is None)
    return next((entry for entry in waiting if (entry.planned_query, entry.schema) == (planned, schema)), None)


def released_for(planned: PlannedQuery | None, account: Account | None) -> Release | None:
    """The answer to this question that this session released last, else the newest that its account holds."""
    if planned is None or account is None:
        return None
    kept = session.remembered("released", None)
    if isinstance(kept, Release) and kept.query == planned.query:
        return kept
    schema = session.scenario().schema
    asked = [one for one in account.releases() if one.query == planned.query and one.schema == schema]
    return asked[-1] if asked else None


def refused_for(planned: PlannedQuery) -> str:
    """Why this very question was refused last, if it was."""
    kept = session.remembered("refused", None)
    return str(kept[1]) if isinstance(kept, tuple) and kept[0] == planned else ""


def answers_by_question() -> Counter[Query]:
    """How often each question was answered already, whatever it was charged."""
    account = current()
    return Counter(item.planned_query.query for item in account.releases()) if account else Counter()


def times_answered(planned: PlannedQuery, account: Account) -> int:
    """How many answers this question has already."""
    return sum(item.planned_query.query == planned.query for item in account.releases())
