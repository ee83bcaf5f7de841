"""A table or view of PostgreSQL, found in the catalog: its name and columns reach SQL only quoted."""

from __future__ import annotations

import re
from collections.abc import Mapping
from functools import cache

import ibis
import ibis.expr.datatypes as dt

from dpengine.data.aggregates.stored_rows import TABLE_NAME, StoredRows
from dpengine.data.connected.addresses import Address
from dpengine.data.connected.connected_report import connected_report
from dpengine.data.connected.connected_rows import connected_rows
from dpengine.data.connected.plain_text import in_plain_text
from dpengine.data.declared.schema import Schema
from dpengine.data.engines.engine import Opened
from dpengine.data.engines.postgres_engine import PostgreSQLEngine
from dpengine.data.engines.postgres_watch import TableWatch
from dpengine.data.typed.native_casts import FOLDED, no_identifier
from dpengine.errors import IntakeError, require_whole
from dpengine.known_postgres import WITHIN_A_MINUTE
from dpengine.listeners import no_certificate_tells, ways_to_prove

PORT, SECONDS = 5432, 600
_LONGEST_NAME = 63
"""Bytes: of a longer one PostgreSQL takes the beginning, so that one table would have many names."""
_SECURITY = (
    "sslmode",
    "sslrootcert",
    "sslcert",
    "sslkey",
    "sslcrl",
    "channel_binding",
    "require_auth",
    "target_session_attrs",
)
OPTIONS = ("table", "trusted", "seconds", *_SECURITY)
_SESSION = {
    "default_transaction_read_only": "on",
    # What a look at the catalog sees is what the statement after it reads, and not what was there when it began.
    "default_transaction_isolation": "read committed",
    "search_path": "pg_catalog",
    # Whom its owners are compared with is who reads, not what the database makes of that user.
    "role": "none",
    "timezone": "UTC",
    "datestyle": "ISO",
    "extra_float_digits": "1",
    # A declared text is written between quotes, and what is in it stays in it.
    "standard_conforming_strings": "on",
    "transform_null_equals": "off",
    # Compiling a statement takes longer than running it.
    "jit": "off",
}
_NAME = re.compile(r'("(?:[^"]|"")+"|[^".]+)(?:\.("(?:[^"]|"")+"|[^".]+))?')
_TYPES: Mapping[str, str] = {
    "bool": "boolean",
    "int2": "int16",
    "int4": "int32",
    "int8": "int64",
    "float4": "float32",
    "float8": "float64",
    "numeric": "decimal",
    "date": "date",
    "timestamp": "timestamp",
    "timestamptz": "timestamp('UTC')",
    "time": "time",
    "uuid": "uuid",
    "json": "json",
    "jsonb": "json",
    "bytea": "binary",
}


def open_postgres(address: Address, schema: Schema, salt: str) -> Opened:
    """The table at an address such as postgresql://user:password@host:port/database?table=schema.name.

    Its identity is the place and not the content: see Address.identity.
    """
    engine = postgres_engine(address)
    try:
        source = postgres_source(engine, address, schema.unit.identifier)
        rows = StoredRows(engine.name(TABLE_NAME, connected_rows(source, schema, salt).table), schema)
    except BaseException:
        engine.close()
        raise
    return Opened(
        engine=engine,
        rows=(rows,),
        identity=address.identity(*postgres_name(address), usual_port=PORT),
        report=cache(lambda: connected_report(engine, source, schema)),
    )


def postgres_engine(address: Address) -> PostgreSQLEngine:
    """An engine for the database of an address, which it has reached once.

    Raises IntakeError where the address makes no sense, EngineError where the database does not let us in.
    """
    address.require_options(OPTIONS)
    database = address.path.strip("/")
    _require_short("database", database)
    if "," in address.host:
        raise IntakeError("The address of a PostgreSQL table names one host, and no list of hosts.")
    if not (address.host and address.user and database):
        raise IntakeError(
            "The address of a PostgreSQL table names host, user and database: postgresql://user:password@host:port/database?table=schema.name"
        )
    session = _SESSION | {"statement_timeout": f"{_seconds(address)}s"}
    engine = PostgreSQLEngine(
        {
            "host": address.host,
            "port": str(address.port or PORT),
            "dbname": database,
            "user": address.user,
            "password": address.password,
            "application_name": "epsilon-explorer",
            "connect_timeout": "10",
            **WITHIN_A_MINUTE,
            "client_encoding": "utf8",
            # The environment's would lead every address to one server.
            "hostaddr": "",
            **_secured(address),
        },
        session,
        asks_who_listens=no_certificate_tells(address.host, address.options.get("sslmode")),
    )
    engine.connect()
    return engine


def _secured(address: Address) -> Mapping[str, str]:
    """Of another machine's server the certificate has to be one that is known here, unless the address says otherwise.

    The driver by itself asks for encryption, and does without where somebody on the way says that there is none.
    """
    asked = {"require_auth": ways_to_prove(address.password)}
    given = asked | {name: value for name, value in address.options.items() if name in _SECURITY}
    if address.is_here or "sslmode" in given:
        return given
    return {"sslmode": "verify-full", "sslrootcert": "system", **given}


def postgres_source(engine: PostgreSQLEngine, address: Address, identifier: str | None = None) -> ibis.Table:
    """The table that an address names, `public` being its schema unless it says otherwise; raises IntakeError.

    So it does where the identifier's column takes differently written names for one: to us they would be several.
    """
    schema, table = postgres_name(address)
    if engine.texts("SHOW server_encoding") != [("UTF8",)]:
        raise IntakeError(
            "The database does not keep its text as UTF8, so texts could not be compared with the declared ones."
        )
    found = engine.watch(TableWatch(schema, table, _trusted(address)))
    if identifier in {name for name, _, _, folds, *_ in found if folds}:
        raise no_identifier(str(identifier), FOLDED)
    types = {name: _type(kind, is_text=is_text) for name, kind, is_text, *_ in found}
    return in_plain_text(ibis.table(types, name=table, database=schema))


def postgres_name(address: Address) -> tuple[str, str]:
    """Schema and table; names with dots are written in quotes, as in SQL.

    >>> postgres_name(Address(scheme="postgresql", options={"table": '"a.b".visits'}))
    ('a.b', 'visits')
    """
    match = _NAME.fullmatch(address.options.get("table", ""))
    if match is None:
        raise IntakeError("The address does not say which table: end it with ?table=schema.name")
    names = [_unquoted(name) for name in match.groups() if name is not None]
    for kind, name in zip(("schema", "table")[-len(names) :], names, strict=True):
        _require_short(kind, name)
    return (names[0], names[1]) if len(names) == 2 else ("public", names[0])


def _trusted(address: Address) -> tuple[str, ...]:
    """Roles that may see all that the address's user may."""
    return tuple(name.strip() for name in address.options.get("trusted", "").split(",") if name.strip())


def _require_short(kind: str, name: str) -> None:
    if len(name.encode()) > _LONGEST_NAME:
        raise IntakeError(f"The address names a {kind} of more than {_LONGEST_NAME} bytes, which PostgreSQL would cut.")


def _type(kind: str, *, is_text: bool) -> dt.DataType:
    known = "string" if is_text else _TYPES.get(kind)
    return dt.dtype(known) if known else dt.unknown


def _unquoted(name: str) -> str:
    return name[1:-1].replace('""', '"') if name.startswith('"') else name


def _seconds(address: Address) -> int:
    """How long a statement may take."""
    given = address.options.get("seconds", str(SECONDS))
    if not given.isdigit():
        raise IntakeError(f"The option 'seconds' of an address is a whole number; it is {given!r}.")
    require_whole("seconds", int(given))
    return int(given)
