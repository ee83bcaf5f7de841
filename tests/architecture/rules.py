"""The house rules that no linter knows: each takes a source text and names what breaks it."""

from __future__ import annotations

import ast
import io
import re
import tokenize
from collections.abc import Iterator
from functools import cache
from pathlib import Path

FORBIDDEN_MODULE_NAMES = {"utils", "helpers", "common", "misc", "core", "base", "manager", "types"}
FORBIDDEN_PREFIX = re.compile(r"_*(get|compute|make|do)_")
FORBIDDEN_QUANTITIES = {"alpha", "sigma", "eps", "params", "tol"}
FETCHING_MODULES = {"requests", "httpx", "aiohttp", "urllib3", "urllib.request", "http.client", "ftplib"}
_OF_TILES = {"map", "pydeck_chart"}
_LINK = re.compile(r"\]\(https?://|<https?://")

Function = ast.FunctionDef | ast.AsyncFunctionDef
parsed = cache(ast.parse)
"""Each text once for all rules, none of which changes it."""
_APART = re.compile(r"apart\(.*\)|_?[A-Z_]+\.__getitem__|'[^']*'\.format|\w+_step", re.DOTALL)
"""What keeps options apart: our own function, a table that stands in the source, or how a number is written."""


@cache
def nodes(tree: ast.AST) -> tuple[ast.AST, ...]:
    """All of a tree, walked once for all rules."""
    return tuple(ast.walk(tree))


def code_lines(source: str) -> int:
    """How many lines hold code; blank lines, comments and docstrings do not count."""
    return len(_lines_of_code(source))


def _lines_of_code(source: str) -> set[int]:
    empty = {tokenize.COMMENT, tokenize.NL, tokenize.NEWLINE, tokenize.INDENT, tokenize.DEDENT, tokenize.ENDMARKER}
    lines: set[int] = set()
    for token in tokenize.generate_tokens(io.StringIO(source).readline):
        if token.type not in empty:
            lines.update(range(token.start[0], token.end[0] + 1))
    return lines - _docstring_lines(source)


def function_lengths(source: str, *, over: int = 0) -> dict[str, int]:
    """The lines of code, the docstring apart, of each function that takes more than `over` lines of any kind."""
    spans = [(one.name, range(one.lineno, (one.end_lineno or one.lineno) + 1)) for one in _functions(parsed(source))]
    long = [(name, span) for name, span in spans if len(span) > over]
    lines = _lines_of_code(source) if long else set()
    return {name: len(lines.intersection(span)) for name, span in long}


def forbidden_names(source: str) -> list[str]:
    """Functions that begin with get_, compute_, make_ or do_, and quantities named by a symbol."""
    tree = parsed(source)
    functions = [node.name for node in _functions(tree) if FORBIDDEN_PREFIX.match(node.name)]
    return functions + [name for name in _variables(tree) if name in FORBIDDEN_QUANTITIES]


def classes(source: str) -> list[str]:
    """The names of the classes that a text defines, wherever in it."""
    return [node.name for node in nodes(parsed(source)) if isinstance(node, ast.ClassDef)]


def asserts(source: str) -> list[str]:
    """Assert statements: python -O takes them out."""
    if "assert" not in source:
        return []
    return [f"line {node.lineno}" for node in nodes(parsed(source)) if isinstance(node, ast.Assert)]


def bare_excepts(source: str) -> list[str]:
    """Handlers that name no error."""
    if not re.search(r"\bexcept\b[\s\\]*:", source):
        return []
    handlers = (node for node in nodes(parsed(source)) if isinstance(node, ast.ExceptHandler))
    return [f"line {node.lineno}" for node in handlers if node.type is None]


def session_state(source: str) -> list[str]:
    """Uses of Streamlit's session state, under any name."""
    if "session_state" not in source:
        return []
    named = filter(_names_session_state, nodes(parsed(source)))
    return [f"line {node.lineno}" for node in named]  # type: ignore[attr-defined]


def boxes_that_fill_themselves(source: str) -> list[str]:
    """Number boxes that Streamlit gives their least number where it knows no other; one with None stays empty."""
    found = nodes(parsed(source)) if "number_input" in source else ()
    boxes = [node for node in found if isinstance(node, ast.Call) and getattr(node.func, "attr", "") == "number_input"]
    empty = [any(one.arg == "value" and ast.unparse(one.value) == "None" for one in box.keywords) for box in boxes]
    return [f"line {box.lineno}" for box, stays_empty in zip(boxes, empty, strict=True) if not stays_empty]


def options_that_may_read_alike(source: str) -> list[str]:
    """Words of options that `apart` does not keep apart, and that stand in no table of the module either."""
    found = nodes(parsed(source)) if "format_func" in source else ()
    said = [one for node in found if isinstance(node, ast.Call) for one in node.keywords if one.arg == "format_func"]
    return [f"line {one.value.lineno}" for one in said if not _APART.fullmatch(ast.unparse(one.value))]


def fetches(source: str) -> list[str]:
    """What would make this machine or the browser ask another host, as far as a reader of the source can tell."""
    tree = parsed(source)
    return [*_fetching_imports(tree), *_fetching_calls(tree), *_addresses(tree)]


def forbidden_module_names(path: Path) -> list[str]:
    """Packages and modules whose name says nothing."""
    return [part for part in (*path.parent.parts, path.stem) if part in FORBIDDEN_MODULE_NAMES]


def _names_session_state(node: ast.AST) -> bool:
    if isinstance(node, ast.Attribute):
        return node.attr == "session_state"
    return isinstance(node, ast.alias) and node.name.endswith("session_state")


def _fetching_imports(tree: ast.AST) -> Iterator[str]:
    for node in nodes(tree):
        names = [alias.name for alias in node.names] if isinstance(node, ast.Import) else []
        if isinstance(node, ast.ImportFrom) and node.module:
            names = [node.module, *(f"{node.module}.{alias.name}" for alias in node.names)]
        yield from (f"imports {name}" for name in names if name in FETCHING_MODULES)


_TELLING = {"icon", "page_icon", "include_plotlyjs"}
"""Arguments that may make a page fetch something."""


def _fetching_calls(tree: ast.AST) -> Iterator[str]:
    """st.map and st.pydeck_chart fetch tiles; a material icon of a page fetches a font; Plotly may fetch its script."""
    for node in nodes(tree):
        if not isinstance(node, ast.Call):
            continue
        if getattr(node.func, "attr", "") not in _OF_TILES and not _TELLING & {one.arg for one in node.keywords}:
            continue
        called = ast.unparse(node.func)
        if called in {f"st.{name}" for name in _OF_TILES}:
            yield f"line {node.lineno}: {called} fetches tiles"
        for keyword in node.keywords:
            if called.endswith(("Page", "set_page_config")) and keyword.arg in {"icon", "page_icon"}:
                yield from _fetching_value(keyword.value, ":material/")
            if keyword.arg == "include_plotlyjs":
                yield from _fetching_value(keyword.value, "cdn")


def _fetching_value(value: ast.expr, sign: str) -> Iterator[str]:
    if isinstance(value, ast.Constant) and isinstance(value.value, str) and sign in value.value:
        yield f"line {value.lineno}: {value.value!r} makes the browser ask another host"


def _addresses(tree: ast.Module) -> Iterator[str]:
    """Addresses of other hosts, but those in docstrings and in links that a person may follow."""
    docstrings = {id(node) for node in _docstrings(tree)}
    for node in nodes(tree):
        if not isinstance(node, ast.Constant) or not isinstance(node.value, str) or id(node) in docstrings:
            continue
        if re.search(r"(?<![\w+])https?://(?!127\.0\.0\.1|localhost)\w", node.value) and not _LINK.search(node.value):
            yield f"line {node.lineno}: {node.value[:60]!r}"


def _functions(tree: ast.AST) -> Iterator[Function]:
    return (node for node in nodes(tree) if isinstance(node, Function))


def _variables(tree: ast.AST) -> Iterator[str]:
    for node in nodes(tree):
        if isinstance(node, ast.arg):
            yield node.arg
        if isinstance(node, ast.Name) and isinstance(node.ctx, ast.Store):
            yield node.id


def _docstrings(tree: ast.Module) -> Iterator[ast.Constant]:
    for node in nodes(tree):
        body = getattr(node, "body", None)
        first = body[0] if isinstance(body, list) and body else None
        if isinstance(first, ast.Expr) and isinstance(first.value, ast.Constant) and isinstance(first.value.value, str):
            yield first.value


def _docstring_lines(source: str) -> set[int]:
    nodes = _docstrings(parsed(source))
    return {line for node in nodes for line in range(node.lineno, (node.end_lineno or node.lineno) + 1)}
