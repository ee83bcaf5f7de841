"""How Spark spells what the expressions ask for."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from functools import partial
from typing import Any

import ibis
import sqlglot.expressions as sge
from ibis.backends.sql.compilers.base import SQLGlotCompiler
from ibis.backends.sql.compilers.pyspark import PySparkCompiler


def _short(text: sge.Expr, most: sge.Expr) -> sge.Expr:
    return sge.Case().when(
        sge.LTE(this=sge.Anonymous(this="octet_length", expressions=[text.copy()]), expression=most), text
    )


def _hex_sha256(text: sge.Expr) -> sge.Expr:
    return sge.Anonymous(this="sha2", expressions=[text, sge.convert(256)])


def _plain(text: sge.Expr) -> sge.Expr:
    """Compared byte by byte from here on, whatever the column's own collation."""
    return sge.Anonymous(this="collate", expressions=[sge.cast(text, "string"), sge.convert("UTF8_BINARY")])


_FUNCTIONS: Mapping[str, Callable[..., sge.Expr]] = {
    "short_text": _short,
    "trim": partial(sge.func, "btrim"),
    "sha256": _hex_sha256,
    "plain_text": _plain,
}


_ESCAPED = {"\\", "'"}


class _SparkCompiler(PySparkCompiler):  # type: ignore[misc] # ibis ships no types
    """The compiler of ibis without the options that only its own connections set, and with text as Spark reads it."""

    __slots__ = ()

    def visit_Field(self, op: Any, *, rel: Any, name: str) -> Any:  # noqa: N802 - ibis's name
        return SQLGlotCompiler.visit_Field(self, op, rel=rel, name=name)

    def visit_NonNullLiteral(self, op: Any, *, value: Any, dtype: Any) -> Any:  # noqa: N802
        if isinstance(value, str) and (not value.isprintable() or _ESCAPED & set(value)):
            # Spark knows other escapes than are written, and takes \v for the letter v; settings change them too.
            return sge.cast(sge.HexString(this=value.encode().hex()), "string")
        return super().visit_NonNullLiteral(op, value=value, dtype=dtype)

    def visit_ScalarUDF(self, op: Any, **given: sge.Expr) -> sge.Expr:  # noqa: N802
        spelled = _FUNCTIONS.get(op.__func_name__)
        return spelled(*given.values()) if spelled else super().visit_ScalarUDF(op, **given)


_COMPILER = _SparkCompiler()


def spark_sql(expression: ibis.Table) -> str:
    """The statement that computes an expression; every name in it is quoted."""
    return str(_COMPILER.to_sqlglot(expression).sql(dialect=_COMPILER.dialect))
