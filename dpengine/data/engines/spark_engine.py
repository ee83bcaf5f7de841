"""Spark, by connection URL: the rows stay where they are, and nothing is ever written there."""

from __future__ import annotations

import time
import uuid
from collections.abc import Callable
from contextlib import suppress
from itertools import takewhile
from typing import Any
from urllib.parse import unquote

import ibis

from dpengine.data.engines.error_masking import in_own_words
from dpengine.data.engines.spark_sessions import Tags, spark_errors
from dpengine.data.engines.spark_sql import spark_sql
from dpengine.errors import EngineError, IntakeError

_CHANGED = "The files changed while they were read, so there is no answer. Ask again once they are written."
_FORMATS = ("parquet", "delta", "iceberg")
"""Where each row stands for itself: in lines of text one person's quotation mark may take in everybody after them.

Nor are files read that become another type in silence: one value that is missing makes whole numbers of ORC decimal
ones, and then everybody's text of them another text, or none.
"""
_NOT_FILES = (
    "This is no table whose files Spark reads by itself, row by row (Parquet, Delta, Iceberg). Code in a view or a "
    "source runs with the rights of whoever reads it, a line of text may hold several people, and one person's value "
    "may give a file of ORC or Avro another type. Ask for such a table or Parquet files, or have the rows written so."
)
_STOPPING_SECONDS, _NUDGE_SECONDS = 10.0, 0.05


class SparkEngine:
    """Answers expressions in a session of its own; errors of Spark never leave it, because they quote cells.

    Several threads may ask at once; each question has a tag by which it can be stopped.
    """

    __slots__ = ("_asked", "_closed", "_files", "_named", "_require", "_session", "_tags")

    def __init__(self, session: Any) -> None:
        self._session, self._tags, self._closed = session, Tags.of(session), False
        self._asked: set[str] = set()
        self._named: list[str] = []
        self._files: Callable[[], str | list[str]] = list
        self._require: Callable[[], object] = _nothing

    @in_own_words(spark_errors)
    def source(
        self,
        name: str,
        read: Callable[[Any], Any],
        *,
        require: Callable[[], object],
        files: Callable[[], str | list[str]],
    ) -> list[tuple[str, str]]:
        """Make what is read from the session known under a name; its columns and their types.

        `files` are its path or paths: each question finds those that are there then, and none is answered while they
        change. What opening asked is asked by `require` around each question, too: it raises where the place is
        another one.
        """
        frame = read(self._session.read)
        frame.createOrReplaceTempView(name)
        self._named, self._files, self._require = [name], files, require
        return list(frame.dtypes)

    @in_own_words(spark_errors)
    def table(self, name: str) -> tuple[str, ...]:
        """Where a table of this name is, however it is written: catalog, namespaces and its own name.

        IntakeError for what is not files alone, such as a view or another database's table: Spark knows no owner's
        rights, so its author's code would run with ours.
        """
        found = self._session.catalog.getTable(name)
        parts = [part.replace("`", "``") for part in (found.catalog, *(found.namespace or ()), found.name) if part]
        told = self._session.sql(f"DESCRIBE TABLE EXTENDED `{'`.`'.join(parts)}`").collect()
        facts = _details([(row[0], row[1]) for row in told])
        if facts.get("Provider", "").lower() not in _FORMATS:
            raise IntakeError(_NOT_FILES)
        return tuple(filter(None, (found.catalog, *(found.namespace or ()), found.name)))

    @in_own_words(spark_errors)
    def files_of(self, table: str) -> list[str]:
        """The files of a table as it is now."""
        self._session.catalog.refreshTable(table)
        return sorted(unquote(file) for file in self._session.read.table(table).inputFiles())

    def _files_read(self) -> list[str]:
        """Those that questions read: a table of this name may lie elsewhere since it was opened."""
        return self.files_of(self._named[0])

    @in_own_words(spark_errors)
    def name(self, name: str, expression: ibis.Table) -> ibis.Table:
        """A table of this name that stands for an expression in every question; nothing is computed or stored."""
        self._session.sql(spark_sql(expression)).createOrReplaceTempView(name)
        self._named.append(name)
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
        for name in self._named:
            self._session.catalog.refreshTable(name)
        rows = [tuple(row) for row in self._session.sql(statement).collect()]
        if self._found() != before:
            raise EngineError(_CHANGED)
        return rows

    def _found(self) -> list[tuple[Any, ...]]:
        """The files, how long they are and when they were written; their content is not opened."""
        self._require()
        files = self._files()
        if not files:
            return []
        if not isinstance(files, str) and self._files_read() != files:
            raise EngineError(_CHANGED)
        listed = self._session.read.format("binaryFile").load(files)
        return sorted(tuple(row) for row in listed.select("path", "length", "modificationTime").collect())

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


def _nothing() -> None:
    """Of no place nothing is asked."""


def _details(told: list[tuple[str, str]]) -> dict[str, str]:
    """What Spark says of a table as a whole, below its columns, whose names are anybody's.

    >>> _details([("Type", "string"), ("", ""), ("# Detailed Table Information", ""), ("Type", "MANAGED"), ("", "")])
    {'Type': 'MANAGED'}
    """
    head = ("# Detailed Table Information", "")
    below = told[told.index(head) + 1 :] if head in told else []
    facts = list(takewhile(lambda fact: fact[0] and not fact[0].startswith("#"), below))
    return dict(reversed(facts))
