"""Spark, by connection URL: the rows stay where they are, and nothing is ever written there."""

from __future__ import annotations

import re
import time
import uuid
from collections.abc import Callable
from contextlib import suppress
from itertools import takewhile
from typing import Any

import ibis

from dpengine.data.engines.error_masking import in_own_words
from dpengine.data.engines.spark_sessions import Tags, spark_errors
from dpengine.data.engines.spark_sql import spark_sql
from dpengine.errors import EngineError, IntakeError

_CHANGED = "The files changed while they were read, so there is no answer. Ask again once they are written."
_OTHERWISE = "The files have other columns now than when this table was opened. Open it anew."
_ONE = r"boolean|tinyint|smallint|int|bigint|float|double|decimal\(\d+,\d+\)|date|timestamp|timestamp_ntz|binary|string"
_PLAIN = re.compile(rf"(?:array<|map<|struct<|\w+:|{_ONE}|,|>)+")
"""Types that a file may have: none of somebody's own, and none of what a name may hold."""
_COLLATED = re.compile(r" collate \w+")
_OF_ITS_OWN = {"Storage Properties", "Partition Provider"}
"""What Spark says of a table that has options for whoever reads it, or partitions at places of their own."""
_NOT_FILES = (
    "This is no plain table of Parquet files, without partitions and options of its own. Views, other sources and "
    "options may hold code, which runs as whoever reads, and in other files one person's value may change how all are "
    "read. Ask for such a table or for Parquet files, or have the rows written so."
)
_STOPPING_SECONDS, _NUDGE_SECONDS = 10.0, 0.05


class SparkEngine:
    """Answers expressions in a session of its own; errors of Spark never leave it, because they quote cells.

    Several threads may ask at once; each question has a tag by which it can be stopped.
    """

    __slots__ = ("_asked", "_closed", "_files", "_folder", "_named", "_session", "_source", "_tags", "_types")

    def __init__(self, session: Any) -> None:
        self._session, self._tags, self._closed = session, Tags.of(session), False
        self._asked: set[str] = set()
        self._named: list[tuple[str, str]] = []
        self._source, self._types = "", list[tuple[str, str]]()
        self._folder: str | None = None
        self._files: Callable[[], list[str]] = list

    @in_own_words(spark_errors)
    def source(self, name: str, files: Callable[[], list[str]], *, folder: str | None = None) -> list[tuple[str, str]]:
        """Make Parquet files known under a name, perhaps below a `folder`; their columns and types.

        Each question reads the files that are there then, and is answered only where they have the same columns, and
        do not change meanwhile: `files` is asked around it, too, and raises where the place is another one.
        """
        self._source, self._files, self._folder, self._types = name, files, folder, []
        self._types = list(self._named_anew().dtypes)
        return self._types

    def _named_anew(self) -> Any:
        """Name the files that are there now, and all that stands for something of them.

        Of what a file says names and plain types alone are believed, and read as text: a schema that is handed to this
        process may name a module to import. It may also say what a column holds where it is missing, in SQL that would
        be computed here, with our rights; or which texts are to count as the same one.
        """
        reader = self._session.read if self._folder is None else self._session.read.option("basePath", self._folder)
        files = self._files()
        as_told = f"{self._source}_as_told"  # a name of its own: another thread may name its questions meanwhile
        reader.option("mergeSchema", "true").parquet(*files).createOrReplaceTempView(as_told)
        told = self._session.sql(f"DESCRIBE TABLE `{as_told}`").collect()
        frame = reader.schema(_names_and_types([(row[0], row[1]) for row in told])).parquet(*files)
        if self._types and list(frame.dtypes) != self._types:
            raise EngineError(_OTHERWISE)
        frame.createOrReplaceTempView(self._source)
        for name, statement in self._named:
            self._session.sql(statement).createOrReplaceTempView(name)
        return frame

    @in_own_words(spark_errors)
    def table(self, name: str) -> tuple[tuple[str, ...], str]:
        """A table of this name, however it is written, as catalog, namespaces and own name; and where its files are.

        IntakeError for what is not Parquet files alone, such as a view, another database's table, or one with options
        for whoever reads: Spark knows no owner's rights, so its author's code would run with ours.
        """
        found = self._session.catalog.getTable(name)
        parts = [part.replace("`", "``") for part in (found.catalog, *(found.namespace or ()), found.name) if part]
        told = self._session.sql(f"DESCRIBE TABLE EXTENDED `{'`.`'.join(parts)}`").collect()
        facts = _details([(row[0], row[1]) for row in told])
        if facts.get("Provider", "").lower() != "parquet" or not facts.get("Location") or facts.keys() & _OF_ITS_OWN:
            raise IntakeError(_NOT_FILES)
        return tuple(filter(None, (found.catalog, *(found.namespace or ()), found.name))), facts["Location"]

    @in_own_words(spark_errors)
    def name(self, name: str, expression: ibis.Table) -> ibis.Table:
        """A table of this name that stands for an expression in every question; nothing is computed or stored."""
        statement = spark_sql(expression)
        self._session.sql(statement).createOrReplaceTempView(name)
        self._named.append((name, statement))
        return ibis.table(expression.schema(), name=name)

    @in_own_words(spark_errors)
    def integers(self, expression: ibis.Table) -> list[dict[str, int]]:
        """The result as exact integers of any size, one mapping from column to value for each row."""
        return [dict(zip(expression.columns, map(int, row), strict=True)) for row in self.rows(expression)]

    @in_own_words(spark_errors)
    def rows(self, expression: ibis.Table) -> list[tuple[Any, ...]]:
        """The rows of an expression, for looks at a table by its curator."""
        tag = f"epsilon-explorer-{uuid.uuid4()}"
        self._tags.add(tag)
        self._asked.add(tag)
        try:
            if self._closed:
                raise EngineError
            return self._read_anew(spark_sql(expression))
        finally:
            self._asked.discard(tag)
            self._tags.remove(tag)

    def _read_anew(self, statement: str) -> list[tuple[Any, ...]]:
        """Spark keeps the files that it once found, and how long they were: of longer ones it would leave out rows."""
        before = self._found()
        if self._source:
            self._named_anew()
        rows = [tuple(row) for row in self._session.sql(statement).collect()]
        if self._found() != before:
            raise EngineError(_CHANGED)
        return rows

    def _found(self) -> list[tuple[Any, ...]]:
        """The files, how long they are and when they were written; their content is not opened."""
        files = self._files()
        if not files:
            return []
        listed = self._session.read.format("binaryFile").load(files)
        return sorted(tuple(row) for row in listed.select("path", "length", "modificationTime").collect())

    @in_own_words(spark_errors)
    def named_files(self) -> list[str]:
        """The files that are there now, each as Spark names it: with the file system where it lies."""
        return [str(path) for path, *_ in self._found()]

    @in_own_words(spark_errors)
    def is_there(self, path: str) -> bool:
        """Whether Spark finds a file or a folder of this name, or any that a pattern names."""
        try:
            return bool(self._session.read.format("binaryFile").load(path).schema)
        except spark_errors() as error:
            if "PATH_NOT_FOUND" in str(error):
                return False
            raise

    def interrupt(self) -> None:
        """Stop the questions that are being answered now.

        Told again until each has ended: Spark stops the steps that run, and a question has several one after another.
        """
        running, deadline = set(self._asked), time.monotonic() + _STOPPING_SECONDS
        while running and time.monotonic() < deadline:
            for tag in running:
                with suppress(*spark_errors()):
                    self._tags.stop(tag)
            time.sleep(_NUDGE_SECONDS)
            running &= self._asked

    def close(self) -> None:
        """Stop what is being answered, and answer nothing afterwards; Spark itself goes on for other tables."""
        self._closed = True
        self.interrupt()


def _names_and_types(told: list[tuple[str, str]]) -> str:
    """Columns as they are declared, those of plain types; nothing beyond names and types.

    >>> _names_and_types([("a`b", "bigint"), ("c", "string collate UNICODE_CI"), ("d", "array<int>"), ("e", "udt")])
    '`a``b` bigint, `c` string, `d` array<int>'
    """
    plain = [(name.replace("`", "``"), _COLLATED.sub("", kind)) for name, kind in told]
    return ", ".join(f"`{name}` {kind}" for name, kind in plain if _PLAIN.fullmatch(kind))


def _details(told: list[tuple[str, str]]) -> dict[str, str]:
    """What Spark says of a table as a whole, below its columns, whose names are anybody's.

    >>> _details([("Type", "string"), ("", ""), ("# Detailed Table Information", ""), ("Type", "MANAGED"), ("", "")])
    {'Type': 'MANAGED'}
    """
    head = ("# Detailed Table Information", "")
    below = told[told.index(head) + 1 :] if head in told else []
    facts = list(takewhile(lambda fact: fact[0] and not fact[0].startswith("#"), below))
    return dict(reversed(facts))
