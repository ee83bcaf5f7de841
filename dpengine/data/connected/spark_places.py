"""What an address of Spark names: one place, under one name, in whatever way it is written."""

from __future__ import annotations

import os
import re
from collections.abc import Collection, Sequence
from dataclasses import dataclass
from pathlib import Path

from dpengine.data.connected.addresses import Address
from dpengine.data.connected.parquet_files import PATTERN, files_named, place_at
from dpengine.errors import IntakeError

_PATH = re.compile(r"(?:(?P<scheme>[A-Za-z][\w+.-]*):(?://(?P<host>[^/*?\[\]{}\\]*))?)?(?P<path>/(?!/)[^*?\[\]{}\\]*)")
_SIGNS = PATTERN | frozenset("]{}\\")
_SORTED_OTHERWISE = (
    "Some of these files lie in folders whose names are values, such as day=2, and others do not, or in those of other "
    "values: Spark would leave some of them out. Sort all of them alike."
)
_OWN_CATALOG, _OWN_NAMESPACE = "spark_catalog", "default"


@dataclass(frozen=True, slots=True, kw_only=True)
class SparkPlace:
    """Parquet files: how Spark is told of them, and the name that they, or their table, have in an identity."""

    told: str
    known_as: str
    on_disk: str = ""
    """Their path on this machine's disk, where they are on it."""

    @property
    def folder(self) -> str | None:
        """Where names of folders say more of the rows below them, as in day=2/; None for a single file."""
        return self.told if not self.on_disk or Path(self.on_disk).is_dir() else None

    def folders_around(self, files: Collection[str]) -> list[str]:
        """The place itself, the folders above it, and in patterns those below it down to these files, as Spark is told.

        >>> place = SparkPlace(told="s3a://lake/visits/2026", known_as="")
        >>> place.folders_around(["s3a://lake/visits/2026/a.parquet"])
        ['s3a://lake/visits/2026', 's3a://lake/visits', 's3a://lake']
        >>> place.folders_around(["s3a://lake/visits/2026/region=eu/day=2/a.parquet"])[3:]
        ['s3a://lake/visits/2026/*', 's3a://lake/visits/2026/*/*']
        """
        folders = [self.told.rstrip("/")]
        while (above := folders[-1].rpartition("/")[0]) and not above.endswith(("/", ":")):
            folders.append(above)
        path = _PATH.fullmatch(self.told)
        bare = path["path"].rstrip("/") if path else self.told
        deepest = max((file.partition(bare)[2].count("/") for file in files), default=1)
        return folders + [self.told.rstrip("/") + "/*" * depth for depth in range(1, deepest)]

    def files(self) -> list[str]:
        """Those that are there now, each once and none that is a link elsewhere; elsewhere whatever Spark finds.

        IntakeError for names in which Spark would see a pattern, and for a folder here none of whose files ends with
        .parquet: Spark would list them by itself, links and all; or whose files are sorted in more than one way.
        """
        if not self.on_disk or not Path(self.on_disk).exists():
            return [self.told]
        found = files_named(self.on_disk)
        if not found:
            raise IntakeError("No file here ends with .parquet; names that begin with . or _ are not read.")
        if any(_SIGNS & set(one) for one in found):
            raise IntakeError("The name of a file in this folder has one of the signs * ? [ ] { } \\ in it.")
        if len({_sorted_by(file, below=self.on_disk) for file in found}) > 1:
            raise IntakeError(_SORTED_OTHERWISE)
        return found


def _sorted_by(file: str, *, below: str) -> tuple[str, ...]:
    """The columns for which the folders of a file have values.

    >>> _sorted_by("/data/visits/year=2026/day=2/a.parquet", below="/data/visits")
    ('year', 'day')
    """
    folders = Path(file).relative_to(below).parts[:-1]
    return tuple(name.split("=", 1)[0] for name in folders if "=" in name)


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
        return SparkPlace(told=path, known_as=f"/{scheme}:/{host}{bare}")
    told = f"{scheme}:{bare}" if scheme else bare
    return SparkPlace(told=told, known_as=bare, on_disk=place_at(bare) if here else "")


def table_name(parts: Sequence[str]) -> str:
    """The name of a table in an identity, from catalog, namespaces and its own name.

    >>> table_name(("spark_catalog", "default", "Visits"))
    'visits'
    """
    *outer, name = (part.casefold() for part in parts)
    if outer[:1] == [_OWN_CATALOG]:
        outer = [] if outer[1:] == [_OWN_NAMESPACE] else outer[1:]
    return ".".join((*outer, name))
