"""Probes in a temporary checkout: a call in each function that a fault would change."""

from __future__ import annotations

import ast
import shutil
from collections import defaultdict
from collections.abc import Iterable, Mapping
from pathlib import Path

from tests.faults.catalog import Fault, place, write

_NAME = "probe_of_faults"
_PROBE = Path(__file__).with_name("probe.py")


def insert(faults: Iterable[Fault], root: Path) -> None:
    """Write a probe into every Python function of a checkout that one of the faults would change."""
    wanted: dict[Path, dict[int, set[str]]] = defaultdict(lambda: defaultdict(set))
    for fault in faults:
        found = place(fault, root)
        for line in found.lines:
            wanted[found.path][line].add(fault.name)
    for path, lines in wanted.items():
        write(path, with_probes(path.read_text(encoding="utf-8"), lines))
    shutil.copy(_PROBE, root / "dpengine" / f"{_NAME}.py")


def with_probes(text: str, lines: Mapping[int, Iterable[str]]) -> str:
    """A module's text in which each function whose body begins at one of the lines first notes its names."""
    rows = text.split("\n")
    functions = (
        node for node in ast.walk(ast.parse(text)) if isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef))
    )
    begins = {_first_statement(node): node.body[0].lineno for node in functions if node.body[0].lineno in lines}
    for (line, column), named in sorted(begins.items(), reverse=True):
        call = f'__import__("dpengine.{_NAME}", fromlist=["seen"]).seen({sorted(lines[named])!r})'
        row = rows[line - 1].encode()
        before, after = row[:column].decode(), row[column:].decode()
        rows[line - 1] = f"{before}{call}; {after}" if before.strip() else f"{before}{call}\n{before}{after}"
    return "\n".join(rows)


def _first_statement(function: ast.FunctionDef | ast.AsyncFunctionDef) -> tuple[int, int]:
    described = ast.get_docstring(function, clean=False) is not None and len(function.body) > 1
    first = function.body[1 if described else 0]
    return first.lineno, first.col_offset
