"""What a ledger in PostgreSQL says instead of the driver's errors, which quote statements and addresses."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from contextlib import contextmanager

from sqlalchemy.exc import DBAPIError, SQLAlchemyError
from sqlalchemy.exc import TimeoutError as PoolTimeout

from dpengine.errors import LedgerError
from dpengine.ledger.storage.database import DISK_IS_FULL, IN_USE, RULES_WOULD_BREAK, sentence_of

_AWAY = (
    "The ledger's PostgreSQL server does not answer, or refuses the user, the password or the database of the URL; or "
    "asks for the password otherwise than by SCRAM (the URL may allow it: ?require_auth=...); or, on another machine, "
    "has no certificate that is known here (?sslmode=...). Nothing is shown that was not stored; the same request can "
    "be tried again without a second charge."
)
_UNREACHABLE = "The ledger's PostgreSQL server does not answer at the host and port of the URL. Nothing was changed."
_STRANGER = "The ledger's PostgreSQL server refused the user or the password of the URL. Nothing was changed."
_NO_RIGHT = "The user of the ledger's URL may not do this: it needs to own a schema in that database."
_NO_DATABASE = "The database that the ledger's URL names does not exist. Create it first, empty."
_CROWDED = "The ledger's PostgreSQL server has no free connection. Nothing was changed; try again."
_WHEN_CONNECTING: Mapping[str, str] = {
    "authentication failed": _STRANGER,
    "no password supplied": _STRANGER,
    "no pg_hba.conf entry": _STRANGER,
    "role ": _STRANGER,
    'database "': _NO_DATABASE,
    "too many clients": _CROWDED,
    "remaining connection slots": _CROWDED,
    "refused": _UNREACHABLE,
    "resolve": _UNREACHABLE,
    "timeout": _UNREACHABLE,
}
"""Where a connection fails the driver has words for it and no code; a server of another language gets the last."""
READ_ONLY = "The ledger cannot be written, so nothing can be charged: this PostgreSQL server only reads."
RESTORE = "Restore it from a backup."
_SENTENCES: Mapping[str, str] = {
    "08": _AWAY,
    "57P": _AWAY,
    "53300": _CROWDED,
    "53100": DISK_IS_FULL,
    "55P03": IN_USE,
    "57014": IN_USE,
    "40": IN_USE,
    "25006": READ_ONLY,
    "0A000": READ_ONLY,
    "28": _STRANGER,
    "3D": _NO_DATABASE,
    "3F": _NO_RIGHT,
    "42501": _NO_RIGHT,
    "42P01": f"Part of the ledger is missing. {RESTORE}",
    "23": RULES_WOULD_BREAK,
    "P0001": RULES_WOULD_BREAK,
}


@contextmanager
def in_words() -> Iterator[None]:
    """Turn the driver's errors, which quote statements and addresses, into our own sentences."""
    try:
        yield
    except DBAPIError as error:
        raise LedgerError(_sentence(error)) from None
    except PoolTimeout:
        raise LedgerError(IN_USE) from None
    except SQLAlchemyError as error:
        raise LedgerError(sentence_of("", {}, called=type(error).__name__)) from None


def _sentence(error: DBAPIError) -> str:
    code = str(getattr(error.orig, "sqlstate", "") or "")
    if not code or error.connection_invalidated:
        said = str(error.orig)
        return next((sentence for words, sentence in _WHEN_CONNECTING.items() if words in said), _AWAY)
    return sentence_of(code, _SENTENCES, called=f"PostgreSQL's code {code}")
