"""Which page files let only the curator in: read from the source, without running a page."""

from __future__ import annotations

import ast

GUARD = "entry.require_curator()"
_HARMLESS = (ast.Import, ast.ImportFrom, ast.FunctionDef, ast.Assign, ast.AnnAssign)


def begins_with_guard(source: str) -> bool:
    """Whether the first thing that a page does is to ask who is there; before it only names are defined."""
    for statement in ast.parse(source).body:
        if isinstance(statement, ast.Expr) and isinstance(statement.value, ast.Constant):
            continue
        if isinstance(statement, _HARMLESS) and not _calls(statement):
            continue
        return ast.unparse(statement) == GUARD
    return False


def _calls(statement: ast.stmt) -> bool:
    """Whether an assignment calls anything; what a function calls is called later."""
    if isinstance(statement, ast.FunctionDef):
        return False
    return any(isinstance(node, ast.Call) for node in ast.walk(statement))
