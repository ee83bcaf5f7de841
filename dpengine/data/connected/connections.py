"""Tables that stay where they are, by connection URL: which scheme is opened by what."""

from __future__ import annotations

from collections.abc import Callable, Mapping

from dpengine.data.connected.addresses import Address, address_of
from dpengine.data.connected.parquet_path import open_parquet
from dpengine.data.connected.postgres_source import open_postgres
from dpengine.data.connected.spark_source import open_spark
from dpengine.data.declared.schema import Schema
from dpengine.data.engines.engine import Opened
from dpengine.data.files.reading import UNWATCHED, ReadingWatch

OPENERS: Mapping[str, Callable[[Address, Schema, str, ReadingWatch], Opened]] = {
    "parquet": lambda address, schema, salt, reading: open_parquet(address, schema, salt, reading=reading),
    "postgresql": lambda address, schema, salt, _: open_postgres(address, schema, salt),
    "spark-local": lambda address, schema, salt, _: open_spark(address, schema, salt),
    "spark": lambda address, schema, salt, _: open_spark(address, schema, salt),
    "sc": lambda address, schema, salt, _: open_spark(address, schema, salt),
}
"""An opener takes the parts of the URL, the schema, the salt, and who waits; databases are there at once."""


def open_connected(url: str, *, schema: Schema, salt: str, reading: ReadingWatch = UNWATCHED) -> Opened:
    """The table at a URL; of databases, and of files in which every row is another person, no row is read yet.

    Raises IntakeError where the URL makes no sense, the table is not as declared or the person stopped it, EngineError
    where the engine cannot be reached.
    """
    address = address_of(url, OPENERS)
    return OPENERS[address.scheme](address, schema, salt, reading)
