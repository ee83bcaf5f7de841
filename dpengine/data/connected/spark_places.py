"""What an address of Spark names: one place, under one name, in whatever way it is written."""

from __future__ import annotations

import os
import re
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from dpengine.data.connected.addresses import Address
from dpengine.data.connected.parquet_files import place_at, require_each_once
from dpengine.errors import IntakeError

_PATH = re.compile(r"(?:(?P<scheme>[A-Za-z][\w+.-]*):(?://(?P<host>[^/*?\[\]{}\\]*))?)?(?P<path>/(?!/)[^*?\[\]{}\\]*)")
_OWN_CATALOG, _OWN_NAMESPACE = "spark_catalog", "default"


@dataclass(frozen=True, slots=True, kw_only=True)
class SparkPlace:
    """Parquet files or a table: how Spark is told of it, and the name that it has in an identity."""

    files: bool
    told: str
    known_as: str


def named(address: Address) -> tuple[str, str]:
    """Whether Parquet files or a table, and which; raises IntakeError unless it is one of the two."""
    given = [(kind, address.options[kind]) for kind in ("parquet", "table") if address.options.get(kind)]
    if len(given) != 1 or not address.host or address.path.strip("/"):
        raise IntakeError(
            "The address of a table in Spark ends with ?parquet=/path or with ?table=name, and has nothing else after "
            "the host and its port: sc://host:15002?table=name&token=..."
        )
    return given[0]


def files_place(path: str, *, here: bool) -> SparkPlace:
    """Parquet files, perhaps on the disk of this machine (`here`); raises IntakeError for patterns and links."""
    match = _PATH.fullmatch(path)
    if match is None:
        raise IntakeError(
            "The address of Parquet files in Spark names one file or one folder by its whole path, without the signs "
            "* ? [ ] { } \\ in it: ?parquet=/data/visits"
        )
    scheme, host, bare = (match["scheme"] or "").lower(), (match["host"] or "").lower(), os.path.normpath(match["path"])
    if scheme not in ("", "file") or host not in ("", "localhost"):
        return SparkPlace(files=True, told=path, known_as=f"/{scheme}:/{host}{bare}")
    if here and Path(place_at(bare)).is_dir():
        require_each_once(bare)
    return SparkPlace(files=True, told=f"{scheme}:{bare}" if scheme else bare, known_as=bare)


def table_place(parts: Sequence[str]) -> SparkPlace:
    """A table by catalog, namespaces and name, or a view of the session by its name alone.

    >>> table_place(("spark_catalog", "default", "Visits"))
    SparkPlace(files=False, told='`spark_catalog`.`default`.`Visits`', known_as='visits')
    """
    quoted = ["`{}`".format(part.replace("`", "``")) for part in parts]
    *outer, name = (part.casefold() for part in parts)
    if outer[:1] == [_OWN_CATALOG]:
        outer = [] if outer[1:] == [_OWN_NAMESPACE] else outer[1:]
    return SparkPlace(files=False, told=".".join(quoted), known_as=".".join((*outer, name)))
