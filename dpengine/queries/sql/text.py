"""One SELECT out of a text, whose length, words and depth are bounded before sqlglot reads it."""

from __future__ import annotations

import sys
from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
from typing import ClassVar, TypeVar

from sqlglot import Token, TokenType, exp
from sqlglot.dialects.duckdb import DuckDB
from sqlglot.errors import ParseError, SqlglotError
from sqlglot.parsers.duckdb import DuckDBParser

from dpengine.data import Schema
from dpengine.errors import RefusedQueryError
from dpengine.queries.sql.names import quoted
from dpengine.queries.sql.tree import QUOTED, refusal_of
from dpengine.queries.sql.words import require_order, require_words, unreadable

LONGEST_TEXT = 20_000
DEEPEST = 40
ROOM = 2_000
"""Calls within calls: sqlglot takes 33 for a level, so that Python's usual 1,000 would end at the 29th of 30."""

_Result = TypeVar("_Result")
_PREFIXES = (TokenType.NOT, TokenType.DASH)


class _Parser(DuckDBParser):
    """DuckDB's, which would drop what date_trunc is given beyond two arguments."""

    FUNCTIONS: ClassVar = {
        **DuckDBParser.FUNCTIONS,
        "DATE_TRUNC": lambda arguments: exp.Anonymous(this="date_trunc", expressions=arguments),
    }


def on_fresh_stack(read: Callable[[], _Result]) -> _Result:
    """Run where the stack is empty, so that what is nested too deeply does not depend on who asks."""
    sys.setrecursionlimit(max(sys.getrecursionlimit(), ROOM))
    with ThreadPoolExecutor(max_workers=1) as fresh:
        try:
            return fresh.submit(read).result()
        except RecursionError:
            raise _too_deep() from None


def selected(text: str, schema: Schema) -> exp.Select:
    """The one SELECT that a text holds; raises RefusedQueryError for anything else, with the place if it is known."""
    statement = _parsed(_words(text, schema), text)
    if type(statement) is not exp.Select:
        raise refusal_of(statement)
    return statement


def _words(text: str, schema: Schema) -> list[Token]:
    """The words of the one statement; each of them is allowed."""
    if len(text) > LONGEST_TEXT:
        raise RefusedQueryError(f"The text has {len(text):,} characters; at most {LONGEST_TEXT:,} are read.")
    if any(character < " " and character not in "\t\n\r" for character in text):
        raise RefusedQueryError("The text holds a control character, such as NUL, that no SQL needs. Take it out.")
    try:
        words = list(DuckDB().tokenize(text))
    except SqlglotError:
        raise RefusedQueryError("A quotation mark or a comment is opened and never closed.") from None
    while words and words[-1].token_type is TokenType.SEMICOLON:
        words.pop()
    if not words:
        raise RefusedQueryError(f"There is no question yet. Try SELECT count(*) FROM {quoted(schema.name)}.")
    require_words(words, schema)
    require_order(words)
    _require_depth(words)
    for word in words:
        word.text += QUOTED if word.token_type is TokenType.IDENTIFIER else ""
    return words


def _require_depth(words: Sequence[Token]) -> None:
    """Refuse what a parser, which walks by recursion, could not take in."""
    depth = run = 0
    for word in words:
        depth += (word.token_type is TokenType.L_PAREN) - (word.token_type is TokenType.R_PAREN)
        run = run + 1 if word.token_type in _PREFIXES else 0
        if depth + run > DEEPEST:
            raise _too_deep()


def _parsed(words: list[Token], text: str) -> exp.Expr | None:
    try:
        statements = _Parser(dialect=DuckDB()).parse(words, text)
    except ParseError as error:  # its message quotes the text with marks for a terminal: the place alone is told
        place = error.errors[0] if error.errors else {}
        raise RefusedQueryError(unreadable(place.get("line"), place.get("col"))) from None
    return statements[0] if len(statements) == 1 else None


def _too_deep() -> RefusedQueryError:
    return RefusedQueryError(f"The text is nested too deeply; at most {DEEPEST} levels are read.")
