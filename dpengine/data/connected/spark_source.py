"""A table or Parquet files as Spark sees them; names of columns reach SQL only quoted."""

from __future__ import annotations

import re
import socket
from collections.abc import Callable, Mapping
from dataclasses import replace
from functools import cache, partial
from typing import Any
from urllib.parse import quote

import ibis
import ibis.expr.datatypes as dt

from dpengine.data.aggregates.stored_rows import TABLE_NAME, StoredRows
from dpengine.data.connected.addresses import Address
from dpengine.data.connected.connected_report import connected_report
from dpengine.data.connected.connected_rows import connected_rows
from dpengine.data.connected.parquet_files import LAKEHOUSE, LOGS, require_plain_names
from dpengine.data.connected.plain_text import in_plain_text
from dpengine.data.connected.spark_places import SparkPlace, files_place, named, table_name
from dpengine.data.declared.schema import Schema
from dpengine.data.engines.engine import Opened
from dpengine.data.engines.spark_engine import SparkEngine
from dpengine.data.engines.spark_sessions import remote_session, session_of
from dpengine.errors import EngineError, IntakeError

SOURCE = "source_rows"
_HERE, _CONNECT = "spark-local", "sc"
_PORTS = {"spark": 7077, _CONNECT: 15002}
_SECONDS = 10.0
_MEMORY = re.compile("[1-9][0-9]*[mg]")
_UNREADABLE_FILES = (
    "Spark does not find or cannot read the Parquet files at this address, or one column is not of the same type in "
    "all of them: write them alike."
)
_MOVED = "At this address Spark finds another table now. Open it anew."
_TYPES: Mapping[str, str] = {
    "boolean": "boolean",
    "tinyint": "int8",
    "smallint": "int16",
    "int": "int32",
    "bigint": "int64",
    "float": "float32",
    "double": "float64",
    "date": "date",
    "timestamp": "timestamp('UTC')",
    "timestamp_ntz": "timestamp",
    "binary": "binary",
}


def open_spark(address: Address, schema: Schema, salt: str) -> Opened:
    """The table or Parquet files at an address, seen through Spark; the files are those found now.

    Its identity is the place and not the content: see Address.identity.
    """
    engine = spark_engine(address)
    source = spark_source(engine, address)
    rows = StoredRows(engine.name(TABLE_NAME, connected_rows(source, schema, salt).table), schema)
    return Opened(
        engine=engine,
        rows=(rows,),
        identity=_identity(address, _place(engine, address)),
        report=cache(lambda: connected_report(engine, source, schema)),
    )


def spark_engine(address: Address) -> SparkEngine:
    """An engine in a session of its own; raises IntakeError where the address makes no sense, else EngineError."""
    named(address)
    return SparkEngine(_SESSIONS[address.scheme](address))


def spark_source(engine: SparkEngine, address: Address) -> ibis.Table:
    """The table that an address names; raises EngineError where Spark does not find or cannot read it."""
    place = _place(engine, address)
    try:
        found = engine.source(SOURCE, partial(_files, engine, address, place), folder=place.folder)
        _files(engine, address, place)
        require_no_log(engine, place)
    except EngineError:
        found = None
    if found is None:
        raise EngineError(_UNREADABLE_FILES)
    types = {column: _type(kind) for column, kind in found}
    if len(types) != len(found):
        raise IntakeError("Two columns have the same name.")
    return in_plain_text(ibis.table(types, name=SOURCE))


def require_no_log(engine: SparkEngine, place: SparkPlace) -> None:
    """Refuse a lakehouse elsewhere, as `SparkPlace.files` does for one on our disk: Spark itself has to look.

    A path without a scheme lies where Spark's own settings say, and that may be no disk.
    """
    files = engine.named_files()
    if place.on_disk and all(file.startswith("file:") for file in files):
        return
    require_plain_names(file.rsplit("/", 1)[-1] for file in files)
    for folder in place.folders_around(files):
        if any(engine.is_there(f"{folder}/{log}") for log in LOGS):
            below = folder.endswith("*")
            raise IntakeError(LAKEHOUSE.format("in a folder below" if below else f"in {folder.rsplit('/', 1)[-1]!r}"))


def _files(engine: SparkEngine, address: Address, place: SparkPlace) -> list[str]:
    """The files of this place now; what opening refuses is refused by each question, and so is another place."""
    if _place(engine, address) != place:
        raise EngineError(_MOVED)
    return place.files()


def _place(engine: SparkEngine, address: Address) -> SparkPlace:
    """What the address names; Spark itself says which table a name means, and where its files are."""
    kind, path = named(address)
    parts: tuple[str, ...] = ()
    if kind == "table":
        parts, path = engine.table(path)
    try:
        place = files_place(path, here=address.scheme != _CONNECT or address.leads_here)
        return replace(place, known_as=table_name(parts)) if parts else place
    except OSError:
        raise EngineError(_UNREADABLE_FILES) from None


def _identity(address: Address, place: SparkPlace) -> bytes:
    """Of where it is and of what is read there; not of how many threads of this process read it."""
    at = replace(address, host="", path="") if address.scheme == _HERE else address
    return at.identity(named(address)[0], place.known_as, usual_port=_PORTS.get(address.scheme))


def _in_this_process(address: Address) -> Any:
    """spark-local://2?parquet=/path&memory=2g, where 2 is the number of threads."""
    address.require_options(("parquet", "table", "memory"))
    if not re.fullmatch("[1-9][0-9]*", address.host):
        raise IntakeError("The address of Spark in this process says how many threads: spark-local://2?parquet=/path")
    return session_of(f"local[{address.host}]", memory=_memory(address))


def _on_a_cluster(address: Address) -> Any:
    """spark://host:7077?table=name."""
    address.require_options(("parquet", "table", "memory"))
    return session_of(f"spark://{address.host}:{address.port or _PORTS['spark']}", memory=_memory(address))


def _through_connect(address: Address) -> Any:
    """sc://host:15002?table=name, perhaps with a token; encrypted to another machine, unless use_ssl=false.

    Whether anybody listens there is asked first: Spark's own client goes on trying for some ten minutes.
    """
    address.require_options(("parquet", "table", "token", "use_ssl"))
    port = address.port or _PORTS[_CONNECT]
    try:
        socket.create_connection((address.host.strip("[]"), port), timeout=_SECONDS).close()
    except OSError:
        raise EngineError("Spark does not answer at this address.") from None
    options = address.options if address.leads_here else {"use_ssl": "true", **address.options}
    given = (f"{name}={quote(value, safe='')}" for name in ("use_ssl", "token") if (value := options.get(name)))
    return remote_session(";".join((f"sc://{address.host}:{port}/", *given)))


_SESSIONS: Mapping[str, Callable[[Address], Any]] = {
    _HERE: _in_this_process,
    "spark": _on_a_cluster,
    _CONNECT: _through_connect,
}


def _memory(address: Address) -> str | None:
    given = address.options.get("memory")
    if given is not None and not _MEMORY.fullmatch(given):
        raise IntakeError(f"The option 'memory' of an address reads like 512m or 2g; it is {given!r}.")
    return given


def _type(kind: str) -> dt.DataType:
    if kind.startswith(("string", "varchar", "char")):
        return dt.string
    known = kind if kind.startswith("decimal") else _TYPES.get(kind)
    return dt.dtype(known) if known else dt.unknown
