"""Which page files let only the curator in, and which files reach rows: read from the source, without running it."""

from __future__ import annotations

import ast

from tests.servers.server import ROOT

GUARD = "entry.require_curator()"
LOADERS = {"read_table", "load_sample", "configured_table"}
_ROWS_OF_SESSION = {"table", "required_table", "bring_table"}
ROOMS = {"session"}
"""Packages that are taken as one module."""
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


def reaches_rows(source: str) -> set[str]:
    """What a file uses of the session's rows, whether it takes the module or the name, and what it loads itself."""
    tree = ast.parse(source)
    taken = {
        node.attr
        for node in ast.walk(tree)
        if isinstance(node, ast.Attribute) and isinstance(node.value, ast.Name) and node.value.id == "session"
    }
    for node in ast.walk(tree):
        if isinstance(node, ast.ImportFrom):
            taken |= {alias.name for alias in node.names if f"{node.module}.".startswith("pages.session.")}
            taken |= {alias.name for alias in node.names if alias.name in LOADERS}
            taken |= {"session under another name" for alias in node.names if alias.name == "session" and alias.asname}
    return {name for name in taken if name.startswith("exact_") or name in _ROWS_OF_SESSION | LOADERS or " " in name}


def imported(source: str, package: str) -> set[str]:
    """The modules of a package that a file imports, by their last name."""
    nodes = [node for node in ast.walk(ast.parse(source)) if isinstance(node, ast.ImportFrom)]
    inside = {alias.name for node in nodes if node.module == package for alias in node.names}
    modules = {node.module or "" for node in nodes}
    return inside | {name.removeprefix(f"{package}.") for name in modules if name.startswith(f"{package}.")}


def screens(source: str) -> set[str]:
    """The modules of the screens that a file imports, by their place: "plan.accounts"."""
    found = reached(source, "pages")
    return {name for name in found if (ROOT / "pages" / name.replace(".", "/")).with_suffix(".py").is_file()} | {
        name for name in found if (ROOT / "pages" / name.replace(".", "/") / "__init__.py").is_file() and name in ROOMS
    }


def reached(source: str, package: str) -> set[str]:
    """Every module of a package that a file may have imported, by its place in it: "session.rows"."""
    nodes = [node for node in ast.walk(ast.parse(source)) if isinstance(node, ast.ImportFrom)]
    named = {node.module or "" for node in nodes}
    named |= {f"{node.module}.{alias.name}" for node in nodes for alias in node.names}
    return {name.removeprefix(f"{package}.") for name in named if name.startswith(f"{package}.")}
