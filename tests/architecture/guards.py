"""Which page files let only the curator in, and which files reach rows: read from the source, without running it."""

from __future__ import annotations

import ast
from collections.abc import Callable
from functools import cache
from pathlib import Path

from tests.servers.server import ROOT

GUARD = "entry.require_curator()"
LOADERS = {"read_table", "load_sample", "configured_table"}
_OF_ROWS = {"table", "required_table", "bring_table", "rows", "*"}
_KEYS = {"table", "guesses"}
"""Under which a session keeps rows, and what is exact."""
_NOT_LOOKED_THROUGH = {"session", "serving"}
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
    nodes = [*ast.walk(ast.parse(source))]
    takes_session = any(isinstance(node, ast.ImportFrom) and _takes_session(node) for node in nodes)
    found: set[str] = set()
    for node in nodes:
        if isinstance(node, ast.Attribute):
            found |= _of_rows({node.attr}) if _is_session(node.value) else {node.attr} & LOADERS
        elif isinstance(node, ast.Import):
            found |= {f"import {alias.name}" for alias in node.names if alias.name.startswith("pages.session")}
        elif isinstance(node, ast.ImportFrom):
            found |= _taken_of_rows(node)
        elif isinstance(node, ast.Call):
            found |= {"a key of the rows"} if _asks_for_a_key(node) else set()
            found |= {"session given on"} if takes_session and any(map(_is_session, node.args)) else set()
    return found


def _taken_of_rows(node: ast.ImportFrom) -> set[str]:
    names = {alias.name for alias in node.names}
    of_session = f"{node.module}.".startswith("pages.session.")
    otherwise = {"session as" for alias in node.names if alias.asname and _takes_session(node)}
    return names & LOADERS | (_of_rows(names) if of_session else set()) | otherwise


def _takes_session(node: ast.ImportFrom) -> bool:
    return node.module == "pages" and any(alias.name == "session" for alias in node.names)


def _asks_for_a_key(node: ast.Call) -> bool:
    """Whether a session is asked for one of its own keys, as if it were a widget's."""
    asked = {"widget_held", "widget_value"} & set(ast.unparse(node.func).split("."))
    return bool(asked) and any(isinstance(one, ast.Constant) and one.value in _KEYS for one in node.args)


def _is_session(node: ast.expr) -> bool:
    return isinstance(node, ast.Name) and node.id == "session"


def _of_rows(names: set[str]) -> set[str]:
    return {name for name in names if name in _OF_ROWS or name.startswith("exact_")}


def reached(source: str, package: str) -> set[str]:
    """Every module of a package that a file may have imported, by its place in it: "session.rows"."""
    named: set[str] = set()
    for node in ast.walk(ast.parse(source)):
        if isinstance(node, ast.ImportFrom):
            named |= {node.module or "", *(f"{node.module}.{alias.name}" for alias in node.names)}
        elif isinstance(node, ast.Import):
            named |= {alias.name for alias in node.names}
    return {name.removeprefix(f"{package}.") for name in named if name.startswith(f"{package}.")}


@cache
def screens(source: str) -> set[str]:
    """The modules of the screens that a file imports, by their place: "plan.accounts"."""
    return {name for name in reached(source, "pages") if file_of(name) is not None}


def behind(source: str, read: Callable[[Path], str] = Path.read_text) -> set[str]:
    """All modules of the screens that a file leads to, through however many others.

    The session and what serves it are not looked through: all lead to them, and who takes rows of the session is on
    a list by name.
    """
    found: set[str] = set()
    ahead = [source]
    while ahead:
        new = {name for name in screens(ahead.pop()) - found if name.split(".")[0] not in _NOT_LOOKED_THROUGH}
        found |= new
        ahead += [read(file) for name in new if (file := file_of(name)) is not None]
    return found


def file_of(name: str) -> Path | None:
    """Where a module of the screens lies, None where that is no module: "plan.accounts"."""
    place = ROOT / "pages" / name.replace(".", "/")
    return next((path for path in (place.with_suffix(".py"), place / "__init__.py") if path.is_file()), None)
