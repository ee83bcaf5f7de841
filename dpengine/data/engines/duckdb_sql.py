"""How DuckDB spells what the expressions ask for, where its own first choice is slow."""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache
from typing import Any

import ibis
import ibis.expr.operations as ops
import sqlglot.expressions as sge
from ibis.backends.sql.compilers.duckdb import DuckDBCompiler

_MOST = 64
"""A longer list is searched faster by a join."""


def _short(text: sge.Expression, most: sge.Expression) -> Any:
    return sge.Case().when(sge.LTE(this=sge.Anonymous(this="strlen", expressions=[text.copy()]), expression=most), text)


def _trimmed(text: sge.Expression, spaces: sge.Expression) -> Any:
    """From the first letter that is no space to the last: DuckDB's trim sorts the signs to be trimmed anew each row."""
    letter = f"[^{spaces.this}]"
    return sge.func("regexp_extract", text, sge.convert(f"(?s){letter}(?:.*{letter})?"))


def _position(text: sge.Expression, values: Sequence[sge.Expression]) -> Any:
    """The value that a text equals, NULL where it equals none.

    One chain of functions is computed once for each different text where a column keeps a list of them.
    """
    listed = sge.Array(expressions=[value.copy() for value in values])
    return sge.func("list_extract", listed, sge.func("list_position", listed.copy(), text.copy()))


def _is_choice(op: Any) -> bool:
    """Whether an expression is a text where it is in a list, else NULL."""
    chosen, otherwise = op.bool_expr, op.false_null_expr
    listed = isinstance(chosen, ops.InValues) and chosen.value == op.true_expr and op.true_expr.dtype.is_string()
    return listed and isinstance(otherwise, ops.Literal) and otherwise.value is None


_FUNCTIONS = {"short_text": _short, "trim": _trimmed}


class _DuckDBCompiler(DuckDBCompiler):  # type: ignore[misc] # ibis ships no types
    """The compiler of ibis, but for what is slow."""

    __slots__ = ()

    def visit_ScalarUDF(self, op: Any, **given: sge.Expression) -> Any:  # noqa: N802 - ibis's name
        spelled = _FUNCTIONS.get(op.__func_name__)
        return spelled(*given.values()) if spelled else super().visit_ScalarUDF(op, **given)

    def visit_IfElse(self, op: Any, **given: Any) -> Any:  # noqa: N802
        """A text where it is in a list, else NULL."""
        if _is_choice(op) and len(given["bool_expr"].expressions) <= _MOST:
            return _position(given["true_expr"], given["bool_expr"].expressions)
        return super().visit_IfElse(op, **given)

    def visit_Cast(self, op: Any, *, arg: Any, to: Any) -> Any:  # noqa: N802
        """A floor is cast to 64 bits first; where it becomes another number at once, it need not be."""
        floor = isinstance(op.arg, ops.Floor) and (to.is_float64() or to.is_int8())
        return super().visit_Cast(op, arg=arg.this if floor else arg, to=to)

    def visit_Sum(self, op: Any, *, arg: Any, where: Any) -> Any:  # noqa: N802
        """DuckDB adds whole numbers of 64 bits in 128: as exact as decimals, and much faster."""
        narrow = isinstance(op.arg, ops.Cast) and op.arg.to.is_decimal() and op.arg.arg.dtype.is_int64()
        return super().visit_Sum(op, arg=arg.this if narrow else arg, where=where)


_COMPILER = _DuckDBCompiler()


def duckdb_sql(expression: ibis.Table) -> str:
    """The statement that computes an expression; every name in it is quoted."""
    return _written(expression.op())


@lru_cache(maxsize=256)
def _written(asked: ops.Node) -> str:
    """Remembered, because writing takes as long as a scan of a million rows; statements hold no cell."""
    return str(_COMPILER.to_sqlglot(asked.to_expr()).sql(dialect=_COMPILER.dialect))
