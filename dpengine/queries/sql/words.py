"""Which words may stand in a question, and which may stand beside which: checked before sqlglot reads on.

sqlglot reads more than SQL: what it would let pass without a word, such as two constants side by side, ends here, and
so do the words that cost it time without bound, such as a row of joins.
"""

from __future__ import annotations

from collections.abc import Sequence
from itertools import pairwise

from sqlglot import Token, TokenType

from dpengine.data import Schema
from dpengine.errors import RefusedQueryError
from dpengine.queries.sql import reasons
from dpengine.queries.sql.names import quoted
from dpengine.queries.sql.tree import shown

_ALLOWED = frozenset(
    {
        *(TokenType.SELECT, TokenType.FROM, TokenType.WHERE, TokenType.GROUP_BY, TokenType.ORDER_BY, TokenType.ALIAS),
        *(TokenType.DISTINCT, TokenType.FILTER, TokenType.CASE, TokenType.WHEN, TokenType.THEN),
        *(TokenType.ELSE, TokenType.END, TokenType.AND, TokenType.OR, TokenType.NOT, TokenType.IN, TokenType.BETWEEN),
        *(TokenType.IS, TokenType.NULL, TokenType.TRUE, TokenType.FALSE),
        *(TokenType.EQ, TokenType.NEQ, TokenType.LT, TokenType.LTE, TokenType.GT, TokenType.GTE, TokenType.DASH),
        *(TokenType.VAR, TokenType.IDENTIFIER, TokenType.STRING, TokenType.NUMBER, TokenType.DATE, TokenType.STAR),
        *(TokenType.L_PAREN, TokenType.R_PAREN, TokenType.COMMA, TokenType.DOT, TokenType.ASC, TokenType.DESC),
    }
)
_BEGINNINGS = (TokenType.SELECT, TokenType.FROM, TokenType.L_PAREN)
_CONSTANTS = (TokenType.NUMBER, TokenType.STRING, TokenType.TRUE, TokenType.FALSE, TokenType.NULL)
_NAMES = (TokenType.VAR, TokenType.IDENTIFIER)
_SIGNS = (TokenType.EQ, TokenType.NEQ, TokenType.LT, TokenType.LTE, TokenType.GT, TokenType.GTE)
_JOINING = (
    *(TokenType.AND, TokenType.OR, TokenType.WHERE, TokenType.GROUP_BY, TokenType.ORDER_BY),
    *(TokenType.THEN, TokenType.ELSE, TokenType.END),
)
_NEVER_LAST = (TokenType.NOT, TokenType.STAR)
_NEVER_AFTER = {
    **dict.fromkeys(_CONSTANTS, (*_CONSTANTS, *_NAMES, TokenType.DATE, TokenType.L_PAREN)),
    **dict.fromkeys((*_NAMES, TokenType.R_PAREN), _CONSTANTS),
    **dict.fromkeys(
        (TokenType.SELECT, TokenType.ORDER_BY, TokenType.L_PAREN),
        (TokenType.COMMA, TokenType.ALIAS),
    ),
    TokenType.COMMA: (*_JOINING, TokenType.COMMA, TokenType.R_PAREN, TokenType.FROM),
    TokenType.NOT: (*_JOINING, *_SIGNS, TokenType.IS, TokenType.R_PAREN, TokenType.COMMA),
    TokenType.STAR: _JOINING,
    TokenType.ALIAS: (*_JOINING, TokenType.R_PAREN, TokenType.COMMA, TokenType.FROM),
    TokenType.GROUP_BY: (TokenType.COMMA, TokenType.ALIAS, TokenType.DISTINCT),
    TokenType.FROM: (TokenType.DOT,),
    TokenType.DOT: (TokenType.NUMBER,),
}


def require_words(words: Sequence[Token], schema: Schema) -> None:
    """Refuse a statement of another kind, more than one, and words that have no place in a question."""
    if words[0].token_type not in _BEGINNINGS:
        first = (words[0].text.split() or [""])[0].upper()
        reason = reasons.FIRST_WORDS.get(first, reasons.BEGINNING)
        raise RefusedQueryError(reason.format(word=first, table=quoted(schema.name)))
    if any(word.token_type is TokenType.SEMICOLON for word in words):
        raise RefusedQueryError("These are several statements. Ask one question at a time: each has its own charge.")
    names = {schema.name.casefold(), *(column.name.casefold() for column in schema.columns)}
    for word in words:
        kind = word.token_type
        if kind in reasons.TOKENS:
            raise RefusedQueryError(reasons.TOKENS[kind])
        if kind is TokenType.VAR and word.text.upper() in ("CAST", "TRY_CAST"):
            raise RefusedQueryError(reasons.CASTS)
        if kind is TokenType.NOT and word.text == "!":
            raise RefusedQueryError(reasons.UNREADABLE.format(word="'!'"))
        if kind not in _ALLOWED and word.text.casefold() not in names:
            quotes = reasons.QUOTES if word.text[:1].isalpha() else ""
            raise RefusedQueryError(reasons.UNREADABLE.format(word=shown(word.text)) + quotes)


def require_order(words: Sequence[Token]) -> None:
    """Refuse words side by side that sqlglot would let pass, such as two constants or two commas."""
    if words[-1].token_type in _NEVER_LAST:
        raise RefusedQueryError(unreadable(words[-1].line, words[-1].col))
    for first, second in pairwise(words):
        decimal = first.token_type is TokenType.DOT and second.start == first.end + 1
        if second.token_type in _NEVER_AFTER.get(first.token_type, ()) and not decimal:
            raise RefusedQueryError(unreadable(second.line, second.col))
    for first, _, third in zip(words, words[1:], words[2:], strict=False):
        if first.token_type is TokenType.FROM and third.token_type is TokenType.STAR:
            raise RefusedQueryError(unreadable(third.line, third.col))


def unreadable(line: int | None, column: int | None) -> str:
    """The sentence on a text that breaks off, with the place if it is known."""
    place = f" near line {line}, character {column}" if line else ""
    return (
        f"This cannot be read as SQL{place}. A question is one SELECT with a count, a sum or another figure about many "
        "people, FROM the table, perhaps WHERE and GROUP BY."
    )
