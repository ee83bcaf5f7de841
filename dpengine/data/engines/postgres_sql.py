"""How PostgreSQL spells what the expressions ask for: no cell, whatever it holds, may raise an error there."""

from __future__ import annotations

import sys
from collections.abc import Callable, Mapping, Sequence
from functools import cache, partial
from typing import Any

import ibis
import sqlglot as sg
import sqlglot.expressions as sge
from ibis.backends.sql.compilers.postgres import PostgresCompiler

MOST_JOINED = 64
"""PostgreSQL refuses calls with more than 100 arguments."""

# A number as PostgreSQL may cast it, which raises an error where a double would overflow or a number other than 0 would
# become 0. Up to 200 characters with an exponent of at most two digits neither can happen; otherwise the place of the
# first digit and, at the two ends of the range, the digits themselves decide: 0.17976931348623158079 * 10**309 lies
# just below the middle between the largest double and the next power of two, 0.24703282292062327209 * 10**-323 just
# above half the least double. Nine digits of an exponent are more than the digits of any cell can make up for.
_NUMBER = """
    CASE WHEN length(cell) <= 200 AND cell !~ '[eE][+-]?[0-9][0-9][0-9]' THEN CAST(cell AS double precision) ELSE (
        SELECT CASE
            WHEN digits = '' THEN 0
            WHEN place > 309 THEN NULL
            WHEN place = 309 AND CAST('0.' || left(digits, 40) AS numeric) > 0.17976931348623158079 THEN NULL
            WHEN place < -323 THEN 0
            WHEN place = -323 AND CAST('0.' || left(digits, 40) AS numeric) < 0.24703282292062327209 THEN 0
            ELSE CAST(cell AS double precision) END
        FROM (
            SELECT ltrim(whole || fraction, '0') AS digits, CASE
                WHEN whole = '' THEN length(ltrim(fraction, '0')) - length(fraction) ELSE length(whole) END
                + CASE WHEN power LIKE '-%' THEN -1 ELSE 1 END
                * CAST('0' || left(ltrim(power, '+-0'), 9) AS integer) AS place
            FROM (
                SELECT ltrim(split_part(mantissa, '.', 1), '+-0') AS whole, split_part(mantissa, '.', 2) AS fraction,
                    power
                FROM (
                    SELECT split_part(lower(cell), 'e', 1) AS mantissa, split_part(lower(cell), 'e', 2) AS power
                ) AS halves
            ) AS parts
        ) AS placed
    ) END
"""
# Only days that exist, from the year 1, may be cast; the shape YYYY-MM-DD is given. A pattern for them would be slow.
_DATE = """
    CASE WHEN left(cell, 4) > '0000' AND substr(cell, 6, 2) BETWEEN '01' AND '12'
        AND right(cell, 2) BETWEEN '01' AND CASE
            WHEN substr(cell, 6, 2) IN ('04', '06', '09', '11') THEN '30'
            WHEN substr(cell, 6, 2) <> '02' THEN '31'
            WHEN right(left(cell, 4), 2) <> '00' AND CAST(left(cell, 4) AS integer) % 4 = 0 THEN '29'
            WHEN CAST(left(cell, 4) AS integer) % 400 = 0 THEN '29'
            ELSE '28' END
    THEN CAST(cell AS date) END
"""
# Lower case of the letters beyond ASCII would depend on the database's locale.
_LOWER = "CASE WHEN octet_length(cell) = length(cell) THEN lower(cell) ELSE translate(cell, capitals, smalls) END"


@cache
def _parsed(text: str) -> sge.Expr:
    return sg.parse_one(text, read="postgres")


def _filled(text: str, **columns: sge.Expr) -> sge.Expr:
    """A piece of SQL in which the expressions stand for the columns of these names, each computed once a row."""
    row = sg.select(*(sge.alias_(value, name) for name, value in columns.items())).offset(0).subquery(_GIVEN)
    return sg.select(_parsed(text).copy()).from_(row).subquery()


def _plain(text: sge.Expr) -> sge.Expr:
    return sge.paren(sge.Collate(this=sge.cast(text, "text"), expression=sge.to_identifier("C", quoted=True)))


def _short(text: sge.Expr, most: sge.Expr) -> sge.Expr:
    return sge.Case().when(sge.LTE(this=sge.func("octet_length", text.copy()), expression=most), text)


def _hex_sha256(text: sge.Expr) -> sge.Expr:
    letters = sge.func("convert_to", text, sge.convert("UTF8"))
    return sge.func("encode", sge.func("sha256", letters), sge.convert("hex"))


def _joined(separator: sge.Expr, texts: Sequence[sge.Expr]) -> sge.Expr:
    return sge.Anonymous(this="concat_ws", expressions=[separator.copy(), *(text.copy() for text in texts)])


@cache
def _letters() -> tuple[str, str]:
    """Capital letters, and the small ones that they become."""
    pairs = [(chr(code), chr(code).lower()) for code in range(128, sys.maxunicode)]
    changed = [pair for pair in pairs if pair[0] != pair[1] and len(pair[1]) == 1]
    ascii_pairs = [(chr(code), chr(code).lower()) for code in range(ord("A"), ord("Z") + 1)]
    first, second = zip(*ascii_pairs, *changed, strict=True)
    return "".join(first), "".join(second)


_GIVEN, _TRIM = "given_cell", "BTRIM"
_CASTS = {"float64": _NUMBER, "date": _DATE}
_FUNCTIONS: Mapping[str, Callable[..., sge.Expr]] = {
    "short_text": _short,
    "trim": partial(sge.func, _TRIM),
    "sha256": _hex_sha256,
    "plain_text": _plain,
}


class _PostgresCompiler(PostgresCompiler):  # type: ignore[misc] # ibis ships no types
    """The compiler of ibis, but for what would raise errors or depend on the database's settings."""

    __slots__ = ()

    def visit_TryCast(self, op: Any, *, arg: sge.Expr, to: Any) -> sge.Expr:  # noqa: N802 - ibis's name
        return _filled(_CASTS[str(to).removeprefix("!")], cell=arg)

    def visit_Lowercase(self, op: Any, *, arg: sge.Expr) -> sge.Expr:  # noqa: N802
        capitals, smalls = map(sge.convert, _letters())
        return _filled(_LOWER, cell=arg, capitals=capitals, smalls=smalls)

    def visit_RegexSearch(self, op: Any, *, arg: sge.Expr, pattern: sge.Expr) -> sge.Expr:  # noqa: N802
        return sge.RegexpLike(this=arg, expression=pattern)

    def visit_StringJoin(self, op: Any, *, sep: sge.Expr, arg: Any) -> sge.Expr:  # noqa: N802
        join = partial(_joined, sep)
        return join([join(arg[i : i + MOST_JOINED]) for i in range(0, len(arg), MOST_JOINED)])

    def visit_ScalarUDF(self, op: Any, **given: sge.Expr) -> sge.Expr:  # noqa: N802
        spelled = _FUNCTIONS.get(op.__func_name__)
        return spelled(*given.values()) if spelled else super().visit_ScalarUDF(op, **given)


_COMPILER = _PostgresCompiler()


def postgres_sql(expression: ibis.Table, **stored: str) -> str:
    """The statement that computes an expression; every name in it is quoted.

    `stored` are statements of this kind that stand for the tables of these names.
    """
    statement = _COMPILER.to_sqlglot(expression)
    casts = [piece.parent_select for piece in statement.find_all(sge.Subquery) if piece.alias == _GIVEN]
    trims = [piece for piece in statement.find_all(sge.Func) if piece.name.upper() == _TRIM]
    for piece in [*casts, *trims]:
        # Without this, PostgreSQL copies a value to every place that reads its column, and computes it as often: where
        # other conditions hold alone, so that a long text of one person would show whether they do.
        piece.parent_select.offset(0, copy=False)
    return with_stored(str(statement.sql(dialect=_COMPILER.dialect)), stored)


def with_stored(statement: str, stored: Mapping[str, str]) -> str:
    """A statement that may read from other statements, by names that are ours."""
    if not stored:
        return statement
    given = ", ".join(f"{name} AS ({text})" for name, text in stored.items())
    return (
        f"WITH {given}, {statement[len('WITH ') :]}" if statement.startswith("WITH ") else f"WITH {given} {statement}"
    )
