"""The allow-list: of what sqlglot has read, only what is named here and by its callers passes."""

from __future__ import annotations

from sqlglot import exp

from dpengine.errors import RefusedQueryError
from dpengine.queries.sql import reasons

LONGEST_SHOWN = 60
QUOTED = "\0"
"""Ends the text of a name in double quotes, which sqlglot would take for a word of SQL otherwise; no text holds it."""


def require_only(node: exp.Expr, *fields: str) -> None:
    """Refuse a node that carries anything beside these fields, so that nothing of a text is ignored in silence."""
    for field, value in node.args.items():
        if field not in fields and value is not None and value is not False and value != []:
            raise RefusedQueryError(reasons.CLAUSES.get(field) or _unknown(node))


def bare(node: exp.Expr | None) -> exp.Expr | None:
    """What stands in the parentheses, if there are any."""
    while type(node) is exp.Paren:
        require_only(node, "this")
        node = node.this
    return node


def refusal_of(node: exp.Expr | None) -> RefusedQueryError:
    """Why this piece of a statement has no answer."""
    return RefusedQueryError((node and reasons.NODES.get(type(node))) or _unknown(node))


def named(node: exp.Expr) -> str:
    """The name that a piece of a statement carries."""
    return str(node.name).removesuffix(QUOTED)


def shown(text: str) -> str:
    """A piece of the text as a sentence carries it: quoted, escaped and cut."""
    text = text.replace(QUOTED, "")
    return repr(text if len(text) <= LONGEST_SHOWN else text[:LONGEST_SHOWN] + "…")


def _unknown(node: exp.Expr | None) -> str:
    if isinstance(node, exp.Func):
        name = node.name if isinstance(node, exp.Anonymous) else node.sql_name()
        return reasons.FUNCTIONS.get(name.lower()) or (
            f"{shown(name.lower())} cannot be answered as it stands: nothing limits how much one person can change "
            "it. "
            "Ask count(*), sum, avg, var_pop, median, percentile_cont or mode of a column, and compare "
            "columns with constants."
        )
    return (
        "A part of this is not in the SQL that can be answered with noise: SELECT with one count, sum, avg, var_pop, "
        "median, percentile_cont or mode, FROM one table, WHERE columns are compared with constants, GROUP BY columns "
        "with public values."
    )
